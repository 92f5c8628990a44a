//! Generic form → custom form, by the declared formats.
//!
//! ```text
//! %c = "arith.addi"(%a, %b) : (i32, i32) -> i32      →      %c = arith.addi %a, %b : i32
//! ```

use std::ops::Range;

use odsmith_interchange::grammar::{Class, Clause, Element, Entity, Format, Kind, Parameter};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Printer, built_type, join};
use crate::{
    definitions::{AttributeDef, Definitions, OperationDef, ParameterDef},
    lexer::TokenKind as T,
    tree::{NodeId, NodeKind},
};

/// The parts of an operation in generic form.
#[derive(Debug, Default)]
struct View<'i> {
    /// Operands and their types, by part.
    operands: FxHashMap<usize, Vec<(&'i str, String)>>,
    /// Types of results, by part.
    results: FxHashMap<usize, Vec<String>>,
    /// Attributes by name, with their full texts; nothing for `unit`.
    attributes: Vec<(&'i str, &'i str)>,
    successors: Vec<&'i str>,
    regions: Vec<NodeId>,
    location: Option<NodeId>,
}

/// The parts of an operation, as a format asks for them. A part is named by its number in the definition.
pub(crate) trait Source {
    /// Returns whether a part is present.
    fn has(&self, part: usize) -> bool;

    /// Returns the operands of a part.
    fn operands(&mut self, part: usize) -> Option<Vec<String>>;

    /// Returns the types of a part, or of all of a kind, with dialect and mnemonic.
    fn types(&mut self, part: usize) -> Option<Vec<String>>;

    /// Returns the text of an attribute or property as the format has it; an empty one if it is not there.
    fn attribute(&mut self, part: usize) -> Option<String>;

    /// Returns the regions of a part.
    fn regions(&mut self, part: usize) -> Option<Vec<String>>;

    /// Returns the successors of a part.
    fn successors(&mut self, part: usize) -> Option<Vec<String>>;

    /// Returns the text of a custom directive.
    fn directive(&mut self, name: &str, parameters: &[Parameter]) -> Option<String>;

    /// Returns the entries of dictionaries: names as they are written, and full texts.
    fn entries(&self) -> Vec<(String, String)>;
}

/// The state of printing a format.
pub(crate) struct Writer<'i, 's, S> {
    source: &'s mut S,
    definitions: &'i Definitions,
    def: &'i OperationDef,
    grammar: &'i Format,
    /// The text so far.
    pub(crate) out: String,
    /// The ranges of regions in the text.
    pub(crate) regions: Vec<Range<usize>>,
    /// The attributes that are printed.
    printed: FxHashSet<&'i str>,
    needs_space: bool,
    is_after_punctuation: bool,
    /// True inside a clause of an `oilist`.
    is_in_clause: bool,
}

impl<'i> Printer<'i> {
    /// Returns an operation in custom form, if all of it is known.
    pub(super) fn customized(&mut self, id: NodeId, def: &'i OperationDef) -> Option<String> {
        let grammar = def.grammar.as_ref()?;
        let view = self.view(id, def, grammar)?;
        let name = self.ir.tree.child(id, NodeKind::Name)?;
        let mut out = self.text[self.start_of(id)..self.start_of(name)].to_owned();
        out.push_str(&def.name);
        let location = view.location.map(|location| self.text_of(location));
        let definitions = self.definitions;
        let mut source = Generic { printer: self, def, grammar, view: &view };
        let mut writer = Writer::new(&mut source, definitions, def, grammar, out);
        writer.run()?;
        let mut out = writer.out;
        if let Some(location) = location {
            out.push(' ');
            out.push_str(location);
        }
        Some(out)
    }

