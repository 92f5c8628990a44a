"""Loads dialects of MLIR as IRDL: each under another name, in an mlir-opt that has it under its own.

    python3 tests/plugins/irdl.py --odsmith target/debug/odsmith [--prefix /usr/lib/llvm-22] [--least 20]

The text is that of `odsmith plugin new --example irdl`. A dialect counts if mlir-opt loads it, reads an instance of each
operation without regions in generic form, and refuses the first that lacks an attribute.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FILES = {
    "acc": "OpenACC/OpenACCOps.td", "affine": "Affine/IR/AffineOps.td", "amdgpu": "AMDGPU/IR/AMDGPU.td", "arith": "Arith/IR/ArithOps.td",
    "async": "Async/IR/AsyncOps.td", "bufferization": "Bufferization/IR/BufferizationOps.td", "cf": "ControlFlow/IR/ControlFlowOps.td",
    "complex": "Complex/IR/ComplexOps.td", "emitc": "EmitC/IR/EmitC.td", "func": "Func/IR/FuncOps.td", "gpu": "GPU/IR/GPUOps.td",
    "index": "Index/IR/IndexOps.td", "linalg": "Linalg/IR/LinalgOps.td", "math": "Math/IR/MathOps.td", "memref": "MemRef/IR/MemRefOps.td",
    "nvgpu": "NVGPU/IR/NVGPUOps.td", "scf": "SCF/IR/SCFOps.td", "shape": "Shape/IR/ShapeOps.td", "tensor": "Tensor/IR/TensorOps.td",
    "vector": "Vector/IR/VectorOps.td",
}
PREFIX = "own_"


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True)


def instance(dialect, name, body):
    """An operation in generic form that the definition allows, and one that lacks an attribute, if it has any."""
    if "irdl.regions" in body:
        return None
    types = {value: {"any": "f32"}.get(text, text.removeprefix("is ")) for value, text in re.findall(r"(%\d+) = irdl\.(any|is \S+)", body)}
    of = {}
    for kind in ["operands", "results"]:
        found = re.search(rf"irdl\.{kind}\((.*)\)", body)
        parts = [part.split(": ")[1] for part in found[1].split(", ")] if found else []
        # The lengths of several groups would be in a property.
        if sum(" " in part for part in parts) > 1:
            return None
        of[kind] = [types[part] for part in parts if " " not in part]
    names = re.findall(r'"([^"]+)" =', body)
    values = "".join(f"%{at}, " for at in range(len(of["operands"])))[:-2]
    sources = "".join(f'%{at} = "builtin.unrealized_conversion_cast"() : () -> {ty}\n' for at, ty in enumerate(of["operands"]))
    signature = f"({', '.join(of['operands'])}) -> ({', '.join(of['results'])})"

    def text(names):
        attributes = ", ".join(f'"{name}" = 1 : i32' for name in names)
        # A region of its own, so that each may end its block.
        return f'"builtin.module"() ({{\n{sources}"{dialect}.{name}"({values}) {{{attributes}}} : {signature}\n}}) : () -> ()\n'

    return text(names), text(names[1:]) if names else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--odsmith", type=Path, required=True)
    parser.add_argument("--prefix", default="/usr/lib/llvm-22")
    parser.add_argument("--least", type=int, default=20)
    options = parser.parse_args()
    opt, loaded, operations, read = f"{options.prefix}/bin/mlir-opt", 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        run(options.odsmith.resolve(), "-q", "plugin", "new", "irdl", "--example", "irdl", "-o", folder / "kit")
        for name, path in FILES.items():
            td = f"{options.prefix}/include/mlir/Dialect/{path}"
            text = folder / f"{name}.mlir"
            made = run(options.odsmith.resolve(), "tblgen", "--plugin", folder / "kit/generator.py", "-gen-irdl", f"-prefix={PREFIX}", "-I", f"{options.prefix}/include", td, "-o", text)
            if made.returncode:
                print(f"{name}: {made.stderr}")
                continue
            text_of = text.read_text()
            instances = [instance(PREFIX + name, *block) for block in re.findall(r"irdl\.operation @(\w+) \{\n(.*?)^  \}", text_of, re.M | re.S)]
            instances = [it for it in instances if it]
            (folder / "use.mlir").write_text("".join(whole for whole, _ in instances))
            used = run(opt, f"--irdl-file={text}", folder / "use.mlir")
            lacking = next((less for _, less in instances if less), f'"{PREFIX}{name}.no_such_operation"() : () -> ()\n')
            (folder / "wrong.mlir").write_text(lacking)
            wrong = run(opt, f"--irdl-file={text}", folder / "wrong.mlir")
            is_good = used.returncode == 0 and wrong.returncode != 0
            loaded += is_good
            operations += text_of.count("irdl.operation ")
            read += len(instances) if is_good else 0
            print(f"{name}: {text_of.count('irdl.operation ')} operations, {len(instances)} instances: {'read' if is_good else (used.stderr or 'nothing is refused').splitlines()[0]}")
    print(f"{loaded} of {len(FILES)} dialects load, with {operations} operations, {read} of them read")
    sys.exit(loaded < options.least)


if __name__ == "__main__":
    main()
