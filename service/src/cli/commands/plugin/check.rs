//! `odsmith plugin check`: runs a generator over hostile definitions, each twice, and compares what it makes. The
//! definitions follow from what the generator asks for: the same classes and fields, with values that are unusual.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use clap::Args;
use odsmith_engine::{
    bundle::Bundle,
    diagnostic::{Id, Severity},
    generators::Action,
    job::{self, Job, OutputOutcome, Target},
    library::Library,
    limits::Limits,
    plugin::{
        Generator, Host,
        frame::message_of,
        host::{Allowance, Run},
        protocol::{Needs, Response},
    },
    report::Finding,
};
use odsmith_tblgen::flags::Flags;

use crate::{
    cli::commands::{display, exit::ExitStatus},
    pipeline::{manifest::Plugin, plugins},
};

/// The arguments of `odsmith plugin check`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The generator: a WebAssembly module or a program
    #[arg(value_name = "PROGRAM")]
    program: PathBuf,
    /// The same generator in another form, which must make the same
    #[arg(long, value_name = "PROGRAM")]
    against: Option<PathBuf>,
    /// The most seconds of a program for one input
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    seconds: u64,
    /// The flags of an output: -gen-NAME and options
    #[arg(last = true, value_name = "FLAGS")]
    flags: Vec<String>,
}

/// The name of the output that is made.
const OUTPUT: &str = "output.txt";

/// The name of the root.
const ROOT: &str = "hostile.td";

impl Options {
    /// Runs the command: 0 if all is well, 1 if not.
    ///
    /// # Errors
    /// A program cannot be read, or a flag is none of an output.
    pub fn run(self) -> Result<ExitStatus, String> {
        let settings = Plugin { seconds: Some(self.seconds), ..Plugin::default() };
        let programs = [Some(&self.program), self.against.as_ref()].into_iter().flatten();
        let generators = programs.map(|program| {
            let mut flags = Flags::parse(&self.flags);
            let (generator, options) = flags.take_plugin_flags();
            if let Some(problem) = flags.problems.first() {
                return Err(problem.to_string());
            }
            let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let host = plugins::host_at(program, &settings)?;
            Ok(Generator { name, host, generator, options, limits: settings.limits() })
        });
        let generators = generators.collect::<Result<Vec<Generator>, String>>()?;
        let needs = needs_of(&generators[0]);
        let inputs = inputs(needs.as_ref());
        let mut faults = 0;
        for (what, text) in &inputs {
            for fault in faults_of(&generators, text) {
                display::error(&format!("{what}: {fault}"));
                faults += 1;
            }
        }
        let counted = display::counted(inputs.len(), "input");
        let forms = if generators.len() == 1 { "" } else { " in both forms" };
        display::closing(&match faults {
            0 => format!("checked {counted} twice{forms}: no errors"),
            count => format!("checked {counted} twice{forms}: {}", display::counted(count, "error")),
        });
        Ok(ExitStatus::of(faults == 0))
    }
}

/// Returns what is wrong with the answers to one input.
fn faults_of(generators: &[Generator], text: &[u8]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut first: Option<(&str, Answer)> = None;
    for generator in generators {
        let [one, two] = [(); 2].map(|()| make(generator, text));
        faults.extend(one.fault.clone());
        if one != two {
            faults.push(format!("'{}' makes something else the second time", generator.name));
        }
        match &first {
            Some((name, made)) if *made != one && one.fault.is_none() && made.fault.is_none() => {
                faults.push(format!("'{}' and '{name}' do not make the same", generator.name));
            }
            Some(_) => {}
            None => first = Some((&generator.name, one)),
        }
    }
    faults
}

/// An answer, as far as it is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Answer {
    text: Option<Vec<u8>>,
    messages: Vec<String>,
    /// The way in which the plugin failed; a message of its own is none.
    fault: Option<String>,
}

fn make(generator: &Generator, text: &[u8]) -> Answer {
    let OutputOutcome { artefact, diagnostics, .. } = output(generator, text);
    let is_fault =
        |finding: &&Finding| finding.id == Some(Id::PluginFault) && finding.severity == Severity::Error;
    let with_notes = |finding: &Finding| {
        let notes = finding.related.iter().map(|note| format!("; {}", note.message));
        finding.message.clone() + &notes.collect::<String>()
    };
    Answer {
        text: artefact.map(|artefact| artefact.bytes),
        fault: diagnostics.iter().find(is_fault).map(with_notes),
        messages: diagnostics.iter().filter(|finding| !is_fault(finding)).map(with_notes).collect(),
    }
}

