#!/bin/sh
# Builds `odsmith` with profile-guided optimisation into target/release: `make build PGO=1`.
#
# An instrumented build makes all outputs of MLIR's own build, one call for each as a build tool does it, and some dumps
# of records. A second build uses this profile. Both are in target/pgo with the profile, which is made again when the
# first build changes. RUSTFLAGS apply to both.
. "$(dirname "$0")/common.sh"

cd "$(dirname "$0")/../.."
cargo=${CARGO:-cargo}
build=$PWD/target/pgo
host=$(rustc -vV | sed -n 's/^host: //p')
llvm=$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')

# The tool has to know the format of the compiler's LLVM.
find_profdata() {
    for place in "$(rustc --print sysroot)/lib/rustlib/$host/bin/llvm-profdata" "llvm-profdata-$llvm" "/usr/lib/llvm-$llvm/bin/llvm-profdata"; do
        if have "$place"; then
            echo "$place"
            return
        fi
    done
}

profdata=$(find_profdata)
if [ -z "$profdata" ] && have rustup; then
    say "adding llvm-tools to the Rust toolchain"
    rustup component add llvm-tools >&2 || true
    profdata=$(find_profdata)
fi
[ -n "$profdata" ] || fail "missing: llvm-profdata of LLVM $llvm. Run: rustup component add llvm-tools"

library=$(sh tests/setup/library.sh)
flags=${RUSTFLAGS:-}
profile=$build/merged.profdata
# The target is named, so that build scripts are built without these flags.
build_with() {
    RUSTFLAGS="$flags $1" "$cargo" build --release --locked --package odsmith --bin odsmith --target "$host" --target-dir "$build/$2" >&2
}

say "building odsmith with counters"
build_with "-C profile-generate=$build/counts" counting
odsmith=$build/counting/$host/release/odsmith

# Calls without earlier states, the same calls again, and calls that keep no states.
count() {
    rm -rf "$build/counts" "$build/states"
    mkdir -p "$build/counts" "$build/states"
    # All processes add to one file.
    export LLVM_PROFILE_FILE="$build/counts/odsmith-%m.profraw"
    tab=$(printf '\t')
    for states in "$build/states" "$build/states" off; do
        grep -v '^#' tests/bench/mlir-build.tsv | while IFS="$tab" read -r _ root options; do
            # shellcheck disable=SC2086  # a list of options
            ODSMITH_CACHE=$states "$odsmith" tblgen $options -I "$library" -I "$library/$(dirname "$root")" "$library/$root" -o "$build/output"
        done
    done
    for root in llvm/IR/Intrinsics.td mlir/Dialect/Arith/IR/ArithOps.td mlir/Dialect/SPIRV/IR/SPIRVOps.td; do
        for action in --print-records --dump-json; do
            [ ! -f "$library/$root" ] || ODSMITH_CACHE=off "$odsmith" tblgen $action -I "$library" "$library/$root" -o "$build/output"
        done
    done
    unset LLVM_PROFILE_FILE
    "$profdata" merge -o "$profile" "$build/counts"
    rm -rf "$build/counts" "$build/states" "$build/output"
}

if [ ! "$profile" -nt "$odsmith" ]; then
    say "counting what calls of MLIR's build do"
    count
fi

say "building odsmith by these counts"
build_with "-C profile-use=$profile" using
mkdir -p target/release
# Replaces a file that may be in use, and that cargo may have linked to.
cp "$build/using/$host/release/odsmith" target/release/odsmith.new
mv target/release/odsmith.new target/release/odsmith
echo "$PWD/target/release/odsmith"
