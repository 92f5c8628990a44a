#!/bin/sh
# release_notes.sh ODSMITH FROM=INCLUDE TO=INCLUDE OUT: pages of what changed between two releases of MLIR (release_notes.py).
set -eu
odsmith=$1 old=$2 new=$3 out=$4
from=${old%%=*} to=${new%%=*}
unset ODSMITH_LIBRARY || true
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$odsmith" diff "release:$from" "release:$to" --library "$old" --library "$new" --fail-on never --format json --out "$work/findings.json"
"$odsmith" upgrade --rows --format json --out "$work/rows.json"
"$odsmith" diff --rules --format json --out "$work/rules.json"
python3 "$(dirname "$0")/release_notes.py" "$work/findings.json" "$work/rows.json" "$from" "$to" "$out" "$work/rules.json"
