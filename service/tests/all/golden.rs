//! The bytes of archives, which users pin by digest: the same files must give these digests for ever.
//!
//! If a digest here changes, change `keys::ENCODER_EPOCH` too, so that results get other names.

#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::{Command, Stdio},
};

use odsmith_service::store::{
    archive::{self, Format},
    keys,
};
use odsmith_tests::folder::TestFolder;

const GOLDEN: [(Format, &str); 4] = [
    (Format::TarGz, "5c1a9cada7b9a1ed1b6eaaaeb20a951b4136784cfd01b6db167e266f58c03b4e"),
    (Format::TarZst, "700b46226c769114bc9eb20e4962f8a46dba278cf9cbe0cdec5a13f9243bf1fa"),
    (Format::Zip, "6cf1554bd2efdaef360677cc3bd2a169e1fabf342664c9c0e94cffb99f1094c2"),
    (Format::Tar, "be23d12e9de79a4b0a9c75e39d4769614ae2bf8fc286b8b0af6b7fec762628f0"),
];

/// A small bundle with every special form: empty and long files, text that compresses and bytes that do not, names of
/// every length and script, in an order other than that of their bytes.
fn files() -> BTreeMap<String, Vec<u8>> {
    let mut number = 1_u32;
    let noise = (0..5_000).map(|_| {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (number >> 24) as u8
    });
    let text: String = (0..4_000).map(|index| format!("def Op{index} : Foo_Op<\"op{index}\">;\n")).collect();
    [
        ("result.json".to_owned(), b"{}\n".to_vec()),
        ("cpp/include/Foo/FooOps.h.inc".to_owned(), text.into_bytes()),
        ("cpp/empty.inc".to_owned(), Vec::new()),
        ("site/search.bin".to_owned(), noise.collect()),
        ("site/größe 大.html".to_owned(), "<p>größe 大</p>".into()),
        ("Z".to_owned(), vec![b'z'; 512]),
        (format!("{}/{}.md", "d".repeat(90), "f".repeat(90)), b"in the prefix of ustar".to_vec()),
        (format!("{}/{}.md", "d".repeat(170), "f".repeat(120)), b"in a pax header".to_vec()),
    ]
    .into()
}

#[test]
fn archives_have_the_digests_that_they_had() {
    let files = files();
    let made = GOLDEN.map(|(format, _)| (format, keys::sha256(&archive::write(format, &files))));
    assert_eq!(made, GOLDEN.map(|(format, digest)| (format, digest.to_owned())));
}

/// Python, tar and unzip read the same files out of each archive, so that the digests mean what they should.
#[test]
fn others_read_what_is_written() {
    let folder = TestFolder::new("golden");
    let files = files();
    for format in Format::ALL {
        folder.write(&format!("all{}", format.extension()), archive::write(format, &files));
    }
    let by_python = r"
import hashlib, sys, tarfile, zipfile
zipped, *tars = sys.argv[1:]
digest = lambda data: hashlib.sha256(data).hexdigest()
for tar in map(tarfile.open, tars):
    for entry in tar:
        assert (entry.mtime, entry.uid, entry.gid, entry.mode, entry.uname) == (0, 0, 0, 0o644, ''), entry
        print(digest(tar.extractfile(entry).read()), entry.name)
with zipfile.ZipFile(zipped) as archive:
    assert archive.testzip() is None
    for entry in archive.infolist():
        assert entry.date_time == (1980, 1, 1, 0, 0, 0) and entry.external_attr >> 16 == 0o100644, entry
        print(digest(archive.read(entry)), entry.filename)
";
    let listing: Vec<String> =
        files.iter().map(|(path, bytes)| format!("{} {path}", keys::sha256(bytes))).collect();
    let python = Command::new("python3")
        .args(["-c", by_python, "all.zip", "all.tar", "all.tar.gz"])
        .env("PYTHONIOENCODING", "utf-8")
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(python.status.success(), "{}", String::from_utf8_lossy(&python.stderr));
    let seen: Vec<String> = String::from_utf8(python.stdout).unwrap().lines().map(str::to_owned).collect();
    assert_eq!(seen, [&listing[..], &listing, &listing].concat(), "as Python reads it");
    for (program, words) in [
        ("tar", &["-xf", "../all.tar"][..]),
        ("tar", &["-xzf", "../all.tar.gz"]),
        ("tar", &["--zstd", "-xf", "../all.tar.zst"]),
        ("unzip", &["-q", "../all.zip"]),
    ] {
        let here = folder.join("here");
        fs::create_dir(&here).unwrap();
        let mut command = Command::new(program);
        command.args(words).env("LC_ALL", "C.UTF-8").current_dir(&here).stdout(Stdio::null());
        let needs = if words[0] == "--zstd" { "zstd" } else { program };
        if Command::new(needs).arg("--help").stdout(Stdio::null()).stderr(Stdio::null()).status().is_err() {
            eprintln!("skipped: there is no {needs}");
        } else {
            assert!(command.status().unwrap().success(), "{program} {words:?}");
            assert_eq!(below(&here, &here), files, "as {program} {words:?} reads it");
        }
        fs::remove_dir_all(&here).unwrap();
    }
}

fn below(root: &Path, folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            found.append(&mut below(root, &path));
        } else {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            found.insert(name, fs::read(&path).unwrap());
        }
    }
    found
}
