"""MLIR's rules for TableGen, run by odsmith: td_library, gentbl_cc_library, gentbl_filegroup and gentbl_sharded_ops.

    load("@odsmith//:tblgen.bzl", "gentbl_cc_library", "td_library")

in place of the load() of "@llvm-project//mlir:tblgen.bzl" is all that a BUILD file needs. The signatures are the same; `tblgen`
is accepted and ignored, as the toolchain names the program. MLIR's own definitions come from the toolchain, so that deps on
"@llvm-project//mlir:…TdFiles" are optional.
"""

load(":toolchain.bzl", "TOOLCHAIN_TYPE")

TdInfo = provider(
    "The files of TableGen definitions.",
    fields = {
        "sources": "A depset of files, those of dependencies among them.",
        "includes": "A depset of include folders below the root of sources and below that of generated files, in the order of lookup.",
    },
)

def _folders(label, folders):
    """Include folders below the package, or after a slash below the workspace."""
    places = []
    for folder in folders:
        below = folder[1:] if folder.startswith("/") else label.package + "/" + folder
        places.append("/".join([part for part in (label.workspace_root + "/" + below).split("/") if part not in ["", "."]]))
    return places

def _include_folder(file):
    """The include folder of a file of another rule: "x/mlir/include" of "x/mlir/include/mlir/IR/OpBase.td"."""
    below = file.path[len(file.root.path):].lstrip("/")
    head, found, _ = below.partition("/include/")
    return head + "/include" if found else ""

def _collect(deps):
    sources = []
    includes = []
    for dep in deps:
        if TdInfo in dep:
            sources.append(dep[TdInfo].sources)
            includes.append(dep[TdInfo].includes)
        else:
            files = dep[DefaultInfo].files
            sources.append(files)
            includes.append(depset([_include_folder(file) for file in files.to_list() if file.extension == "td"]))
    return sources, includes

def _root(file):
    return file.root.path or "."

def _dirname(file):
    return file.dirname or "."

def _add_includes(arguments, folders, out):
    """Adds each folder of sources, and the same of generated files, in a form in which Bazel can map the paths of configurations."""
    for folder in folders:
        arguments.add("-I" + (folder or "."))
        arguments.add_all([out], map_each = _root, format_each = "-I%s/" + folder if folder else "-I%s")

def _td_library_impl(ctx):
    sources, includes = _collect(ctx.attr.deps)
    all_sources = depset(ctx.files.srcs, transitive = sources)
    return [
        DefaultInfo(files = all_sources),
        TdInfo(
            sources = all_sources,
            includes = depset(_folders(ctx.label, ctx.attr.includes), transitive = includes, order = "preorder"),
        ),
    ]

td_library = rule(
    implementation = _td_library_impl,
    doc = "A library of definitions.",
    attrs = {
        "srcs": attr.label_list(allow_files = True),
        "includes": attr.string_list(doc = "Folders below the package, or after a slash below the workspace."),
        "deps": attr.label_list(doc = "Other libraries."),
    },
)

# A persistent worker of odsmith makes many outputs in one process, with the states after includes in memory. It reads only the
# inputs of each action. Outputs do not depend on the names of folders, so that configurations can share them.
_REQUIREMENTS = {
    "supports-path-mapping": "1",
    "supports-workers": "1",
    "supports-multiplex-workers": "1",
    "supports-multiplex-sandboxing": "1",
    "supports-worker-cancellation": "1",
}

def _gentbl_impl(ctx):
    toolchain = ctx.toolchains[TOOLCHAIN_TYPE].odsmith
    sources, includes = _collect(ctx.attr.deps)
    td = ctx.file.td_file
    own = _folders(ctx.label, ctx.attr.includes + ["/"])
    others = depset(transitive = includes, order = "preorder").to_list()
    program = ctx.actions.args()
    program.add("tblgen")
    # A worker takes the arguments of a request from a file.
    arguments = ctx.actions.args()
    arguments.use_param_file("@%s", use_always = True)
    arguments.set_param_file_format("multiline")
    arguments.add_all(ctx.attr.opts)
    if ctx.file.plugin:
        arguments.add("--plugin", ctx.file.plugin)
    arguments.add(td)
    _add_includes(arguments, own, ctx.outputs.out)
    arguments.add_all([td], map_each = _dirname, format_each = "-I%s")
    _add_includes(arguments, others, ctx.outputs.out)
    arguments.add_all(toolchain.includes, before_each = "-I")
    arguments.add("-o", ctx.outputs.out)
    ctx.actions.run(
        executable = toolchain.program,
        arguments = [program, arguments],
        execution_requirements = _REQUIREMENTS,
        inputs = depset([td] + ctx.files.td_srcs + ctx.files.plugin + ctx.files.plugin_srcs, transitive = sources + [toolchain.library]),
        outputs = [ctx.outputs.out],
        tools = toolchain.tools,
        mnemonic = "TdGenerate",
        progress_message = "Generating %s" % ctx.outputs.out.short_path,
        env = {"ODSMITH_NO_INSTALLED": "1"},
    )
    return [DefaultInfo(files = depset([ctx.outputs.out]))]

gentbl_rule = rule(
    implementation = _gentbl_impl,
    doc = "One output of a file of definitions.",
    # Generated headers are among the sources, at the same path in every configuration.
    output_to_genfiles = True,
    attrs = {
        "td_file": attr.label(allow_single_file = True, mandatory = True),
        "td_srcs": attr.label_list(allow_files = True),
        "deps": attr.label_list(),
        "opts": attr.string_list(),
        "includes": attr.string_list(),
        "plugin": attr.label(allow_single_file = True, doc = "The program of generators that mlir-tblgen lacks."),
        "plugin_srcs": attr.label_list(allow_files = True, doc = "Files that the plugin reads, such as its modules."),
        "out": attr.output(mandatory = True),
    },
    toolchains = [TOOLCHAIN_TYPE],
)

