//! Short explanations of the bang operators and format directives: for hover, signature help and completion.

/// A bang operator.
#[derive(Clone, Copy, Debug)]
pub struct Operator {
    /// Its name without `!`.
    pub name: &'static str,
    /// Its operands as written between the parentheses; a type in angle brackets comes first.
    pub operands: &'static str,
    /// A description of its result.
    pub about: &'static str,
}

const fn op(name: &'static str, operands: &'static str, about: &'static str) -> Operator {
    Operator { name, operands, about }
}

/// Every bang operator, by name.
pub const OPERATORS: &[Operator] = &[
    op("add", "a, b, ...", "The sum of integers."),
    op("and", "a, b, ...", "Bitwise and of integers."),
    op(
        "cast",
        "<type> a",
        "The value as another type; the def of that name, where a string becomes a record.",
    ),
    op("con", "a, b, ...", "One dag with the arguments of all of them; their operators must be the same."),
    op(
        "cond",
        "condition1: value1, condition2: value2, ...",
        "The value of the first condition that is true.",
    ),
    op(
        "dag",
        "operator, arguments, names",
        "A dag made of an operator, a list of arguments and a list of names.",
    ),
    op("div", "a, b", "The quotient of integers, rounded toward zero."),
    op("empty", "a", "Whether a string, list or dag has nothing in it."),
    op("eq", "a, b", "Whether two values are equal."),
    op("exists", "<type> name", "Whether there is a def of this name and type."),
    op("filter", "variable, list, predicate", "The items for which the predicate is true."),
    op("find", "string, part[, start]", "Where a string begins in another one; -1 if it is not there."),
    op("foldl", "init, list, accumulator, variable, value", "The list folded from the left."),
    op(
        "foreach",
        "variable, sequence, value",
        "The value for each item of a list, or each argument of a dag.",
    ),
    op("ge", "a, b", "Whether a is greater than b or equal to it."),
    op("getdagarg", "<type> dag, key", "An argument of a dag, by its index or name."),
    op("getdagname", "dag, index", "The name of an argument of a dag."),
    op("getdagop", "dag", "The operator of a dag."),
    op("getdagopname", "dag", "The name after the operator of a dag."),
    op("gt", "a, b", "Whether a is greater than b."),
    op("head", "list", "The first item."),
    op("if", "condition, then, else", "One of two values."),
    op("initialized", "a", "Whether a value is known: not '?' and without parts that are."),
    op(
        "instances",
        "<type> [regex]",
        "The defs of a type, those whose names match if there is an expression.",
    ),
    op("interleave", "list, delimiter", "The items as one string, with the delimiter between them."),
    op("isa", "<type> a", "Whether a value is of a type."),
    op("le", "a, b", "Whether a is less than b or equal to it."),
    op("listconcat", "list1, list2, ...", "One list with the items of all of them."),
    op("listflatten", "list", "One list with the items of all lists in a list."),
    op("listremove", "list1, list2", "The items of the first list that are not in the second one."),
    op("listsplat", "value, count", "A list that holds a value so many times."),
    op("logtwo", "a", "The logarithm to base 2, rounded down."),
    op("lt", "a, b", "Whether a is less than b."),
    op("match", "string, regex", "Whether an expression matches somewhere in a string."),
    op("mul", "a, b, ...", "The product of integers."),
    op("ne", "a, b", "Whether two values differ."),
    op("not", "a", "Whether an integer is 0."),
    op("or", "a, b, ...", "Bitwise or of integers."),
    op("range", "[start,] end[, step]", "A list of integers; the end is not among them."),
    op("repr", "value", "A value as text."),
    op("setdagarg", "dag, key, value", "A dag with another argument at an index or name."),
    op("setdagname", "dag, key, name", "A dag with another name for an argument."),
    op("setdagop", "dag, operator", "A dag with another operator."),
    op("setdagopname", "dag, name", "A dag with another name after its operator."),
    op("shl", "a, count", "An integer shifted left."),
    op("size", "a", "How many characters, items or arguments there are."),
    op("sort", "variable, list, key", "The items in the order of their keys."),
    op("sra", "a, count", "An integer shifted right; the sign is kept."),
    op("srl", "a, count", "An integer shifted right; zeros come in."),
    op("strconcat", "a, b, ...", "One string made of all of them."),
    op("sub", "a, b", "The difference of integers."),
    op("subst", "target, replacement, value", "A value in which each target is replaced."),
    op("substr", "string, start[, length]", "A part of a string."),
    op("switch", "key, case1: value1, ..., default", "The value of the first case that equals the key."),
    op("tail", "list", "All items but the first."),
    op("tolower", "a", "A string in lower case."),
    op("toupper", "a", "A string in upper case."),
    op("xor", "a, b, ...", "Bitwise exclusive or of integers."),
];

