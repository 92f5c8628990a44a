#!/bin/sh
# build.sh [odsmith|web]...: builds WebAssembly into target/wasm, and prints that folder.
#
#   odsmith   odsmith.wasm, the command line for WASI
#   web       odsmith_web.wasm, the library for pages and programs of other languages
#
# The toolchain is tests/setup/wasm.sh's, so that the same source makes the same bytes on every machine.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
CARGO=${CARGO:-cargo}
tools=$(sh tests/setup/wasm.sh)
sh tests/setup/play.sh >/dev/null || echo "building without the playground (see above)" >&2
out=$root/target/wasm
mkdir -p "$out"

# The programs that build, and those that run while it builds, are this toolchain's.
export RUSTC="$tools/bin/rustc"
export CARGO_TARGET_DIR="$out/cargo"
export CARGO_INCREMENTAL=0
export AR="${AR:-ar}"
home=${CARGO_HOME:-$HOME/.cargo}
for target in wasm32-wasip1 wasm32-unknown-unknown; do
    name=$(echo "$target" | tr - _)
    upper=$(echo "$name" | tr a-z A-Z)
    export "CARGO_TARGET_${upper}_LINKER=$tools/bin/wasm-ld"
    # Deep definitions recurse deeply; paths of this machine are no part of the bytes.
    export "CARGO_TARGET_${upper}_RUSTFLAGS=-C link-arg=-zstack-size=67108864 -C link-arg=--strip-all --remap-path-prefix=$home=/cargo --remap-path-prefix=$root=/odsmith --remap-path-prefix=$tools=/rust"
    export "CC_$name=$tools/bin/clang"
    export "AR_$name=$AR"
    export "CFLAGS_$name=-ffile-prefix-map=$home=/cargo -ffile-prefix-map=$root=/odsmith -ffile-prefix-map=$tools=/rust"
done

# build PACKAGE TARGET ARGUMENT...
build() {
    package=$1
    target=$2
    shift 2
    $CARGO build --locked --profile wasm --package "$package" --target "$target" --no-default-features "$@" >&2
}

for part in "${@:-odsmith}"; do
    case $part in
    odsmith)
        build odsmith-service wasm32-wasip1 --bin odsmith-service --features signing
        cp "$CARGO_TARGET_DIR/wasm32-wasip1/wasm/odsmith-service.wasm" "$out/odsmith.wasm"
        ;;
    web)
        build odsmith-web wasm32-unknown-unknown
        cp "$CARGO_TARGET_DIR/wasm32-unknown-unknown/wasm/odsmith_web.wasm" "$out/odsmith_web.wasm"
        ;;
    *)
        echo "build.sh builds odsmith and web, not '$part'" >&2
        exit 2
        ;;
    esac
done
echo "$out"
