#!/bin/sh
# Gets MLIR's example of a separate project, examples/standalone, from the distribution's source package (200 MB are
# fetched, once), of which nothing else is unpacked. Prints its folder. ODSMITH_STANDALONE names an existing one.
. "$(dirname "$0")/common.sh"

if [ -n "${ODSMITH_STANDALONE:-}" ] && [ -f "$ODSMITH_STANDALONE/CMakeLists.txt" ]; then
    echo "$ODSMITH_STANDALONE"
    exit
fi
folder=$CACHE/standalone-$MLIR_RELEASE
if [ ! -f "$folder/CMakeLists.txt" ]; then
    have apt-get || fail "no source package of MLIR here: set ODSMITH_STANDALONE to a copy of examples/standalone"
    work=$CACHE/apt-source
    mkdir -p "$work/lists/partial" "$work/archives/partial"
    mirror=$(grep -rhoE 'https?:[^ ]*/debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null | head -n 1 | tr -d ' ')
    [ -n "$mirror" ] || fail "no Debian mirror is configured: set ODSMITH_STANDALONE to a copy of examples/standalone"
    cd "$work"
    for suite in sid trixie bookworm; do
        echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >sources.list
        # shellcheck disable=SC2086  # a list of options
        set -- -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$work/lists" \
            -o Dir::Cache::archives="$work/archives" -o APT::Sandbox::User="$(id -un)"
        say "looking for the source package of MLIR $MLIR_RELEASE in $suite"
        apt-get "$@" -q update >&2 && apt-get "$@" -q source --download-only "llvm-toolchain-$MLIR_RELEASE" >&2 && break
    done
    archive=$(find "$work" -maxdepth 1 -name "llvm-toolchain-${MLIR_RELEASE}_*.orig.tar.xz" | head -n 1)
    [ -n "$archive" ] || fail "the source package of MLIR $MLIR_RELEASE is not available here"
    rm -rf "$folder.new"
    mkdir -p "$folder.new"
    tar -xJf "$archive" -C "$folder.new" --strip-components=4 --wildcards '*/mlir/examples/standalone/*'
    mv "$folder.new" "$folder"
    rm -rf "$work"
fi
echo "$folder"
