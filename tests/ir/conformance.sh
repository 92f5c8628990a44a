#!/bin/sh
# Compares what `odsmith check` says of MLIR's own tests with mlir-opt, and the generic form that `odsmith ir` prints of them, and
# checks what mlir-opt prints of them, for each release that is named: conformance.sh 22 23
# The inputs and mlir-opt's answers stay in target/ir; nothing of them is part of the repository.
set -eu
here=$(dirname "$0"); root=$(cd "$here/../.." && pwd); status=0
for release in "$@"; do
    opt=${MLIR_OPT:-$(command -v "mlir-opt-$release" || true)}
    if [ -z "$opt" ]; then echo "IR of MLIR $release is not compared: there is no mlir-opt-$release"; continue; fi
    least=0; [ "$release" = 22 ] && least=2000
    folder=$root/target/ir/$release; tests=$folder/src/mlir/test; truth=$folder/truth.jsonl
    [ -d "$tests" ] || python3 "$here/acceptance.py" inputs "$folder" "$release"
    [ -s "$truth" ] || python3 "$here/acceptance.py" truth "$opt" "$tests" "$truth"
    python3 "$here/acceptance.py" compare "${ODSMITH:-$root/target/debug/odsmith}" "$tests" "$truth" \
        --mlir "$release" --exclude 'mlir-tblgen/**' --operations --most-false 0.1 --list 20 || status=1
    python3 "$here/generic.py" "${ODSMITH:-$root/target/debug/odsmith}" "$tests" "$truth" --opt "$opt" \
        --work "$folder/generic" --mlir "$release" --least $least --list 20 || status=1
    python3 "$here/printed.py" "${ODSMITH:-$root/target/debug/odsmith}" "$tests" "$truth" --opt "$opt" \
        --work "$folder/printed" --mlir "$release" --list 20 || status=1
done
exit $status
