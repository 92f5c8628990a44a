"""For MODULE.bazel: see repositories.bzl."""

load(":repositories.bzl", "odsmith_local_toolchain")

def _odsmith_impl(ctx):
    for module in ctx.modules:
        for tag in module.tags.local:
            if module.is_root or len(ctx.modules) == 1:
                odsmith_local_toolchain(
                    name = "odsmith_toolchain",
                    program = tag.program,
                    library = tag.library,
                    mlir = tag.mlir,
                )

odsmith = module_extension(
    implementation = _odsmith_impl,
    tag_classes = {"local": tag_class(attrs = {
        "program": attr.string(),
        "library": attr.string(),
        "mlir": attr.string(default = "22"),
    })},
)
