#!/bin/sh
# Installs PyPI's `mcp`, a client of the Model Context Protocol, and prints the interpreter that has it. It goes into a virtual
# environment in the cache. Ends with status 1 and a reason if it is not available.
. "$(dirname "$0")/common.sh"

packages="mcp==2.3.0 jsonschema==4.26.0"
place=$CACHE/mcp
if [ "$(cat "$place/installed.txt" 2>/dev/null)" != "$packages" ]; then
    have python3 || fail "missing: Python 3"
    say "installing Python packages into $place"
    if ! python3 -m venv --clear "$place" >&2; then
        install_packages python3-venv && python3 -m venv --clear "$place" >&2 || fail "Python can make no environment (Debian: python3-venv)"
    fi
    # shellcheck disable=SC2086  # a list of packages
    "$place/bin/pip" install --quiet --disable-pip-version-check $packages >&2 || fail "pip could not install $packages"
    echo "$packages" >"$place/installed.txt"
fi
echo "$place/bin/python3"
