#!/bin/sh
# Finds MLIR's `.td` library and prints its include folder (the one that holds mlir/IR/OpBase.td).
#
# The sources, in this order: ODSMITH_LIBRARY (an include folder), an installation (MLIR_PREFIX, llvm-config, the usual
# prefixes, Homebrew), the cache, and the distribution's package, of which only the `.td` files are unpacked into the
# cache; nothing is installed.
. "$(dirname "$0")/common.sh"

package=libmlir-$MLIR_RELEASE-dev
cached=$CACHE/mlir-$MLIR_RELEASE/include

holds_library() {
    [ -f "$1/mlir/IR/OpBase.td" ]
}

# It may begin with the release, as for --library: 22=/path/to/include.
ODSMITH_LIBRARY=${ODSMITH_LIBRARY:-}
ODSMITH_LIBRARY=${ODSMITH_LIBRARY#*=}
if [ -n "$ODSMITH_LIBRARY" ]; then
    holds_library "$ODSMITH_LIBRARY" || fail "ODSMITH_LIBRARY is $ODSMITH_LIBRARY, which holds no mlir/IR/OpBase.td"
    echo "$ODSMITH_LIBRARY"
    exit
fi

found=$(mlir_prefixes | while read -r prefix; do
    if holds_library "$prefix/include" && is_wanted_release "$prefix"; then
        echo "$prefix/include"
        break
    fi
done)
if [ -n "$found" ]; then
    echo "$found"
    exit
fi

if holds_library "$cached"; then
    echo "$cached"
    exit
fi

say "no MLIR $MLIR_RELEASE is installed: taking its .td files from the package $package (about 32 MB to download, a few kept)"
mkdir -p "$CACHE"
work=$(mktemp -d "$CACHE/library.XXXXXX")
trap 'rm -rf "$work"' EXIT
fetch_packages "$work" "$package" || fail "could not get MLIR $MLIR_RELEASE's .td files.
  Install MLIR $MLIR_RELEASE (Debian, Ubuntu: $package; Homebrew: llvm) and run this again,
  or set MLIR_PREFIX to the prefix of an installation, or ODSMITH_LIBRARY to an include folder with mlir/IR/OpBase.td."
mkdir "$work/files"
dpkg-deb --fsys-tarfile "$work/$package"_*.deb | tar -x -C "$work/files" --wildcards '*.td'
base=$(find "$work/files" -path '*/include/mlir/IR/OpBase.td' | head -n 1)
[ -n "$base" ] || fail "the package $package holds no mlir/IR/OpBase.td"
include=${base%/mlir/IR/OpBase.td}
mkdir -p "$(dirname "$cached")"
# Another run may have been faster; its files are the same.
holds_library "$cached" || mv "$include" "$cached"
say "unpacked $(find "$cached" -name '*.td' | wc -l) .td files into $cached"
echo "$cached"
