//! MLIR's own build, release by release: one job makes all outputs of mlir-tblgen that its packages install.
//!
//! `fixtures/release/builds/<release>.tsv` lists the installed files: the output, its input, the flags, and the digest
//! of the installed file.

use std::{collections::BTreeMap, fs, path::Path, process::Command};

use odsmith_tests::{pool, set_up, tree};
use sha2::{Digest, Sha256};

/// An installed file.
struct InstalledFile<'t> {
    output: &'t str,
    input: &'t str,
    flags: &'t str,
    digest: &'t str,
}

#[test]
fn installed_files_are_made_in_one_job() {
    let folder = set_up::tests_folder().join("fixtures/release/builds");
    let mut tables: Vec<_> = fs::read_dir(folder).expect("the tables").filter_map(Result::ok).collect();
    tables.sort_by_key(fs::DirEntry::path);
    for table in tables {
        let path = table.path();
        let release = path.file_stem().expect("a release").to_string_lossy().into_owned();
        let Some(prefix) = set_up::release(&release, "library") else {
            println!("skipped: the build of MLIR {release}, as its library is not available here");
            continue;
        };
        let text = fs::read_to_string(&path).expect("a table");
        let wrong = build(&release, &prefix.join("include"), &rows(&text));
        assert!(wrong.is_empty(), "MLIR {release}: {} files differ: {wrong:#?}", wrong.len());
    }
}

fn rows(text: &str) -> Vec<InstalledFile<'_>> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| InstalledFile::parse(line).unwrap_or_else(|| panic!("four fields: {line}"))).collect()
}

impl<'t> InstalledFile<'t> {
    fn parse(line: &'t str) -> Option<Self> {
        let mut fields = line.split('\t');
        Some(InstalledFile {
            output: fields.next()?,
            input: fields.next()?,
            flags: fields.next()?,
            digest: fields.next()?,
        })
    }
}

/// Makes all files in one job; returns those that differ.
fn build(release: &str, include: &Path, rows: &[InstalledFile<'_>]) -> Vec<String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("builds").join(release);
    let _ = fs::remove_dir_all(&folder);
    let (bundle, out) = (folder.join("bundle"), folder.join("out"));
    for file in tree::files(&include.join("mlir")) {
        let copy = bundle.join(file.strip_prefix(include).expect("a file of the folder"));
        fs::create_dir_all(copy.parent().expect("a folder")).expect("a folder is made");
        fs::copy(&file, copy).expect("a file is copied");
    }
    fs::write(bundle.join("odsmith.toml"), manifest(release, rows)).expect("the manifest is written");
    let library = format!("{release}={}", include.display());
    let ended = Command::new(set_up::odsmith())
        .arg("generate")
        .args([&bundle, Path::new("-o"), &out])
        .args(["--library", &library])
        .output()
        .expect("odsmith starts");
    assert!(ended.status.success(), "MLIR {release}: {}", String::from_utf8_lossy(&ended.stderr));
    let wrong = pool::map(rows, |row| {
        let bytes = fs::read(out.join("cpp").join(row.output)).unwrap_or_default();
        let digest: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        (digest != row.digest).then(|| row.output.to_owned())
    });
    wrong.into_iter().flatten().collect()
}

/// A manifest with a target for each input, without model and reference.
fn manifest(release: &str, rows: &[InstalledFile<'_>]) -> String {
    let mut text = format!(
        "schema = 1\nmlir = \"{release}\"\nincludes = [\".\"]\nmodel = false\n[docs]\nenabled = false\n"
    );
    let mut targets: BTreeMap<&str, Vec<&InstalledFile<'_>>> = BTreeMap::new();
    for row in rows {
        targets.entry(row.input).or_default().push(row);
    }
    for (input, rows) in targets {
        let own = Path::new(input).parent().map_or(String::new(), |folder| folder.display().to_string());
        text += &format!("\n[[target]]\ntd = \"{input}\"\nincludes = [\"{own}\"]\noutputs = [\n");
        for row in rows {
            let flags: Vec<String> = row.flags.split(' ').map(|flag| format!("\"{flag}\"")).collect();
            text += &format!("  {{ path = \"{}\", flags = [{}] }},\n", row.output, flags.join(", "));
        }
        text += "]\n";
    }
    text
}
