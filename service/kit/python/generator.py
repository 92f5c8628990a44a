#!/usr/bin/env python3
"""The generator `-gen-@NAME@`."""

import odsmith


def generate(request):
    """Lists the operations, with their dialects and summaries."""
    if "records" not in request:
        return odsmith.needs(classes=["Op"], fields=["opDialect", "opName", "summary"])
    text = ""
    for name, op in odsmith.of_class(request["records"], "Op"):
        dialect = odsmith.name_of(op.get("opDialect"))
        text += f"{name}: {dialect}, {odsmith.text_of(op.get('opName'))}: {odsmith.text_of(op.get('summary'))}\n"
    return odsmith.file(request, text)


if __name__ == "__main__":
    odsmith.run(generate)
