#!/bin/sh
# All tests, as run by `make test` and `.ci/run`; with the argument `quick`, only the fast ones, as run by `make quick`.
# Fast steps come first. Later ones run beside each other: browsers and programs mostly wait, and what only computes uses
# the time that they leave, at a lower priority.
set -u
cd "$(dirname "$0")/.." || exit 1
CARGO=${CARGO:-cargo}
# Releases other than the set-up's: those whose trees are compared, and those with whose headers generated C++ is
# compiled.
trees=$(for tree in tests/fixtures/release/trees/*.tsv; do basename "$tree" .tsv; done | grep -vx 22)
with_headers="19 23 24"
# shellcheck source=tests/setup/steps.sh
. tests/setup/steps.sh

# cargo_tests ARGUMENT...: runs some of Cargo's own tests.
cargo_tests() {
    $CARGO test --locked --workspace --no-fail-fast "$@"
}

# Gets and builds everything other than Rust that the tests need. That waits for the network while Rust is compiled.
# Missing programs are reported where they are needed.
get_programs() {
    for name in library reference browser pypi python clients servers editors compiler mcp backstage; do
        sh "tests/setup/$name.sh" >/dev/null
    done
    for release in $trees; do
        sh tests/setup/release.sh "$release" library >/dev/null
    done
    for release in $with_headers; do
        sh tests/setup/release.sh "$release" headers >/dev/null
    done
    return 0
}

# Looks for known faults of the crates that we use.
advisories() {
    sh tests/setup/advisories.sh >/dev/null
    case $? in
    0) ;;
    2) skip "advisories" "there is no database of them here (see above)" ;;
    *) return 1 ;;
    esac
}

# ---- lanes: their steps run beside those of others ------------------------------------------------------------------

set_up() {
    step "set-up" get_programs
}

in_browsers() {
    step "a site" env QUICK=1 ODSMITH_BIN="$programs/odsmith" sh tests/site/check.sh
    if ! browser=$(sh tests/setup/browser.sh); then
        skip "browser" "Chromium or Node.js are not available here (see above)"
        return
    fi
    step "browser" env CHROMIUM="$browser" ODSMITH_BIN="$programs/odsmith" node tests/browser/test.mjs
    step "watched site" env CHROMIUM="$browser" ODSMITH_BIN="$programs/odsmith" node tests/browser/watch.mjs
    step "start page" env CHROMIUM="$browser" ODSMITH_BIN="$programs/odsmith" node tests/browser/start.mjs
    if [ -n "${playground:-}" ]; then
        step "parts of the playground" node --test service/play/tests/
        other=$(sh tests/setup/release.sh 21 library) && other="21=$other/include" || other=
        step "playground" env CHROMIUM="$browser" ODSMITH_BIN="$programs/odsmith" ODSMITH_OTHER="$other" node tests/browser/play.mjs
    fi
    step "hostile texts" env CHROMIUM="$browser" ODSMITH_BIN="$programs/odsmith" node tests/browser/hostile.mjs
}

in_webassembly() {
    if [ -z "${ODSMITH_WASM:-}" ]; then
        skip "WebAssembly" "building the modules takes 23 minutes of a processor: make test ODSMITH_WASM=1 builds and tries them"
        return
    fi
    if ! sh tests/setup/wasm.sh >/dev/null; then
        skip "WebAssembly" "its toolchain is not available here (see above)"
        return
    fi
    step "WebAssembly" env CARGO="$CARGO" nice sh tests/wasm/build.sh odsmith web
    step "the module against the programs" nice python3 tests/wasm/check.py --odsmith "$programs/odsmith" --module target/wasm/odsmith.wasm --library "$library"
    if [ -n "${playground:-}" ] && browser=$(sh tests/setup/browser.sh); then
        export ODSMITH_WEB="$PWD/target/wasm/odsmith_web.wasm"
        step "files of a playground" "$programs/odsmith" playground --mlir 22 --out target/wasm/playground
        step "a playground without a server" env CHROMIUM="$browser" ODSMITH_BIN="$programs/odsmith" ODSMITH_STATIC="$PWD/target/wasm/playground" \
            node tests/browser/play.mjs views errors assistance files manifest release links hostile
        unset ODSMITH_WEB
    fi
}

over_http() {
    step "advisories" advisories
    if [ -z "${ODSMITH_PYTHON:-}" ]; then
        skip "the service against its description" "schemathesis is not available here (see above)"
        skip "clients made of the description" "openapi-python-client is not available here (see above)"
        return
    fi
    step "the service against its description" "$ODSMITH_PYTHON" tests/contract/described.py --odsmith "$programs/odsmith" --library "$library" --examples 25
    packages=$(sh tests/setup/clients.sh) || skip "the client in TypeScript" "openapi-typescript is not available here (see above)"
    step "grammars of IR" "$ODSMITH_PYTHON" tests/ir/grammars.py --odsmith "$programs/odsmith"
    step "clients made of the description" "$ODSMITH_PYTHON" tests/contract/clients.py --odsmith "$programs/odsmith" --library "$library" ${packages:+--typescript "$packages"}
}

# Tools over the catalogue that the golden questions leave.
over_a_catalogue() {
    if [ ! -d "$ODSMITH_KEEP_CATALOGUE/c" ]; then
        skip "tools over a catalogue" "docker-registry is not available here (see above), or the golden questions failed"
        return
    fi
    if [ -n "$ODSMITH_MCP_PYTHON" ]; then
        step "tasks over the Model Context Protocol" sh tests/registry/tools.sh "$ODSMITH_KEEP_CATALOGUE" mcp "$programs/odsmith" "$ODSMITH_MCP_PYTHON"
    else
        skip "tasks over the Model Context Protocol" "PyPI's mcp is not available here (see above)"
    fi
    if sh tests/setup/backstage.sh >/dev/null; then
        step "entities of Backstage" sh tests/registry/tools.sh "$ODSMITH_KEEP_CATALOGUE" backstage
    else
        skip "entities of Backstage" "@backstage/catalog-model is not available here (see above)"
    fi
}

# Tests with one test for each file of data, and those that compare random inputs. They start no programs of ours.
comparisons() {
    # The tool's answers about MLIR's tree are cached. Each day the test takes another eighth of it, `make conformance`
    # all.
    ODSMITH_CONFORM_SHARE=${ODSMITH_CONFORM_SHARE:-$(date +%s | awk '{ print int($1 / 86400) % 8 }')/8}
    export ODSMITH_CONFORM_SHARE
    for test in $compared; do
        step "cargo test: $test" nice $CARGO test --locked --workspace --test "$test"
    done
    step "cargo test: examples in documentation" nice $CARGO test --quiet --locked --workspace --no-fail-fast --doc
    step "documentation" env RUSTDOCFLAGS="-D warnings" nice $CARGO doc --quiet --locked --workspace --no-deps --document-private-items
    step "the service without its features" nice $CARGO check --quiet --locked --package odsmith-service --no-default-features
}

# ---- fast steps -----------------------------------------------------------------------------------------------------

# The symptoms of a full disk are misleading, and come late.
free=$(df -Pk . | awk 'NR == 2 { print int($4 / 1024 / 1024) }')
if [ "$free" -lt 6 ]; then
    echo "tests: $free GiB are free here, and a first run needs about 5: if one fails that passed before, look there first (make clean)"
fi

if [ "${1:-}" != quick ]; then
    # The playground's script is built into the service.
    playground=$(sh tests/setup/play.sh) || skip "the playground" "Node.js or its packages are not available here (see above)"
    beside set_up
fi
if $CARGO fmt --version >/dev/null 2>&1; then
    step "formatting" $CARGO fmt --all --check
else
    skip "formatting" "the Rust toolchain has no rustfmt"
fi
# Phrasing that is hard to read: these figures only go down.
step "English" python3 tests/style/english.py . --samples 3 --since 1eebd9e3 \
    --max clause-openings=1 --max can-not=0 --max participles=0 --max odd-words=0 --max long-titles=0
if $CARGO clippy --version >/dev/null 2>&1; then
    step "lints" $CARGO clippy --quiet --locked --workspace --all-targets -- -D warnings
else
    skip "lints" "the Rust toolchain has no clippy"
fi
library=$(sh tests/setup/library.sh) || give_up "the library of MLIR"
ODSMITH_LIBRARY=$library
export ODSMITH_LIBRARY
step "unit tests and fixtures" cargo_tests --lib --test architecture --test fixtures -- --quiet
[ "${1:-}" != quick ] || finish

# ---- all others -----------------------------------------------------------------------------------------------------

step "the programs" $CARGO build --quiet --locked --package odsmith --package odsmith-service
# Compiling the tests replaces the programs, so that the lanes run copies.
programs=$PWD/target/debug/tested
mkdir -p "$programs" && cp target/debug/odsmith target/debug/odsmith-service "$programs/" || give_up "a copy of the programs"
compared=$($CARGO metadata --no-deps --format-version 1 | python3 -c '
import json, sys
targets = [target for package in json.load(sys.stdin)["packages"] for target in package["targets"]]
print(*(target["name"] for target in targets if target["kind"] == ["test"] and target["name"] not in ("all", "architecture", "fixtures")))') || give_up "the list of tests"
join

# ODSMITH_COMPILE: 1 compiles generated C++ and fails if that is impossible, 0 leaves it out; by default it is compiled
# if possible.
if [ "${ODSMITH_COMPILE:-1}" = 0 ]; then
    skip "compiling generated C++" "ODSMITH_COMPILE is 0"
elif [ "${ODSMITH_COMPILE:-}" = 1 ] || sh tests/setup/compiler.sh >/dev/null; then
    ODSMITH_COMPILE=1
    export ODSMITH_COMPILE
    for release in $with_headers; do
        sh tests/setup/release.sh "$release" headers >/dev/null ||
            skip "compiling for MLIR $release" "its headers are not available here (see above)"
    done
else
    skip "compiling generated C++" "a C++ compiler or MLIR's headers are not available here (see above)"
fi
sh tests/setup/reference.sh >/dev/null || give_up "the reference"
for release in $trees; do
    sh tests/setup/release.sh "$release" library >/dev/null ||
        skip "the tree of MLIR $release" "its library is not available here (see above)"
done
if ODSMITH_PYTHON=$(sh tests/setup/python.sh); then
    export ODSMITH_PYTHON
fi
sh tests/setup/servers.sh >/dev/null || skip "parts of the service's tests" "programs are missing (see above)"
sh tests/setup/editors.sh >/dev/null || skip "editors" "programs are missing (see above)"

beside in_browsers
beside over_http
beside in_webassembly
step "the manual" python3 tests/manual/run.py --odsmith "$programs/odsmith" --library "$library"
# The two lanes of Cargo's tests would wait for each other's compiler.
step "compiling the tests" nice -n 19 $CARGO test --quiet --locked --workspace --no-run --lib --test "*"
beside comparisons
ODSMITH_KEEP_CATALOGUE=$PWD/target/catalogue
ODSMITH_MCP_PYTHON=$(sh tests/setup/mcp.sh) || ODSMITH_MCP_PYTHON=
export ODSMITH_KEEP_CATALOGUE ODSMITH_MCP_PYTHON
rm -rf "$ODSMITH_KEEP_CATALOGUE"
step "cargo test: programs that are started" cargo_tests --test all
over_a_catalogue
join
# Attacks measure time, also that of other clients.
step "attacks" python3 tests/attack/attack.py --odsmith "$programs/odsmith" --library "$library"
finish
