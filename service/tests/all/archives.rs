//! Hostile archives, made here byte by byte: each is refused, with its reason.

use std::io::Write;

use crate::support::{TarEntry, ZipEntry, archive, pax, tar, zip};
use odsmith_service::{
    config::ArchiveLimits,
    store::archive::{self, Format, Refusal, codec},
};

fn refusal(bytes: &[u8]) -> String {
    match archive::read(bytes, &ArchiveLimits::default()) {
        Ok(bundle) => panic!("it was read: {:?}", bundle.iter().map(|(path, _)| path).collect::<Vec<_>>()),
        Err(refusal) => refusal.to_string(),
    }
}

#[track_caller]
fn is_refused(bytes: &[u8], reason: &str) {
    let refusal = refusal(bytes);
    assert!(refusal.contains(reason), "refused for another reason: {refusal}");
}

fn named(name: &[u8]) -> TarEntry<'_> {
    TarEntry { name, data: b"def A;", ..TarEntry::default() }
}

#[test]
fn good_archives_agree() {
    let files = [("include/a.td", "def A;"), ("include/sub/b.td", "def B;"), ("README", "no job reads this")];
    for format in Format::ALL {
        let bundle = archive::read(&archive(format, &files), &ArchiveLimits::default()).unwrap();
        assert_eq!(
            bundle.iter().map(|(path, _)| path).collect::<Vec<_>>(),
            ["include/a.td", "include/sub/b.td"]
        );
    }
}

#[test]
fn what_other_tools_write_is_read() {
    // `tar -C folder -c .`, with GNU's magic.
    let gnu = b"ustar  \0";
    let entries = [
        TarEntry { name: b"./", kind: b'5', magic: gnu, ..TarEntry::default() },
        TarEntry { name: b"./sub/", kind: b'5', magic: gnu, ..TarEntry::default() },
        TarEntry { magic: gnu, ..named(b"./sub/a.td") },
    ];
    let bundle = archive::read(&tar(&entries), &ArchiveLimits::default()).unwrap();
    assert!(bundle.get("sub/a.td").is_some());
    // `git archive` puts the commit in front; a pax path names what follows.
    let comment = pax("comment", "0123456789");
    let path = pax("path", "long/name.td");
    let entries = [
        TarEntry { kind: b'g', data: &comment, ..named(b"pax_global_header") },
        TarEntry { kind: b'x', data: &path, ..named(b"x") },
        named(b"short.td"),
    ];
    let bundle = archive::read(&tar(&entries), &ArchiveLimits::default()).unwrap();
    assert!(bundle.get("long/name.td").is_some() && bundle.len() == 1);
    // A zip with a data descriptor, as streaming writers make it.
    let mut entry = ZipEntry::new("a.td", b"def A;");
    entry.flags |= 1 << 3;
    for value in [0x0807_4b50, entry.crc, 6, 6] {
        entry.gap.extend_from_slice(&u32::to_le_bytes(value));
    }
    assert_eq!(archive::read(&zip(&[entry]), &ArchiveLimits::default()).unwrap().len(), 1);
}

#[test]
fn no_archive_at_all() {
    for bytes in [&b""[..], b"def A;", b"<html>", &[0xff; 600]] {
        assert_eq!(archive::read(bytes, &ArchiveLimits::default()), Err(Refusal::NotAnArchive));
    }
}

#[test]
fn tar_paths() {
    is_refused(&tar(&[named(b"../x.td")]), "has a segment '..'");
    is_refused(&tar(&[named(b"a/../../x.td")]), "has a segment '..'");
    is_refused(&tar(&[named(b"/etc/x.td")]), "is absolute");
    is_refused(&tar(&[named(b"a\\x.td")]), "backslash");
    is_refused(&tar(&[named(b"c:x.td")]), "colon");
    is_refused(&tar(&[named(b"a//x.td")]), "empty segment");
    is_refused(&tar(&[named(b"a/./x.td")]), "segment '.'");
    is_refused(&tar(&[named(b"\xff.td")]), "not UTF-8");
    is_refused(&tar(&[named("e\u{301}.td".as_bytes())]), "normal form C");
    is_refused(&tar(&[named(b"aux.td")]), "Windows device");
    is_refused(&tar(&[named(b"a.td ")]), "dot or a space");
    is_refused(&tar(&[named(b"a\n.td")]), "control character");
    is_refused(&tar(&[named(&[b'd', b'/'].repeat(40))]), "path_depth");
}

