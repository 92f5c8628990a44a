# The project's commands. Each installs its requirements once (tests/setup/); on Debian nothing has to be installed by hand.
# `make help` lists the targets.

CARGO ?= cargo
SETUP := tests/setup

.DEFAULT_GOAL := help

.PHONY: help
help: ## Shows this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

.PHONY: tools
tools:
	@sh $(SETUP)/tools.sh

.PHONY: playground
playground: tools # The script of the service's /play, which is built in if it exists.
	@sh $(SETUP)/play.sh >/dev/null || echo "building without the playground (see above)" >&2

# A build starts `odsmith` thousands of times, and a small call spends much of its time on loading the C library: so the program
# is linked statically if possible. Cargo has no such setting for a single program.
static = $(shell rustc -vV 2>/dev/null | grep -q '^host:.*-linux-gnu$$' && [ -f "$$(cc -print-file-name=libc.a 2>/dev/null)" ] && \
    echo -C target-feature=+crt-static)

.PHONY: build
build: playground ## Builds the programs: target/release/odsmith, and odsmith-service beside it (PGO=1: odsmith with profile-guided optimisation)
	$(CARGO) build --release --locked --package odsmith-service
ifdef PGO
	@CARGO="$(CARGO)" RUSTFLAGS="$$RUSTFLAGS $(static)" sh $(SETUP)/pgo.sh >/dev/null
else
	$(CARGO) rustc --release --locked --package odsmith --bin odsmith -- $(static)
endif

.PHONY: demo
demo: build ## Starts the service, sends it two dialects, shows the answer and the site (ONCE=1 then stops)
	@library=$$(sh $(SETUP)/library.sh) && python3 tests/demo/demo.py --odsmith target/release/odsmith --library "$$library" $(if $(filter 1,$(ONCE)),--once)

.PHONY: quick
quick: tools ## Runs the fast checks after a change: formatting, lints, unit tests, fixtures
	@CARGO="$(CARGO)" sh tests/test.sh quick

.PHONY: test
test: tools ## Runs all checks: formatting, lints, docs, licences, unit tests, conformance, compiled C++, command line, HTTP, browser
	@CARGO="$(CARGO)" sh tests/test.sh

# The releases that `make conformance` compares, and a part of the file names that it selects.
RELEASES ?= 24 23 21 19 18 17 16 15 14 13
# The set-up's release is compared too, unless others are named.
CONFORMANCE_RELEASES = $(if $(filter file,$(origin RELEASES)),22) $(RELEASES)
ONLY ?=

.PHONY: conformance
conformance: tools ## Compares every generator over the whole tree of each release with its own mlir-tblgen (RELEASES="23 19", ONLY=Arith)
	@status=0; \
	for release in $(CONFORMANCE_RELEASES); do \
	    echo "== MLIR $$release"; \
	    if [ $$release = 22 ]; then sh $(SETUP)/reference.sh; else sh $(SETUP)/release.sh $$release tools; fi >/dev/null || exit 1; \
	    ODSMITH_CONFORM_RELEASE=$$release $(CARGO) test --locked --package odsmith-tests --test conformance -- --quiet $(ONLY) || status=1; \
	    [ -n "$(ONLY)" ] || ODSMITH_CONFORM_RELEASE=$$release $(CARGO) test --locked --package odsmith-tests --test all -- --nocapture the_tool_of_a_release || status=1; \
	    [ -n "$(ONLY)" ] || sh tests/layout/releases.sh target/debug/odsmith $$release || status=1; \
	done; \
	[ -n "$(ONLY)" ] || ODSMITH_LINT_FIXES=all $(CARGO) test --locked --package odsmith-tests --test lint -- --nocapture mlir_fixes || status=1; \
	[ -n "$(ONLY)" ] || sh tests/layout/targets.sh target/debug/odsmith || status=1; \
	[ -n "$(ONLY)" ] || sh tests/ir/conformance.sh $(CONFORMANCE_RELEASES) || status=1; \
	exit $$status

# The releases that `make release-notes` compares.
FROM ?= 19
TO ?= 22

.PHONY: release-notes
release-notes: build ## Makes the reference of an MLIR release with the changes since another (FROM=19 TO=22 OUT=target/release-notes)
	@old=$$(sh $(SETUP)/release.sh $(FROM)) && new=$$(sh $(SETUP)/release.sh $(TO)) && \
	    sh tests/site/release_notes.sh target/release/odsmith "$(FROM)=$$old/include" "$(TO)=$$new/include" "$(or $(OUT),target/release-notes)"

.PHONY: evolution
evolution: build ## Judges `odsmith diff` by pairs of versions like real commits, with mlir-tblgen and compiled dialects (NAMES="renames traits")
	@tools=$$(sh $(SETUP)/reference.sh) && mlir=$$(sh $(SETUP)/compiler.sh) && \
	    python3 tests/evolution/run.py --odsmith target/release/odsmith --tblgen "$$tools/mlir-tblgen" --include "$$mlir/include" --tools $(NAMES)

.PHONY: fuzz
fuzz: tools ## Compares random programs with the reference, tries broken ones, then runs libFuzzer (SECONDS=600, SEED=now); adds its counts to tests/fuzz/counts.tsv
	@sh $(SETUP)/reference.sh >/dev/null
	ODSMITH_FUZZ_SECONDS=$(or $(SECONDS),600) ODSMITH_FUZZ_SEED=$(or $(SEED),$(shell date +%s)) \
	    $(CARGO) test --release --locked --package odsmith-tests --test random -- --nocapture --test-threads=1
	sh tests/fuzz/run.sh $(or $(SECONDS),600)

