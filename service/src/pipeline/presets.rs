//! The functions of MLIR's build files that a manifest may call by name.

use crate::pipeline::manifest::{Output, Target};

/// A function of the build files.
#[derive(Debug)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// Its arguments, as they are written in the build files.
    pub arguments: &'static str,
    /// Expands its arguments, if they fit.
    expand: fn(&[&str]) -> Option<Expanded>,
}

/// The root's file and the outputs.
type Expanded = (String, Vec<Output>);

/// Every preset, by name.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "add_mlir_attr_interface",
        arguments: "INTERFACE",
        expand: |args| interface(args, "attr"),
    },
    Preset { name: "add_mlir_dialect", arguments: "DIALECT NAMESPACE", expand: dialect },
    Preset { name: "add_mlir_doc", arguments: "FILE OUTPUT FOLDER GENERATOR [FLAG…]", expand: doc },
    Preset { name: "add_mlir_interface", arguments: "INTERFACE", expand: |args| interface(args, "op") },
    Preset {
        name: "add_mlir_type_interface",
        arguments: "INTERFACE",
        expand: |args| interface(args, "type"),
    },
    Preset { name: "add_sharded_ops", arguments: "OPS COUNT", expand: sharded_ops },
    Preset {
        name: "declare_mlir_dialect_python_bindings",
        arguments: "FILE.td NAMESPACE",
        expand: python_bindings,
    },
    Preset { name: "mlir_tablegen", arguments: "FILE.td OUTPUT GENERATOR [FLAG…]", expand: mlir_tablegen },
];

/// Expands a target with a preset; returns others unchanged.
///
/// # Errors
/// There is no such preset, or its arguments are wrong.
pub fn expand(target: &Target) -> Result<Target, String> {
    let Some(name) = &target.preset else { return Ok(target.clone()) };
    let Some(preset) = PRESETS.iter().find(|preset| preset.name == name) else {
        let known: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
        return Err(format!("preset '{name}' is not known (known: {})", known.join(", ")));
    };
    let args: Vec<&str> = target.args.iter().map(String::as_str).collect();
    let Some((td, outputs)) = (preset.expand)(&args) else {
        let given = if args.is_empty() { "nothing".to_owned() } else { format!("'{}'", args.join(" ")) };
        return Err(format!("preset {name} takes {}; it was given {given}", preset.arguments));
    };
    let folder = target.dir.clone().unwrap_or_default();
    let td = if folder.is_empty() { td } else { format!("{}/{td}", folder.trim_end_matches('/')) };
    // The build function puts its own folder before all other include folders.
    let own = (!folder.is_empty()).then(|| folder.clone());
    Ok(Target {
        td: Some(td),
        includes: own.clone().into_iter().chain(target.includes.iter().cloned()).collect(),
        defines: target.defines.clone(),
        out_dir: target.out_dir.clone().or(own),
        outputs,
        ..Target::default()
    })
}

fn output(path: String, flags: &[&str]) -> Output {
    Output { path, flags: flags.iter().map(|&flag| flag.to_owned()).collect() }
}