#[test]
fn tar_collisions() {
    is_refused(&tar(&[named(b"a.td"), named(b"a.td")]), "is there twice");
    is_refused(&tar(&[named(b"a.td"), named(b"./a.td")]), "is there twice");
    is_refused(&tar(&[named(b"a.td"), named(b"A.td")]), "in case only");
    is_refused(&tar(&[named("straße.td".as_bytes()), named(b"STRASSE.td")]), "in case only");
    is_refused(&tar(&[named(b"a"), named(b"a/b.td")]), "below a path that is a file");
}

#[test]
fn tar_kinds() {
    for (kind, reason) in [
        (b'1', "hard link"),
        (b'2', "symbolic link"),
        (b'3', "device"),
        (b'4', "device"),
        (b'6', "named pipe"),
        (b'7', "type '7'"),
        (b'S', "sparse"),
        (b'K', "after an extended header"),
        (b'V', "type 'V'"),
    ] {
        let entry = TarEntry { kind, link: b"/etc/passwd", data: b"", ..named(b"x.td") };
        is_refused(&tar(&[entry]), reason);
    }
    is_refused(&tar(&[TarEntry { kind: b'5', ..named(b"folder/") }]), "folder with content");
}

/// Source archives of a whole project may hold links and odd names, but not in the selected folder.
#[test]
fn outside_of_the_folder_that_is_meant_nothing_matters() {
    let long = pax("linkpath", &"x".repeat(200));
    let link = |name| TarEntry { kind: b'2', link: b"elsewhere", ..TarEntry { name, ..TarEntry::default() } };
    let outside = [
        link(b"p/link"),
        TarEntry { kind: b'x', data: &long, ..named(b"x") },
        link(b"p/long"),
        TarEntry { kind: b'K', data: b"elsewhere\0", ..named(b"././@LongLink") },
        link(b"p/longer"),
        TarEntry { kind: b'1', link: b"p/sub/a.td", ..TarEntry { name: b"p/hard", ..TarEntry::default() } },
        named(b"p/aux.td"),
        named(b"p/A.td"),
        named(b"p/a.td"),
    ];
    let with = |more: &[TarEntry<'_>]| {
        let entries = outside.iter().chain(more).flat_map(TarEntry::bytes);
        entries.chain([0; 1024]).collect::<Vec<u8>>()
    };
    let read = |bytes: &[u8]| archive::read_below(bytes, "p/sub", &ArchiveLimits::default());
    let good = with(&[named(b"p/sub/a.td")]);
    let bundle = read(&good).unwrap();
    assert_eq!(bundle.iter().map(|(path, _)| path).collect::<Vec<_>>(), ["p/sub/a.td"]);
    is_refused(&good, "symbolic link");
    for (entry, reason) in [
        (link(b"p/sub/link"), "symbolic link"),
        // The folder itself, and those above it.
        (link(b"p/sub"), "symbolic link"),
        (link(b"./p"), "symbolic link"),
        (named(b"p/sub/../../x.td"), "segment '..'"),
        (named(b"p/sub/aux.td"), "Windows device"),
    ] {
        let refusal = read(&with(&[entry])).unwrap_err().to_string();
        assert!(refusal.contains(reason), "{refusal}");
    }
    let entries = [
        ZipEntry { mode: 0o120_777, ..ZipEntry::new("p/link", b"x") },
        ZipEntry { flags: 1, ..ZipEntry::new("p/secret", b"x") },
        ZipEntry::new("p/sub/a.td", b"def A;"),
    ];
    assert_eq!(read(&zip(&entries)).unwrap().len(), 1);
    let refusal =
        read(&zip(&[ZipEntry { mode: 0o120_777, ..ZipEntry::new("p/sub/link", b"x") }])).unwrap_err();
    assert!(refusal.to_string().contains("symbolic link"), "{refusal}");
    // Entries outside of the folder count too.
    let limits = ArchiveLimits { entries: 9, ..ArchiveLimits::default() };
    assert!(matches!(archive::read_below(&good, "p/sub", &limits), Err(Refusal::TooLarge { .. })));
}

