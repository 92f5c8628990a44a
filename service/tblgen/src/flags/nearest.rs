//! The suggestion for an unknown option, chosen as the reference does.
//!
//! The reference compares the word with all options of its release, hidden ones too, and takes the first of those with
//! the fewest edits. The order of the options was inferred from words that are equally far from two of them.

use odsmith_engine::{generators::is_in_release, release::Release, text::distance};

use super::{HIDDEN, dashed, letter_of, name_of, takes_value};

/// Returns the option of this release with the fewest edits, as it would be written in place of this word: with its
/// value, if it takes one.
pub(super) fn nearest(word: &str, release: Release) -> Option<String> {
    if let Some(letter) = name_of(word).and_then(letter_of).filter(|_| has_groups(release)) {
        return Some(dashed(letter));
    }
    let rules = release.rules();
    let generators = || GENERATORS.split_whitespace().filter(|name| is_in_release(name, &rules));
    let mut names = Vec::new();
    for name in order(release).split_whitespace() {
        match name {
            "*" => names.extend(generators()),
            name => names.push(name),
        }
    }
    nearest_of(word, names.into_iter())
}

/// Returns whether a release takes a word that begins like a one-letter flag for that flag.
pub(super) fn has_groups(release: Release) -> bool {
    release < Release::V24
}

/// Returns the first of these names with the fewest edits, as it would be written in place of this word.
pub(super) fn nearest_of<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> Option<String> {
    let body = word.strip_prefix('-').unwrap_or(word);
    let body = body.strip_prefix('-').unwrap_or(body);
    let (name, value) = body.split_once('=').unwrap_or((body, ""));
    // A name that takes no value is compared with the word including its value.
    let edits = |known: &str| distance(if takes_value(known) { name } else { body }, known);
    let near = names.min_by_key(|known| edits(known))?;
    Some(match !value.is_empty() && takes_value(near) {
        true => format!("--{near}={value}"),
        false => dashed(near),
    })
}

/// Returns true unless this is a hidden option that the release lacks.
pub(super) fn is_not_hidden_elsewhere(name: &str, release: Release) -> bool {
    HIDDEN.iter().all(|(hidden, _)| *hidden != name)
        || order(release).split_whitespace().any(|own| own == name)
}

/// The generators of all releases, in the reference's order.
const GENERATORS: &str = "\
    gen-attrdef-defs gen-attrdef-decls gen-attr-constraint-defs gen-attr-constraint-decls \
    gen-typedef-defs gen-typedef-decls gen-type-constraint-defs gen-type-constraint-decls gen-bytecode \
    gen-dialect-decls gen-dialect-defs gen-dialect-interface-decls gen-directive-decl gen-enum-decls \
    gen-enum-defs gen-python-enum-bindings gen-llvmir-conversions gen-op-from-llvmir-conversions \
    gen-intr-from-llvmir-conversions gen-enum-to-llvmir-conversions gen-enum-from-llvmir-conversions \
    gen-convertible-llvmir-intrinsics gen-llvmintrinsic-to-llvmirop-pairs gen-llvmir-intrinsics \
    print-records verify-openmp-ops gen-openmp-clause-ops gen-op-decls gen-op-defs gen-attrdef-doc \
    gen-op-doc gen-typedef-doc gen-enum-doc gen-dialect-doc gen-attr-interface-decls \
    gen-attr-interface-defs gen-attr-interface-docs gen-op-interface-decls gen-op-interface-defs \
    gen-op-interface-docs gen-type-interface-decls gen-type-interface-defs gen-type-interface-docs \
    gen-python-op-bindings gen-pass-capi-header gen-pass-capi-impl gen-pass-doc gen-pass-decls \
    gen-rewriters gen-avail-interface-decls gen-avail-interface-defs gen-spirv-enum-avail-decls \
    gen-spirv-enum-avail-defs gen-spirv-serialization gen-spirv-attr-utils gen-spirv-avail-impls \
    gen-spirv-capability-implication gen-struct-attr-decls gen-struct-attr-defs gen-tosa-avail-impls";

