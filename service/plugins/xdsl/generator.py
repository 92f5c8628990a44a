#!/usr/bin/env python3
"""-gen-xdsl: dialects as Python definitions for xDSL, which reads and writes MLIR's generic form by them.

The module has a class for each operation, a `Dialect` for each dialect, and `DIALECTS`, the list of them. Types and attributes of
dialects stay unregistered: a context needs `allow_unregistered=True`.
"""

import keyword
import re

import odsmith

# Names that xDSL's operations have already.
TAKEN = {
    "name", "operands", "results", "successors", "attributes", "properties", "regions", "parent", "traits", "irdl_options", "location",
    "assembly_format", "create", "build", "clone", "detach", "drop_all_references", "erase", "verify", "verify_", "print", "parse", "walk",
    "next_op", "prev_op", "result_types", "operand_types", "has_trait", "get_trait", "is_ancestor", "is_structurally_equivalent", "custom_print_attributes",
    "add_region", "detach_region", "get_irdl_definition", "__init__", "emit_error", "parent_op", "parent_block", "parent_region", "block", "region", "get_toplevel_object",
}
# Traits of MLIR that decide how xDSL reads a block.
TRAITS = {
    "::mlir::OpTrait::IsTerminator": "IsTerminator()",
    "::mlir::OpTrait::NoTerminator": "NoTerminator()",
    "::mlir::OpTrait::IsIsolatedFromAbove": "IsolatedFromAbove()",
}
OPTIONS = {
    "::mlir::OpTrait::AttrSizedOperandSegments": "AttrSizedOperandSegments(as_property={})",
    "::mlir::OpTrait::AttrSizedResultSegments": "AttrSizedResultSegments(as_property={})",
    "::mlir::OpTrait::SameVariadicOperandSize": "SameVariadicOperandSize()",
    "::mlir::OpTrait::SameVariadicResultSize": "SameVariadicResultSize()",
}
WORDS = {"one": "", "optional": "opt_", "variadic": "var_", "variadic-of-variadic": "var_"}
HEAD = '''"""Dialects of {root}, for xDSL."""

from xdsl.ir import Attribute, Dialect
from xdsl.irdl import (
    AttrSizedOperandSegments, AttrSizedResultSegments, IRDLOperation, SameVariadicOperandSize, SameVariadicResultSize, attr_def,
    irdl_op_definition, operand_def, opt_attr_def, opt_operand_def, opt_prop_def, opt_result_def, prop_def, region_def, result_def,
    successor_def, traits_def, var_operand_def, var_region_def, var_result_def, var_successor_def,
)
from xdsl.traits import IsolatedFromAbove, IsTerminator, NoTerminator

'''


def plain_name(name, kind, taken):
    """A name for a member of a class; parts without names have numbers."""
    base = re.sub(r"\W", "_", name) or f"{kind}_"
    if base in TAKEN or keyword.iskeyword(base) or base.startswith("_"):
        base = f"{kind}_{base.strip('_')}"
    number, chosen = 0, base
    while chosen in taken:
        number, chosen = number + 1, f"{base}_{number}"
    taken.add(chosen)
    return chosen


def members(op, model, in_properties):
    """The members of an operation's class: their names, and what defines them."""
    taken = set()
    kind_of_attribute = "prop" if in_properties else "attr"
    for part in op["arguments"] + op["results"]:
        constraint = model["constraints"][part["constraint"]]
        name = plain_name(part["name"], part["kind"], taken)
        if part["kind"] in ("operand", "result"):
            yield name, f"{WORDS[constraint['type']['cardinality']]}{part['kind']}_def()"
            continue
        attribute = constraint.get("attribute", {})
        is_optional = part["kind"] == "property" or attribute.get("is_optional") or "default_value" in attribute
        kind = "prop" if part["kind"] == "property" else kind_of_attribute
        yield name, f"{'opt_' if is_optional else ''}{kind}_def(Attribute, {kind}_name=\"{part['name']}\")"
    for part in op["regions"] + op["successors"]:
        word = "var_" if part.get("is_variadic") else ""
        yield plain_name(part["name"], part["kind"], taken), f"{word}{part['kind']}_def()"


def operation(op, name, model, in_properties):
    text = f'@irdl_op_definition\nclass {name}(IRDLOperation):\n'
    if op["summary"]:
        summary = op["summary"].replace("\\", "\\\\").replace('"', '\\"')
        text += f'    """{" ".join(summary.split())}"""\n\n'
    text += f'    name = "{op["name"]}"\n'
    text += "".join(f"    {name} = {made}\n" for name, made in members(op, model, in_properties))
    names = [model["traits"][at]["cpp_name"] for at in op["traits"]]
    options = [OPTIONS[name].format(in_properties) for name in names if name in OPTIONS]
    traits = [TRAITS[name] for name in names if name in TRAITS]
    text += f"    irdl_options = ({', '.join(options)},)\n" if options else ""
    return text + (f"    traits = traits_def({', '.join(traits)})\n" if traits else "")


def generate(request):
    if "model" not in request:
        return odsmith.needs([], model=True)
    model, classes = request["model"], set()
    text, lists = HEAD.format(root=request["root"]), []
    for dialect in model["dialects"]:
        own = []
        for op in (op for op in model["operations"] if op["dialect"] == dialect["name"]):
            own.append(plain_name(op["cpp_class"], "Operation", classes))
            text += "\n" + operation(op, own[-1], model, dialect["uses_properties_for_attributes"]) + "\n"
        if own:
            lists.append(plain_name(dialect["name"].capitalize(), "Dialect", classes))
            text += f"\n{lists[-1]} = Dialect(\"{dialect['name']}\", [{', '.join(own)}], [])\n"
    return odsmith.file(request, text + f"\nDIALECTS = [{', '.join(lists)}]\n")


if __name__ == "__main__":
    odsmith.run(generate)