def _normalised(tbl_outs):
    """Pairs of options and an output, of each of the three forms of `tbl_outs`."""
    entries = [(opts, out) for out, opts in tbl_outs.items()] if type(tbl_outs) == type({}) else tbl_outs
    pairs = []
    for opts, outs in entries:
        for out in [outs] if type(outs) == type("") else outs:
            pairs.append(([opts] if type(opts) == type("") else opts, out))
    return pairs

def gentbl_filegroup(
        name,
        tblgen = None,
        td_file = None,
        tbl_outs = [],
        td_srcs = [],
        includes = [],
        deps = [],
        test = False,
        skip_opts = [],
        plugin = None,
        plugin_srcs = [],
        **kwargs):
    """Several outputs of a file of definitions.

    Args:
      name: the group of the outputs.
      tblgen: taken, and not used.
      td_file: the root.
      tbl_outs: a dictionary from outputs to options, or a list of pairs of options and an output or outputs.
      td_srcs: files that the root includes.
      includes: folders below the package, or after a slash below the workspace.
      deps: libraries of definitions.
      test: taken, and not used.
      skip_opts: outputs with one of these options are not made.
      plugin: the program of generators that mlir-tblgen lacks, best a WebAssembly module.
      plugin_srcs: files that the plugin reads, such as its modules.
      **kwargs: as for filegroup.
    """
    outs = []
    for opts, out in _normalised(tbl_outs):
        if [opt for opt in opts if opt in skip_opts]:
            continue
        gentbl_rule(
            name = "%s__%s_gen" % (name, out.replace("/", "_").replace(".", "_")),
            td_file = td_file,
            td_srcs = td_srcs,
            deps = deps,
            opts = opts,
            includes = includes,
            plugin = plugin,
            plugin_srcs = plugin_srcs,
            out = out,
            visibility = ["//visibility:private"],
            tags = kwargs.get("tags", []),
        )
        outs.append(out)
    native.filegroup(name = name, srcs = outs, **kwargs)

def gentbl_cc_library(
        name,
        tblgen = None,
        td_file = None,
        tbl_outs = [],
        td_srcs = [],
        includes = [],
        deps = [],
        strip_include_prefix = None,
        test = False,
        copts = None,
        skip_opts = [],
        plugin = None,
        plugin_srcs = [],
        **kwargs):
    """The same as gentbl_filegroup, as headers of a C++ library.

    Args:
      name: the library; name + "_filegroup" is the group of the outputs.
      tblgen: taken, and not used.
      td_file: the root.
      tbl_outs: as for gentbl_filegroup.
      td_srcs: as for gentbl_filegroup.
      includes: as for gentbl_filegroup.
      deps: as for gentbl_filegroup.
      strip_include_prefix: as for cc_library.
      test: taken, and not used.
      copts: as for cc_library.
      skip_opts: as for gentbl_filegroup.
      plugin: as for gentbl_filegroup.
      plugin_srcs: as for gentbl_filegroup.
      **kwargs: as for cc_library.
    """
    filegroup = name + "_filegroup"
    gentbl_filegroup(
        name = filegroup,
        td_file = td_file,
        tbl_outs = tbl_outs,
        td_srcs = td_srcs,
        includes = includes,
        deps = deps,
        skip_opts = skip_opts,
        plugin = plugin,
        plugin_srcs = plugin_srcs,
        **kwargs
    )
    native.cc_library(
        name = name,
        # Sources include them where needed, some several times.
        textual_hdrs = [":" + filegroup],
        strip_include_prefix = strip_include_prefix,
        copts = copts,
        **kwargs
    )

def gentbl_sharded_ops(
        name,
        tblgen = None,
        sharder = None,
        td_file = None,
        shard_count = 1,
        src_file = None,
        src_out = None,
        hdr_out = None,
        test = False,
        includes = [],
        strip_include_prefix = None,
        deps = []):
    """Declarations and definitions of operations in several parts.

    Args:
      name: the group of what is generated.
      tblgen: taken, and not used.
      sharder: MLIR's mlir-src-sharder, which cuts src_file into parts; without it that is left out.
      td_file: the root.
      shard_count: the number of parts.
      src_file: the source that includes the definitions.
      src_out: the definitions.
      hdr_out: the declarations.
      test: taken, and not used.
      includes: as for gentbl_filegroup.
      strip_include_prefix: as for cc_library.
      deps: as for gentbl_filegroup.
    """
    library = name + "__gentbl_cc_lib"
    gentbl_cc_library(
        name = library,
        td_file = td_file,
        tbl_outs = [
            (["-gen-op-defs", "-op-shard-count=%d" % shard_count], src_out),
            (["-gen-op-decls", "-op-shard-count=%d" % shard_count], hdr_out),
        ],
        includes = includes,
        strip_include_prefix = strip_include_prefix,
        deps = deps,
    )
    parts = []
    if sharder and src_file:
        for index in range(shard_count):
            part = "%s.%d.cpp" % (name, index)
            native.genrule(
                name = "%s__shard_%d" % (name, index),
                srcs = [src_file],
                outs = [part],
                tools = [sharder],
                cmd = "$(location %s) -op-shard-index=%d $(SRCS) > $@" % (sharder, index),
            )
            parts.append(part)
    native.filegroup(name = name, srcs = [hdr_out, src_out] + parts)
