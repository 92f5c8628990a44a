#!/bin/sh
# release_notes.sh ODSMITH FROM=INCLUDE TO=INCLUDE OUT: the reference of a release of MLIR with the changes since
# another, and a page of what to write in .td files instead (release_notes.py).
set -eu
odsmith=$1 old=$2 new=$3 out=$4
from=${old%%=*} to=${new%%=*}
unset ODSMITH_LIBRARY || true
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/include"
# LLVM's definitions have no dialects.
cp -R "${new#*=}/mlir" "$work/include/"
"$odsmith" rule --of upgrade --json --out "$work/rows.json"
python3 "$(dirname "$0")/release_notes.py" "$work/rows.json" "$from" "$to" "$work/include/What to write otherwise.md"
"$odsmith" docs "$work/include" --mlir="$to" --library "$old" --library "$new" --title "MLIR $to" \
    --release "$to" --against "release:$from" -o "$out"
echo "$out/release/$to.html shows what has changed since MLIR $from"
