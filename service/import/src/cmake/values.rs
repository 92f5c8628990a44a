//! Commands that compute values: `list`, `string`, `cmake_parse_arguments`.

use std::collections::BTreeMap;

use super::{MOST_BYTES, Run, arithmetic, elements, regex};

impl Run<'_> {
    pub(super) fn list(&mut self, words: &[String]) {
        let [act, name, values @ ..] = words else { return };
        let mut known = elements(&self.text_of(name));
        match act.as_str() {
            "APPEND" => known.extend_from_slice(values),
            "PREPEND" => known = values.iter().cloned().chain(known).collect(),
            "REMOVE_ITEM" => known.retain(|value| !values.contains(value)),
            "REMOVE_DUPLICATES" => {
                let mut once: Vec<String> = Vec::new();
                known.into_iter().for_each(|value| {
                    if !once.contains(&value) {
                        once.push(value)
                    }
                });
                known = once;
            }
            "TRANSFORM" => match values {
                [how, text] if how == "PREPEND" => {
                    known.iter_mut().for_each(|value| value.insert_str(0, text))
                }
                [how, text] if how == "APPEND" => known.iter_mut().for_each(|value| value.push_str(text)),
                _ => return self.warn("list(TRANSFORM) of this form is left out"),
            },
            "REVERSE" => known.reverse(),
            "SORT" if values.is_empty() => known.sort(),
            "POP_FRONT" | "POP_BACK" => {
                for out in values.iter().map(Some).chain(values.is_empty().then_some(None)) {
                    let taken = if act == "POP_BACK" {
                        known.pop()
                    } else {
                        (!known.is_empty()).then(|| known.remove(0))
                    };
                    match (out, taken) {
                        (Some(out), Some(taken)) => self.set(out, taken),
                        (Some(out), None) => self.unset(out),
                        (None, _) => {}
                    }
                }
            }
            "LENGTH" | "JOIN" | "GET" | "FIND" | "SUBLIST" => {
                let Some((out, values)) = values.split_last() else { return };
                return match part_of_list(act, &known, values) {
                    Some(value) => self.set(out, value),
                    None => self.forget(out),
                };
            }
            // The list is another one now, and not known.
            "FILTER" | "INSERT" | "REMOVE_AT" | "SORT" => return self.forget(name),
            _ => return,
        }
        self.set(name, known.join(";"));
    }

    pub(super) fn string(&mut self, words: &[String]) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (name, value) = match words.as_slice() {
            ["TOLOWER", text, name] => (*name, text.to_lowercase()),
            ["TOUPPER", text, name] => (*name, text.to_uppercase()),
            ["STRIP", text, name] => (*name, text.trim().to_owned()),
            ["MAKE_C_IDENTIFIER", text, name] => {
                let text = text.replace(|char: char| !char.is_ascii_alphanumeric(), "_");
                let digit = if text.starts_with(|char: char| char.is_ascii_digit()) { "_" } else { "" };
                (*name, format!("{digit}{text}"))
            }
            ["REPLACE", from, to, name, texts @ ..] if !from.is_empty() => {
                (*name, texts.concat().replace(from, to))
            }
            ["CONCAT", name, texts @ ..] => (*name, texts.concat()),
            ["APPEND", name, texts @ ..] => (*name, self.text_of(name) + &texts.concat()),
            ["PREPEND", name, texts @ ..] => (*name, texts.concat() + &self.text_of(name)),
            ["JOIN", between, name, texts @ ..] => (*name, texts.join(between)),
            ["LENGTH", text, name] => (*name, text.len().to_string()),
            ["REPEAT", text, count, name] => match count.parse() {
                Ok(count) if text.len().saturating_mul(count) <= MOST_BYTES => (*name, text.repeat(count)),
                _ => return self.forget(name),
            },
            ["REGEX", kind, expression, rest @ ..] => return self.match_text(kind, expression, rest),
            ["SUBSTRING", _, _, _, name] | ["FIND", _, _, name, ..] => return self.forget(name),
            _ => return,
        };
        self.set(name, value);
    }

    /// Runs `string(REGEX …)`.
    fn match_text(&mut self, kind: &str, expression: &str, rest: &[&str]) {
        let (by, rest) = match rest {
            [by, rest @ ..] if kind == "REPLACE" => (*by, rest),
            rest => ("", rest),
        };
        let [name, texts @ ..] = rest else { return };
        let text = texts.concat();
        let is_known = ![expression, by, &text].iter().any(|text| text.contains("${"));
        let value = match kind {
            _ if !is_known => None,
            "REPLACE" => regex::replace(expression, by, &text),
            "MATCHALL" => regex::all(expression, &text).map(|all| all.join(";")),
            "MATCH" => regex::first(expression, &text).map(|groups| {
                self.set("CMAKE_MATCH_COUNT", groups.len().saturating_sub(1).to_string());
                for (index, group) in groups.iter().enumerate() {
                    self.set(&format!("CMAKE_MATCH_{index}"), group.clone());
                }
                groups.into_iter().next().unwrap_or_default()
            }),
            _ => None,
        };
        match value {
            Some(value) => self.set(name, value),
            None => self.forget(name),
        }
    }

    /// Runs `math(EXPR …)`.
    pub(super) fn compute(&mut self, words: &[String]) {
        let [kind, name, text, form @ ..] = words else { return };
        let is_decimal = matches!(form, [] | [_, _]) && !form.iter().any(|word| word == "HEXADECIMAL");
        match arithmetic::value(text).filter(|_| kind == "EXPR" && is_decimal) {
            Some(value) => self.set(name, value.to_string()),
            None => self.forget(name),
        }
    }

    pub(super) fn parse_arguments(&mut self, words: &[String]) {
        let (words, given): (Vec<String>, Vec<String>) = match words {
            [first, from, rest @ ..] if first == "PARSE_ARGV" => {
                let given = elements(&self.text_of("ARGV"));
                let from = from.parse().unwrap_or(0).min(given.len());
                (rest.to_vec(), given[from..].to_vec())
            }
            words => {
                (words.get(..4).unwrap_or_default().to_vec(), words.get(4..).unwrap_or_default().to_vec())
            }
        };
        let [prefix, options, ones, many] = words.get(..4).unwrap_or_default() else { return };
        let (options, ones, many) = (elements(options), elements(ones), elements(many));
        for option in &options {
            self.set(&format!("{prefix}_{option}"), "FALSE".to_owned());
        }
        let mut values: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let (mut current, mut is_one) = (None::<String>, false);
        for word in given {
            if options.contains(&word) {
                self.set(&format!("{prefix}_{word}"), "TRUE".to_owned());
                current = None;
            } else if ones.contains(&word) || many.contains(&word) {
                is_one = ones.contains(&word);
                values.entry(word.clone()).or_default();
                current = Some(word);
            } else {
                let key = current.clone().unwrap_or_else(|| "UNPARSED_ARGUMENTS".to_owned());
                values.entry(key).or_default().push(word);
                if is_one {
                    current = None;
                }
            }
        }
        for key in ones.iter().chain(&many).map(String::as_str).chain(["UNPARSED_ARGUMENTS"]) {
            let name = format!("{prefix}_{key}");
            match values.remove(key) {
                Some(values) => self.set(&name, values.join(";")),
                None => self.unset(&name),
            }
        }
    }
}

/// Returns what `list(ACT …)` reads from a list, if it is worked out.
fn part_of_list(act: &str, known: &[String], values: &[String]) -> Option<String> {
    let place = |index: &String| {
        let index: i64 = index.parse().ok()?;
        let length = i64::try_from(known.len()).ok()?;
        usize::try_from(if index < 0 { index + length } else { index }).ok()
    };
    match (act, values) {
        ("LENGTH", []) => Some(known.len().to_string()),
        ("JOIN", [between]) => Some(known.join(between)),
        ("GET", indices) => {
            let picked: Option<Vec<&str>> =
                indices.iter().map(|index| known.get(place(index)?).map(String::as_str)).collect();
            Some(picked?.join(";"))
        }
        ("FIND", [value]) => {
            let at = known.iter().position(|known| known == value);
            Some(at.map_or("-1".to_owned(), |at| at.to_string()))
        }
        ("SUBLIST", [from, count]) => {
            let rest = known.get(place(from)?..)?;
            let count = count.parse().map_or(rest.len(), |count: usize| count.min(rest.len()));
            Some(rest[..count].join(";"))
        }
        _ => None,
    }
}
