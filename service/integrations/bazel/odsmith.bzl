"""Odsmith in Bazel.

    load("//bazel:odsmith.bzl", "odsmith_archive", "odsmith_tblgen")

`odsmith_tblgen` runs the binary, once for each output, and writes what `gentbl_cc_library` would have mlir-tblgen write.
`odsmith_archive` is a repository whose files are a server's result, by their digest.
"""

load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")

def _tblgen_impl(ctx):
    transitive = depset(ctx.files.srcs)
    folders = [ctx.label.package + "/" + folder if ctx.label.package else folder for folder in ctx.attr.includes]
    for output, flags in zip(ctx.outputs.outs, ctx.attr.flags):
        arguments = ctx.actions.args()
        arguments.add("tblgen")
        arguments.add_all(flags.split(" "))
        for folder in folders + ctx.attr.absolute_includes:
            arguments.add("-I", folder)
        arguments.add(ctx.file.td)
        arguments.add("-o", output)
        ctx.actions.run(
            executable = ctx.executable.odsmith,
            arguments = [arguments],
            inputs = depset([ctx.file.td], transitive = [transitive]),
            outputs = [output],
            mnemonic = "Odsmith",
            progress_message = "Generating %s" % output.short_path,
        )
    return [DefaultInfo(files = depset(ctx.outputs.outs))]

odsmith_tblgen = rule(
    implementation = _tblgen_impl,
    doc = "Generates outs[i] from td with flags[i].",
    attrs = {
        "td": attr.label(allow_single_file = [".td"], mandatory = True),
        "srcs": attr.label_list(allow_files = [".td"], doc = "Files that are included."),
        "includes": attr.string_list(doc = "Include folders, below this package."),
        "absolute_includes": attr.string_list(doc = "Include folders outside of the workspace, such as MLIR's."),
        "outs": attr.output_list(mandatory = True),
        "flags": attr.string_list(mandatory = True, doc = "One string of flags for each output."),
        "odsmith": attr.label(executable = True, allow_files = True, cfg = "exec", default = "@odsmith//:odsmith"),
    },
)

def odsmith_archive(name, server, key, sha256, **kwargs):
    """The files of a server's result: cpp/…, site/…, markdown/….

    Args:
      name: the repository.
      server: the server's address.
      key: the last part of the Content-Location that the server gave.
      sha256: the digest of its .tar.gz.
      **kwargs: as for http_archive.
    """
    http_archive(
        name = name,
        urls = ["%s/v1/results/%s.tar.gz" % (server, key)],
        sha256 = sha256,
        build_file_content = kwargs.pop(
            "build_file_content",
            'filegroup(name = "cpp", srcs = glob(["cpp/**"]), visibility = ["//visibility:public"])',
        ),
        **kwargs
    )
