#!/bin/sh
# Gets everything that a build needs: a C compiler (a few crates compile C), Python 3 (the demo and the benchmarks), and
# a Rust toolchain with rustfmt and clippy. Installs missing programs if allowed, else lists them.
. "$(dirname "$0")/common.sh"

missing=
packages=
have cc || { missing="$missing cc" packages="$packages gcc libc6-dev"; }
have python3 || { missing="$missing python3" packages="$packages python3"; }
if [ -n "$missing" ]; then
    # shellcheck disable=SC2086  # a list of names
    install_packages $packages || fail "missing:$missing. Install them with your system's package manager (Debian:$packages) and run this again."
fi

have cargo || fail "missing: cargo. Install a Rust toolchain with rustup and run this again."
for component in fmt clippy; do
    if ! cargo "$component" --version >/dev/null 2>&1; then
        case $component in fmt) name=rustfmt ;; *) name=$component ;; esac
        say "adding $name to the Rust toolchain"
        rustup component add "$name" >&2 || say "could not add $name: make test will skip its check"
    fi
done
