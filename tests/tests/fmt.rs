//! The layout of `odsmith fmt`: it changes blanks alone, a second run changes nothing, and files whose tokens are
//! spaced otherwise come out the same. Golden cases are in `fixtures/fmt`: `<name>.td` and `<name>.out`.
//!
//! `ODSMITH_REGENERATE=1` records the golden cases; read them before you commit them.

#![expect(clippy::print_stdout, reason = "a test says what it looked at")]

use std::{
    env, fs,
    path::{Path, PathBuf},
    time::Instant,
};

use odsmith_engine::{
    Job, Target,
    format::{self, Style, build, check, document::Gap},
    generators::Action,
    limits::Limits,
    outline::{Kind, Outline},
    release::Release,
    review::lint::fix,
};
use odsmith_tests::{files::TestFiles, pool, program::on_a_big_stack, releases, set_up, tree};

/// A file and its text.
struct File {
    path: PathBuf,
    text: Vec<u8>,
}

fn files(folder: &Path) -> Vec<File> {
    let paths = tree::files(folder).into_iter();
    paths.map(|path| File { text: fs::read(&path).expect("a file"), path }).collect()
}

/// The files of MLIR's and LLVM's releases that are available here, and our own.
fn all_files() -> Vec<(String, Vec<File>)> {
    let mut all = vec![
        ("22".to_owned(), files(Path::new(set_up::library()))),
        ("fixtures".to_owned(), files(&set_up::tests_folder().join("fixtures"))),
    ];
    for release in Release::ALL.iter().filter(|release| release.name() != "22") {
        match set_up::release(release.name(), "library") {
            Some(prefix) => all.push((release.name().to_owned(), files(&prefix.join("include")))),
            None => println!("skipped: MLIR {release}, whose library is not available here"),
        }
    }
    for folder in env::var("ODSMITH_FMT_FOLDERS").iter().flat_map(|folders| folders.split(':')) {
        all.push((folder.to_owned(), files(Path::new(folder))));
    }
    all
}

/// Returns the text of each comment, without the blanks at its end.
fn comments(text: &[u8]) -> Vec<String> {
    let outline = Outline::new("a.td", text);
    let all = outline.tokens.iter().filter(|token| token.is_comment() || token.kind == Kind::Directive);
    all.map(|token| outline.text_of(*token).trim_end().to_owned()).collect()
}

/// Returns the tokens that are read, with the numbers of their lines left out.
fn code(text: &[u8]) -> Vec<String> {
    let outline = Outline::new("a.td", text);
    outline.code().map(|token| outline.text_of(token).to_owned()).collect()
}

fn styles() -> [Style; 3] {
    [
        Style::default(),
        Style { strict: true, ..Style::default() },
        Style { width: 50, indent: 4, ..Style::default() },
    ]
}

/// Returns the fault of a file's layout.
fn fault(file: &File, style: &Style) -> Option<String> {
    let Ok(once) = format::formatted("a.td", &file.text, style) else { return None };
    let twice = format::formatted("a.td", &once, style);
    let fault = if twice.as_ref() != Ok(&once) {
        "a second run changes it"
    } else if comments(&file.text) != comments(&once) {
        "it has other comments"
    } else if code(&file.text) != code(&once) {
        "it has other tokens"
    } else if once.split(|byte| *byte == b'\n').any(|line| line == b"\r") && !file.text.contains(&b'\r') {
        "it has other line breaks"
    } else {
        return None;
    };
    let (once, twice) = (String::from_utf8_lossy(&once).into_owned(), twice.unwrap_or_default());
    let twice = String::from_utf8_lossy(&twice).into_owned();
    let first = once.lines().zip(twice.lines()).enumerate().find(|(_, (once, twice))| once != twice);
    Some(format!("{}: {fault}: {first:?} ({style:?})", file.path.display()))
}

#[test]
fn blanks_alone_change_and_only_once() {
    for (name, files) in all_files() {
        for style in styles() {
            let faults: Vec<String> =
                pool::map(&files, |file| fault(file, &style)).into_iter().flatten().collect();
            assert!(faults.is_empty(), "{}", faults.join("\n"));
        }
        let is_broken = |file: &&File| format::formatted("a.td", &file.text, &Style::default()).is_err();
        let broken: Vec<String> =
            files.iter().filter(is_broken).map(|file| file.path.display().to_string()).collect();
        let in_tree = name != "fixtures" && name.parse::<u32>().is_ok();
        assert!(!in_tree || broken.is_empty(), "MLIR {name}: {broken:?}");
        println!("{name}: {} files, {} of them broken", files.len(), broken.len());
    }
}

/// Returns the number of lines that a new text does not have, in order.
fn changed_lines(old: &[u8], new: &[u8]) -> usize {
    let patch = fix::unified("a.td", old, new);
    patch.lines().skip(2).filter(|line| line.starts_with('-')).count()
}

