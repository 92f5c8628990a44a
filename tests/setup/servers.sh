#!/bin/sh
# Sees to what the tests of the service run besides Rust: Redis and nginx (several servers side by side), CMake and Ninja
# (the drop-in in a stock project), curl, Bazel, Meson and Nix (the recipes), wrk (the benchmark). Installs the distribution's packages where
# it may. Ends with status 1, naming what is missing; the tests skip what they cannot run, and say so.
. "$(dirname "$0")/common.sh"

missing() {
    for pair in redis-server:redis-server nginx:nginx-light cmake:cmake ninja:ninja-build curl:curl wrk:wrk; do
        have "${pair%%:*}" || printf ' %s' "${pair##*:}"
    done
}

packages=$(missing)
if [ -n "$packages" ]; then
    # shellcheck disable=SC2086  # a list of names
    install_packages $packages || true
fi
# Recipes of these are run where they can be had.
for pair in bazel:bazel-bootstrap meson:meson nix-instantiate:nix-bin; do
    have "${pair%%:*}" || install_packages "${pair##*:}" || say "${pair##*:} is not to be had here: its recipe is not run"
done
packages=$(missing)
[ -z "$packages" ] || fail "not to be had here:$packages"
echo ok