    /// Collects the parts of an operation in generic form.
    fn view(&self, id: NodeId, def: &'i OperationDef, grammar: &Format) -> Option<View<'i>> {
        let mut view = View::default();
        let (mut operands, mut ty) = (Vec::new(), None);
        for child in self.ir.tree.children(id) {
            match self.ir.tree.node(child).kind {
                NodeKind::Name | NodeKind::Result => {}
                NodeKind::Operand => operands.push(self.text_of(child)),
                NodeKind::Successor => view.successors.push(self.text_of(child)),
                NodeKind::Region => view.regions.push(child),
                NodeKind::Dictionary => self.attributes_of(child, &mut view),
                NodeKind::Properties => {
                    let first = self.ir.tree.node(child).first;
                    if self.ir.tokens.kind(first + 1) != T::LeftBrace {
                        return None;
                    }
                    let dictionary = self.ir.tree.children(child).next()?;
                    let before = view.attributes.len();
                    self.attributes_of(dictionary, &mut view);
                    let is_empty = self.text_of(dictionary).trim_matches(['{', '}', ' ']).is_empty();
                    if view.attributes.len() == before && !is_empty {
                        return None;
                    }
                }
                NodeKind::Type | NodeKind::FunctionType => ty = Some(child),
                NodeKind::Location => view.location = Some(child),
                _ => return None,
            }
        }
        let (inputs, results) = self.function_type(ty?)?;
        if inputs.len() != operands.len() {
            return None;
        }
        let counts =
            counts(def, grammar, Kind::Operand, operands.len(), view.attribute("operandSegmentSizes"))?;
        let mut values = operands.into_iter().zip(inputs);
        for (part, count) in counts {
            view.operands.insert(part, values.by_ref().take(count).collect());
        }
        let counts = counts_of_results(def, grammar, results.len(), &view)?;
        let mut types = results.into_iter();
        for (part, count) in counts {
            view.results.insert(part, types.by_ref().take(count).collect());
        }
        Some(view)
    }

    fn attributes_of(&self, dictionary: NodeId, view: &mut View<'i>) {
        for entry in self.ir.tree.children_of(dictionary, NodeKind::Entry) {
            view.attributes.push(self.entry(entry));
        }
    }
}

fn counts_of_results(
    def: &OperationDef,
    grammar: &Format,
    total: usize,
    view: &View<'_>,
) -> Option<Vec<(usize, usize)>> {
    counts(def, grammar, Kind::Result, total, view.attribute("resultSegmentSizes"))
}

/// Returns the number of values of each part of a kind.
pub(crate) fn counts(
    def: &OperationDef,
    grammar: &Format,
    kind: Kind,
    total: usize,
    segments: Option<&str>,
) -> Option<Vec<(usize, usize)>> {
    let own: Vec<(usize, bool)> = def
        .parts_of(kind)
        .filter(|(part, _)| grammar.entities.get(*part as usize).is_none_or(|entity| !entity.is_all))
        // A region that is not variadic is always there.
        .map(|(part, one)| (part as usize, one.high == 1 && (one.low == 1 || kind == Kind::Region)))
        .collect();
    if let Some(segments) = segments {
        let (_, numbers) = segments.split_once(':')?;
        let numbers = numbers.trim_end_matches('>').split(',').map(|number| number.trim().parse().ok());
        let numbers: Vec<usize> = numbers.collect::<Option<_>>()?;
        let is_whole = numbers.len() == own.len() && numbers.iter().sum::<usize>() == total;
        return is_whole.then(|| own.iter().map(|(part, _)| *part).zip(numbers).collect());
    }
    let fixed = own.iter().filter(|(_, is_one)| *is_one).count();
    let open = total.checked_sub(fixed)?;
    let is_clear = match own.len() - fixed {
        0 => open == 0,
        1 => true,
        _ => false,
    };
    is_clear.then(|| own.into_iter().map(|(part, is_one)| (part, if is_one { 1 } else { open })).collect())
}

impl<'i> View<'i> {
    fn attribute(&self, name: &str) -> Option<&'i str> {
        let found = self.attributes.iter().find(|(key, _)| key.trim_matches('"') == name);
        found.map(|(_, value)| if value.is_empty() { "unit" } else { value })
    }
}

