#!/bin/sh
# Gets the site generators in which tests/site/flavors.py builds a Markdown tree, each in a folder of the cache: Hugo
# (the distribution's, unpacked), MkDocs with Material (PyPI), Docusaurus and Starlight (npm), in versions that work
# together. Prints the folder; reports on standard error which are not available, and leaves these out.
. "$(dirname "$0")/common.sh"

place=$CACHE/flavors
mkdir -p "$place"

# once NAME VERSIONS COMMAND...: runs the command in a folder that is kept if it succeeds.
once() {
    name=$1
    versions=$2
    shift 2
    [ "$(cat "$place/$name/.installed" 2>/dev/null)" != "$versions" ] || return 0
    rm -rf "${place:?}/$name"
    mkdir -p "$place/$name"
    say "setting up $name"
    if (cd "$place/$name" && "$@" >&2); then
        echo "$versions" >"$place/$name/.installed"
    else
        rm -rf "${place:?}/$name"
        say "$name is not available here"
    fi
}

hugo() {
    # The package's libraries are unpacked too, if the system lacks them.
    fetch_packages . hugo libsass1 && for package in ./*.deb; do dpkg-deb -x "$package" .; done && [ -x usr/bin/hugo ]
}

mkdocs() {
    python3 -m venv . && bin/pip install --quiet "mkdocs==1.6.*" "mkdocs-material==9.*"
}

npm_packages() {
    have npm || return 1
    echo '{"private": true}' >package.json
    npm install --no-audit --no-fund --loglevel error "$@"
}

once hugo 1 hugo
once mkdocs "1.6 9" mkdocs
once docusaurus "3.7.0, webpack 5.97.1" npm_packages @docusaurus/core@3.7.0 @docusaurus/preset-classic@3.7.0 react@18 react-dom@18 webpack@5.97.1
once starlight "5 0.36" npm_packages astro@5 @astrojs/starlight@0.36
echo "$place"
