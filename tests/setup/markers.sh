#!/bin/sh
# markers.sh: writes the tables by which libraries are recognised and errors are explained, engine/release/src/markers.txt
# and names.txt, from the libraries of all releases.
#
# The libraries come from release.sh: ODSMITH_PREFIX_<release> names the prefix of one.
. "$(dirname "$0")/common.sh"

root=$(cd "$(dirname "$0")/../.." && pwd)
libraries=
for release in ${RELEASES:-13 14 15 16 17 18 19 21 22 23 24}; do
    prefix=$(sh "$root/tests/setup/release.sh" "$release")
    libraries="$libraries $release=$prefix/include"
done
cd "$root"
# shellcheck disable=SC2086  # a list of arguments
"${CARGO:-cargo}" run --quiet --release --package odsmith-engine --example markers -- engine/release/src $libraries