#[test]
fn tar_headers() {
    is_refused(&tar(&[TarEntry { breaks_checksum: true, ..named(b"a.td") }]), "checksum");
    is_refused(
        &tar(&[TarEntry { size: Some(b"\x80\0\0\0\0\0\0\0\0\0\0\x06"), ..named(b"a.td") }]),
        "not octal",
    );
    is_refused(&tar(&[TarEntry { size: Some(b"0000zzz0006\0"), ..named(b"a.td") }]), "not octal");
    let cut = tar(&[named(b"a.td")]);
    is_refused(&cut[..512], "inside an entry");
    is_refused(&cut[..1024], "without its end mark");
    is_refused(&[cut.as_slice(), b"more"].concat(), "something follows");
    is_refused(&[cut.clone(), cut].concat(), "something follows");
}

#[test]
fn tar_extended_headers() {
    let with = |kind: u8, data: &[u8]| tar(&[TarEntry { kind, data, ..named(b"x") }, named(b"a.td")]);
    is_refused(&with(b'x', &pax("path", "../x.td")), "segment '..'");
    is_refused(&with(b'x', &pax("size", "7")), "disagree on the size");
    is_refused(&with(b'x', &pax("linkpath", "/etc")), "link by one of its headers");
    is_refused(&with(b'K', b"/etc\0"), "link by one of its headers");
    is_refused(&with(b'x', &pax("GNU.sparse.name", "x")), "sparse");
    is_refused(&with(b'x', &[pax("path", "b.td"), pax("path", "c.td")].concat()), "two paths");
    is_refused(&with(b'x', b"99 path=x\n"), "broken");
    is_refused(&with(b'x', b"path"), "broken");
    is_refused(&with(b'g', &pax("path", "b.td")), "for all entries");
    is_refused(&with(b'L', b"../x.td\0"), "segment '..'");
    is_refused(&with(b'x', &vec![b' '; 100 << 10]), "too long");
    let path = pax("path", "b.td");
    let twice = [
        TarEntry { kind: b'x', data: &path, ..named(b"x") },
        TarEntry { kind: b'L', data: b"c.td\0", ..named(b"x") },
        named(b"a.td"),
    ];
    is_refused(&tar(&twice), "name one entry");
    is_refused(&tar(&twice[..1]), "after an extended header");
}

