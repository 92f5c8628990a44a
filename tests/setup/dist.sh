#!/bin/sh
# Gets everything that building and testing packages needs, and prints the folder that has it:
#   venv/      Python packages: zig as the linker, maturin, pre-commit
# wheels/    the package with which pre-commit installs hooks, and the runtime of the wheel of the module
#   bare.tar   a bare Debian root, in which packages are installed
#   base/      the C library of the image
# Programs of Debian (lintian, skopeo, shells, …) are installed. Ends with status 1 and a reason if something is
# missing.
. "$(dirname "$0")/common.sh"

wanted=$(dirname "$0")/dist.txt
place=$CACHE/dist
mkdir -p "$place"

missing=
need() {
    PATH=$PATH:/usr/sbin:/sbin have "$1" || missing="$missing $2"
}
need debootstrap debootstrap
need dpkg-shlibdeps dpkg-dev
need objdump binutils
need lintian lintian
need skopeo skopeo
need umoci umoci
need zsh zsh
need fish fish
need mandoc mandoc
need npm npm
need xz xz-utils
need advzip advancecomp
# shellcheck disable=SC2086  # a list of names
[ -z "$missing" ] || install_packages $missing || fail "missing programs (Debian:$missing)"

if ! cmp -s "$wanted" "$place/installed.txt" || ! ls "$place"/wheels/wasmtime* >/dev/null 2>&1; then
    say "installing Python packages into $place/venv"
    python3 -m venv --clear "$place/venv" >&2 || fail "Python can make no environment (Debian: python3-venv)"
    "$place/venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$wanted" >&2 || fail "pip could not install $(tr '\n' ' ' <"$wanted")"
    # pre-commit installs hooks with this package; no network is needed then.
    "$place/venv/bin/pip" download --quiet --disable-pip-version-check --no-deps --dest "$place/wheels" setuptools wasmtime >&2 || fail "pip could not fetch setuptools and wasmtime"
    cp "$wanted" "$place/installed.txt"
fi

if [ ! -f "$place/bare.tar" ]; then
    [ "$(id -u)" = 0 ] || fail "a bare Debian root can only be made by root"
    say "making a bare Debian root"
    # The server and the keys that the system itself uses.
    mirror=$(apt-cache policy base-files | grep -oE 'https?://[^ ]+' | head -n 1)
    suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
    rm -rf "$place/bare"
    debootstrap --variant=minbase "$suite" "$place/bare" "$mirror" >"$place/debootstrap.log" 2>&1 || fail "debootstrap failed: see $place/debootstrap.log"
    tar -C "$place/bare" --exclude='./var/cache/apt/archives/*.deb' --exclude='./dev/*' -cf "$place/bare.tar.new" .
    mv "$place/bare.tar.new" "$place/bare.tar"
    rm -rf "$place/bare"
fi

if [ ! -d "$place/base" ]; then
    say "fetching the C library of the image"
    rm -rf "$place/base.new"
    fetch_packages "$place/base.new" libc6 || fail "could not get the package libc6"
    mv "$place/base.new" "$place/base"
fi
echo "$place"
