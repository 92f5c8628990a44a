#!/bin/sh
# Gets the programs that tests of the service run besides Rust: Redis and nginx (several servers side by side), CMake
# and Ninja (the drop-in in a stock project), curl, Bazel, Meson and Nix (the recipes), wrk (the benchmark), an OCI
# registry and skopeo (published dialects). Installs
# the distribution's packages if allowed. Ends with status 1 and a list if some are missing; tests that need these are
# skipped with a message.
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
# The tests of a registry run if there is one.
for program in docker-registry skopeo; do
    have "$program" || install_packages "$program" || say "$program is not available here: its tests are left out"
done
# The recipes of these run if they are available.
for pair in bazel:bazel-bootstrap meson:meson nix-instantiate:nix-bin; do
    have "${pair%%:*}" || install_packages "${pair##*:}" || say "${pair##*:} is not available here: its recipe is not run"
done
packages=$(missing)
[ -z "$packages" ] || fail "not available here:$packages"
echo ok