#[test]
fn zip_names_and_kinds() {
    is_refused(&zip(&[ZipEntry::new("../x.td", b"")]), "segment '..'");
    is_refused(&zip(&[ZipEntry::new("/x.td", b"")]), "absolute");
    is_refused(&zip(&[ZipEntry::new("a\\x.td", b"")]), "backslash");
    is_refused(&zip(&[ZipEntry::new("x\0.td", b"")]), "NUL");
    is_refused(&zip(&[ZipEntry::new("a.td", b""), ZipEntry::new("A.TD", b"")]), "in case only");
    is_refused(&zip(&[ZipEntry { mode: 0o120_777, ..ZipEntry::new("a.td", b"/etc") }]), "symbolic link");
    // Links are refused whatever system the writer names.
    let link = ZipEntry { mode: 0o120_777, system: 0, ..ZipEntry::new("a.td", b"/etc") };
    is_refused(&zip(&[link]), "symbolic link");
    // An extra field with another name, which some readers prefer: the other name's checksum, a version, the name.
    let other = b"\x75\x70\x09\x00\x01\x00\x00\x00\x00b.td";
    for extra in [[other.to_vec(), Vec::new()], [Vec::new(), other.to_vec()]] {
        is_refused(&zip(&[ZipEntry { extra, ..ZipEntry::new("a.td", b"x") }]), "Unicode path");
    }
    // Other extra fields, such as times, are ignored.
    let times = || b"\x55\x54\x05\x00\x01\0\0\0\0".to_vec();
    let extra = [times(), times()];
    assert!(
        archive::read(&zip(&[ZipEntry { extra, ..ZipEntry::new("a.td", b"x") }]), &ArchiveLimits::default())
            .is_ok()
    );
    is_refused(&zip(&[ZipEntry { mode: 0o060_644, ..ZipEntry::new("a.td", b"") }]), "neither a file");
    is_refused(&zip(&[ZipEntry { flags: 1, ..ZipEntry::new("a.td", b"x") }]), "encrypted");
    is_refused(&zip(&[ZipEntry { flags: 0, ..ZipEntry::new("ä.td", b"x") }]), "not marked as UTF-8");
    is_refused(&zip(&[ZipEntry { method: 12, ..ZipEntry::new("a.td", b"x") }]), "method 12");
}

#[test]
fn zip_structure() {
    let good = ZipEntry::new("a.td", b"def A;");
    is_refused(&zip(&[ZipEntry { local_name: b"b.td".to_vec(), ..good.clone() }]), "another name");
    is_refused(&zip(&[ZipEntry { local_size: 5, ..good.clone() }]), "differs between");
    is_refused(&zip(&[ZipEntry { crc: 1, ..good.clone() }]), "size and checksum");
    is_refused(&zip(&[ZipEntry { gap: b"hidden".to_vec(), ..good.clone() }]), "bytes of no zip entry");
    let second = ZipEntry { local_at: Some(0), ..ZipEntry::new("b.td", b"def B;") };
    is_refused(&zip(&[good.clone(), second]), "no local zip header");
    let bytes = zip(&[good]);
    is_refused(&[&bytes[..], b"x"].concat(), "no end record");
    let mut counted = bytes.clone();
    let end = counted.len() - 22;
    counted[end + 8] = 2;
    counted[end + 10] = 2;
    is_refused(&counted, "miscounts");
    let mut zip64 = bytes.clone();
    let central = zip64.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    zip64[central + 20..central + 24].fill(0xff);
    is_refused(&zip64, "zip64");
    for cut in 5..bytes.len() {
        assert!(archive::read(&bytes[..cut], &ArchiveLimits::default()).is_err(), "cut at {cut}");
    }
}

#[test]
fn bombs() {
    let zeros = vec![0_u8; 65 << 20];
    for packed in [codec::gzip(&zeros), codec::zstd(&zeros)] {
        assert!(packed.len() < 2 << 20);
        is_refused(&packed, "unpacked_bytes");
    }
    // Many small files, one large file.
    let entries: Vec<Vec<u8>> = (0..10_001).map(|index| format!("{index}.td").into_bytes()).collect();
    let entries: Vec<TarEntry<'_>> = entries.iter().map(|name| named(name)).collect();
    is_refused(&tar(&entries), "entries is at most 10000");
    let large = vec![b' '; (8 << 20) + 1];
    is_refused(&tar(&[TarEntry { data: &large, ..named(b"a.td") }]), "file_bytes");
    // A size in the header that is larger than the data.
    let mut entry = ZipEntry::new("a.td", &codec::deflate(&zeros));
    (entry.method, entry.local_size, entry.central_size) = (8, 10, 10);
    is_refused(&zip(&[entry]), "longer than the archive says");
}