fn dialect(args: &[&str]) -> Option<Expanded> {
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

fn interface(args: &[&str], kind: &str) -> Option<Expanded> {
    let [name] = args else { return None };
    let outputs = vec![
        output(format!("{name}.h.inc"), &[&format!("-gen-{kind}-interface-decls")]),
        output(format!("{name}.cpp.inc"), &[&format!("-gen-{kind}-interface-defs")]),
    ];
    Some((format!("{name}.td"), outputs))
}

fn sharded_ops(args: &[&str]) -> Option<Expanded> {
    let [name, count] = args else { return None };
    let shards = format!("-op-shard-count={}", count.parse::<u32>().ok()?);
    let outputs = vec![
        output(format!("{name}.h.inc"), &["-gen-op-decls", &shards]),
        output(format!("{name}.cpp.inc"), &["-gen-op-defs", &shards]),
    ];
    Some((format!("{name}.td"), outputs))
}

fn doc(args: &[&str]) -> Option<Expanded> {
    let [name, file, folder, generator, more @ ..] = args else { return None };
    let flags = [&[*generator, "-allow-hugo-specific-features"], more].concat();
    Some((format!("{name}.td"), vec![output(format!("{folder}{file}.md"), &flags)]))
}

fn python_bindings(args: &[&str]) -> Option<Expanded> {
    let [td, namespace] = args else { return None };
    let flags = ["-gen-python-op-bindings", &format!("-bind-dialect={namespace}")];
    let folder = td.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    Some(((*td).to_owned(), vec![output(format!("{folder}_{namespace}_ops_gen.py"), &flags)]))
}

fn mlir_tablegen(args: &[&str]) -> Option<Expanded> {
    let [td, path, flags @ ..] = args else { return None };
    (!flags.is_empty()).then(|| ((*td).to_owned(), vec![output((*path).to_owned(), flags)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(preset: &str, args: &[&str]) -> Result<Target, String> {
        expand(&Target {
            preset: Some(preset.into()),
            args: args.iter().map(|&arg| arg.to_owned()).collect(),
            dir: Some("include/Foo/IR".into()),
            ..Target::default()
        })
    }

    #[track_caller]
    fn check(preset: &str, args: &[&str], td: &str, expected: &[&str]) {
        let target = call(preset, args).unwrap();
        assert_eq!(target.td.as_deref(), Some(td));
        let outputs = target.outputs.iter();
        let outputs: Vec<String> = outputs
            .map(|output| format!("{} {}", target.output_path(&output.path), output.flags.join(" ")))
            .collect();
        assert_eq!(outputs, expected);
    }

    #[test]
    fn presets_stand_for_what_the_build_files_do() {
        let dialect = call("add_mlir_dialect", &["FooOps", "foo"]).unwrap();
        assert_eq!(dialect.outputs.len(), 6);
        assert_eq!(dialect.output_path(&dialect.outputs[3].path), "include/Foo/IR/FooOpsTypes.cpp.inc");
        check(
            "add_mlir_type_interface",
            &["FooTypeInterfaces"],
            "include/Foo/IR/FooTypeInterfaces.td",
            &[
                "include/Foo/IR/FooTypeInterfaces.h.inc -gen-type-interface-decls",
                "include/Foo/IR/FooTypeInterfaces.cpp.inc -gen-type-interface-defs",
            ],
        );
        check(
            "add_sharded_ops",
            &["FooOps", "4"],
            "include/Foo/IR/FooOps.td",
            &[
                "include/Foo/IR/FooOps.h.inc -gen-op-decls -op-shard-count=4",
                "include/Foo/IR/FooOps.cpp.inc -gen-op-defs -op-shard-count=4",
            ],
        );
        check(
            "add_mlir_doc",
            &["FooOps", "Foo", "Dialects/", "-gen-dialect-doc", "-dialect=foo"],
            "include/Foo/IR/FooOps.td",
            &["include/Foo/IR/Dialects/Foo.md -gen-dialect-doc -allow-hugo-specific-features -dialect=foo"],
        );
        check(
            "mlir_tablegen",
            &["Foo.td", "FooEnums.h.inc", "-gen-enum-decls"],
            "include/Foo/IR/Foo.td",
            &["include/Foo/IR/FooEnums.h.inc -gen-enum-decls"],
        );
    }

    #[test]
    fn wrong_calls() {
        let error = call("add_mlir_dialect", &[]).unwrap_err();
        assert_eq!(error, "preset add_mlir_dialect takes DIALECT NAMESPACE; it was given nothing");
        let error = call("add_sharded_ops", &["FooOps", "four"]).unwrap_err();
        assert_eq!(error, "preset add_sharded_ops takes OPS COUNT; it was given 'FooOps four'");
        assert!(call("nonsense", &[]).unwrap_err().contains("known: add_mlir_attr_interface, "));
    }
}
