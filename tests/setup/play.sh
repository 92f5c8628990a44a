#!/bin/sh
# Makes the playground's script, service/play/dist/play.js.gz, which the service is built with: gets esbuild and
# CodeMirror by npm, as service/play/package-lock.json has them, once, and bundles. Ends with status 1 and a reason if
# that fails; the service then has no playground, and its /play says why.
. "$(dirname "$0")/common.sh"

play=$(cd "$(dirname "$0")/../../service/play" && pwd)
made=$play/dist/play.js.gz

packages=
have node || packages="nodejs"
have npm || packages="$packages npm"
if [ -n "$packages" ]; then
    # shellcheck disable=SC2086  # a list of names
    install_packages $packages || fail "missing: Node.js with npm, for the playground"
fi

# The copy of the lock file inside shows what is installed.
if ! cmp -s "$play/package-lock.json" "$play/node_modules/.installed"; then
    say "getting what the playground is made of by npm"
    (cd "$play" && npm ci --ignore-scripts --no-audit --no-fund >&2) || fail "npm could not get the playground's packages"
    cp "$play/package-lock.json" "$play/node_modules/.installed"
fi

# Cargo rebuilds the service when this file changes, so it is left alone if its inputs did not.
newer=$(find "$play/src" "$play/../web/js" "$play/examples" "$play/build.mjs" "$play/package-lock.json" -newer "$made" 2>/dev/null | head -n 1)
if [ ! -f "$made" ] || [ -n "$newer" ]; then
    node "$play/build.mjs" >&2 || fail "the playground could not be bundled"
fi
echo "$made"
