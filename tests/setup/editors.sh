#!/bin/sh
# Gets the editors in which the language server is tested: Neovim, and the packages of the extension for Visual Studio
# Code (service/integrations/vscode/package-lock.json). Ends with status 1 and a reason if something is not available.
. "$(dirname "$0")/common.sh"

extension=$(cd "$(dirname "$0")/../../service/integrations/vscode" && pwd)

packages=
have nvim || packages="neovim"
have node || packages="$packages nodejs"
have npm || packages="$packages npm"
if [ -n "$packages" ]; then
    # shellcheck disable=SC2086  # a list of names
    install_packages $packages || fail "missing:$packages"
fi

# The copy of the lock file inside shows what is installed.
if ! cmp -s "$extension/package-lock.json" "$extension/node_modules/.installed"; then
    say "installing what the extension is tried with by npm"
    (cd "$extension" && npm ci --ignore-scripts --no-audit --no-fund >&2) || fail "npm could not install the extension's packages"
    cp "$extension/package-lock.json" "$extension/node_modules/.installed"
fi
echo "$extension/node_modules"
