#!/bin/sh
# `make site-check`: builds the reference of all of MLIR's dialects and of our own example, and checks what the site
# promises. Every step prints its measurements; steps that cannot run here are listed at the end with the reason.
#
#   ODSMITH_BIN   the program, a release build (default: target/release/odsmith)
#   QUICK=1       our own example alone, and without the site generators: what `make test` runs
#   RELEASES      other releases whose own reference is built (default: 23 21 19 18 17)
set -u
cd "$(dirname "$0")/../.." || exit 1
ODSMITH_BIN=${ODSMITH_BIN:-target/release/odsmith}
QUICK=${QUICK:-0}
base_url=https://example.org/reference/
example=tests/compile
. tests/setup/steps.sh

library=$(sh tests/setup/library.sh) || give_up "the library of MLIR"
work=$steps/site
mkdir "$work"

# docs INPUT OUT OPTION...: the site of a folder, with its address.
docs() {
    input=$1
    into=$2
    shift 2
    "$ODSMITH_BIN" docs "$input" --library "$library" --title "Reference" --base-url "$base_url" -o "$into" "$@"
}

# The same input gives the same bytes.
twice() {
    docs "$1" "$2-again" && diff -r "$2" "$2-again" && rm -rf "$2-again"
}

# All checks of one built site.
site() {
    name=$1
    input=$2
    out=$work/$name
    step "$name: the site" docs "$input" "$out"
    step "$name: the same bytes again" twice "$input" "$out"
    step "$name: links and ids" python3 tests/site/links.py --site "$out"
    step "$name: users are listed" python3 tests/site/inverse.py --site "$out"
    step "$name: what no page shows" python3 tests/site/soundness.py --site "$out"
    step "$name: sizes" python3 tests/site/sizes.py --site "$out"
    if python=$(sh tests/setup/pypi.sh); then
        step "$name: twins, index, inventory" "$python" tests/site/twins.py --site "$out" --base-url "$base_url"
    else
        skip "$name: twins, index, inventory" "packages of PyPI are missing (see above)"
    fi
}

# The checks in a browser: accessibility, Lighthouse, the search.
in_browser() {
    name=$1
    if ! browser=$(sh tests/setup/browser.sh); then
        skip "$name: browser" "Chromium or Node.js are not available here (see above)"
        return
    fi
    if ! cmp -s tests/site/package-lock.json tests/site/node_modules/.installed; then
        if ! (cd tests/site && npm ci --ignore-scripts --no-audit --no-fund >/dev/null); then
            skip "$name: browser" "packages of npm are not available here (see above)"
            return
        fi
        cp tests/site/package-lock.json tests/site/node_modules/.installed
    fi
    for check in axe lighthouse search; do
        step "$name: $check" env CHROMIUM="$browser" node "tests/site/$check.mjs" "$work/$name"
    done
    # Pages of releases and of what is gone.
    step "versions: axe" env CHROMIUM="$browser" node tests/site/axe.mjs "$work/versions/2"
    step "versions: filters, and HTML of the project's own" env CHROMIUM="$browser" node tests/site/front.mjs "$work/versions/2"
    # Guides with dates and links for changes.
    step "project: axe" env CHROMIUM="$browser" node tests/site/axe.mjs "$work/project"
    [ ! -f service/play/dist/play.js.gz ] || step "playground: lighthouse" env CHROMIUM="$browser" ODSMITH_BIN="$ODSMITH_BIN" ODSMITH_LIBRARY="$library" node tests/site/play.mjs
}

# The additions of a release are on its pages and in its index, and stay there in the next release.
releases() {
    docs "$example" "$work/first" --project-version 1 &&
        python3 tests/site/releases.py --before "$work/first/index.json" &&
        docs "$example" "$work/second" --project-version 2 --earlier "$work/first/index.json" &&
        docs "$example" "$work/third" --project-version 3 --earlier "$work/second/index.json" &&
        python3 tests/site/releases.py --site "$work/second" --release 2 &&
        python3 tests/site/releases.py --site "$work/third" --release 2
}

