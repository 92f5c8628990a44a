#!/bin/sh
# Gets the toolchain for WebAssembly, and prints the folder that has it:
#   bin/rustc     Rust with the standard library of wasm32-wasip1 and wasm32-unknown-unknown
#   bin/wasm-ld   the linker
#   bin/clang     a C compiler, for the few crates that compile C
#   wasi          the C library
#
# All are packages of Debian (wasm.txt names their versions), from whichever suite has them. They are unpacked into the
# cache and run with the loader and the libraries that they were built with; nothing is installed.
. "$(dirname "$0")/common.sh"

pins=$(dirname "$0")/wasm.txt
prefix=$CACHE/wasm

works() {
    cmp -s "$pins" "$prefix/wasm.txt" && "$prefix/bin/rustc" --version >/dev/null 2>&1 && "$prefix/bin/wasm-ld" --version >/dev/null 2>&1 &&
        "$prefix/bin/clang" --version >/dev/null 2>&1
}

if works; then
    echo "$prefix"
    exit
fi
have apt-get && have dpkg-deb || fail "the toolchain for WebAssembly is only available from Debian's packages here"

names=$(sed 's/#.*//; s/ .*//' "$pins")

# version_of SUITE NAME: the version of a package in a suite, without epoch.
version_of() {
    suite_apt "$1" apt-cache show --no-all-versions "$2" 2>/dev/null | sed -n 's/^Version: \([0-9]*:\)\{0,1\}//p' | head -n 1
}

# Tests whether a suite has all packages in the versions that are wanted; says which it has not.
has_pinned() {
    suite_has "$1" rustc || return 1
    sed 's/#.*//' "$pins" | grep . | while read -r name version; do
        has=$(version_of "$1" "$name")
        case $has in
        "$version"*) ;;
        *)
            say "$1 has $name ${has:-in no version}, and $version is wanted"
            return 1
            ;;
        esac
    done
}

suite=
for candidate in sid trixie-backports forky; do
    if has_pinned "$candidate"; then
        suite=$candidate
        break
    fi
done
[ -n "$suite" ] || fail "no suite of Debian here has the toolchain for WebAssembly in the versions of $pins"

mkdir -p "$CACHE"
work=$(mktemp -d "$prefix.XXXXXX")
trap 'rm -rf "$work"' EXIT
new=$work/new
mkdir -p "$new/bin"
say "taking Rust, clang and lld for WebAssembly from $suite's packages (about 210 MB to download)"
# Of what they need only the shared libraries: the compiler and the linker of this machine build what runs on it.
needed=$(suite_needs "$suite" libstd-rust-1.97 libclang-cpp22 lld-22 | grep -vE '^gcc-[0-9]+-base$')
# shellcheck disable=SC2086  # lists of names
wanted=$(printf '%s\n' $names $needed | sort -u)
# shellcheck disable=SC2086
suite_fetch "$suite" "$work/packages" $wanted || fail "could not get $wanted of $suite"
# shellcheck disable=SC2086
unpack_packages "$work/packages" "$work/system" $wanted
llvm=$work/system/usr/lib/llvm-22
take_libraries "$work/system" "$new/lib" "$llvm/lib" || fail "$suite's C library has no loader where it was looked for"
mkdir -p "$new/rust/lib"
cp -L "$work/system/usr/bin/rustc" "$new/bin/rustc.program"
cp -RL "$work/system/usr/lib/rustlib" "$new/rust/lib/rustlib"
cp -L "$llvm/bin/lld" "$new/bin/wasm-ld.program"
cp -L "$llvm/bin/clang" "$new/bin/clang.program"
resources=$(find "$llvm/lib/clang" -path '*/include/stddef.h' | head -n 1)
cp -RL "${resources%/stddef.h}" "$new/clang-include"
mkdir -p "$new/wasi"
cp -RL "$work/system/usr/include/wasm32-wasi" "$new/wasi/include"
cp -RL "$work/system/usr/lib/wasm32-wasi" "$new/wasi/lib"
with_loader "$new/bin/rustc" "$prefix/lib" "$prefix/bin/rustc.program" --sysroot "$prefix/rust"
with_loader "$new/bin/wasm-ld" "$prefix/lib" "$prefix/bin/wasm-ld.program"
with_loader "$new/bin/clang" "$prefix/lib" "$prefix/bin/clang.program" -nostdlibinc -isystem "$prefix/clang-include" -isystem "$prefix/wasi/include"
cp "$pins" "$new/wasm.txt"
rm -rf "$prefix"
mv "$new" "$prefix"
works || fail "the toolchain for WebAssembly does not work in $prefix"
say "unpacked the toolchain for WebAssembly into $prefix"
echo "$prefix"
