#!/bin/sh
# Gets Backstage's own model of entities: the npm packages of tests/registry/package-lock.json. Ends with status 1 and a reason
# if they are not available.
. "$(dirname "$0")/common.sh"

registry_tests=$(cd "$(dirname "$0")/../registry" && pwd)
have node && have npm || install_packages nodejs npm || fail "missing: Node.js with npm"
# The copy of the lock file inside shows what is installed.
if ! cmp -s "$registry_tests/package-lock.json" "$registry_tests/node_modules/.installed"; then
    say "installing @backstage/catalog-model with npm"
    (cd "$registry_tests" && npm ci --ignore-scripts --no-audit --no-fund >&2) || fail "npm could not install @backstage/catalog-model"
    cp "$registry_tests/package-lock.json" "$registry_tests/node_modules/.installed"
fi
echo ok
