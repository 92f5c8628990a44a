#!/bin/sh
# libFuzzer over the lexer, the evaluator, and the service's untrusted input: run.sh <seconds for each> [<target>…]. It
# needs a nightly toolchain and a C++ compiler, and does by hand what `cargo fuzz run <target>` does if cargo-fuzz is
# installed. A failing input is kept beside the corpus, under the target folder.
set -eu
seconds=${1:-60}
[ $# -eq 0 ] || shift
targets=${*:-lexer evaluator archive request path markdown}
here=$(cd "$(dirname "$0")" && pwd)
host=$(rustc -vV | sed -n 's/^host: //p')
target=${CARGO_TARGET_DIR:-$here/../../target}/fuzz
toolchain=$(rustup toolchain list 2>/dev/null | sed -n 's/^\(nightly[^ ]*\).*/\1/p' | head -n 1)
if [ -z "$toolchain" ]; then
    echo "left out: the libFuzzer targets need a nightly toolchain (rustup toolchain install nightly)"
    exit 0
fi
coverage="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-pc-table"
coverage="$coverage -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-trace-compares"
(cd "$here" && RUSTFLAGS="--cfg fuzzing $coverage -Zsanitizer=address -Ccodegen-units=1" CARGO_TARGET_DIR=$target \
    cargo "+$toolchain" build --release --locked --target "$host")

# Every small program is a seed.
seeds=$target/seeds
mkdir -p "$seeds"
cp "$here"/../fixtures/lang/*.td "$seeds"
for cases in "$here"/../fixtures/lang/cases/*.cases; do
    awk -v stem="$seeds/$(basename "$cases")" '/^=== /{ close(file); file = stem "-" ++count; next } file { print > file }' "$cases"
done
# So is every archive of the fixtures, and the pages that people wrote.
for format in tar gztar zip; do
    python3 -c 'import shutil, sys; shutil.make_archive(*sys.argv[1:])' "$seeds/demo-$format" "$format" "$here/../fixtures/demo"
done
cp "$here"/../../README.md "$here"/../../ARCHITECTURE.md "$seeds"
for name in $targets; do
    mkdir -p "$target/corpus-$name"
    "$target/$host/release/$name" -max_total_time="$seconds" -max_len=16384 -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$target/$name-" "$target/corpus-$name" "$seeds" 2>&1 | tail -n 20
done