#[test]
fn compressed_streams() {
    let good = tar(&[named(b"a.td")]);
    let (gzip, zstd) = (codec::gzip(&good), codec::zstd(&good));
    is_refused(&[&gzip[..], &gzip].concat(), "something follows the gzip");
    is_refused(&[&zstd[..], &zstd].concat(), "something follows the zstd");
    is_refused(&gzip[..gzip.len() / 2], "broken");
    is_refused(&zstd[..zstd.len() / 2], "broken");
    // A frame that asks for a window of more than 8 MiB.
    let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
    encoder.window_log(27).unwrap();
    encoder.write_all(&good).unwrap();
    is_refused(&encoder.finish().unwrap(), "broken");
}

#[test]
fn zip_overlaps() {
    // An entry inside another's data: so archives are made that unpack to more than they hold.
    let inner = ZipEntry::new("b.td", b"def B;");
    let hidden = zip(std::slice::from_ref(&inner));
    let outer = ZipEntry::new("a.td", &hidden[..30 + 4 + 6]);
    let inside = ZipEntry { local_at: Some(30 + 4), ..inner.clone() };
    assert!(archive::read(&zip(&[outer.clone(), inside.clone()]), &ArchiveLimits::default()).is_err());
    assert!(archive::read(&zip(&[inside, outer]), &ArchiveLimits::default()).is_err());
    // Many entries that share one file's data.
    let shared: Vec<ZipEntry> = (0..100)
        .map(|index| ZipEntry { local_at: Some(0), ..ZipEntry::new(&format!("{index:04}.td"), b"def A;") })
        .collect();
    assert!(archive::read(&zip(&shared), &ArchiveLimits::default()).is_err());
    is_refused(&zip(&[inner.clone(), inner]), "is there twice");
}

#[test]
fn many_entries() {
    let names: Vec<String> = (0..100_000).map(|index| format!("{index}.td")).collect();
    let entries: Vec<TarEntry<'_>> =
        names.iter().map(|name| TarEntry { name: name.as_bytes(), ..TarEntry::default() }).collect();
    let plain = tar(&entries);
    // A hundred thousand entries are a few hundred kilobytes on the wire.
    let packed = codec::gzip(&plain);
    assert!(packed.len() < 4 << 20, "{}", packed.len());
    let start = std::time::Instant::now();
    is_refused(&plain, "entries is at most 10000");
    is_refused(&packed, "entries is at most 10000");
    let zipped: Vec<ZipEntry> = names[..20_000].iter().map(|name| ZipEntry::new(name, b"")).collect();
    is_refused(&zip(&zipped), "entries is at most 10000");
    assert!(start.elapsed() < std::time::Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn zip_bombs() {
    let zeros = vec![0_u8; 8 << 20];
    let packed = codec::deflate(&zeros);
    assert!(packed.len() < 64 << 10);
    let entries: Vec<ZipEntry> = (0..20)
        .map(|index| ZipEntry {
            method: 8,
            data: packed.clone(),
            local_size: 8 << 20,
            central_size: 8 << 20,
            crc: crc32fast::hash(&zeros),
            ..ZipEntry::new(&format!("{index}.td"), b"")
        })
        .collect();
    is_refused(&zip(&entries), "unpacked_bytes");
}

/// Arbitrary bytes are read or refused without a panic, and entries that are read have valid names.
#[test]
fn damaged_archives_are_read_or_refused() {
    let files = [("a.td", "def A;"), ("sub/b.td", "def B { string s = \"xxxxxxxxxxxxxxxxxxxxxxxx\"; }")];
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    for format in Format::ALL {
        let good = archive(format, &files);
        for _ in 0..3_000 {
            let mut bytes = good.clone();
            for _ in 0..=random(4) {
                let at = random(bytes.len());
                match random(3) {
                    0 => bytes[at] ^= 1 << random(8),
                    1 => bytes.truncate(at.max(1)),
                    _ => bytes.insert(at, random(256) as u8),
                }
            }
            if let Ok(bundle) = archive::read(&bytes, &ArchiveLimits::default()) {
                for (path, _) in bundle.iter() {
                    assert_eq!(archive::names::fault(path), None, "{path:?}");
                }
            }
        }
    }
}
