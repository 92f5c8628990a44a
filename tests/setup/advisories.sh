#!/bin/sh
# Checks every dependency against the advisory database of the Rust ecosystem (RustSec), with cargo-deny or cargo-audit.
# Prints `ok`, or the advisories and ends with status 1. Ends with status 2 and a reason if there is neither program or
# no access to the database, as on a machine without a network.
. "$(dirname "$0")/common.sh"

root=$(cd "$(dirname "$0")/../.." && pwd)
if have cargo-deny; then
    (cd "$root" && cargo deny fetch db >&2) || { say "the advisory database cannot be reached"; exit 2; }
    (cd "$root" && cargo deny --offline check advisories >&2) || exit 1
elif have cargo-audit; then
    # An empty lock file tests whether the database can be reached at all.
    empty=$(mktemp -d)
    printf 'version = 4\n' >"$empty/Cargo.lock"
    (cd "$empty" && cargo audit >/dev/null 2>&1) || { say "the advisory database cannot be reached"; exit 2; }
    (cd "$root" && cargo audit >&2) || exit 1
else
    say "no advisories are checked: there is neither cargo-deny nor cargo-audit"
    exit 2
fi
echo ok
