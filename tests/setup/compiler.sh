#!/bin/sh
# Gets everything that compiling generated C++ needs: a C++ compiler (CXX, else c++), and MLIR's and LLVM's headers and
# shared libraries; prints the prefix that holds include/mlir and lib/libMLIR.so. Installs the distribution's packages
# if allowed. Ends with status 1 and a reason if something is not available.
. "$(dirname "$0")/common.sh"

holds_mlir() {
    [ -f "$1/include/mlir/IR/MLIRContext.h" ] && [ -f "$1/include/llvm/ADT/StringRef.h" ] || return 1
    for library in MLIR LLVM; do
        [ -e "$1/lib/lib$library.so" ] || [ -e "$1/lib/lib$library.dylib" ] || return 1
    done
}

find_mlir() {
    mlir_prefixes | while read -r prefix; do
        if holds_mlir "$prefix" && is_wanted_release "$prefix"; then
            echo "$prefix"
            break
        fi
    done
}

packages=
have "${CXX:-c++}" || packages=g++
[ -n "$(find_mlir)" ] || packages="$packages libmlir-$MLIR_RELEASE-dev llvm-$MLIR_RELEASE-dev"
if [ -n "$packages" ] && [ -z "${ODSMITH_NO_INSTALLED:-}" ]; then
    # shellcheck disable=SC2086  # a list of names
    install_packages $packages || say "could not install $packages"
fi

have "${CXX:-c++}" || fail "no C++ compiler: install one (Debian: g++), or set CXX"
prefix=$(find_mlir)
[ -n "$prefix" ] || fail "no MLIR $MLIR_RELEASE to compile with: install its headers and libraries
  (Debian, Ubuntu: libmlir-$MLIR_RELEASE-dev llvm-$MLIR_RELEASE-dev; Homebrew: llvm), or set MLIR_PREFIX to a prefix that holds them."
echo "$prefix"
