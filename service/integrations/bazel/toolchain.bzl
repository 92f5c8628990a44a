"""The toolchain of odsmith: the program, and the definitions of an MLIR release."""

TOOLCHAIN_TYPE = "@odsmith//:toolchain_type"

def _toolchain_impl(ctx):
    return [platform_common.ToolchainInfo(odsmith = struct(
        program = ctx.executable.program,
        tools = depset(ctx.files.program),
        library = depset(ctx.files.library),
        includes = [ctx.label.workspace_root + "/" + folder if ctx.label.workspace_root else folder for folder in ctx.attr.includes],
    ))]

odsmith_toolchain = rule(
    implementation = _toolchain_impl,
    doc = "A program, and a library of definitions.",
    attrs = {
        "program": attr.label(executable = True, allow_files = True, cfg = "exec", mandatory = True),
        "library": attr.label_list(allow_files = True, doc = "MLIR's .td files."),
        "includes": attr.string_list(doc = "Their include folders, below this repository."),
    },
)
