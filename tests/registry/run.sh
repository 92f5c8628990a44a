#!/bin/sh
# All about registries and catalogues: publishing, pulling, catalogues, servers, golden questions, messages, tools of the Model
# Context Protocol, entities of Backstage. Needs docker-registry; parts whose programs are missing are left out. `make test`
# takes the same steps.
#
#   sh tests/registry/run.sh
set -eu
cd "$(dirname "$0")/../.."
CARGO=${CARGO:-cargo}
ODSMITH_LIBRARY=${ODSMITH_LIBRARY:-$(sh tests/setup/library.sh)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ODSMITH_KEEP_CATALOGUE=$work
ODSMITH_MCP_PYTHON=$(sh tests/setup/mcp.sh) || ODSMITH_MCP_PYTHON=
export ODSMITH_LIBRARY ODSMITH_KEEP_CATALOGUE ODSMITH_MCP_PYTHON
$CARGO build --quiet --package odsmith --package odsmith-service
$CARGO test --quiet --package odsmith-tests --test all -- registry:: catalog:: catalog_golden:: mcp::
[ -d "$work/c" ] || { echo "left out: tools over a catalogue need docker-registry" >&2; exit 0; }
if [ -n "$ODSMITH_MCP_PYTHON" ]; then
    sh tests/registry/tools.sh "$work" mcp "$PWD/target/debug/odsmith" "$ODSMITH_MCP_PYTHON"
fi
if sh tests/setup/backstage.sh >/dev/null; then
    sh tests/registry/tools.sh "$work" backstage
fi
