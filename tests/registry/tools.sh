#!/bin/sh
# Tools over the catalogue that the golden questions leave (ODSMITH_KEEP_CATALOGUE=DIR): tasks over the Model Context Protocol,
# by a Python of tests/setup/mcp.sh, or Backstage's model of the entities (tests/setup/backstage.sh).
#
#   sh tests/registry/tools.sh DIR mcp ODSMITH PYTHON
#   sh tests/registry/tools.sh DIR backstage
set -eu
cd "$(dirname "$0")/../.."
kept=$1
case $2 in
mcp)
    mkdir -p "$kept/root/old" "$kept/root/new"
    cp tests/registry/organisation/stable/1.12.0.td "$kept/root/old/stable.td"
    cp tests/registry/organisation/stable/1.13.0.td "$kept/root/new/stable.td"
    "$4" tests/registry/mcp_tasks.py "$3" "$kept/c" "$kept/root"
    ;;
backstage) node tests/registry/backstage.mjs "$kept/c/catalog-info.yaml" ;;
esac
