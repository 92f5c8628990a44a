#!/bin/sh
# Gets everything that the browser test needs and prints the browser's path: Chromium (the distribution's), Node.js, and
# the packages of tests/browser/package-lock.json. Ends with status 1 and a reason if one of them is not available.
. "$(dirname "$0")/common.sh"

browser_tests=$(cd "$(dirname "$0")/../browser" && pwd)

find_browser() {
    for name in ${CHROMIUM:+"$CHROMIUM"} chromium chromium-browser google-chrome google-chrome-stable \
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" "/Applications/Chromium.app/Contents/MacOS/Chromium"; do
        if have "$name"; then
            command -v "$name"
            return 0
        fi
    done
    return 1
}

if ! find_browser >/dev/null; then
    install_packages chromium fonts-dejavu-core || fail "no browser: install Chromium, or set CHROMIUM to the path of one"
fi

packages=
have node || packages="nodejs"
have npm || packages="$packages npm"
if [ -n "$packages" ]; then
    # shellcheck disable=SC2086  # a list of names
    install_packages $packages || fail "missing: Node.js with npm"
fi

# The copy of the lock file inside shows what is installed.
if ! cmp -s "$browser_tests/package-lock.json" "$browser_tests/node_modules/.installed"; then
    say "installing the browser test's packages with npm (no browser is downloaded)"
    (cd "$browser_tests" && npm ci --ignore-scripts --no-audit --no-fund >&2) || fail "npm could not install playwright-core"
    cp "$browser_tests/package-lock.json" "$browser_tests/node_modules/.installed"
fi
find_browser
