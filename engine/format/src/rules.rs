//! The rules of the layout, each with an example, as the manual has them.

/// A rule of the layout.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The subject, as a heading.
    pub name: &'static str,
    /// The rule.
    pub text: &'static str,
    /// A text that has another layout.
    pub before: &'static str,
    /// The same text in its layout.
    pub after: &'static str,
}

/// All rules, in the order of the manual.
pub const RULES: &[Rule] = &[
    Rule {
        name: "Statements",
        text: "Each statement begins a line. What is in braces is indented by `indent` columns more than the statement.",
        before: "class A; def B : A\n{\nint x = 1;\n int y = 2; }\nlet z = 1 in { def C : A; def D : A;\n}\n",
        after: "class A;\ndef B : A {\n  int x = 1;\n  int y = 2;\n}\nlet z = 1 in { def C : A; def D : A; }\n",
    },
    Rule {
        name: "Bodies on one line",
        text: "A body without a line break after its `{` is on one line if it fits. A line break there keeps many lines. A body with a \
               comment or a code fragment of several lines has many lines, too.",
        before: "def A : B {   let x = 1;   }\ndef C : B {\n  let x = 1; let y = 2; }\ndef D : B {\n}\n",
        after: "def A : B { let x = 1; }\ndef C : B {\n  let x = 1;\n  let y = 2;\n}\ndef D : B {}\n",
    },
    Rule {
        name: "Statements without braces",
        text: "A line break after `in`, `then` and `else` stays. A statement after `let … in` has the indentation of the `let`; one \
               after `foreach`, `then` and `else` has a step more.",
        before: "let x = 1 in\n   def A;\nforeach i = [1, 2] in\ndef B#i;\nif 1 then  def C; else def D;\n",
        after: "let x = 1 in\ndef A;\nforeach i = [1, 2] in\n  def B#i;\nif 1 then def C; else def D;\n",
    },
    Rule {
        name: "Lists: the author decides between one line and many",
        text: "A line break after an opening bracket and one after a comma stay; a list without any is on one line if it fits. So a line \
               break after the bracket works as a comma at the end does in other languages: it keeps many lines, and without it the \
               list is joined once its commas have none either. The same holds for lists, arguments, operands of dags and operators.",
        before: "def A : B<[Pure,\n           Commutative ], \"a\">;\ndef C : D<(ins\n    I32:$x,I32:$y )>;\ndef E : B<[ Pure,Commutative ], \"e\">;\n",
        after: "def A : B<[Pure,\n           Commutative], \"a\">;\ndef C : D<(ins\n    I32:$x, I32:$y)>;\ndef E : B<[Pure, Commutative], \"e\">;\n",
    },
    Rule {
        name: "Lines that are too long",
        text: "A line that is wider than `width` breaks at the last comma before the end of the line, as text does; what follows is \
               aligned with the first element. If an element is too wide for that column, the list goes on with a smaller \
               indentation, and if its first element is too wide, on the next line.",
        before: "def A : B<[Pure, Commutative, SameOperandsAndResultType, SameOperandsShape, Elementwise]>;\n",
        after: "def A : B<[Pure, Commutative, SameOperandsAndResultType, SameOperandsShape,\n           Elementwise]>;\n",
    },
    Rule {
        name: "Lists: where the next lines begin",
        text: "A line that continues a list is aligned with the first element, or indented by `indent` or `continuation` columns more \
               than the line of the bracket, as the first such line of the source is. With `strict` it is aligned.",
        before: "def A : Op<\"a\",\n     [Pure,\n      Commutative]>;\n",
        after: "def A : Op<\"a\",\n    [Pure,\n     Commutative]>;\n",
    },
    Rule {
        name: "Lists: elements below the bracket",
        text: "After a line break, elements are indented by `indent` or `continuation` columns more than the line of the bracket, as the \
               first of them is. A closing bracket on its own line stays there; with `strict` it always has one.",
        before: "def A : Op<\"a\", [\n    Pure,\n     Commutative\n  ]>;\ndef B : C<[\n   Pure\n]>;\n",
        after: "def A : Op<\"a\", [\n    Pure,\n    Commutative\n  ]>;\ndef B : C<[\n  Pure\n]>;\n",
    },
    Rule {
        name: "Superclasses",
        text: "A line break before or after `:` stays, and the line after it is indented by `indent` or `continuation` columns. If a line \
               is too long, the `:` begins the next one. With `strict` it always does.",
        before: "def A:B;\ndef C :\n   D,\n   E;\nclass AnOperationWithAName<string mnemonic, list<Trait> traits = []> : Op<Dialect, mnemonic, traits>;\n",
        after: "def A : B;\ndef C :\n  D,\n  E;\nclass AnOperationWithAName<string mnemonic, list<Trait> traits = []>\n    : Op<Dialect, mnemonic, traits>;\n",
    },
    Rule {
        name: "Values",
        text: "There is a space on each side of `=`. A line break after it stays; one is made if the value is too long for the line and \
               fits on the next one.",
        before: "def A {\n  let x=1;\n  let summary = \"A sentence about an operation which is just a little bit too long\";\n}\n",
        after: "def A {\n  let x = 1;\n  let summary =\n      \"A sentence about an operation which is just a little bit too long\";\n}\n",
    },
    Rule {
        name: "Adjacent strings",
        text: "Strings without a comma between them are one value: they begin in one column, or all but the first by `indent` columns \
               further right, as the second does in the source.",
        before: "def A {\n  let summary = \"a sentence \"\n    \"in two parts\";\n}\n",
        after: "def A {\n  let summary = \"a sentence \"\n                \"in two parts\";\n}\n",
    },
    Rule {
        name: "Operands and names",
        text: "There is no space around the `:` of a name, before a comma, inside brackets, before `<`, and after an operator. There is one \
               after a comma.",
        before: "def A : B<!add( 1,2 ), (ins I32 : $x,F32: $y), x [ 0 ], y{ 3-0 }>;\n",
        after: "def A : B<!add(1, 2), (ins I32:$x, F32:$y), x[0], y{3-0}>;\n",
    },
    Rule {
        name: "Pasted values",
        text: "There is a space on each side of `#` in a value, and none in the name of a definition.",
        before: "foreach i = [1, 2] in\n  def A # i : B<\"a\"#i>;\n",
        after: "foreach i = [1, 2] in\n  def A#i : B<\"a\" # i>;\n",
    },
    Rule {
        name: "Conditions",
        text: "A case of `!cond` has a space after its `:`.",
        before: "defvar x = !cond( !eq(a,1):\"one\", true :\"other\" );\n",
        after: "defvar x = !cond(!eq(a, 1): \"one\", true: \"other\");\n",
    },
    Rule {
        name: "Labels",
        text: "A comment such as `/*name=*/` belongs to what follows it. Other comments between tokens have a space on each side.",
        before: "def A : B</*x=*/ 1,/* two */2>;\n",
        after: "def A : B</*x=*/1, /* two */ 2>;\n",
    },
    Rule {
        name: "Tables",
        text: "Statements or fields on consecutive lines whose `:` or `=` is in one column, with more than a space before it in one of \
               them, are a table: the column stays, and rows may be wider than a line. With `strict` there are no tables.",
        before: "def One   : Case<1>;\ndef Two   : Case< 2 >;\ndef Three : Case<3>;\ndef Four  : Other;\n",
        after: "def One   : Case<1>;\ndef Two   : Case<2>;\ndef Three : Case<3>;\ndef Four  : Other;\n",
    },
    Rule {
        name: "Comments",
        text: "Comments stay between the same tokens, and their text stays, but for blanks at the ends of lines. A comment on its own line \
               is indented like what follows. Comments at the ends of consecutive lines are aligned.",
        before: "// one\n    // two\ndef A {\n  int x = 1; // the first\n  int xy = 2;     // the second\n}\n",
        after: "// one\n// two\ndef A {\n  int x = 1;  // the first\n  int xy = 2; // the second\n}\n",
    },
    Rule {
        name: "Blank lines",
        text: "One or two blank lines stay, more become two. A file ends with one line break.",
        before: "def A;\n\n\n\n\n\ndef B;\n\n\n",
        after: "def A;\n\n\ndef B;\n",
    },
    Rule {
        name: "Lines of the preprocessor and code fragments",
        text: "What is between `[{` and `}]` stays as it is, byte for byte, and so do the lines of the preprocessor.",
        before: "#ifdef X\ndef A { code c = [{  if (x)   y();\n }]; }\n  #endif // X\n",
        after: "#ifdef X\ndef A {\n  code c = [{  if (x)   y();\n }];\n}\n  #endif // X\n",
    },
    Rule {
        name: "Parts that stay",
        text: "What is between the comments `odsmith: fmt off` and `odsmith: fmt on` stays as it is.",
        before: "// odsmith: fmt off\ndef A:B<1,   2>;\ndef C:B<10, 20>;\n// odsmith: fmt on\ndef D:B<3,4>;\n",
        after: "// odsmith: fmt off\ndef A:B<1,   2>;\ndef C:B<10, 20>;\n// odsmith: fmt on\ndef D : B<3, 4>;\n",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Style, formatted};

    #[test]
    fn examples_are_right() {
        for rule in RULES {
            let new = formatted("a.td", rule.before.as_bytes(), &Style::default());
            let new = new.map(|new| String::from_utf8_lossy(&new).into_owned());
            assert_eq!(new.as_deref(), Ok(rule.after), "{}", rule.name);
            let again = formatted("a.td", rule.after.as_bytes(), &Style::default());
            assert_eq!(again.as_deref(), Ok(rule.after.as_bytes()), "{}", rule.name);
        }
    }
}
