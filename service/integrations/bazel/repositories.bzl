"""The repository of the toolchain.

WORKSPACE:

    local_repository(name = "odsmith", path = "third_party/odsmith-bazel")      # or http_archive, by its digest
    load("@odsmith//:repositories.bzl", "odsmith_local_toolchain")
    odsmith_local_toolchain(name = "odsmith_toolchain")                          # what is installed
    register_toolchains("@odsmith_toolchain//:toolchain")

MODULE.bazel:

    bazel_dep(name = "odsmith", version = "0.1.0")
    # A copy of the folder in your repository; or archive_override() with its address and digest.
    local_path_override(module_name = "odsmith", path = "third_party/odsmith-bazel")
    odsmith = use_extension("@odsmith//:extensions.bzl", "odsmith")
    odsmith.local()
    use_repo(odsmith, "odsmith_toolchain")
    register_toolchains("@odsmith_toolchain//:toolchain")
"""

_BUILD = """
load("@odsmith//:toolchain.bzl", "odsmith_toolchain")

exports_files(glob(["bin/*"]))

odsmith_toolchain(
    name = "installed",
    program = "bin/odsmith",
    library = glob(["include/mlir/**/*.td", "include/llvm/**/*.td"]),
    includes = ["include"],
)

toolchain(
    name = "toolchain",
    toolchain = ":installed",
    toolchain_type = "@odsmith//:toolchain_type",
    visibility = ["//visibility:public"],
)
"""

def _local_impl(ctx):
    program = ctx.attr.program or ctx.os.environ.get("ODSMITH", "") or ctx.which("odsmith")
    if not program:
        fail("odsmith is not on the PATH: install it, or name it with program = \"/path/to/odsmith\"")
    program = ctx.path(str(program))
    if not program.exists:
        fail("%s: there is no such program" % program)
    include = ctx.attr.library or ctx.os.environ.get("ODSMITH_LIBRARY", "")
    if not include:
        found = ctx.execute([program, "library", "path", ctx.attr.mlir])
        if found.return_code != 0:
            fail("odsmith library path %s: %s" % (ctx.attr.mlir, found.stderr))
        include = found.stdout.strip()
    ctx.symlink(program, "bin/odsmith")
    beside = program.dirname.get_child("odsmith-service")
    if beside.exists:
        ctx.symlink(beside, "bin/odsmith-service")
    for folder in ["mlir", "llvm"]:
        place = ctx.path(include).get_child(folder)
        if place.exists:
            ctx.symlink(place.realpath, "include/" + folder)
    ctx.file("BUILD.bazel", _BUILD)

odsmith_local_toolchain = repository_rule(
    implementation = _local_impl,
    doc = "A toolchain of the odsmith and the MLIR definitions that are installed.",
    local = True,
    environ = ["ODSMITH", "ODSMITH_LIBRARY", "PATH"],
    attrs = {
        "program": attr.string(doc = "The program; found on the PATH if it is not named."),
        "library": attr.string(doc = "MLIR's include folder; what odsmith finds if it is not named."),
        "mlir": attr.string(default = "22", doc = "The release of MLIR."),
    },
)
