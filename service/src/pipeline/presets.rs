//! The functions of MLIR's build files that a manifest may call by name.

use odsmith_import::functions::FUNCTIONS;

use crate::pipeline::manifest::{Output, Target};

/// Expands a target with a preset; returns others unchanged.
///
/// # Errors
/// There is no such preset, or its arguments are wrong.
pub fn expand(target: &Target) -> Result<Target, String> {
    let Some(name) = &target.preset else { return Ok(target.clone()) };
    let Some(preset) = FUNCTIONS.iter().find(|preset| preset.name == name) else {
        let known: Vec<&str> = FUNCTIONS.iter().map(|preset| preset.name).collect();
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
        plugin: target.plugin.clone(),
        out_dir: target.out_dir.clone().or(own),
        outputs: outputs.into_iter().map(|(path, flags)| Output { path, flags }).collect(),
        ..Target::default()
    })
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
