//! `gen-rewriters`: a C++ class for every rewrite pattern.
//!
//! In this order: functions that check constraints, functions that match shared parts of patterns, the classes, and the
//! function that adds all of them to a set.
//!
//! | file | what |
//! | --- | --- |
//! | [`constraints`] | the functions that check types, attributes and properties |
//! | [`matching`] | from an operation to captured variables |
//! | [`rewriting`] | from captured variables to new operations |

mod constraints;
mod matching;
mod rewriting;

use std::borrow::Cow;

use super::Generator;
use crate::cpp::{Writer, from_fn, join};
use constraints::Functions;
use odsmith_ods::{
    Pattern,
    pattern::{Entity, SharedMatch, Symbols},
};
use odsmith_release::{Change, Rules, spellings};
use odsmith_tablegen::{record::Rec, source::Sources, span::Span};

pub(super) const REWRITERS: Generator = Generator {
    name: "gen-rewriters",
    about: "Generate pattern rewriters",
    run: |cx, w| {
        cx.require_class("Pattern")?;
        let patterns = cx.model.pattern_reader()?;
        let functions = Functions::new(patterns.constraints(), cx.source_name());
        w.file_header("Rewriters", Some(cx.source_name()));
        constraints::emit(&functions, w);
        let names = class_names(patterns.recs());
        let named: Vec<_> = patterns.recs().iter().zip(&names).collect();
        let origins = Origins {
            sources: cx.records.sources(),
            shows_relative_paths: cx.shows_relative_paths,
            is_shortened: cx.records.rules().has(Change::ShortOrigins),
        };
        let mut emitted = Ok(());
        // Unlike the functions above, these indent the users' code as well.
        w.every_line(|w| {
            for (number, shared) in patterns.shared().iter().enumerate() {
                emit_shared(number, shared, &functions, w);
            }
            // Each pattern is read when it is written, and dropped afterwards.
            emitted = w.try_each(cx.model.spare(), &named, |(rec, name), w| {
                emit_class(&patterns.pattern(**rec)?, name, &functions, origins, w);
                Ok(())
            });
        });
        emitted?;
        emit_registration(&names, w);
        Ok(())
    },
};

/// Returns the names of the classes: those of the records, or numbers for records without a name.
fn class_names(recs: &[Rec<'_>]) -> Vec<String> {
    let mut next = 0..;
    let name = |rec: &Rec<'_>| match rec.is_anonymous() {
        true => format!("GeneratedConvert{}", next.next().unwrap_or(0)),
        false => rec.name().to_owned(),
    };
    recs.iter().map(name).collect()
}

fn emit_shared(number: usize, shared: &SharedMatch<'_>, functions: &Functions<'_>, w: &mut Writer) {
    let parameters = shared
        .symbols
        .iter()
        .map(|symbol| format!(", {} &{}", variable_type(&symbol.entity, w.rules()), symbol.variable));
    let parameters: String = parameters.collect();
    let result = spellings::LogicalResult.of(w.rules());
    w.braces(
        format_args!(
            "static {result} static_dag_matcher_{number}(::mlir::PatternRewriter &rewriter, \
             ::mlir::Operation *op0, ::llvm::SmallVector<::mlir::Operation *, 4> &tblgen_ops{parameters})"
        ),
        |w| {
            w.line("(void)tblgen_ops;");
            matching::emit_shared(&shared.matcher, functions, w);
            w.line("return ::mlir::success();");
        },
    );
    w.blank();
}

fn emit_class(
    pattern: &Pattern<'_>,
    name: &str,
    functions: &Functions<'_>,
    origins: Origins<'_>,
    w: &mut Writer,
) {
    origins.emit(pattern, w);
    let ops = pattern.generated_ops.iter().map(|op| from_fn(move |f| write!(f, "\"{op}\"")));
    let ops = join(ops, ", ");
    let root = pattern.root.name();
    let benefit = (pattern.matched_ops as i32).wrapping_add(pattern.benefit_delta);
    w.block(format_args!("struct {name} : public ::mlir::RewritePattern {{"), "};", |w| {
        w.line(format_args!("{name}(::mlir::MLIRContext *context)"));
        w.line(format_args!("    : ::mlir::RewritePattern(\"{root}\", {benefit}, context, {{{ops}}}) {{}}"));
        let result = spellings::LogicalResult.of(w.rules());
        w.line(format_args!("{result} matchAndRewrite(::mlir::Operation *op0,"));
        let end = spellings::rewrite_end.of(w.rules());
        w.block("    ::mlir::PatternRewriter &rewriter) const override {", end, |w| {
            emit_variables(&pattern.symbols, w);
            match w.rules().has(Change::ListsOfMatchedOps) {
                true => w.line("::llvm::SmallVector<::mlir::Operation *, 4> tblgen_ops;"),
                false => w.line(format_args!("::mlir::Operation *tblgen_ops[{}];", pattern.matched_ops)),
            }
            w.blank();
            w.line("// Match");
            matching::emit(pattern, functions, w);
            w.blank();
            w.line("// Rewrite");
            rewriting::emit(pattern, w);
            w.line("return ::mlir::success();");
        });
    });
    w.blank();
}

/// The position that a pattern comes from.
#[derive(Clone, Copy)]
struct Origins<'r> {
    sources: &'r Sources,
    shows_relative_paths: bool,
    /// True if only the file name is written for a file whose whole path is known.
    is_shortened: bool,
}

impl Origins<'_> {
    /// Writes the positions that the pattern comes from, the outermost first.
    fn emit(self, pattern: &Pattern<'_>, w: &mut Writer) {
        let places = pattern.rec.record().spans.iter().rev();
        let places: Vec<String> = places.map(|&span| self.place(span)).collect();
        w.block("/* Generated from:", "*/", |w| {
            for (index, place) in places.iter().enumerate() {
                let more = if index + 1 < places.len() { " instantiating" } else { "" };
                w.line(format_args!("  {place}{more}"));
            }
        });
    }

    fn place(self, span: Span) -> String {
        let Some((buffer, position)) = self.sources.position(span) else { return "<unknown>".to_owned() };
        let path = &*buffer.name;
        let is_shortened = match path.starts_with('/') {
            true => self.is_shortened,
            false => !self.shows_relative_paths,
        };
        let shown = if is_shortened { path.rsplit('/').next().unwrap_or(path) } else { path };
        format!("{shown}:{}", position.line)
    }
}

fn emit_variables(symbols: &Symbols<'_>, w: &mut Writer) {
    w.line("// Variables for capturing values and attributes used while creating ops");
    for symbol in symbols.iter() {
        let value = if symbol.entity.is_range() { "(op0->getOperands());" } else { ";" };
        w.line([&*variable_type(&symbol.entity, w.rules()), " ", &symbol.variable, value]);
    }
}

/// Returns the C++ type of a symbol's variable.
fn variable_type<'r>(entity: &Entity<'r>, rules: &Rules) -> Cow<'r, str> {
    match entity {
        Entity::CapturedAttribute => Cow::Borrowed(spellings::captured_attribute.of(rules)),
        _ => entity.cpp_type(),
    }
}

fn emit_registration(names: &[String], w: &mut Writer) {
    let (first, last) = (spellings::maybe_unused.of(w.rules()), spellings::attribute_unused.of(w.rules()));
    let head = format!("{first}void {last}populateWithGenerated(::mlir::RewritePatternSet &patterns)");
    w.braces(head, |w| {
        for name in names {
            w.line(["patterns.add<", name, ">(patterns.getContext());"]);
        }
    });
}
