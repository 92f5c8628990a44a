#!/bin/sh
# Finds the reference tools and prints the folder that holds mlir-tblgen and llvm-tblgen.
#
# The sources are an installation (MLIR_PREFIX, llvm-config, PATH, the usual prefixes, Homebrew) or the cache, else the
# distribution's packages, unpacked into the cache together with the shared libraries that the system lacks; nothing is
# installed.
. "$(dirname "$0")/common.sh"

cached=$CACHE/reference-$MLIR_RELEASE
bin=$cached/usr/lib/llvm-$MLIR_RELEASE/bin

# Tests whether a folder holds both tools, which run and have the wanted release.
works() {
    for tool in mlir-tblgen llvm-tblgen; do
        "$1/$tool" --version 2>/dev/null | grep -q "LLVM version $MLIR_RELEASE\." || return 1
    done
}

found=$(mlir_prefixes | while read -r prefix; do
    if works "$prefix/bin"; then
        echo "$prefix/bin"
        break
    fi
done)
if [ -n "$found" ]; then
    echo "$found"
    exit
fi

if works "$bin"; then
    echo "$bin"
    exit
fi

advice="could not get the reference tools mlir-tblgen and llvm-tblgen $MLIR_RELEASE.
  Install them (Debian, Ubuntu: mlir-$MLIR_RELEASE-tools llvm-$MLIR_RELEASE; Homebrew: llvm) and run this again,
  or set MLIR_PREFIX to a prefix that holds bin/mlir-tblgen and bin/llvm-tblgen."

say "no mlir-tblgen $MLIR_RELEASE is installed: unpacking it from the distribution's packages (about 46 MB to download)"
mkdir -p "$CACHE"
work=$(mktemp -d "$CACHE/reference.XXXXXX")
trap 'rm -rf "$work"' EXIT

# unpack NAME...: into $work/files, without files that only compiling needs.
unpack() {
    fetch_packages "$work/packages" "$@" || fail "$advice"
    mkdir -p "$work/files"
    for deb in "$work"/packages/*.deb; do
        dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$work/files" --wildcards './usr/lib/*' './lib/*' 2>/dev/null || true
    done
    rm -rf "$work/packages"
}

# Direct dependencies of packages that are not installed, as the package client lists them.
missing_dependencies() {
    { apt-cache depends --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances "$@" 2>/dev/null ||
        own_apt apt-cache depends --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances "$@"; } |
        sed -n 's/^ *|\{0,1\}Depends: \([a-z0-9][^ ]*\)$/\1/p' | sort -u | while read -r name; do
        dpkg-query -W -f '${Status}\n' "$name" 2>/dev/null | grep -q 'ok installed' || echo "$name"
    done
}

tools=$work/files/usr/lib/llvm-$MLIR_RELEASE/bin

lacks_libraries() {
    ldd "$tools/mlir-tblgen" "$tools/llvm-tblgen" 2>/dev/null | grep -q 'not found'
}

# Libraries of other packages become links in the folder that the tools search first.
link_libraries() {
    for library in "$work"/files/usr/lib/*-linux-*/lib*.so.* "$work"/files/lib/*-linux-*/lib*.so.*; do
        target=$work/files/usr/lib/llvm-$MLIR_RELEASE/lib/$(basename "$library")
        if [ -e "$library" ] && [ ! -e "$target" ]; then
            mkdir -p "$(dirname "$target")"
            cp -L "$library" "$target"
        fi
    done
}

level="mlir-$MLIR_RELEASE-tools llvm-$MLIR_RELEASE"
# shellcheck disable=SC2086  # lists of names
for _ in 1 2 3 4; do
    unpack $level
    link_libraries
    lacks_libraries || break
    level=$(missing_dependencies $level)
    [ -n "$level" ] || break
    say "libraries are missing: going on with" $level
done
works "$tools" || fail "$advice"

# Only the two programs and their libraries are kept.
keep=$work/keep/usr/lib/llvm-$MLIR_RELEASE
mkdir -p "$keep/bin" "$keep/lib"
cp "$tools/mlir-tblgen" "$tools/llvm-tblgen" "$keep/bin"
for library in $(ldd "$tools/mlir-tblgen" "$tools/llvm-tblgen" | sed -n 's/.* => \([^ ]*\) .*/\1/p' | sort -u); do
    case $library in
    "$work"/*) cp -L "$library" "$keep/lib" ;;
    esac
done
works "$keep/bin" || fail "$advice"
works "$bin" || { rm -rf "$cached" && mv "$work/keep" "$cached"; }
say "unpacked mlir-tblgen and llvm-tblgen into $bin"
echo "$bin"