/// Makes the output of a generator from a root.
fn output(generator: &Generator, text: &[u8]) -> OutputOutcome {
    let mut bundle = Bundle::default();
    bundle.insert(ROOT, text);
    let target = Target::new(ROOT).output(OUTPUT, Action::Plugin(Arc::new(generator.clone())));
    let job = Job::new(bundle).target(target).limits(Limits::generous());
    let outcome =
        odsmith_engine::run(&Library::default(), &job).targets.into_iter().next().unwrap_or_default();
    let errors = outcome.diagnostics;
    outcome.outputs.into_iter().next().unwrap_or_else(|| {
        let nothing = job::refused(OUTPUT.to_owned(), &odsmith_engine::limits::cancelled_job());
        OutputOutcome { diagnostics: errors, ..nothing }
    })
}

/// A host that keeps the answers of another one.
#[derive(Debug)]
struct Listener {
    host: Arc<dyn Host>,
    answers: Mutex<Vec<Vec<u8>>>,
}

impl Host for Listener {
    fn digest(&self) -> Option<&str> {
        self.host.digest()
    }

    fn run(&self, input: &[u8], allowance: &Allowance<'_>) -> Run {
        let run = self.host.run(input, allowance);
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).push(run.output.clone());
        run
    }
}

/// Returns the data that a generator asks for.
fn needs_of(generator: &Generator) -> Option<Needs> {
    let listener = Arc::new(Listener { host: generator.host.clone(), answers: Mutex::default() });
    output(&Generator { host: listener.clone(), ..generator.clone() }, b"");
    let answers = listener.answers.lock().unwrap_or_else(PoisonError::into_inner);
    let response = answers.first().and_then(|answer| message_of(answer).ok());
    response.and_then(|message| serde_json::from_slice::<Response>(message).ok())?.needs
}

/// Values of a field: a description, the type, and the value.
const VALUES: &[(&str, &str, &[u8])] = &[
    ("unset texts", "string", b"?"),
    ("empty texts", "string", b"\"\""),
    ("texts with quotes and line breaks", "string", b"\"\\\"\\\\\\t\\n'*/ //`${x} </a>\""),
    ("texts that are not ASCII", "string", "\"é 漢字 \u{1f980} \u{202e}\"".as_bytes()),
    ("texts that are no UTF-8", "string", b"\"a\xff\xc3\""),
    ("code", "code", b"[{ int x = \"}\"; }]"),
    ("the smallest number", "int", b"-9223372036854775808"),
    ("unset bits", "bit", b"?"),
    ("groups of bits", "bits<4>", b"{?, 1, 0, ?}"),
    ("empty lists", "list<string>", b"[]"),
    ("nested lists", "list<list<int>>", b"[[], [1], [1, 2]]"),
    ("defs", "Odsmith_Other", b"Odsmith_other"),
    ("dags without names", "dag", b"(Odsmith_other 1, \"x\":$y, (Odsmith_other), Odsmith_other:$z)"),
    ("unset dags", "dag", b"?"),
];

/// Returns definitions with the classes and fields that a generator asks for, each with a description.
fn inputs(needs: Option<&Needs>) -> Vec<(String, Vec<u8>)> {
    let mut all = vec![("no definitions".to_owned(), Vec::new())];
    let Some(needs) = needs.filter(|needs| !needs.classes.is_empty()) else { return all };
    // A generator that asks for everything sees the class that all operations have.
    let name = |class: &String| if class == "*" { "Op".to_owned() } else { class.clone() };
    let classes: Vec<String> = needs.classes.iter().map(name).collect();
    let define = |body: &[u8], defs: usize| {
        let mut text = b"class Odsmith_Other;\ndef Odsmith_other : Odsmith_Other;\n".to_vec();
        for class in &classes {
            text.extend_from_slice(format!("class {class} {{\n").as_bytes());
            text.extend_from_slice(body);
            text.extend_from_slice(b"}\n");
            for number in 0..defs {
                text.extend_from_slice(format!("def Odsmith_{class}_{number} : {class};\n").as_bytes());
            }
            text.extend_from_slice(format!("def : {class};\n").as_bytes());
        }
        text
    };
    let body = |ty: &str, value: &[u8]| {
        let mut body = Vec::new();
        for field in &needs.fields {
            body.extend_from_slice(format!("  {ty} {field} = ").as_bytes());
            body.extend_from_slice(value);
            body.extend_from_slice(b";\n");
        }
        body
    };
    all.push(("defs without fields".to_owned(), define(b"", 1)));
    for (what, ty, value) in VALUES {
        all.push(((*what).to_owned(), define(&body(ty, value), 2)));
    }
    let long = format!("\"{}\"", "x".repeat(1 << 16));
    all.push(("long texts".to_owned(), define(&body("string", long.as_bytes()), 2)));
    all.push(("many defs".to_owned(), define(&body("string", b"\"x\""), 300)));
    all
}
