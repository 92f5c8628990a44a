#!/bin/sh
# release.sh RELEASE [library|tools|opt|headers|develop]: gets a release of MLIR other than the set-up's, and prints its
# prefix.
#
# The prefix holds include/ with MLIR's `.td` files. `tools` adds LLVM's and bin/mlir-tblgen, `opt` also bin/mlir-opt;
# both run with the loader and the libraries that they were built with. `headers` gets another prefix, with the C++
# headers of MLIR and LLVM; `develop` adds lib/ with the shared libraries to link with. All come from Debian's packages
# of that release, from whichever suite has them, and are unpacked into the cache; nothing is installed.
# ODSMITH_PREFIX_<release> names another prefix.
. "$(dirname "$0")/common.sh"

release=${1:?a release, as in 19}
wanted=${2:-library}
prefix=$CACHE/releases/$release
case $wanted in
headers | develop) prefix=$CACHE/$wanted/$release ;;
esac

holds_headers() {
    [ -f "$1/include/mlir/IR/MLIRContext.h" ] && [ -f "$1/include/llvm/ADT/StringRef.h" ] && [ -f "$1/include/llvm-c/Types.h" ]
}

eval "given=\${ODSMITH_PREFIX_$release:-}"
if [ -n "$given" ]; then
    [ -f "$given/include/mlir/IR/OpBase.td" ] || fail "ODSMITH_PREFIX_$release is $given, which holds no include/mlir/IR/OpBase.td"
    case $wanted in
    headers | develop) ;;
    *) echo "$given" && exit ;;
    esac
    holds_headers "$given" || fail "ODSMITH_PREFIX_$release is $given, which holds no headers of MLIR and LLVM"
    echo "$given"
    exit
fi

works() {
    "$1" --version 2>/dev/null | grep -q "LLVM version $release\."
}

case $wanted in
library) is_there() { [ -f "$1/include/mlir/IR/OpBase.td" ]; } ;;
tools) is_there() { [ -d "$1/include/llvm" ] && works "$1/bin/mlir-tblgen"; } ;;
opt) is_there() { [ -d "$1/include/llvm" ] && works "$1/bin/mlir-tblgen" && works "$1/bin/mlir-opt"; } ;;
headers) is_there() { [ -f "$1/include/mlir/IR/OpBase.td" ] && holds_headers "$1"; } ;;
develop) is_there() { holds_headers "$1" && [ -e "$1/lib/libMLIR.so" ] && [ -e "$1/lib/libLLVM.so" ]; } ;;
*) fail "release.sh gets a library, tools, opt, headers or develop, not '$wanted'" ;;
esac

if is_there "$prefix"; then
    echo "$prefix"
    exit
fi
have apt-get && have dpkg-deb || fail "MLIR $release is only available from Debian's packages here: set ODSMITH_PREFIX_$release to a prefix of it"

suite=
for candidate in bookworm trixie forky sid experimental; do
    if suite_has "$candidate" "libmlir-$release-dev"; then
        suite=$candidate
        break
    fi
done
[ -n "$suite" ] || fail "no suite of Debian here has MLIR $release: set ODSMITH_PREFIX_$release to a prefix of it"

# ---- Packages -----------------------------------------------------------------------------------------------------

