#!/bin/sh
# All about registries and catalogues: publishing, pulling, catalogues, servers, golden questions, messages, tools of the Model
# Context Protocol, entities of Backstage. Needs docker-registry; the parts whose programs are missing are left out.
#
#   sh tests/registry/run.sh      (ODSMITH_PYTHON: a Python with the package `mcp`)
set -eu
cd "$(dirname "$0")/../.."
CARGO=${CARGO:-cargo}
$CARGO build --quiet --package odsmith --package odsmith-service
node tests/registry/grammar.mjs
$CARGO test --quiet --package odsmith-tests --test all -- registry:: catalog:: catalog_golden:: mcp::

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The golden questions leave their catalogue here.
ODSMITH_KEEP_CATALOGUE="$work" $CARGO test --quiet --package odsmith-tests --test all -- golden_questions
odsmith=$PWD/target/debug/odsmith
if "${ODSMITH_PYTHON:-python3}" -c 'import mcp, jsonschema' 2>/dev/null; then
    mkdir -p "$work/root/old" "$work/root/new"
    cp tests/registry/organisation/stable/1.12.0.td "$work/root/old/stable.td"
    cp tests/registry/organisation/stable/1.13.0.td "$work/root/new/stable.td"
    "${ODSMITH_PYTHON:-python3}" tests/registry/mcp_tasks.py "$odsmith" "$work/c" "$work/root"
else
    echo "left out: the tasks of tools need the packages mcp and jsonschema" >&2
fi
if (cd tests/registry && npm ci --ignore-scripts --no-audit --no-fund >/dev/null 2>&1); then
    node tests/registry/backstage.mjs "$work/c/catalog-info.yaml"
else
    echo "left out: entities of Backstage need npm" >&2
fi
