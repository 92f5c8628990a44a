//! Pipelines that the project registers in C++, as far as they can be read without a compiler.
//!
//! ```text
//! PassPipelineRegistration<BoxOptions>("open-boxes", "Opens all boxes.", buildOpenBoxes);
//!
//! void buildOpenBoxes(OpPassManager &pm, const BoxOptions &options) {
//!   pm.addNestedPass<func::FuncOp>(createOpenBox());
//!   if (options.clean)
//!     pm.addPass(createCanonicalizerPass());      // a step that depends on an option
//!   buildLowering(pm);                            // the steps of another function
//! }
//! ```

use std::collections::BTreeMap;

use odsmith_engine::limits::Budget;

/// The cost of reading a byte.
const BYTE_UNITS: usize = 4;
/// The limit for functions that call each other.
const MOST_DEEP: usize = 8;
/// The limit for tokens of a pipeline's functions: they may call each other often.
const MOST_VISITED: usize = 1 << 20;
/// The limit for steps of a pipeline.
const MOST_STEPS: usize = 120;

/// A pipeline as it is registered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Registration {
    /// The name on the command line.
    pub name: String,
    /// The description.
    pub description: String,
    /// The options.
    pub options: Vec<PipelineOption>,
    /// The passes in order; empty if the function that adds them cannot be read.
    pub steps: Vec<Step>,
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

/// A pass that a pipeline adds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// The function that creates it, or its class, without a namespace.
    pub constructor: String,
    /// The operation that it is nested on.
    pub anchor: Option<String>,
    /// True if a condition or a loop decides whether it is added.
    pub is_conditional: bool,
}

/// An option of a pipeline.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PipelineOption {
    /// The name.
    pub name: String,
    /// The C++ type.
    pub ty: String,
    /// True if it takes several values.
    pub is_list: bool,
    /// The default value.
    pub default: Option<String>,
    /// The description.
    pub description: String,
}

/// Reads the registrations in these files, sorted by name; of several with one name the first counts.
#[must_use]
pub fn all(files: &BTreeMap<String, String>, budget: &Budget) -> Vec<Registration> {
    let read = files.iter().take_while(|(_, text)| budget.charge(BYTE_UNITS * text.len()));
    let sources: Vec<SourceFile<'_>> = read.map(|(path, text)| SourceFile::new(path.clone(), text)).collect();
    let project = Project::new(&sources, budget);
    let mut found: BTreeMap<String, Registration> = BTreeMap::new();
    for (number, source) in sources.iter().enumerate() {
        for at in source.places("PassPipelineRegistration") {
            if let Some(it) = project.registration(number, at) {
                found.entry(it.name.clone()).or_insert(it);
            }
        }
    }
    found.into_values().collect()
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A name with its namespaces, or a number.
    Word,
    /// The inside of a string.
    Text,
    /// Any other character.
    Sign,
}

#[derive(Clone, Copy, Debug)]
struct Token<'t> {
    kind: Kind,
    text: &'t str,
    /// The position in the file.
    at: usize,
}

impl<'t> Token<'t> {
    fn is(&self, sign: &str) -> bool {
        self.kind == Kind::Sign && self.text == sign
    }

    /// The name without its namespaces; empty if it is no name.
    fn name(&self) -> &'t str {
        if self.kind == Kind::Word { self.text.rsplit("::").next().unwrap_or_default() } else { "" }
    }
}

