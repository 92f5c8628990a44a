#!/bin/sh
# Builds the generator, runs it over test/input.td, and checks it.
set -eu
cd "$(dirname "$0")"
@BUILD@
odsmith tblgen --plugin @PROGRAM@ -gen-@NAME@ test/input.td | diff test/expected.txt -
odsmith plugin check @PROGRAM@ -- -gen-@NAME@
