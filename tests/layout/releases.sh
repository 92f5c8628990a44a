#!/bin/sh
# releases.sh ODSMITH RELEASE...: compares the records of a release's whole tree before and after `odsmith fmt`, by its own mlir-tblgen.
set -eu
cd "$(dirname "$0")/../.."
odsmith=$1
shift
status=0
for release in "$@"; do
    if [ "$release" = 22 ]; then
        tools=$(sh tests/setup/reference.sh) include=$(sh tests/setup/library.sh)
    else
        folder=$(sh tests/setup/release.sh "$release" tools)
        tools=$folder/bin include=$folder/include
    fi
    echo "layout of MLIR $release:"
    python3 tests/layout/records.py --odsmith "$odsmith" --tool "$tools/mlir-tblgen" "$include" || status=1
done
exit $status