/// Splits C++ into tokens, without comments and directives of the preprocessor.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let line_end = || rest.find('\n').unwrap_or(rest.len());
        if first.is_whitespace() {
            at += first.len_utf8();
        } else if rest.starts_with("//") {
            at += line_end();
        } else if rest.starts_with("/*") {
            at += rest.find("*/").map_or(rest.len(), |end| end + 2);
        } else if first == '#' && text[..at].lines().next_back().is_none_or(|line| line.trim().is_empty()) {
            at += line_end();
        } else if let Some(raw) = rest.strip_prefix("R\"") {
            let mark = raw.split('(').next().unwrap_or_default();
            let start = at + 2 + mark.len() + 1;
            let close = format!("){mark}\"");
            let Some(length) = text.get(start..).and_then(|inside| inside.find(&close)) else { return found };
            found.push(Token { kind: Kind::Text, text: &text[start..start + length], at });
            at = start + length + close.len();
        } else if first == '"' || first == '\'' {
            let length = quoted(&rest[1..], first);
            if first == '"' {
                found.push(Token { kind: Kind::Text, text: &rest[1..1 + length], at });
            }
            at = (at + length + 2).min(text.len());
            // A string that does not end ends with its line.
            while !text.is_char_boundary(at) {
                at += 1;
            }
        } else if is_word(first) || rest.starts_with("::") && rest[2..].starts_with(is_word) {
            let mut length = 0;
            loop {
                let tail = &rest[length..];
                let colons = if tail.starts_with("::") && tail[2..].starts_with(is_word) { 2 } else { 0 };
                let word = tail[colons..].find(|c| !is_word(c)).unwrap_or(tail.len() - colons);
                if word == 0 {
                    break;
                }
                length += colons + word;
            }
            found.push(Token { kind: Kind::Word, text: &rest[..length], at });
            at += length;
        } else {
            let length = if rest.starts_with("->") { 2 } else { first.len_utf8() };
            found.push(Token { kind: Kind::Sign, text: &rest[..length], at });
            at += length;
        }
    }
    found
}

/// The length of the inside of a string or character: up to its quote, or to the end of the line.
fn quoted(inside: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in inside.char_indices() {
        match c {
            '\n' => return at,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == quote => return at,
            _ => {}
        }
    }
    inside.len()
}

/// A file with its tokens.
struct SourceFile<'t> {
    path: String,
    text: &'t str,
    tokens: Vec<Token<'t>>,
    /// The position of the closing bracket for each opening one; the number of tokens if there is none.
    closers: Vec<usize>,
}

/// Tokens of a file: the number of the file, the first, and the one after the last.
type Range = (usize, usize, usize);

impl<'t> SourceFile<'t> {
    fn new(path: String, text: &'t str) -> Self {
        let tokens = tokens(text);
        let mut closers = vec![tokens.len(); tokens.len()];
        let mut open: Vec<(usize, &str)> = Vec::new();
        for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == Kind::Sign) {
            match token.text {
                "(" => open.push((at, ")")),
                "[" => open.push((at, "]")),
                "{" => open.push((at, "}")),
                ")" | "]" | "}" => {
                    // Brackets that other branches of the preprocessor close are left open.
                    while let Some((start, close)) = open.pop() {
                        if close == token.text {
                            closers[start] = at;
                            break;
                        }
                    }
                }
                _ => {}
            }
        }
        SourceFile { path, text, tokens, closers }
    }

    fn is(&self, at: usize, sign: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(sign))
    }

    fn name(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", Token::name)
    }

    /// The positions of a name.
    fn places<'s>(&'s self, name: &'s str) -> impl Iterator<Item = usize> + 's {
        (0..self.tokens.len()).filter(move |at| self.name(*at) == name)
    }

    /// The position after the `>` for the `<` at `at`, or `at` if there is no `<`.
    fn after_angles(&self, at: usize) -> Option<usize> {
        if !self.is(at, "<") {
            return Some(at);
        }
        let mut depth = 0usize;
        for (place, token) in self.tokens.iter().enumerate().skip(at) {
            match token.text {
                "<" if token.kind == Kind::Sign => depth += 1,
                ">" if token.kind == Kind::Sign => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(place + 1);
                    }
                }
                ";" | "{" => return None,
                _ => {}
            }
        }
        None
    }

    /// The text from one token to another, on one line.
    fn between(&self, from: usize, to: usize) -> String {
        let at = |place: usize| self.tokens.get(place).map_or(self.text.len(), |token| token.at);
        let text = self.text.get(at(from)..at(to)).unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The arguments between the bracket at `at` and its closing one.
    fn arguments(&self, at: usize) -> Vec<(usize, usize)> {
        let end = self.closers.get(at).copied().unwrap_or(self.tokens.len()).min(self.tokens.len());
        let mut found = Vec::new();
        let (mut start, mut place) = (at + 1, at + 1);
        while place < end {
            if self.is(place, ",") {
                found.push((start, place));
                start = place + 1;
            }
            // Commas inside of brackets separate other things.
            let closer = self.closers[place];
            place = if closer < self.tokens.len() { closer + 1 } else { place + 1 };
        }
        found.push((start, end.max(start)));
        found
    }

    /// The text of adjacent strings; `None` if there is anything else.
    fn literal(&self, (start, end): (usize, usize)) -> Option<String> {
        let tokens = self.tokens.get(start..end)?;
        let is_text = !tokens.is_empty() && tokens.iter().all(|token| token.kind == Kind::Text);
        is_text.then(|| tokens.iter().map(|token| unescaped(token.text)).collect())
    }
}