/// An operation in generic form as a source.
struct Generic<'p, 'i, 'v> {
    printer: &'p mut Printer<'i>,
    def: &'i OperationDef,
    grammar: &'i Format,
    view: &'v View<'i>,
}

impl<'i> Generic<'_, 'i, '_> {
    fn entity(&self, index: usize) -> Option<&'i Entity> {
        self.grammar.entities.get(index)
    }

    /// Returns the nodes of a region's part.
    fn regions_of(&self, index: usize) -> Option<Vec<NodeId>> {
        if self.entity(index)?.is_all {
            return Some(self.view.regions.clone());
        }
        let counts = counts(self.def, self.grammar, Kind::Region, self.view.regions.len(), None)?;
        let start: usize = counts.iter().take_while(|(part, _)| *part != index).map(|(_, count)| count).sum();
        let count = counts.iter().find(|(part, _)| *part == index)?.1;
        Some(self.view.regions.get(start..start + count)?.to_vec())
    }

    fn successors_of(&self, index: usize) -> Option<Vec<&'i str>> {
        if self.entity(index)?.is_all {
            return Some(self.view.successors.clone());
        }
        let counts = counts(self.def, self.grammar, Kind::Successor, self.view.successors.len(), None)?;
        let start: usize = counts.iter().take_while(|(part, _)| *part != index).map(|(_, count)| count).sum();
        let count = counts.iter().find(|(part, _)| *part == index)?.1;
        Some(self.view.successors.get(start..start + count)?.to_vec())
    }

    fn all_operands(&self) -> Vec<(&'i str, String)> {
        let own = self.def.parts_of(Kind::Operand);
        own.filter_map(|(part, _)| self.view.operands.get(&(part as usize))).flatten().cloned().collect()
    }
}

impl Source for Generic<'_, '_, '_> {
    fn has(&self, index: usize) -> bool {
        let Some(entity) = self.entity(index) else { return false };
        match entity.kind {
            Kind::Operand if entity.is_all => self.view.operands.values().any(|all| !all.is_empty()),
            Kind::Result if entity.is_all => self.view.results.values().any(|all| !all.is_empty()),
            Kind::Operand => self.view.operands.get(&index).is_some_and(|all| !all.is_empty()),
            Kind::Result => self.view.results.get(&index).is_some_and(|all| !all.is_empty()),
            Kind::Attribute | Kind::Property => {
                self.view.attribute(&entity.name).is_some_and(|text| !(entity.is_unit && text == "false"))
            }
            Kind::Region => {
                let regions = self.regions_of(index).unwrap_or_default();
                regions.into_iter().any(|region| !self.printer.is_empty_region(region))
            }
            Kind::Successor => self.successors_of(index).is_some_and(|all| !all.is_empty()),
            Kind::Parameter => false,
        }
    }

    fn operands(&mut self, index: usize) -> Option<Vec<String>> {
        let entity = self.entity(index)?;
        if entity.has_runs {
            return None;
        }
        Some(match entity.is_all {
            true => self.all_operands().into_iter().map(|(value, _)| value.to_owned()).collect(),
            false => self.view.operands.get(&index)?.iter().map(|(value, _)| (*value).to_owned()).collect(),
        })
    }

    fn types(&mut self, index: usize) -> Option<Vec<String>> {
        let entity = self.entity(index)?;
        match entity.kind {
            Kind::Operand if entity.is_all => {
                Some(self.all_operands().into_iter().map(|(_, ty)| ty).collect())
            }
            Kind::Operand => Some(self.view.operands.get(&index)?.iter().map(|(_, ty)| ty.clone()).collect()),
            Kind::Result if entity.is_all => {
                let own = self.def.parts_of(Kind::Result);
                Some(
                    own.filter_map(|(part, _)| self.view.results.get(&(part as usize)))
                        .flatten()
                        .cloned()
                        .collect(),
                )
            }
            Kind::Result => self.view.results.get(&index).cloned(),
            _ => None,
        }
    }

    fn attribute(&mut self, index: usize) -> Option<String> {
        let entity = self.entity(index)?;
        if entity.kind == Kind::Property {
            return None;
        }
        match self.view.attribute(&entity.name) {
            Some(text) => {
                let def = self.def.parts.get(index)?.attribute.as_deref()?;
                short(self.printer.definitions, &entity.class, def, text)
            }
            // An optional one is simply not printed.
            None => (entity.low == 0 && !entity.has_default).then(String::new),
        }
    }

    fn regions(&mut self, index: usize) -> Option<Vec<String>> {
        let regions = self.regions_of(index)?;
        let mut texts = Vec::new();
        for region in regions {
            let mut text = String::new();
            let (start, end) = (self.printer.start_of(region), self.printer.end_of(region));
            self.printer.copy(region, start, end, &mut text);
            texts.push(text);
        }
        Some(texts)
    }

    fn successors(&mut self, index: usize) -> Option<Vec<String>> {
        Some(self.successors_of(index)?.into_iter().map(str::to_owned).collect())
    }

    fn directive(&mut self, _: &str, _: &[Parameter]) -> Option<String> {
        None
    }

    fn entries(&self) -> Vec<(String, String)> {
        let own = self.view.attributes.iter();
        own.map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    }
}

