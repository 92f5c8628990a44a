//! The functions of MLIR's build files, with what each makes of its arguments.

/// A function of the build files.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// Its arguments, as they are written in the build files.
    pub arguments: &'static str,
    /// Expands its arguments, if they fit.
    pub expand: fn(&[&str]) -> Option<Expansion>,
}

/// The root's file, and the path and the flags of each output.
type Expansion = (String, Vec<(String, Vec<String>)>);

/// Every function, by name.
pub const FUNCTIONS: &[Function] = &[
    Function {
        name: "add_mlir_attr_interface",
        arguments: "INTERFACE",
        expand: |args| interface(args, "attr"),
    },
    Function { name: "add_mlir_dialect", arguments: "DIALECT NAMESPACE", expand: dialect },
    Function { name: "add_mlir_doc", arguments: "FILE OUTPUT FOLDER GENERATOR [FLAG…]", expand: doc },
    Function { name: "add_mlir_interface", arguments: "INTERFACE", expand: |args| interface(args, "op") },
    Function {
        name: "add_mlir_type_interface",
        arguments: "INTERFACE",
        expand: |args| interface(args, "type"),
    },
    Function { name: "add_sharded_ops", arguments: "OPS COUNT", expand: sharded_ops },
    Function {
        name: "declare_mlir_dialect_python_bindings",
        arguments: "FILE.td NAMESPACE",
        expand: python_bindings,
    },
    Function {
        name: "mlir_tablegen", arguments: "FILE.td OUTPUT GENERATOR [FLAG…]", expand: mlir_tablegen
    },
];

fn output(path: String, flags: &[&str]) -> (String, Vec<String>) {
    (path, flags.iter().map(|&flag| flag.to_owned()).collect())
}

fn dialect(args: &[&str]) -> Option<Expansion> {
    let [name, namespace] = args else { return None };
    let types = format!("-typedefs-dialect={namespace}");
    let dialect = format!("-dialect={namespace}");
    let outputs = vec![
        output(format!("{name}.h.inc"), &["-gen-op-decls"]),
        output(format!("{name}.cpp.inc"), &["-gen-op-defs"]),
        output(format!("{name}Types.h.inc"), &["-gen-typedef-decls", &types]),
        output(format!("{name}Types.cpp.inc"), &["-gen-typedef-defs", &types]),
        output(format!("{name}Dialect.h.inc"), &["-gen-dialect-decls", &dialect]),
        output(format!("{name}Dialect.cpp.inc"), &["-gen-dialect-defs", &dialect]),
    ];
    Some((format!("{name}.td"), outputs))
}

fn interface(args: &[&str], kind: &str) -> Option<Expansion> {
    let [name] = args else { return None };
    let outputs = vec![
        output(format!("{name}.h.inc"), &[&format!("-gen-{kind}-interface-decls")]),
        output(format!("{name}.cpp.inc"), &[&format!("-gen-{kind}-interface-defs")]),
    ];
    Some((format!("{name}.td"), outputs))
}

fn sharded_ops(args: &[&str]) -> Option<Expansion> {
    let [name, count] = args else { return None };
    let shards = format!("-op-shard-count={}", count.parse::<u32>().ok()?);
    let outputs = vec![
        output(format!("{name}.h.inc"), &["-gen-op-decls", &shards]),
        output(format!("{name}.cpp.inc"), &["-gen-op-defs", &shards]),
    ];
    Some((format!("{name}.td"), outputs))
}

fn doc(args: &[&str]) -> Option<Expansion> {
    let [name, file, folder, generator, more @ ..] = args else { return None };
    let flags = [&[*generator, "-allow-hugo-specific-features"], more].concat();
    Some((format!("{name}.td"), vec![output(format!("{folder}{file}.md"), &flags)]))
}

fn python_bindings(args: &[&str]) -> Option<Expansion> {
    let [td, namespace] = args else { return None };
    let flags = ["-gen-python-op-bindings", &format!("-bind-dialect={namespace}")];
    let folder = td.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    Some(((*td).to_owned(), vec![output(format!("{folder}_{namespace}_ops_gen.py"), &flags)]))
}

fn mlir_tablegen(args: &[&str]) -> Option<Expansion> {
    let [td, path, flags @ ..] = args else { return None };
    (!flags.is_empty()).then(|| ((*td).to_owned(), vec![output((*path).to_owned(), flags)]))
}