/// Replaces escapes of a string: quotes, backslashes and blanks.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match c {
            '\\' => match rest.next() {
                Some('n' | 't' | 'r') => out.push(' '),
                Some(other) => out.push(other),
                None => {}
            },
            c => out.push(c),
        }
    }
    out
}

/// All files, with the functions that add passes.
struct Project<'t> {
    sources: &'t [SourceFile<'t>],
    budget: &'t Budget,
    /// The bodies of functions that take a pass manager, by name; `None` if several have it.
    functions: BTreeMap<&'t str, Option<Range>>,
    /// The bodies of structures with options, by name.
    options: BTreeMap<&'t str, Range>,
}

impl<'t> Project<'t> {
    fn new(sources: &'t [SourceFile<'t>], budget: &'t Budget) -> Self {
        let mut project = Project { sources, budget, functions: BTreeMap::new(), options: BTreeMap::new() };
        for (number, source) in sources.iter().enumerate() {
            for at in 0..source.tokens.len() {
                project.function(number, at);
                project.structure(number, at);
            }
        }
        project
    }

    /// Adds the function whose name is at a position, if it takes a pass manager.
    fn function(&mut self, number: usize, at: usize) {
        let source = &self.sources[number];
        let name = source.name(at);
        if name.is_empty() || !source.is(at + 1, "(") {
            return;
        }
        let close = source.closers[at + 1];
        let Some(parameters) = source.tokens.get(at + 2..close) else { return };
        if !source.is(close + 1, "{") || !parameters.iter().any(|it| it.name().ends_with("PassManager")) {
            return;
        }
        let body = (number, close + 2, source.closers[close + 1]);
        self.functions.entry(name).and_modify(|known| *known = None).or_insert(Some(body));
    }

    /// Adds the structure whose name is at a position, if it has options of a pipeline.
    fn structure(&mut self, number: usize, at: usize) {
        let source = &self.sources[number];
        if !matches!(source.name(at), "struct" | "class") {
            return;
        }
        let head = (at + 2..source.tokens.len()).take(MOST_HEAD).take_while(|at| !source.is(*at, ";"));
        let Some(open) = head.into_iter().find(|at| source.is(*at, "{")) else { return };
        if (at + 2..open).any(|at| source.name(at) == "PassPipelineOptions") {
            self.options.entry(source.name(at + 1)).or_insert((number, open + 1, source.closers[open]));
        }
    }

    /// Reads the registration at a position.
    fn registration(&self, number: usize, at: usize) -> Option<Registration> {
        let source = &self.sources[number];
        let after = source.after_angles(at + 1)?;
        let options = (at + 1..after).rev().map(|at| source.name(at)).find(|name| !name.is_empty());
        // The registration may have a name: `PassPipelineRegistration<> open("open-boxes", …);`.
        let open = if source.name(after).is_empty() { after } else { after + 1 };
        if !source.is(open, "(") && !source.is(open, "{") {
            return None;
        }
        let arguments = source.arguments(open);
        let name = source.literal(*arguments.first()?)?;
        if name.is_empty() || name.contains(char::is_whitespace) {
            return None;
        }
        let description = arguments.get(1).and_then(|it| source.literal(*it)).unwrap_or_default();
        let mut steps = Vec::new();
        if let Some(body) = arguments.get(2).and_then(|it| self.builder(number, *it)) {
            let mut walk = Walk { open: vec![body], ..Walk::default() };
            self.steps(body, (false, None), &mut walk);
            steps = walk.steps;
        }
        let line = source.text[..source.tokens[at].at].matches('\n').count() + 1;
        Some(Registration {
            name,
            description: description.trim().to_owned(),
            options: options
                .and_then(|name| self.options.get(name))
                .map(|it| self.options(*it))
                .unwrap_or_default(),
            steps,
            file: source.path.clone(),
            line: u32::try_from(line).unwrap_or(u32::MAX),
        })
    }

    /// The body of the function that adds the passes: a lambda, or the only function of this name.
    fn builder(&self, number: usize, (start, end): (usize, usize)) -> Option<Range> {
        let source = &self.sources[number];
        if source.is(start, "[") {
            let open = (start..end).find(|at| source.is(*at, "{"))?;
            return Some((number, open + 1, source.closers[open]));
        }
        let name = (start..end).rev().map(|at| source.name(at)).find(|name| !name.is_empty())?;
        *self.functions.get(name)?
    }

    /// Adds the steps of a body: those that it adds itself, and those of functions that it calls.
    fn steps(
        &self,
        (number, start, end): Range,
        (is_conditional, anchor): (bool, Option<&str>),
        walk: &mut Walk,
    ) {
        let source = &self.sources[number];
        let mut nesting = Nesting { is_conditional, ..Nesting::default() };
        for at in start..end.min(source.tokens.len()) {
            walk.visited += 1;
            if walk.steps.len() >= MOST_STEPS || walk.visited > MOST_VISITED || !self.budget.goes_on() {
                return;
            }
            let token = source.tokens[at];
            nesting.enter(&token);
            let name = token.name();
            let is_conditional = nesting.is_conditional();
            match name {
                "addPass" if source.is(at + 1, "(") => {
                    let anchor = nested_on(source, at).or_else(|| anchor.map(str::to_owned));
                    let inside = (at + 2, source.closers[at + 1]);
                    walk.add(constructor(source, inside), anchor, is_conditional);
                }
                "addNestedPass" if source.is(at + 1, "<") => {
                    let Some(open) = source.after_angles(at + 1).filter(|open| source.is(*open, "(")) else {
                        continue;
                    };
                    let anchor = Some(source.between(at + 2, open - 1));
                    let inside = (open + 1, source.closers[open]);
                    walk.add(constructor(source, inside), anchor, is_conditional);
                }
                name if source.is(at + 1, "(") => {
                    let body = self.functions.get(name).copied().flatten();
                    let Some(body) = body.filter(|body| walk.can_enter(*body)) else { continue };
                    let first = source.arguments(at + 1).first().copied();
                    let on = first.and_then(|(start, end)| nested_in(source, start, end));
                    walk.open.push(body);
                    self.steps(body, (is_conditional, on.as_deref().or(anchor)), walk);
                    walk.open.pop();
                }
                _ => {}
            }
        }
    }

    /// The options in a structure: `Option<bool> clean{*this, "clean", llvm::cl::desc("…"), llvm::cl::init(true)};`.
    fn options(&self, (number, start, end): Range) -> Vec<PipelineOption> {
        let source = &self.sources[number];
        let mut found = Vec::new();
        for at in start..end.min(source.tokens.len()) {
            let is_list = source.name(at) == "ListOption";
            if !is_list && source.name(at) != "Option" || !source.is(at + 1, "<") {
                continue;
            }
            let Some(after) = source.after_angles(at + 1) else { continue };
            let open = after + 1;
            if !source.is(open, "{") && !source.is(open, "(") {
                continue;
            }
            let arguments = source.arguments(open);
            let Some(name) = arguments.iter().find_map(|it| source.literal(*it)) else { continue };
            // `llvm::cl::desc("…")` and `llvm::cl::init(…)`.
            let inside = |wanted: &str| {
                let (start, end) = *arguments.iter().find(|(start, _)| source.name(*start) == wanted)?;
                (source.is(start + 1, "(") && end > start + 2).then_some((start + 2, end - 1))
            };
            found.push(PipelineOption {
                name,
                ty: source.between(at + 2, after - 1),
                is_list,
                default: inside("init").map(|(start, end)| source.between(start, end)),
                description: inside("desc").and_then(|it| source.literal(it)).unwrap_or_default(),
            });
        }
        found
    }
}