impl<'i, 's, S: Source> Writer<'i, 's, S> {
    /// Begins to print after a text.
    pub(crate) fn new(
        source: &'s mut S,
        definitions: &'i Definitions,
        def: &'i OperationDef,
        grammar: &'i Format,
        out: String,
    ) -> Self {
        let mut writer = Writer {
            source,
            definitions,
            def,
            grammar,
            out,
            regions: Vec::new(),
            printed: FxHashSet::default(),
            needs_space: true,
            is_after_punctuation: false,
            is_in_clause: false,
        };
        writer.note_printed(&grammar.elements);
        writer
    }

    /// Prints the format, if all that it needs is known.
    pub(crate) fn run(&mut self) -> Option<()> {
        let grammar = self.grammar;
        self.elements(&grammar.elements, None)
    }

    fn entity(&self, index: usize) -> Option<&'i Entity> {
        self.grammar.entities.get(index)
    }

    fn name_of(&self, index: usize) -> Option<&'i str> {
        self.def.parts.get(index).map(|part| &*part.name)
    }

    /// Adds a text with a blank before it, if it needs one: a word after a word does in any case.
    fn put(&mut self, text: &str) {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        if self.needs_space || self.out.ends_with(is_word) && text.starts_with(is_word) {
            self.out.push(' ');
        }
        self.needs_space = true;
        self.is_after_punctuation = false;
        self.out.push_str(text);
    }

    /// Adds texts with commas between.
    fn put_list<T: AsRef<str>>(&mut self, items: impl Iterator<Item = T>) {
        let mut text = String::new();
        join(&mut text, items);
        self.put(&text);
    }

    fn literal(&mut self, text: &str) {
        let first = text.chars().next().unwrap_or(' ');
        let is_sign = text.len() == 1 && !first.is_alphanumeric() && first != '_';
        let joins = if self.is_after_punctuation { ">)}]," } else { "<>(){}[]," };
        if self.needs_space && !(is_sign && joins.contains(first)) {
            self.out.push(' ');
        }
        self.out.push_str(text);
        self.needs_space = !(is_sign && "<({[".contains(first));
        self.is_after_punctuation = !first.is_alphanumeric() && first != '_';
    }

    /// Notes all attributes that the format prints somewhere, so that the dictionary leaves them out.
    fn note_printed(&mut self, elements: &'i [Element]) {
        for element in elements {
            match element {
                Element::Entity(index) => {
                    let kind = self.entity(*index).map(|entity| entity.kind);
                    if let Some(name) = self.name_of(*index)
                        && matches!(kind, Some(Kind::Attribute | Kind::Property))
                    {
                        self.printed.insert(name);
                    }
                }
                Element::Custom { parameters, .. } => {
                    let bound = parameters.iter().filter_map(Parameter::entity);
                    self.printed
                        .extend(bound.filter_map(|index| self.def.parts.get(index)).map(|part| &*part.name));
                }
                Element::Optional { then, otherwise, .. } => {
                    self.note_printed(then);
                    self.note_printed(otherwise);
                }
                Element::OiList(clauses) => {
                    clauses.iter().for_each(|clause| self.note_printed(&clause.elements));
                }
                _ => {}
            }
        }
    }

    fn elements(&mut self, elements: &'i [Element], implied: Option<usize>) -> Option<()> {
        for element in elements {
            if matches!((element, implied), (Element::Entity(entity), Some(implied)) if *entity == implied) {
                continue;
            }
            self.element(element)?;
        }
        Some(())
    }

    fn element(&mut self, element: &'i Element) -> Option<()> {
        match element {
            Element::Literal(text) => self.literal(text),
            Element::Whitespace(text) => {
                self.needs_space = false;
                if text.is_empty() {
                    return Some(());
                }
                self.out.push_str(text);
            }
            Element::Entity(index) => self.value(*index)?,
            Element::Type(index) => self.types(*index)?,
            Element::FunctionalType { inputs, results } => {
                let (inputs, results) = (self.source.types(*inputs)?, self.source.types(*results)?);
                self.put("(");
                join(&mut self.out, inputs.iter());
                self.out.push_str(") -> ");
                match results.as_slice() {
                    [one] if !one.starts_with('(') => self.out.push_str(one),
                    all => {
                        self.out.push('(');
                        join(&mut self.out, all.iter());
                        self.out.push(')');
                    }
                }
            }
            Element::AttrDict { with_keyword } => self.dictionary(*with_keyword)?,
            Element::PropDict => self.properties()?,
            Element::OiList(clauses) => self.clauses(clauses)?,
            Element::Optional { then, otherwise, anchor, is_inverted } => {
                let branch = if *is_inverted { otherwise } else { then };
                let anchor_element = branch.get(*anchor)?;
                let is_present =
                    self.grammar.decides(anchor_element).iter().any(|entity| self.source.has(*entity));
                let implied = self.grammar.implied_anchor(then, otherwise, *anchor, *is_inverted);
                match is_present != *is_inverted {
                    true => self.elements(then, implied.filter(|_| !is_inverted))?,
                    false => self.elements(otherwise, implied.filter(|_| *is_inverted))?,
                }
            }
            Element::Custom { name, parameters } => {
                let text = self.source.directive(name, parameters)?;
                if !text.is_empty() {
                    self.put(&text);
                }
            }
            Element::Params(_) | Element::Struct(_) => return None,
        }
        Some(())
    }

    fn clauses(&mut self, clauses: &'i [Clause]) -> Option<()> {
        for clause in clauses {
            let decides = self.grammar.decides_clause(&clause.elements);
            if decides.iter().any(|entity| self.source.has(*entity)) {
                self.literal(&clause.keyword);
                self.is_in_clause = true;
                self.elements(&clause.elements, self.grammar.implied_in_clause(&clause.elements))?;
                self.is_in_clause = false;
            }
        }
        Some(())
    }

    fn value(&mut self, index: usize) -> Option<()> {
        let entity = self.entity(index)?;
        match entity.kind {
            Kind::Operand => {
                // The types that the format leaves out have to be those that it assumes.
                let values = self.source.operands(index)?;
                self.put_list(values.iter());
            }
            Kind::Attribute | Kind::Property => match self.source.attribute(index)? {
                // Between other texts of a clause it has to be there.
                text if text.is_empty() && self.is_in_clause => return None,
                // An optional one is simply not printed.
                text if text.is_empty() => {}
                text => self.put(&text),
            },
            Kind::Region => {
                self.put("");
                for (position, text) in self.source.regions(index)?.into_iter().enumerate() {
                    if position > 0 {
                        self.out.push_str(", ");
                    }
                    let start = self.out.len();
                    self.out.push_str(&text);
                    self.regions.push(start..self.out.len());
                }
            }
            Kind::Successor => {
                let successors = self.source.successors(index)?;
                self.put_list(successors.iter());
            }
            Kind::Result | Kind::Parameter => return None,
        }
        Some(())
    }

    fn types(&mut self, index: usize) -> Option<()> {
        let entity = self.entity(index)?;
        if entity.has_runs {
            return None;
        }
        let types = self.source.types(index)?;
        // A list of types that is parsed has one at least.
        if types.is_empty() && entity.high > 1 {
            return None;
        }
        let mut shown = Vec::new();
        for ty in types {
            shown.push(match &entity.type_class {
                // Such a type is written without dialect and mnemonic.
                Class::Type(class) if !class.is_empty() => {
                    short_name('!', self.definitions.of_class(class)?, &ty)
                }
                _ => ty,
            });
        }
        self.put_list(shown.iter());
        Some(())
    }

    /// Returns the entries that the format does not print, but for those that are parts if `is_inherent` holds.
    fn rest(&self, is_inherent: Option<bool>) -> Vec<(String, String)> {
        let mut rest = self.source.entries();
        rest.retain(|(key, _)| {
            let name = key.trim_matches('"');
            let is_left = self.printed.contains(name)
                || matches!(name, "operandSegmentSizes" | "resultSegmentSizes")
                || is_inherent.is_some_and(|is_inherent| self.def.attribute(name).is_some() != is_inherent);
            !is_left
        });
        rest
    }

    fn dictionary(&mut self, with_keyword: bool) -> Option<()> {
        let has_properties = self.grammar.elements.iter().any(|element| matches!(element, Element::PropDict));
        if self.def.is_strict && !has_properties && !self.rest(Some(true)).is_empty() {
            return None;
        }
        let rest = self.rest((has_properties || self.def.is_strict).then_some(false));
        if rest.is_empty() {
            return Some(());
        }
        if with_keyword {
            self.literal("attributes");
        }
        self.put("{");
        join(&mut self.out, rest.into_iter().map(entry));
        self.out.push('}');
        Some(())
    }

    /// Prints `<{…}>`, or the list of a release that has one.
    fn properties(&mut self) -> Option<()> {
        let rest = self.rest(Some(true));
        if rest.is_empty() {
            return Some(());
        }
        if self.def.has_own_properties {
            return None;
        }
        if self.def.lists_properties
            && let Some(list) = self.property_list(&rest)
        {
            self.put("<");
            join(&mut self.out, list.into_iter());
            self.out.push('>');
            return Some(());
        }
        if self.def.lists_properties && self.binds_required() {
            // The dictionary would have to hold all that is required, and the format has some of it.
            return None;
        }
        self.put("<{");
        join(&mut self.out, rest.into_iter().map(entry));
        self.out.push_str("}>");
        Some(())
    }

    /// Returns whether the format itself writes an attribute that is required.
    fn binds_required(&self) -> bool {
        let mut parts = self.def.parts.iter();
        parts.any(|part| {
            let is_attribute = matches!(part.kind, Kind::Attribute | Kind::Property);
            is_attribute && part.low > 0 && self.printed.contains(&*part.name)
        })
    }

    /// Returns properties as keys with their short texts.
    fn property_list(&self, rest: &[(String, String)]) -> Option<Vec<String>> {
        let one = |(key, value): &(String, String)| {
            let name = key.trim_matches('"');
            let index = usize::from(self.def.attribute(name)?);
            let part = self.def.parts.get(index)?;
            let def = part.attribute.as_deref()?;
            if def.is_unit {
                return matches!(&**value, "" | "unit").then(|| name.to_owned());
            }
            let entity = self.entity(index)?;
            let (class, has_brackets) = match &def.listed {
                Some(listed) => (&listed.class, listed.has_brackets),
                None => (&entity.class, false),
            };
            let text = short(self.definitions, class, def, value)?;
            Some(if has_brackets { format!("{name} = [{text}]") } else { format!("{name} = {text}") })
        };
        rest.iter().map(one).collect()
    }
}