/// Returns the other options of a release, in the reference's order; `*` marks the place of its generators.
fn order(release: Release) -> &'static str {
    match release {
        Release::V13 => {
            "\
            bind-dialect * prefix print-debug-counter help-list debug-counter dialect stats-json \
            op-include-regex color dialect-opclass-base print-options print-all-options \
            llvmir-intrinsics-access-group-regexp rng-seed treat-scalable-fixed-error-as-warning \
            disable-symbolication asmformat-error-is-fatal name D I d help-hidden typedefs-dialect \
            help-list-hidden crash-diagnostics-dir sort-timers llvmir-intrinsics-filter write-if-changed \
            op-exclude-regex attrdefs-dialect time-phases track-memory version h help o stats \
            info-output-file"
        }
        Release::V14 => {
            "\
            bind-dialect * llvmir-intrinsics-alias-scopes-regexp prefix print-debug-counter \
            debug-counter dialect stats-json op-include-regex help-list color dialect-opclass-base \
            no-warn-on-unused-template-args print-options name D I print-all-options directives-dialect \
            llvmir-intrinsics-access-group-regexp treat-scalable-fixed-error-as-warning \
            disable-symbolication asmformat-error-is-fatal help-hidden typedefs-dialect help-list-hidden \
            crash-diagnostics-dir sort-timers llvmir-intrinsics-filter rng-seed d write-if-changed \
            op-exclude-regex attrdefs-dialect time-phases track-memory version h help o stats \
            info-output-file"
        }
        Release::V15 => {
            "\
            bind-dialect * llvmir-intrinsics-alias-scopes-regexp prefix print-debug-counter \
            debug-counter dialect stats-json op-include-regex help-list color dialect-opclass-base \
            dialect-extension no-warn-on-unused-template-args print-options print-all-options \
            directives-dialect llvmir-intrinsics-access-group-regexp rng-seed on-deprecated \
            disable-symbolication asmformat-error-is-fatal name D I help-hidden d typedefs-dialect \
            help-list-hidden crash-diagnostics-dir sort-timers llvmir-intrinsics-filter write-if-changed \
            op-exclude-regex attrdefs-dialect time-phases track-memory \
            treat-scalable-fixed-error-as-warning version h help o stats info-output-file"
        }
        Release::V16 => {
            "\
            bind-dialect * prefix print-debug-counter debug-counter dialect \
            llvmir-intrinsics-alias-scopes-regexp stats-json op-include-regex help-list color \
            dialect-opclass-base dialect-extension print-options no-warn-on-unused-template-args \
            print-all-options directives-dialect llvmir-intrinsics-access-group-regexp on-deprecated \
            disable-symbolication asmformat-error-is-fatal name D I help-hidden crash-diagnostics-dir \
            typedefs-dialect help-list-hidden treat-scalable-fixed-error-as-warning sort-timers rng-seed \
            d llvmir-intrinsics-filter write-if-changed op-exclude-regex attrdefs-dialect time-phases \
            track-memory version h help o stats info-output-file"
        }
        Release::V17 => {
            "\
            track-memory llvmir-intrinsics-filter * disable-symbolication on-deprecated \
            no-warn-on-unused-template-args sort-timers bind-dialect help-hidden info-output-file \
            rng-seed bytecode-dialect help-list strip-prefix o op-exclude-regex \
            llvmir-intrinsics-access-group-regexp typedefs-dialect print-options write-if-changed \
            stats-json color d dialect-opclass-base directives-dialect asmformat-error-is-fatal \
            llvmir-intrinsics-alias-analysis-regexp name I op-include-regex prefix time-phases dialect h \
            help D print-all-options dialect-extension help-list-hidden debug-counter attrdefs-dialect \
            treat-scalable-fixed-error-as-warning crash-diagnostics-dir print-debug-counter version \
            stats"
        }
        Release::V18 => {
            "\
            track-memory llvmir-intrinsics-filter * disable-symbolication on-deprecated \
            no-warn-on-unused-template-args sort-timers bind-dialect help-hidden info-output-file \
            rng-seed bytecode-dialect help-list o strip-prefix op-exclude-regex typedefs-dialect \
            print-options write-if-changed llvmir-intrinsics-access-group-regexp stats-json color d \
            dialect-opclass-base directives-dialect asmformat-error-is-fatal \
            llvmir-intrinsics-alias-analysis-regexp name I prefix op-include-regex time-phases dialect h \
            help D print-all-options dialect-extension help-list-hidden allow-hugo-specific-features \
            debug-counter attrdefs-dialect crash-diagnostics-dir treat-scalable-fixed-error-as-warning \
            print-debug-counter version stats"
        }
        Release::V19 => {
            "\
            llvmir-intrinsics-filter disable-symbolication * info-output-file rng-seed help-list \
            bytecode-dialect o I op-exclude-regex llvmir-intrinsics-alias-analysis-regexp op-shard-count \
            treat-scalable-fixed-error-as-warning typedefs-dialect stats-json prefix debug-counter \
            allow-hugo-specific-features crash-diagnostics-dir attrdefs-dialect h D version stats \
            track-memory debug-counter-break-on-last on-deprecated sort-timers bind-dialect \
            no-warn-on-unused-template-args help-hidden print-options strip-prefix color d \
            write-if-changed dialect-opclass-base directives-dialect \
            llvmir-intrinsics-access-group-regexp asmformat-error-is-fatal name print-all-options \
            op-include-regex time-phases dialect dialect-extension help help-list-hidden \
            print-debug-counter"
        }
        Release::V21 => {
            "\
            llvmir-intrinsics-filter disable-symbolication * info-output-file rng-seed help-list \
            bytecode-dialect o I op-exclude-regex op-shard-count typedefs-dialect stats-json \
            llvmir-intrinsics-alias-analysis-regexp prefix debug-counter h D \
            treat-scalable-fixed-error-as-warning allow-hugo-specific-features crash-diagnostics-dir \
            attrdefs-dialect debug-counter-break-on-last version stats track-memory on-deprecated \
            no-warn-on-unused-template-args sort-timers bind-dialect help-hidden \
            llvmir-intrinsics-access-group-regexp print-options strip-prefix color d \
            long-string-literals write-if-changed dialect-opclass-base directives-dialect \
            asmformat-error-is-fatal name print-all-options op-include-regex time-phases dialect \
            dialect-extension help help-list-hidden print-debug-counter"
        }
        Release::V22 => {
            "\
            * version h info-output-file on-deprecated dialect-opclass-base long-string-literals \
            rng-seed d track-memory stats D bind-dialect o print-debug-counter-queries \
            allow-hugo-specific-features help-hidden stats-json bytecode-dialect print-all-options \
            llvmir-intrinsics-filter strip-prefix debug-counter op-include-regex dialect help I \
            op-exclude-regex debug-counter-break-on-last llvmir-intrinsics-access-group-regexp \
            print-debug-counter time-phases asmformat-error-is-fatal attrdefs-dialect print-options \
            help-list-hidden prefix write-if-changed help-list color crash-diagnostics-dir \
            disable-symbolication llvmir-intrinsics-alias-analysis-regexp name sort-timers \
            no-warn-on-unused-template-args directives-dialect dialect-extension op-shard-count \
            typedefs-dialect"
        }
        Release::V23 => {
            "\
            * d directives-dialect dialect-opclass-base llvmir-intrinsics-access-group-regexp \
            time-phases dialect op-include-regex print-all-options asmformat-error-is-fatal \
            dialect-extension name help help-list-hidden print-debug-counter sort-timers on-deprecated \
            no-warn-on-unused-template-args debug-counter-break-on-last track-memory bind-dialect \
            help-hidden long-string-literals print-options color llvmir-intrinsics-alias-analysis-regexp \
            strip-prefix keep-op-source-order write-if-changed prefix I D debug-counter \
            crash-diagnostics-dir attrdefs-dialect h print-debug-counter-queries \
            allow-hugo-specific-features stats version disable-symbolication llvmir-intrinsics-filter o \
            rng-seed info-output-file typedefs-dialect op-shard-count op-exclude-regex help-list \
            stats-json bytecode-dialect"
        }
        Release::V24 => {
            "\
            * d directives-dialect llvmir-intrinsics-access-group-regexp dialect-opclass-base \
            time-phases dialect op-include-regex print-all-options asmformat-error-is-fatal \
            dialect-extension name help help-list-hidden dag-file-location print-debug-counter \
            sort-timers on-deprecated no-warn-on-unused-template-args debug-counter-break-on-last \
            track-memory bind-dialect help-hidden long-string-literals print-options \
            no-open-dag-viewer keep-op-source-order color llvmir-intrinsics-alias-analysis-regexp \
            strip-prefix write-if-changed prefix I D debug-counter crash-diagnostics-dir \
            attrdefs-dialect h print-debug-counter-queries allow-hugo-specific-features stats version \
            disable-symbolication llvmir-intrinsics-filter o rng-seed info-output-file \
            typedefs-dialect op-shard-count op-exclude-regex help-list stats-json bytecode-dialect"
        }
    }
}