/// A walk through the functions that add the passes of a pipeline.
#[derive(Default)]
struct Walk {
    /// The bodies that are open.
    open: Vec<Range>,
    steps: Vec<Step>,
    /// The number of tokens so far.
    visited: usize,
}

impl Walk {
    fn can_enter(&self, body: Range) -> bool {
        self.open.len() < MOST_DEEP && !self.open.contains(&body)
    }

    fn add(&mut self, constructor: Option<String>, anchor: Option<String>, is_conditional: bool) {
        self.steps.extend(constructor.map(|constructor| Step { constructor, anchor, is_conditional }));
    }
}

/// The limit for tokens between the name of a structure and its body.
const MOST_HEAD: usize = 64;

/// The function that creates a pass, or its class: `createOpenBox` of `createOpenBox(options)`, `OpenBox` of
/// `std::make_unique<OpenBox>()`.
fn constructor(source: &SourceFile<'_>, (start, end): (usize, usize)) -> Option<String> {
    let name = source.name(start);
    if name == "make_unique" && source.is(start + 1, "<") {
        return Some(source.name(start + 2)).filter(|name| !name.is_empty()).map(str::to_owned);
    }
    let called = source.after_angles(start + 1)?;
    let is_call = !name.is_empty() && source.is(called, "(") && called < end;
    is_call.then(|| name.to_owned())
}