.PHONY: bench
bench: build ## Times odsmith against mlir-tblgen and a bare server, in pairs (PGO=1 as in make build)
	@sh $(SETUP)/servers.sh >/dev/null
	@$(CARGO) build --release --locked --package odsmith-engine --example warm
	@$(CARGO) build --release --locked --package odsmith-service --example bare
	@tools=$$(sh $(SETUP)/reference.sh) && library=$$(sh $(SETUP)/library.sh) && \
	    both="--odsmith target/release/odsmith --library $$library" && pair="$$both --reference $$tools" && status=0; \
	    python3 tests/bench/bench.py $$pair $(BENCH) || status=1; \
	    python3 tests/bench/calls.py $$pair || status=1; \
	    python3 tests/bench/build.py $$pair || status=1; \
	    python3 tests/bench/records.py $$pair --warm target/release/examples/warm || status=1; \
	    python3 tests/bench/service.py $$pair --bare target/release/examples/bare || status=1; \
	    python3 tests/bench/play.py $$both || status=1; \
	    python3 tests/bench/lint.py $$both --max 1.3 || status=1; \
	    python3 tests/bench/editor.py --odsmith target/release/odsmith --tree $$library --max || status=1; \
	    others=$$(for release in $(RELEASES); do include=$$(sh $(SETUP)/release.sh $$release library)/include && echo "--library $$release=$$include"; done); \
	    python3 tests/bench/libraries.py --odsmith target/release/odsmith --library 22=$$library $$others --max-start 100 || status=1; \
	    python3 tests/bench/diff.py --odsmith target/release/odsmith --library 22=$$library $$others || status=1; \
	    if bazel=$$(sh $(SETUP)/bazel.sh) && python=$$(sh $(SETUP)/grpc.sh); then \
	        $$python tests/bench/bazel.py $$pair --bazel $$bazel/bazel --executor --rules service/integrations/bazel || status=1; \
	    else echo "left out: MLIR's build through Bazel"; fi; \
	    exit $$status

.PHONY: soak
soak: build ## Sends mixed requests to the service and checks every answer (N=100000 or MINUTES=60), then attacks it
	@sh $(SETUP)/servers.sh >/dev/null && library=$$(sh $(SETUP)/library.sh) && \
	    python3 tests/soak/soak.py --odsmith target/release/odsmith --library "$$library" --requests $(or $(N),100000) $(if $(MINUTES),--minutes $(MINUTES)) && \
	    python3 tests/attack/attack.py --odsmith target/release/odsmith --library "$$library" --rounds 5 --memory-rounds 100 && \
	    python3 tests/attack/ceiling.py --odsmith target/release/odsmith --library "$$library" && \
	    ODSMITH_ROUNDS=200 ODSMITH_LIBRARY="$$library" $(CARGO) test --release --locked --package odsmith-tests --test all -- replicas::addresses large_bodies

.PHONY: wasm
wasm: tools ## Builds WebAssembly into target/wasm: odsmith.wasm (the command line for WASI) and odsmith_web.wasm (a library)
	@CARGO="$(CARGO)" sh tests/wasm/build.sh odsmith web

.PHONY: wasm-check
wasm-check: build wasm ## Compares the modules with the native programs: MLIR 22's build, the trees of 13, 19 and 24, time, memory
	@library=$$(sh $(SETUP)/library.sh) && trees=$$(for release in 13 19 24; do include=$$(sh $(SETUP)/release.sh $$release library)/include && echo "--tree $$release=$$include"; done) && \
	    python3 tests/wasm/check.py --odsmith target/release/odsmith --module target/wasm/odsmith.wasm --library "$$library" --all $$trees --max-time 4 --max-memory 2

.PHONY: sbom
sbom: build ## Lists the parts of odsmith-service: target/release/odsmith.cdx.json (CycloneDX)
	@python3 tests/setup/sbom.py --cargo "$(CARGO)" --binary target/release/odsmith-service --out target/release/odsmith.cdx.json

.PHONY: dist
dist: tools ## Builds every package that users install, into target/dist: see service/packages/README.md
	@tools=$$(sh $(SETUP)/dist.sh) && python3 tests/dist/dist.py --cargo "$(CARGO)" --tools "$$tools"

# Without a network, except loopback; ONLY=debian,npm selects some of the proofs.
.PHONY: dist-check
dist-check: ## Tries every package of target/dist as users would, without a network (as root)
	@tools=$$(sh $(SETUP)/dist.sh) && reference=$$(sh $(SETUP)/reference.sh) && old=$$(sh $(SETUP)/release.sh 19 tools) && new=$$(sh $(SETUP)/release.sh 23 tools) && \
	    unshare --net sh -c 'ip link set lo up && exec "$$@"' - python3 tests/dist/check.py --cargo "$(CARGO)" --tools "$$tools" --reference "$$reference" --mlir "19=$$old" --mlir "23=$$new" $(if $(ONLY),--only $(ONLY))

.PHONY: site-check
site-check: build ## Builds the reference of all of MLIR's dialects and checks its budgets; for other RELEASES, its links
	@$(CARGO) build --release --locked --package odsmith-service --example timed
	@RELEASES="$(RELEASES)" sh tests/site/check.sh

.PHONY: clean
clean: ## Removes all builds (not the cache of the set-up)
	$(CARGO) clean
	rm -rf service/play/node_modules service/play/dist/play.js service/play/dist/play.js.gz service/play/dist/parts.json
	rm -rf tests/browser/node_modules tests/browser/shots tests/contract/node_modules