# Two releases beside each other: an operation that is gone in the second keeps its page.
versions() {
    cp -R "$example" "$work/changed" &&
        python3 tests/site/versions.py --change "$work/changed" &&
        docs "$example" "$work/versions" --project-version 1 --versioned &&
        docs "$work/changed" "$work/versions" --project-version 2 --versioned --against "1=$example" &&
        python3 tests/site/versions.py --site "$work/versions" --base-url "$base_url" &&
        python3 tests/site/links.py --site "$work/versions/2" --beside
}

# of_release RELEASE INCLUDE: the reference of another release, all of whose links must work. LLVM's definitions may be
# beside MLIR's; they have no dialects.
of_release() {
    mkdir -p "$work/include-$1" && cp -R "$2/mlir" "$work/include-$1/" &&
        "$ODSMITH_BIN" docs "$work/include-$1" --mlir="$1" --library "$1=$2" --title "Reference" --base-url "$base_url" -o "$work/mlir-$1" &&
        python3 tests/site/links.py --site "$work/mlir-$1" &&
        python3 tests/site/inverse.py --site "$work/mlir-$1" &&
        python3 tests/site/soundness.py --site "$work/mlir-$1"
    status=$?
    rm -rf "$work/mlir-$1" "$work/include-$1"
    return $status
}

site example "$example"
# A project in the style of others: dialects across roots that include each other, texts and tests of many kinds.
site project tests/site/project
step "example: releases" releases
step "example: releases beside each other" versions
step "example: features" python3 tests/site/features.py versions="$work/versions"
if [ "$QUICK" = 0 ]; then
    # LLVM's definitions may be beside MLIR's; they have no dialects, and not all can be read alone.
    mkdir -p "$work/include" && cp -R "$library/mlir" "$work/include/"
    site mlir "$work/include"
    step "mlir: comments" python3 tests/site/harvest.py --site "$work/mlir" --include "$library"
    step "mlir: features" python3 tests/site/features.py mlir="$work/mlir"
    step "mlir: old fragments" python3 tests/site/anchors.py --site "$work/mlir"
    if tools=$(sh tests/setup/reference.sh); then
        step "mlir: nothing is lost" python3 tests/site/losses.py --site "$work/mlir" --include "$library" --tblgen "$tools/llvm-tblgen"
        step "mlir: traits, interfaces, effects" python3 tests/site/op_docs.py --site "$work/mlir" --include "$library" --tblgen "$tools/mlir-tblgen"
        [ -x "$tools/mlir-opt" ] && step "examples of MLIR's operations" python3 tests/site/upstream.py --mlir-opt "$tools/mlir-opt"
        [ -x "$tools/mlir-opt" ] && step "mlir: examples parse" python3 tests/site/skeletons.py --site "$work/mlir" --mlir-opt "$tools/mlir-opt"
    else
        skip "mlir: losses, examples" "the reference's programs are not available here (see above)"
    fi
    for release in ${RELEASES:-23 21 19 18 17}; do
        if prefix=$(sh tests/setup/release.sh "$release" library); then
            step "MLIR $release: the site, links and ids" of_release "$release" "$prefix/include"
        else
            skip "MLIR $release" "its library is not available here (see above)"
        fi
    done
    step "20,000 operations" python3 tests/site/large.py --odsmith "$ODSMITH_BIN" --library "$library"
    in_browser mlir
    step "mlir: queries that name a wish" node tests/site/queries.mjs "$work/mlir"
    step "mlir: time from records to files" python3 tests/site/speed.py --library "$library" --out "$work/timed"
    step "flavours of Markdown: example" python3 tests/site/flavors.py --odsmith "$ODSMITH_BIN" --input "$example" \
        --library "$library" --generators "$(sh tests/setup/flavors.sh)"
    # The same files below the same path, so that they include each other and not the library's.
    mkdir -p "$work/spirv/mlir/Dialect" && cp -R "$library/mlir/Dialect/SPIRV" "$work/spirv/mlir/Dialect/"
    step "flavours of Markdown: a dialect of MLIR" python3 tests/site/flavors.py --odsmith "$ODSMITH_BIN" \
        --input "$work/spirv" --library "$library" --generators "$(sh tests/setup/flavors.sh)"
fi

finish
