#!/bin/sh
# Installs the packages of PyPI that the checks of a site need, in a virtual environment in the cache, and prints its
# Python. Ends with status 1 if they are not available.
. "$(dirname "$0")/common.sh"

place=$CACHE/pypi
packages="fastjsonschema sphinx sphobjinv"
if [ "$(cat "$place/.installed" 2>/dev/null)" != "$packages" ]; then
    say "installing $packages from PyPI"
    rm -rf "$place"
    # shellcheck disable=SC2086  # a list of names
    { python3 -m venv "$place" && "$place/bin/pip" install --quiet $packages >&2; } || fail "no $packages"
    echo "$packages" >"$place/.installed"
fi
echo "$place/bin/python"