#[test]
fn few_lines_of_mlir_change() {
    for (name, files) in all_files() {
        if name.parse::<u32>().is_err() {
            continue;
        }
        let files: Vec<File> = files
            .into_iter()
            .filter(|file| file.path.components().any(|part| part.as_os_str() == "mlir"))
            .collect();
        let lines: usize = files.iter().map(|file| file.text.split(|byte| *byte == b'\n').count() - 1).sum();
        let start = Instant::now();
        let formatted = |file: &File| {
            if format::is_generated(&file.path.to_string_lossy(), &file.text) {
                return file.text.clone();
            }
            format::formatted("a.td", &file.text, &Style::default()).expect("a whole file")
        };
        let new: Vec<Vec<u8>> = files.iter().map(formatted).collect();
        let time = start.elapsed();
        let pairs: Vec<(&File, &Vec<u8>)> = files.iter().zip(&new).collect();
        let changed: usize = pool::map(&pairs, |(old, new)| changed_lines(&old.text, new)).into_iter().sum();
        let percent = changed as f64 * 100.0 / lines as f64;
        println!(
            "MLIR {name}: {changed} of {lines} lines change, {percent:.2} %, in {} ms",
            time.as_millis()
        );
        assert!(percent <= 5.0, "MLIR {name}: {percent:.2} % of the lines change");
    }
}

/// A generator of numbers: xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }

    fn blanks(&mut self, least: usize) -> String {
        let count = least + self.below(4) as usize;
        (0..count).map(|_| if self.below(6) == 0 { '\t' } else { ' ' }).collect()
    }
}

/// Returns a text with other blanks between its tokens. Line breaks stay where the author decides about them; with
/// `is_flat`, lists and the like lose them, and comments go.
fn respaced(text: &[u8], random: &mut Random, is_flat: bool) -> Option<Vec<u8>> {
    let outline = Outline::new("a.td", text);
    let brackets = check::brackets(&outline).ok()?;
    check::statements(&outline).ok()?;
    let strict = Style { strict: true, ..Style::default() };
    let document = build::document(&outline, &brackets, &strict);
    let mut out = String::new();
    let mut end = 0;
    for (index, piece) in document.pieces.iter().enumerate() {
        let gap = &outline.text[end..piece.range.start];
        let token = outline.text_of(outline.tokens[index]);
        // In a flat file nothing ends a line within a list.
        if is_flat && !outline.tokens[index].is_code() {
            end = piece.range.end;
            out.push(' ');
            continue;
        }
        let before = index.checked_sub(1).map_or("", |before| outline.text_of(outline.tokens[before]));
        let ends_line = index.checked_sub(1).is_some_and(|before| document.pieces[before].ends_line);
        let breaks = gap.matches('\n').count();
        let follows_directive = !is_flat && index > 0 && outline.tokens[index - 1].kind == Kind::Directive;
        let is_dot = token == "." || before == ".";
        let has_say = matches!(
            piece.gap,
            Gap::Author | Gap::Paste | Gap::Value | Gap::Parents | Gap::Child(_) | Gap::Close | Gap::Element
        );
        // A `:`, a `#` and a `,` pass their line breaks on.
        let passes = matches!(token, ":" | "#" | ",") || matches!(before, ":" | "#");
        let is_comment = outline.tokens[index].kind == Kind::BlockComment
            || index > 0 && outline.tokens[index - 1].kind == Kind::BlockComment;
        if piece.is_raw || piece.gap == Gap::Directive || is_dot || follows_directive || index == 0 {
            out += gap;
        } else if is_flat && matches!(token, ":" | "=") {
            // Several spaces would make a table, which is a choice of the author.
            out += if gap.is_empty() { "" } else { " " };
        } else if is_flat && (has_say || passes || piece.gap == Gap::Line) {
            out += &random.blanks(usize::from(!gap.is_empty()));
        } else if breaks > 0
            && (has_say
                || passes
                || ends_line
                || is_comment
                || !matches!(piece.gap, Gap::Joined | Gap::Brace))
        {
            out += &random.blanks(0);
            out += &"\n".repeat(breaks.min(build::MOST_BREAKS));
            out += &random.blanks(0);
        } else if matches!(piece.gap, Gap::Joined | Gap::Brace)
            && !passes
            && !piece.is_trailing
            && !is_comment
        {
            out += &random.blanks(usize::from(!gap.is_empty()));
            if random.below(8) == 0 {
                out += &"\n".repeat(1 + random.below(3) as usize);
                out += &random.blanks(0);
            }
        } else {
            out += &random.blanks(usize::from(!gap.is_empty() || breaks > 0));
        }
        out += outline.slice(piece.range.clone());
        end = piece.range.end;
    }
    out += &"\n".repeat(1 + random.below(3) as usize);
    Some(out.into_bytes())
}

