//! The functions of MLIR's build files that a manifest may call by name.

use crate::manifest::{Output, Target};

/// Every preset, by name.
pub const PRESETS: &[&str] = &["add_mlir_dialect", "add_mlir_doc", "add_mlir_interface"];

/// A target with a preset as the target that it stands for; others stay as they are.
///
/// # Errors
/// There is no such preset, or its arguments are wrong.
pub fn expand(target: &Target) -> Result<Target, String> {
    let Some(preset) = &target.preset else { return Ok(target.clone()) };
    let args: Vec<&str> = target.args.iter().map(String::as_str).collect();
    let (td, outputs) = match (preset.as_str(), args.as_slice()) {
        ("add_mlir_dialect", [name, namespace]) => (*name, dialect(name, namespace)),
        ("add_mlir_interface", [name]) => (*name, interface(name)),
        ("add_mlir_doc", [name, file, folder, flags @ ..]) => (*name, doc(file, folder, flags)),
        (known, _) if PRESETS.contains(&known) => {
            return Err(format!("preset {known} does not take {} arguments", args.len()));
        }
        (unknown, _) => {
            return Err(format!("preset '{unknown}' is not known (known: {})", PRESETS.join(", ")));
        }
    };
    let folder = target.dir.clone().unwrap_or_default();
    let td = if folder.is_empty() {
        format!("{td}.td")
    } else {
        format!("{}/{td}.td", folder.trim_end_matches('/'))
    };
    // The build function puts the folder that it is called in before all others.
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

fn dialect(name: &str, namespace: &str) -> Vec<Output> {
    let types = format!("-typedefs-dialect={namespace}");
    let dialect = format!("-dialect={namespace}");
    vec![
        output(format!("{name}.h.inc"), &["-gen-op-decls"]),
        output(format!("{name}.cpp.inc"), &["-gen-op-defs"]),
        output(format!("{name}Types.h.inc"), &["-gen-typedef-decls", &types]),
        output(format!("{name}Types.cpp.inc"), &["-gen-typedef-defs", &types]),
        output(format!("{name}Dialect.h.inc"), &["-gen-dialect-decls", &dialect]),
        output(format!("{name}Dialect.cpp.inc"), &["-gen-dialect-defs", &dialect]),
    ]
}

fn interface(name: &str) -> Vec<Output> {
    vec![
        output(format!("{name}.h.inc"), &["-gen-op-interface-decls"]),
        output(format!("{name}.cpp.inc"), &["-gen-op-interface-defs"]),
    ]
}

fn doc(file: &str, folder: &str, flags: &[&str]) -> Vec<Output> {
    vec![output(format!("{folder}{file}.md"), flags)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dialect() {
        let target = Target {
            preset: Some("add_mlir_dialect".into()),
            args: vec!["FooOps".into(), "foo".into()],
            dir: Some("include/Foo/IR".into()),
            ..Target::default()
        };
        let target = expand(&target).unwrap();
        assert_eq!(target.td.as_deref(), Some("include/Foo/IR/FooOps.td"));
        assert_eq!(target.outputs.len(), 6);
        assert_eq!(target.output_path(&target.outputs[3]), "include/Foo/IR/FooOpsTypes.cpp.inc");
    }

    #[test]
    fn wrong_calls() {
        let call = |preset: &str| expand(&Target { preset: Some(preset.into()), ..Target::default() });
        assert!(call("add_mlir_dialect").unwrap_err().contains("0 arguments"));
        assert!(call("nonsense").unwrap_err().contains("not known"));
    }
}