mkdir -p "${prefix%/*}"
work=$(mktemp -d "$prefix.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/packages" "$work/new"

# fetch NAME...: downloads packages of the suite.
fetch() {
    suite_fetch "$suite" "$work/packages" "$@" || fail "could not get $* of $suite"
}

# definitions NAME: unpacks the `.td` files of a package.
definitions() {
    dpkg-deb --fsys-tarfile "$work"/packages/"$1"_*.deb | tar -x -C "$work/files" --wildcards '*/include/*.td'
}

# headers NAME: unpacks the headers of a package, and those that they include.
headers() {
    dpkg-deb --fsys-tarfile "$work"/packages/"$1"_*.deb | tar -x -C "$work/files" --wildcards '*/include/*'
}

mkdir "$work/files"
say "taking MLIR $release's .td files from $suite's package libmlir-$release-dev (about 30 MB to download, a few kept)"
fetch "libmlir-$release-dev"
definitions "libmlir-$release-dev"
if [ "$wanted" = headers ] || [ "$wanted" = develop ]; then
    say "taking headers from $suite's packages libmlir-$release-dev and llvm-$release-dev (about 40 MB to download)"
    fetch "llvm-$release-dev"
    headers "libmlir-$release-dev"
    headers "llvm-$release-dev"
fi

# needs NAME: a package and all that it needs.
needs() {
    suite_needs "$suite" "$1" | grep -vE '^(gcc-[0-9]+-base|libmlir-|debconf|python)'
}

# unpack FOLDER NAME...: unpacks packages that were fetched.
unpack() {
    folder=$1
    shift
    unpack_packages "$work/packages" "$folder" "$@"
}

if [ "$wanted" = develop ]; then
    say "taking shared libraries of MLIR $release from $suite's packages (about 60 MB to download)"
    # The C and C++ libraries are those with which the compiler here links.
    needed="libmlir-$release $(needs "libmlir-$release" | grep -vE '^(libc6|libcrypt1|libgcc-s1|libstdc\+\+6)$')"
    # shellcheck disable=SC2086  # a list of names
    fetch $needed
    # shellcheck disable=SC2086
    unpack "$work/system" $needed
    mkdir -p "$work/new/lib"
    find "$work/system" -path '*/lib/*' -name 'lib*.so.*' -exec cp -Ln {} "$work/new/lib" \; 2>/dev/null || true
    for name in MLIR LLVM; do
        found=$(find "$work/new/lib" -name "lib$name.so.$release*" -o -name "lib$name-$release.so*" | head -n 1)
        [ -n "$found" ] || fail "no shared library of $name $release is in $suite's packages"
        ln -s "${found##*/}" "$work/new/lib/lib$name.so"
    done
fi
if [ "$wanted" = tools ] || [ "$wanted" = opt ]; then
    say "taking mlir-tblgen $release and what it runs with from $suite's packages (about 100 MB to download)"
    needed=$(needs "mlir-$release-tools")
    # shellcheck disable=SC2086  # a list of names
    fetch $needed "llvm-$release-dev"
    definitions "llvm-$release-dev"
    # shellcheck disable=SC2086
    unpack "$work/system" $needed
    llvm=$work/system/usr/lib/llvm-$release
    take_libraries "$work/system" "$work/new/lib" "$llvm/lib" || fail "$suite's C library has no loader where it was looked for"
    mkdir -p "$work/new/bin"
    programs=mlir-tblgen
    [ "$wanted" != opt ] || programs="mlir-tblgen mlir-opt"
    for program in $programs; do
        cp "$llvm/bin/$program" "$work/new/bin/$program.program"
        with_loader "$work/new/bin/$program" "$prefix/lib" "$prefix/bin/$program.program"
    done
fi
base=$(find "$work/files" -path '*/include/mlir/IR/OpBase.td' | head -n 1)
[ -n "$base" ] || fail "the package libmlir-$release-dev holds no mlir/IR/OpBase.td"
mv "${base%/mlir/IR/OpBase.td}" "$work/new/include"
# LLVM's files are in other folders of their package, to which there are links.
for file in llvm/IR/Intrinsics.td llvm-c/Types.h; do
    folder=${file%%/*}
    found=$(find "$work/files" -path "*/$file" | head -n 1)
    if [ -n "$found" ]; then
        rm -f "$work/new/include/$folder"
        mv "${found%"${file#*/}"}" "$work/new/include/$folder"
    fi
done
# Another run may have been faster; its files are the same.
is_there "$prefix" || { rm -rf "$prefix" && mv "$work/new" "$prefix"; }
is_there "$prefix" || fail "$wanted of MLIR $release: not all is in $prefix that should be"
say "unpacked MLIR $release into $prefix"
echo "$prefix"
