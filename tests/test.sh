#!/bin/sh
# All tests, as run by `make test` and `.ci/run`; with the argument `quick`, only the fast ones, as run by `make quick`.
# Every step prints its name; steps that cannot run here are listed at the end with the reason. Cargo's own tests come
# last, so that the last lines are their result.
set -u
cd "$(dirname "$0")/.." || exit 1
CARGO=${CARGO:-cargo}
skipped=
failed=
# Releases other than the set-up's: those whose trees are compared, and those with whose headers generated C++ is
# compiled.
trees=$(for tree in tests/fixtures/release/trees/*.tsv; do basename "$tree" .tsv; done | grep -vx 22)
with_headers="19 23"

step() {
    name=$1
    shift
    printf '\n== %s\n' "$name"
    started=$(date +%s)
    if "$@"; then
        echo "   ok, $(($(date +%s) - started)) s"
    else
        echo "   FAILED"
        failed="$failed
  $name"
    fi
}

skip() {
    skipped="$skipped
  $1: $2"
}

say_skipped() {
    if [ -n "$skipped" ]; then
        printf '\n== skipped%s\n' "$skipped"
    fi
}

# Prints the failed steps, if any, and ends this script.
end() {
    if [ -n "$failed" ]; then
        printf '\n== FAILED:%s\n' "$failed"
        exit 1
    fi
    exit 0
}

# cargo_tests ARGUMENT...: runs some of Cargo's own tests.
cargo_tests() {
    $CARGO test --locked --workspace --no-fail-fast "$@" || failed="$failed
  cargo test $*"
}

# Gets and builds everything other than Rust that the tests need. That waits for the network while Rust is compiled.
# Missing programs are reported where they are needed.
set_up() {
    for name in library reference browser pypi python clients servers editors compiler; do
        sh "tests/setup/$name.sh" >/dev/null
    done
    for release in $trees; do
        sh tests/setup/release.sh "$release" library >/dev/null
    done
    for release in $with_headers; do
        sh tests/setup/release.sh "$release" headers >/dev/null
    done
}

# Compiles all of Cargo's own tests, then runs those that compare. The others start programs: they wait most of the
# time, and some depend on the clock.
compare() {
    others=$($CARGO metadata --no-deps --format-version 1 | python3 -c '
import json, sys
targets = [target for package in json.load(sys.stdin)["packages"] for target in package["targets"]]
print(*("--test " + target["name"] for target in targets if target["kind"] == ["test"] and target["name"] != "all"))') || return 1
    nice -n 19 $CARGO test --quiet --locked --workspace --no-run || return 1
    # The tool's answers about MLIR's tree are cached. Each day the test takes another eighth of it, `make conformance`
    # all.
    ODSMITH_CONFORM_SHARE=${ODSMITH_CONFORM_SHARE:-$(date +%s | awk '{ print int($1 / 86400) % 8 }')/8}
    export ODSMITH_CONFORM_SHARE
    # shellcheck disable=SC2086  # a list of arguments
    nice $CARGO test --locked --workspace --no-fail-fast --lib --bins --examples $others &&
        nice $CARGO test --locked --workspace --no-fail-fast --doc
}

# The symptoms of a full disk are misleading, and come late.
free=$(df -Pk . | awk 'NR == 2 { print int($4 / 1024 / 1024) }')
if [ "$free" -lt 6 ]; then
    echo "tests: $free GiB are free here, and a first run needs about 5: if one fails that passed before, look there first (make clean)"
fi

if [ "${1:-}" != quick ]; then
    # The playground's script is built into the service.
    playground=$(sh tests/setup/play.sh) || skip "the playground" "Node.js or its packages are not available here (see above)"
    said=$(mktemp "${TMPDIR:-/tmp}/odsmith-tests.XXXXXX")
    set_up >"$said" 2>&1 &
    setting_up=$!
    trap 'kill $setting_up 2>/dev/null' EXIT
fi

if $CARGO fmt --version >/dev/null 2>&1; then
    step "formatting" $CARGO fmt --all --check
else
    skip "formatting" "the Rust toolchain has no rustfmt"
fi
if $CARGO clippy --version >/dev/null 2>&1; then
    step "lints" $CARGO clippy --quiet --locked --workspace --all-targets -- -D warnings
else
    skip "lints" "the Rust toolchain has no clippy"
fi
# Phrasing that is hard to read: these figures only go down.
step "English" python3 tests/style/english.py . --samples 3 --since 1eebd9e3 \
    --max clause-openings=1 --max can-not=6 --max participles=27 --max odd-words=1 --max long-titles=0
if [ "${1:-}" != quick ]; then
    printf '\n== set-up, meanwhile\n'
    started=$(date +%s)
    wait $setting_up
    trap - EXIT
    cat "$said"
    echo "   $(($(date +%s) - started)) s"
fi
library=$(sh tests/setup/library.sh) || exit 1
ODSMITH_LIBRARY=$library
export ODSMITH_LIBRARY
if [ "${1:-}" = quick ]; then
    printf '\n== cargo test\n'
    cargo_tests --lib --test architecture --test fixtures -- --quiet
    end
fi
step "the service without its features" $CARGO check --quiet --locked --package odsmith-service --no-default-features
step "documentation" env RUSTDOCFLAGS="-D warnings" $CARGO doc --quiet --locked --workspace --no-deps --document-private-items

sh tests/setup/advisories.sh >/dev/null
case $? in
0) printf '\n== advisories\n   ok\n' ;;
2) skip "advisories" "there is no database of them here (see above)" ;;
*) failed="$failed
  advisories" ;;
esac

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
sh tests/setup/reference.sh >/dev/null || exit 1
for release in $trees; do
    sh tests/setup/release.sh "$release" library >/dev/null ||
        skip "the tree of MLIR $release" "its library is not available here (see above)"
done

# The browser test opens a site of the real binary.
step "the programs" $CARGO build --quiet --locked --package odsmith --package odsmith-service
# Browsers and programs mostly wait: compiling and comparing use the time that they leave, and their output is shown at
# the end. That replaces the programs above, so that these run from another folder.
programs=$PWD/target/debug/tested
mkdir -p "$programs" && cp target/debug/odsmith target/debug/odsmith-service "$programs/" || exit 1
compare >"$said" 2>&1 &
comparing=$!
trap 'kill $comparing 2>/dev/null' EXIT
step "a site" env QUICK=1 ODSMITH_BIN="$programs/odsmith" sh tests/site/check.sh
if browser=$(sh tests/setup/browser.sh); then
    step "browser" env CHROMIUM="$browser" ODSMITH_BIN="$programs/odsmith" node tests/browser/test.mjs
    step "watched site" env CHROMIUM="$browser" ODSMITH_BIN="$programs/odsmith" node tests/browser/watch.mjs
    step "start page" env CHROMIUM="$browser" ODSMITH_BIN="$programs/odsmith" node tests/browser/start.mjs
    if [ -n "${playground:-}" ]; then
        step "parts of the playground" node --test service/play/tests/
        other=$(sh tests/setup/release.sh 21 library) && other="21=$other/include" || other=
        step "playground" env CHROMIUM="$browser" ODSMITH_BIN="$programs/odsmith" ODSMITH_OTHER="$other" node tests/browser/play.mjs
    fi
    step "hostile texts" env CHROMIUM="$browser" ODSMITH_BIN="$programs/odsmith" node tests/browser/hostile.mjs
else
    skip "browser" "Chromium or Node.js are not available here (see above)"
fi

if python=$(sh tests/setup/python.sh); then
    step "the service against its description" "$python" tests/contract/described.py --odsmith "$programs/odsmith" --library "$library" --examples 25
    if packages=$(sh tests/setup/clients.sh); then
        step "clients made of the description" "$python" tests/contract/clients.py --odsmith "$programs/odsmith" --library "$library" --typescript "$packages"
    else
        skip "the client in TypeScript" "openapi-typescript is not available here (see above)"
        step "clients made of the description" "$python" tests/contract/clients.py --odsmith "$programs/odsmith" --library "$library"
    fi
    ODSMITH_PYTHON=$python
    export ODSMITH_PYTHON
else
    skip "the service against its description" "schemathesis is not available here (see above)"
    skip "clients made of the description" "openapi-python-client is not available here (see above)"
fi

sh tests/setup/servers.sh >/dev/null || skip "parts of the service's tests" "programs are missing (see above)"
sh tests/setup/editors.sh >/dev/null || skip "editors" "programs are missing (see above)"

printf '\n== cargo test: programs that are started\n'
cargo_tests --test all
wait $comparing || failed="$failed
  cargo test: what compares"
trap - EXIT
# Attacks measure time, also that of other clients.
step "attacks" python3 tests/attack/attack.py --odsmith "$programs/odsmith" --library "$library"

say_skipped
printf '\n== cargo test: what compares\n'
cat "$said"
rm -f "$said"
end
