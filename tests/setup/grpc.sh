#!/bin/sh
# Installs PyPI's `grpcio` in a virtual environment in the cache, and prints its Python. Ends with status 1 if it is not available.
. "$(dirname "$0")/common.sh"

packages="grpcio==1.85.3"
place=$CACHE/grpc
if [ "$(cat "$place/installed.txt" 2>/dev/null)" != "$packages" ]; then
    say "installing $packages into $place"
    # shellcheck disable=SC2086  # a list of packages
    { python3 -m venv --clear "$place" && "$place/bin/pip" install --quiet --disable-pip-version-check $packages >&2; } || fail "no $packages"
    echo "$packages" >"$place/installed.txt"
fi
echo "$place/bin/python3"