/// The operation in `pm.nest<func::FuncOp>().addPass`, whose last name is at `at`.
fn nested_on(source: &SourceFile<'_>, at: usize) -> Option<String> {
    let is_after = at >= 4 && source.is(at - 1, ".") && source.is(at - 2, ")") && source.is(at - 3, "(");
    let start = (0..at).rev().take(MOST_HEAD).find(|at| source.name(*at) == "nest").filter(|_| is_after)?;
    let after = source.after_angles(start + 1)?;
    (after == at - 3).then(|| source.between(start + 2, after - 1))
}

/// The operation in the argument `pm.nest<func::FuncOp>()`.
fn nested_in(source: &SourceFile<'_>, start: usize, end: usize) -> Option<String> {
    let at = (start..end).find(|at| source.name(*at) == "nest" && source.is(at + 1, "<"))?;
    let after = source.after_angles(at + 1)?;
    Some(source.between(at + 2, after - 1))
}

/// The brackets and conditions around a token.
#[derive(Default)]
struct Nesting {
    /// True if the call of the function is under a condition.
    is_conditional: bool,
    /// The open brackets: true for the body of a condition or loop.
    open: Vec<bool>,
    /// The number of open parentheses.
    parentheses: usize,
    /// True after `if`, until its statement ends.
    is_pending: bool,
}

impl Nesting {
    fn enter(&mut self, token: &Token<'_>) {
        let is_outside = self.parentheses == 0;
        match (token.kind, token.text) {
            (Kind::Sign, "(" | "[") => {
                self.open.push(false);
                self.parentheses += 1;
            }
            (Kind::Sign, "{") => {
                self.open.push(is_outside && self.is_pending);
                self.is_pending &= !is_outside;
            }
            (Kind::Sign, ")" | "]") => {
                self.open.pop();
                self.parentheses = self.parentheses.saturating_sub(1);
            }
            (Kind::Sign, "}") => _ = self.open.pop(),
            (Kind::Sign, ";") if is_outside => self.is_pending = false,
            (Kind::Word, "if" | "else" | "for" | "while" | "switch") if is_outside => self.is_pending = true,
            _ => {}
        }
    }

