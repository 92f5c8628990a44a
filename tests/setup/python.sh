#!/bin/sh
# Installs the Python packages that some checks of the service run, and prints the interpreter that has them:
# schemathesis and openapi-spec-validator (the service against its own description), openapi-python-client (which makes
# a client of it), jsonschema (documents against theirs). They go into a virtual environment in the cache. Ends with
# status 1 and a reason if they are not available.
. "$(dirname "$0")/common.sh"

wanted=$(dirname "$0")/requirements.txt
place=$CACHE/python
if ! cmp -s "$wanted" "$place/installed.txt"; then
    have python3 || fail "missing: Python 3"
    say "installing Python packages into $place"
    if ! python3 -m venv --clear "$place" >&2; then
        install_packages python3-venv && python3 -m venv --clear "$place" >&2 || fail "Python can make no environment (Debian: python3-venv)"
    fi
    "$place/bin/pip" install --quiet --disable-pip-version-check --requirement "$wanted" >&2 || fail "pip could not install $(tr '\n' ' ' <"$wanted")"
    cp "$wanted" "$place/installed.txt"
fi
echo "$place/bin/python3"