/// Returns the operator of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Operator> {
    OPERATORS.iter().find(|operator| operator.name == name)
}

impl Operator {
    /// Formats the operator with its operands.
    #[must_use]
    pub fn signature(&self) -> String {
        match self.operands.strip_prefix('<').and_then(|rest| rest.split_once("> ")) {
            Some((ty, operands)) => format!("!{}<{ty}>({operands})", self.name),
            None => format!("!{}({})", self.name, self.operands),
        }
    }

    /// Returns the operands between the parentheses, one by one.
    #[must_use]
    pub fn parameters(&self) -> Vec<&'static str> {
        let operands = self.operands.split_once("> ").map_or(self.operands, |(_, operands)| operands);
        operands.split(", ").collect()
    }
}

/// A directive of assembly formats.
#[derive(Clone, Copy, Debug)]
pub struct Directive {
    /// Its name.
    pub name: &'static str,
    /// The snippet that writes it.
    pub snippet: &'static str,
    /// A description of its output.
    pub about: &'static str,
    /// `Some(true)` if it is valid only in attributes and types, `Some(false)` only in operations, `None` in both.
    pub of_defs: Option<bool>,
}

const fn directive(
    name: &'static str,
    snippet: &'static str,
    about: &'static str,
    of_defs: Option<bool>,
) -> Directive {
    Directive { name, snippet, about, of_defs }
}

/// Every directive.
pub const DIRECTIVES: &[Directive] = &[
    directive("attr-dict", "attr-dict", "The attributes that the format does not mention.", Some(false)),
    directive(
        "attr-dict-with-keyword",
        "attr-dict-with-keyword",
        "The same after the word `attributes`.",
        Some(false),
    ),
    directive("prop-dict", "prop-dict", "The properties that the format does not mention.", Some(false)),
    directive(
        "custom",
        "custom<$1>($2)",
        "What the C++ functions `parse…` and `print…` read and write.",
        None,
    ),
    directive(
        "functional-type",
        "functional-type(${1:operands}, ${2:results})",
        "`(inputs) -> results`.",
        Some(false),
    ),
    directive("oilist", "oilist(`$1` $2)", "Clauses in any order, each at most once.", Some(false)),
    directive("operands", "operands", "All operands.", Some(false)),
    directive("regions", "regions", "All regions.", Some(false)),
    directive("results", "results", "All results; only inside of a type directive.", Some(false)),
    directive("successors", "successors", "All successors.", Some(false)),
    directive("type", "type($1)", "The type of an operand or result.", Some(false)),
    directive("qualified", "qualified($1)", "A type or attribute with its dialect's name.", None),
    directive("ref", "ref($1)", "Something that was read before, for a custom directive.", None),
    directive("params", "params", "All parameters.", Some(true)),
    directive("struct", "struct($1)", "Parameters as `key = value`, in any order.", Some(true)),
];

#[cfg(test)]
mod tests {
    use super::*;
    use odsmith_engine::{eval::ops, release::Rules};

    #[test]
    fn every_operator_is_described() {
        let rules = Rules::default();
        for operator in OPERATORS {
            // Release 23 added these.
            let is_newer = matches!(operator.name, "sort" | "switch");
            assert!(is_newer || ops::find(operator.name, &rules).is_some(), "{}", operator.name);
        }
        assert_eq!(find("cast").map(Operator::signature).as_deref(), Some("!cast<type>(a)"));
        assert_eq!(find("if").map(Operator::parameters), Some(vec!["condition", "then", "else"]));
    }
}