    fn is_conditional(&self) -> bool {
        self.is_conditional || self.is_pending || self.open.contains(&true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Registration> {
        all(&BTreeMap::from([("lib/P.cpp".to_owned(), text.to_owned())]), &Budget::default())
    }

    fn shown(it: &Registration) -> String {
        let step = |step: &Step| {
            let anchor = step.anchor.as_ref().map(|on| format!("@{on}")).unwrap_or_default();
            format!("{}{anchor}{}", step.constructor, if step.is_conditional { "?" } else { "" })
        };
        it.steps.iter().map(step).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_registration_has_a_function_or_a_lambda() {
        let text = r#"
            // PassPipelineRegistration<> no("no", "");
            struct BoxOptions : public PassPipelineOptions<BoxOptions> {
              PassOptions::Option<bool> clean{*this, "clean", llvm::cl::desc("Cleans \"up\"."), llvm::cl::init(true)};
              ListOption<int64_t> sizes{*this, "sizes", llvm::cl::desc("Sizes "
                  "of boxes.")};
            };
            static void buildInner(OpPassManager &pm) { pm.addPass(arith::createExpandPass({.a = 1, .b = 2})); }
            void proj::buildBoxes(OpPassManager &pm, const BoxOptions &options) {
              pm.addNestedPass<func::FuncOp>(createOpenBox(options.sizes));
              if (options.clean)
                pm.addPass(createCanonicalizerPass());
              else { pm.addPass(std::make_unique<Lower>()); }
              pm.nest<gpu::GPUModuleOp>().addPass(createCSEPass());
              for (int i = 0; i < 2; ++i) { buildInner(pm.nest<func::FuncOp>()); }
              pm.addPass(createLast());
              buildBoxes(pm, options);
            }
            void registerAll() {
              PassPipelineRegistration<BoxOptions>("boxes", "Opens " "boxes.", proj::buildBoxes);
              static mlir::PassPipelineRegistration<> other("lambda", "",
                  [](OpPassManager &pm) { pm.addPass(createA()); });
              PassPipelineRegistration<>(kName, "of no literal", buildInner);
              PassPipelineRegistration<> unknown{"unknown", "Elsewhere", &buildElsewhere};
            }"#;
        let found = read(text);
        let names: Vec<&str> = found.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["boxes", "lambda", "unknown"]);
        assert_eq!(
            shown(&found[0]),
            "createOpenBox@func::FuncOp createCanonicalizerPass? Lower? createCSEPass@gpu::GPUModuleOp \
             createExpandPass@func::FuncOp? createLast"
        );
        assert_eq!((found[0].description.as_str(), found[0].line), ("Opens boxes.", 20));
        let options: Vec<String> = found[0]
            .options
            .iter()
            .map(|it| format!("{} {} {} {:?} {}", it.name, it.ty, it.is_list, it.default, it.description))
            .collect();
        assert_eq!(
            options,
            ["clean bool false Some(\"true\") Cleans \"up\".", "sizes int64_t true None Sizes of boxes."]
        );
        assert_eq!((shown(&found[1]).as_str(), shown(&found[2]).as_str()), ("createA", ""));
    }

    #[test]
    fn functions_of_one_name_are_not_confused() {
        let text = "void build(PassManager &pm) { pm.addPass(createA()); }\nvoid build(PassManager &pm, int) { }\n\
                    PassPipelineRegistration<> p(\"p\", R\"x(It \"is\".)x\", build);";
        let found = read(text);
        assert_eq!((found[0].description.as_str(), shown(&found[0]).as_str()), ("It \"is\".", ""));
    }

    #[test]
    fn broken_text_ends_somewhere() {
        for text in [
            "PassPipelineRegistration",
            "PassPipelineRegistration<",
            "PassPipelineRegistration<>(",
            "PassPipelineRegistration<>(\"a",
            "PassPipelineRegistration<>(\"a\", \"b\", [",
            "PassPipelineRegistration<>(\"a\", \"b\", [](OpPassManager &pm) { pm.addPass(",
            "PassPipelineRegistration<>(\"a\", \"b\", f); void f(PassManager) { f(x); pm.addNestedPass<",
            "R\"x(",
            "'ü",
            "\"ü\\",
            "struct",
            "#",
            "/*",
            ")]}",
        ] {
            let found = read(text);
            assert!(found.iter().all(|it| it.name == "a"), "{text}: {found:?}");
        }
    }
}