/// Returns an entry of a dictionary.
fn entry((key, value): (String, String)) -> String {
    if value.is_empty() { key } else { format!("{key} = {value}") }
}

/// Returns the short text of an attribute, as a format has it that writes this class.
pub(crate) fn short(
    definitions: &Definitions,
    class: &Class,
    def: &AttributeDef,
    text: &str,
) -> Option<String> {
    let whole = || Some(text.to_owned());
    match class {
        // A case of an enum that has an attribute of its own.
        Class::Enum { words, strings } if text.starts_with('#') => {
            // An enum may have another dialect or mnemonic in another release: its cases decide.
            let (name, inner) = text[1..].split_once('<')?;
            let inner = match name.contains('.') {
                true => inner,
                false => inner.get(inner.find([' ', '<'])?..)?.trim_start(),
            };
            let inner = inner.strip_suffix('>')?.trim();
            let in_brackets = [('<', '>'), ('(', ')')].iter().find_map(|(open, close)| {
                inner.strip_prefix(*open).and_then(|inner| inner.strip_suffix(*close))
            });
            let cases = in_brackets.unwrap_or(inner);
            let is_word = |case: &str| words.iter().any(|word| word == case.trim());
            let is_quoted = strings.iter().any(|string| string == cases);
            match cases.split([',', '|']).all(is_word) {
                true => Some(cases.to_owned()),
                false => is_quoted.then(|| format!("\"{cases}\"")),
            }
        }
        Class::Enum { words, .. } => {
            let (number, _) = text.split_once(':').unwrap_or((text, ""));
            let word = case_of(def, number.trim().parse().ok()?)?;
            let is_word = words.contains(&word);
            Some(if is_word { word } else { format!("\"{word}\"") })
        }
        Class::Integer | Class::Float => {
            let ty = built_type(definitions, def.value_type.as_deref()?)?;
            match text.split_once(':') {
                Some((number, own)) if own.trim() == ty => Some(number.trim().to_owned()),
                // Numbers without a type have one of 64 bits.
                None if matches!(text, "true" | "false") || ty == "i64" || ty == "f64" => whole(),
                _ => None,
            }
        }
        Class::Symbol if def.storage.ends_with("StringAttr") => {
            let name = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'))?;
            let is_word = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.'));
            Some(if is_word { format!("@{name}") } else { format!("@{text}") })
        }
        Class::DenseArray => match text.strip_prefix("array<").and_then(|rest| rest.strip_suffix('>')) {
            Some(inner) => {
                let numbers = inner.split_once(':').map_or("", |(_, numbers)| numbers.trim());
                Some(format!("[{numbers}]"))
            }
            // A list of attributes would be another one.
            None => text.starts_with('#').then(whole)?,
        },
        Class::Own(own) => match definitions.of_class(own) {
            Some(own) => Some(short_name('#', own, text)),
            None => whole(),
        },
        Class::Type(class) if !class.is_empty() => None,
        Class::Code(_) | Class::Custom(_) => None,
        _ => whole(),
    }
}

/// Returns the text of an attribute or type of a dialect without its dialect and mnemonic, if it can be left out.
fn short_name(sigil: char, own: &ParameterDef, text: &str) -> String {
    let (dialect, mnemonic) = (&own.dialect, &own.mnemonic);
    let named =
        text.strip_prefix(&format!("{sigil}{dialect}.{mnemonic}")).filter(|rest| rest.starts_with('<'));
    let inner =
        text.strip_prefix(&format!("{sigil}{dialect}<{mnemonic} ")).and_then(|rest| rest.strip_suffix('>'));
    named.or(inner.filter(|_| own.program.is_some())).unwrap_or(text).to_owned()
}

/// Returns the case of a number, or the cases of its bits.
fn case_of(def: &AttributeDef, number: i64) -> Option<String> {
    if let Some((word, _)) = def.cases.iter().find(|(_, own)| *own == number) {
        return Some(word.to_string());
    }
    def.separator.as_ref()?;
    None
}