#[test]
fn other_blanks_come_out_the_same() {
    const COUNT: usize = 10_000;
    let mut files: Vec<File> = all_files().into_iter().flat_map(|(_, files)| files).collect();
    // The ends of files are other cases: those without a line break, and with carriage returns. Parts that stay keep their blanks.
    let is_plain = |file: &File| {
        let text = String::from_utf8_lossy(&file.text);
        text.ends_with('\n') && !text.contains('\r') && !text.contains(build::OFF) && text.len() < 200_000
    };
    files.retain(|file| is_plain(file) && format::formatted("a", &file.text, &Style::default()).is_ok());
    let seeds: Vec<usize> = (0..COUNT).collect();
    let faults = pool::map(&seeds, |seed| {
        let file = &files[seed % files.len()];
        let mut random =
            Random(0x9e37_79b9_7f4a_7c15 ^ (*seed as u64 + 1).wrapping_mul(0x2545_f491_4f6c_dd1d));
        let is_flat = seed / files.len() % 2 == 1;
        // A flat file has no lists with several lines, whose indentation the author chooses: there, the default is as
        // strict as `strict`.
        let style = Style { strict: !is_flat, ..Style::default() };
        let base = if is_flat { respaced(&file.text, &mut random, true)? } else { file.text.clone() };
        let other = respaced(&base, &mut random, is_flat)?;
        let (want, got) = (format::formatted("a", &base, &style), format::formatted("a", &other, &style));
        (want != got).then(|| {
            let (want, got) = (want.unwrap_or_default(), got.unwrap_or_default());
            let (want, got) =
                (String::from_utf8_lossy(&want).into_owned(), String::from_utf8_lossy(&got).into_owned());
            let first = want.lines().zip(got.lines()).enumerate().find(|(_, (want, got))| want != got);
            format!("{} (seed {seed}): {first:?}", file.path.display())
        })
    });
    let faults: Vec<String> = faults.into_iter().flatten().collect();
    println!("{COUNT} files, of {} different ones", files.len());
    assert!(faults.is_empty(), "{} differ\n{}", faults.len(), faults[..faults.len().min(20)].join("\n"));
}

/// Returns the records of a file as JSON without places, or that it has none.
fn dump(path: &str, text: &[u8]) -> Option<serde_json::Value> {
    let job = Job::new(TestFiles::of_text(path, text)).include(".").include(set_up::library());
    let job = job.target(Target::new(path).output("records", Action::DumpJson)).limits(Limits::generous());
    let target = odsmith_engine::run(&releases::library("22"), &job).targets.pop()?;
    let output = target.outputs.into_iter().next()?.artefact?;
    let mut value: serde_json::Value = serde_json::from_slice(&output.bytes).ok()?;
    for record in value.as_object_mut()?.values_mut() {
        if let Some(record) = record.as_object_mut() {
            record.remove("!locs");
        }
    }
    Some(value)
}

#[test]
fn records_stay_the_same() {
    let mut files: Vec<File> = files(&set_up::tests_folder().join("fixtures/lang"));
    files.extend(self::files(&set_up::tests_folder().join("fixtures/ods")));
    let of_mlir = self::files(Path::new(set_up::library())).into_iter();
    files.extend(of_mlir.enumerate().filter(|(index, _)| index % 8 == 0).map(|(_, file)| file));
    let faults = pool::map(&files, |file| {
        let new = format::formatted("a", &file.text, &Style { strict: true, ..Style::default() }).ok()?;
        let (before, after) = on_a_big_stack(|| (dump("root.td", &file.text), dump("root.td", &new)));
        (before != after).then(|| file.path.display().to_string())
    });
    let faults: Vec<String> = faults.into_iter().flatten().collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The settings in the second line of a case: `// fmt: width = 40`.
fn settings(text: &str) -> Style {
    let mut style = Style::default();
    let first = text.lines().nth(1).and_then(|line| line.strip_prefix("// fmt: ")).unwrap_or_default();
    for setting in first.split(", ").filter(|setting| !setting.is_empty()) {
        let (name, value) = setting.split_once(" = ").expect("a setting");
        match name {
            "width" => style.width = value.parse().expect("a number"),
            "indent" => style.indent = value.parse().expect("a number"),
            "continuation" => style.continuation = value.parse().expect("a number"),
            "strict" => style.strict = value == "true",
            other => panic!("no setting {other}"),
        }
    }
    style
}

#[test]
fn golden_cases() {
    let folder = set_up::tests_folder().join("fixtures/fmt");
    let files = files(&folder);
    let mut faults = Vec::new();
    for file in &files {
        let text = String::from_utf8_lossy(&file.text);
        let style = settings(&text);
        let got = match format::formatted("case.td", &file.text, &style) {
            Ok(got) => got,
            Err(refusal) => {
                let outline = Outline::new("case.td", &file.text);
                let (line, column) = outline.position(refusal.offset);
                format!("{line}:{column}: {}\n", refusal.message).into_bytes()
            }
        };
        let expected = file.path.with_extension("out");
        if env::var_os("ODSMITH_REGENERATE").is_some() {
            fs::write(&expected, &got).expect("written");
        } else if fs::read(&expected).unwrap_or_default() != got {
            faults.push(format!("{}:\n{}", file.path.display(), String::from_utf8_lossy(&got)));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
