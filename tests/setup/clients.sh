#!/bin/sh
# Gets the generator of the TypeScript client, and prints the folder of its packages: those of
# tests/contract/package-lock.json. Ends with status 1 and a reason if they are not available.
. "$(dirname "$0")/common.sh"

contract_tests=$(cd "$(dirname "$0")/../contract" && pwd)

packages=
have node || packages="nodejs"
have npm || packages="$packages npm"
if [ -n "$packages" ]; then
    # shellcheck disable=SC2086  # a list of names
    install_packages $packages || fail "missing: Node.js with npm"
fi

# The copy of the lock file inside shows what is installed.
if ! cmp -s "$contract_tests/package-lock.json" "$contract_tests/node_modules/.installed"; then
    say "installing what makes clients with npm"
    (cd "$contract_tests" && npm ci --ignore-scripts --no-audit --no-fund >&2) || fail "npm could not install openapi-typescript and openapi-fetch"
    cp "$contract_tests/package-lock.json" "$contract_tests/node_modules/.installed"
fi
echo "$contract_tests/node_modules"
