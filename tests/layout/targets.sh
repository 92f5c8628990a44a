#!/bin/sh
# targets.sh ODSMITH: compares the records of LLVM 22's targets and of the inputs of its own tests before and after `odsmith fmt`, by
# mlir-tblgen. The inputs come from Debian's source package and stay in target/ir; nothing of them is part of the repository.
set -eu
cd "$(dirname "$0")/../.."
odsmith=$1
tool=$(sh tests/setup/reference.sh)/mlir-tblgen
folder=target/ir/22
[ -d "$folder/src/mlir/test" ] || python3 tests/ir/acceptance.py inputs "$folder" 22
if [ ! -d "$folder/src/llvm/lib/Target" ]; then
    echo "unpacking the definitions of LLVM 22"
    tar xJf "$folder"/*.orig.tar.xz -C "$folder/src" --strip-components=1 --wildcards '*/llvm/lib/Target/*.td' '*/llvm/include/*.td' \
        '*/llvm/test/TableGen/*.td' '*/llvm/test/TableGen/*.inc'
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
for target in "$folder"/src/llvm/lib/Target/*/; do
    # A target includes its own files and those of llvm/include.
    name=$(basename "$target")
    mkdir -p "$work/$name"
    cp -r "$folder/src/llvm/include/llvm" "$work/$name/"
    (cd "$target" && find . -name '*.td' -exec cp --parents {} "$work/$name" \;)
    echo "layout of LLVM's target $name:"
    python3 tests/layout/records.py --odsmith "$odsmith" --tool "$tool" "$work/$name" || status=1
    rm -rf "${work:?}/$name"
done
echo "layout of the inputs of LLVM's tests:"
python3 tests/layout/records.py --odsmith "$odsmith" --tool "$tool" "$folder/src/llvm/test/TableGen" || status=1
exit $status
