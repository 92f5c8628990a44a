//! Rewrites authors' Markdown in one plain dialect, in which everything is closed and no text is a tag.

use std::borrow::Cow;

use pulldown_cmark::{Alignment, CodeBlockKind, Event, Tag, TagEnd};

use crate::{
    links::is_external,
    markdown::{self, Texts},
};

/// Returns the target in the rewritten text of a link that does not lead to the web; `None` drops the link.
pub type Resolver<'l> = &'l dyn Fn(&str) -> Option<String>;

/// Rewrites a text. Raw HTML becomes text, headings start at level 3, and links remain that lead to the web or that
/// `link` resolves.
#[must_use]
pub fn rewrite(md: &str, texts: &Texts, link: Resolver<'_>) -> String {
    rewrite_events(texts.parsed(md).events.iter().map(markdown::lent), md.len(), link)
}

fn rewrite_events<'t>(
    events: impl Iterator<Item = Event<'t>>,
    capacity: usize,
    link: Resolver<'_>,
) -> String {
    let out = String::with_capacity(capacity * 9 / 8);
    let mut writer = Writer {
        out,
        line: LineStart::EMPTY,
        prefixes: Vec::new(),
        at_start: true,
        lists: Vec::new(),
        code: None,
        link,
        links: Vec::new(),
        alignments: Vec::new(),
        level: 0,
    };
    events.for_each(|event| writer.event(event));
    writer.out.truncate(writer.out.trim_end().len());
    let blank = writer.out.len() - writer.out.trim_start().len();
    writer.out.drain(..blank);
    writer.out
}

/// Rewrites a single line.
#[must_use]
pub fn line(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        return Cow::Borrowed(text.trim());
    }
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Cow::Owned(rewrite_events(markdown::parse(&text).0.into_iter(), text.len(), &|_| None).replace('\n', " "))
}

/// Tests if a line has no Markdown syntax.
pub(crate) fn is_plain(line: &str) -> bool {
    let starts_plain = line.trim_start().starts_with(|c: char| c.is_alphabetic());
    starts_plain && line.bytes().all(markdown::is_plain) && !line.contains("  ")
}

/// Formats text as code, whatever backticks it contains.
#[must_use]
pub fn code(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    write_code(text, &mut out);
    out
}

/// Formats text as code, appended to `out`.
pub fn write_code(text: &str, out: &mut String) {
    // The usual case: a plain name.
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'`') {
        return out.extend(["`", text, "`"]);
    }
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let fence = "`".repeat(longest_run(&text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    out.extend([&fence, pad, &text, pad, &fence]);
}

/// Escapes every character that means something to a Markdown parser, or to one that also reads braces.
#[must_use]
pub fn escape(text: &str, is_line_start: bool) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    for (at, c) in text.char_indices() {
        // Some parsers do not accept a backslash before this.
        if c == '<' {
            out.push_str("&lt;");
            continue;
        }
        // An entity may arrive in two texts, of which the first ends with its ampersand.
        let next = text[at + c.len_utf8()..].chars().next();
        if c == '&' && next.is_none_or(|next| next == '#' || next.is_ascii_alphanumeric()) {
            out.push_str("&amp;");
            continue;
        }
        let is_mark = matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '{' | '}' | '|');
        let starts_block = is_line_start
            && (at == 0 && matches!(c, '#' | '>' | '-' | '+' | '=' | '~')
                || at == digits && digits > 0 && matches!(c, '.' | ')'));
        if is_mark || starts_block {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// An open list.
struct List {
    /// The next number of an ordered list.
    number: Option<u64>,
    has_items: bool,
}

/// The kind of text that the current line holds so far, after its prefix.
#[derive(Clone, Copy, Default)]
struct LineStart {
    is_empty: bool,
    is_number: bool,
}

impl LineStart {
    const EMPTY: LineStart = LineStart { is_empty: true, is_number: true };

    fn add(&mut self, text: &str) {
        self.is_number &= text.bytes().all(|byte| byte.is_ascii_digit());
        self.is_empty &= text.is_empty();
    }
}

struct Writer<'l> {
    out: String,
    /// Tracked separately, because searching the output for the start of a long line again and again would be slow.
    line: LineStart,
    /// The prefix of each line, innermost last.
    prefixes: Vec<String>,
    /// True directly after a marker such as `- `, while its line is still empty.
    at_start: bool,
    lists: Vec<List>,
    code: Option<String>,
    link: Resolver<'l>,
    /// The target of each open link; `None` if the link is dropped.
    links: Vec<Option<String>>,
    alignments: Vec<Alignment>,
    level: usize,
}

impl Writer<'_> {
    fn newline(&mut self, has_blank: bool) {
        let prefix = self.prefixes.concat();
        self.out.push('\n');
        if has_blank {
            self.out.push_str(prefix.trim_end());
            self.out.push('\n');
        }
        self.out.push_str(&prefix);
        self.line = LineStart::EMPTY;
    }

    fn block(&mut self) {
        if !std::mem::take(&mut self.at_start) {
            self.newline(true);
        }
    }

    fn inline(&mut self, text: &str) {
        self.at_start = false;
        self.out.push_str(text);
        // A formula may span lines.
        match text.rsplit_once('\n') {
            Some((_, last)) => {
                self.line = LineStart::EMPTY;
                self.line.add(last);
            }
            None => self.line.add(text),
        }
    }

    fn text(&mut self, text: &str) {
        let LineStart { is_empty, is_number } = self.line;
        let is_line_start = self.at_start || is_empty;
        // A number and the mark after it may arrive as two texts.
        let is_number = is_number && !is_empty;
        let text = escape(text, is_line_start);
        if is_number && text.starts_with(['.', ')']) {
            self.inline("\\");
        }
        self.inline(&text);
    }

    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => match &mut self.code {
                Some(code) => code.push_str(&text),
                None => self.text(&text),
            },
            Event::Html(text) | Event::InlineHtml(text) => self.text(&text.replace('\n', " ")),
            Event::Code(text) => {
                let text = code(&text);
                self.inline(&if self.alignments.is_empty() { text } else { text.replace('|', "\\|") });
            }
            Event::InlineMath(latex) => self.inline(&format!("${latex}$")),
            Event::DisplayMath(latex) => self.inline(&format!("$${}$$", latex.trim())),
            Event::TaskListMarker(is_done) => self.inline(if is_done { "☑ " } else { "☐ " }),
            Event::FootnoteReference(name) => self.inline(&format!("\\[{}\\]", escape(&name, false))),
            Event::SoftBreak => self.newline(false),
            Event::HardBreak => {
                self.inline("\\");
                self.newline(false);
            }
            Event::Rule => {
                self.block();
                self.inline("---");
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => self.block(),
            Tag::Heading { level, .. } => {
                self.block();
                self.level = (level as usize).min(self.level.max(2) + 1).max(3);
                self.inline(&format!("{} ", "#".repeat(self.level)));
            }
            Tag::BlockQuote(kind) => {
                self.block();
                self.out.push_str("> ");
                self.prefixes.push("> ".to_owned());
                self.at_start = true;
                if let Some(kind) = kind {
                    self.inline(&format!("**{kind:?}**"));
                }
            }
            Tag::FootnoteDefinition(name) => {
                self.block();
                self.inline(&format!("\\[{}\\]", escape(&name, false)));
            }
            Tag::DefinitionListTitle => {
                self.block();
                self.inline("**");
            }
            Tag::CodeBlock(kind) => {
                self.block();
                let language = match kind {
                    CodeBlockKind::Fenced(info) => {
                        info.split([' ', ',', '{']).next().unwrap_or_default().to_owned()
                    }
                    CodeBlockKind::Indented => String::new(),
                };
                let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '+' | '-' | '_' | '#');
                self.code = Some(String::new());
                self.level = self.level.max(2);
                self.links.push(Some(language.chars().filter(|c| is_plain(*c)).collect()));
            }
            Tag::List(number) => self.lists.push(List { number, has_items: false }),
            Tag::Item => self.item(),
            Tag::Table(alignments) => {
                self.block();
                self.alignments = alignments;
            }
            Tag::TableRow => self.newline(false),
            Tag::TableHead => {}
            Tag::TableCell => self.inline("| "),
            Tag::Emphasis => self.inline("*"),
            Tag::Strong => self.inline("**"),
            Tag::Strikethrough => self.inline("~~"),
            Tag::Link { dest_url, .. } => {
                let target = match is_external(&dest_url) {
                    true => Some(address(&dest_url)),
                    false => (self.link)(&dest_url),
                };
                if target.is_some() {
                    self.inline("[");
                }
                self.links.push(target);
            }
            _ => {}
        }
    }

    fn item(&mut self) {
        let is_nested = self.lists.len() > 1;
        let Some(list) = self.lists.last_mut() else { return };
        let is_first = !std::mem::replace(&mut list.has_items, true);
        let marker = match &mut list.number {
            Some(number) => {
                *number += 1;
                format!("{}. ", *number - 1)
            }
            None => "- ".to_owned(),
        };
        // Some parsers want four columns, and the others accept them.
        let marker = format!("{marker:<4}");
        if is_first && !is_nested {
            self.block();
        } else if !std::mem::take(&mut self.at_start) {
            self.newline(false);
        }
        self.out.push_str(&marker);
        self.line = LineStart::default();
        self.prefixes.push(" ".repeat(marker.len()));
        self.at_start = true;
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::CodeBlock => {
                let code = self.code.take().unwrap_or_default();
                let language = self.links.pop().flatten().unwrap_or_default();
                let fence = "`".repeat(longest_run(&code).max(2) + 1);
                self.inline(&format!("{fence}{language}"));
                for line in code.trim_end().lines() {
                    self.newline(false);
                    self.out.push_str(line);
                }
                self.newline(false);
                self.out.push_str(&fence);
            }
            TagEnd::List(_) => {
                self.lists.pop();
            }
            TagEnd::Item | TagEnd::BlockQuote(_) => {
                self.prefixes.pop();
                self.at_start = false;
            }
            TagEnd::TableCell => self.inline(" "),
            TagEnd::TableHead => {
                self.inline("|");
                self.newline(false);
                for alignment in self.alignments.clone() {
                    self.inline(match alignment {
                        Alignment::None => "| --- ",
                        Alignment::Left => "| :-- ",
                        Alignment::Center => "| :-: ",
                        Alignment::Right => "| --: ",
                    });
                }
                self.inline("|");
            }
            TagEnd::TableRow => self.inline("|"),
            TagEnd::Table => self.alignments.clear(),
            TagEnd::DefinitionListTitle => self.inline("**"),
            TagEnd::Emphasis => self.inline("*"),
            TagEnd::Strong => self.inline("**"),
            TagEnd::Strikethrough => self.inline("~~"),
            TagEnd::Link => {
                if let Some(Some(target)) = self.links.pop() {
                    self.inline(&format!("]({target})"));
                }
            }
            _ => {}
        }
    }
}

fn address(url: &str) -> String {
    let mut out = String::with_capacity(url.len());
    for c in url.chars() {
        match c {
            ' ' => out.push_str("%20"),
            '(' => out.push_str("%28"),
            ')' => out.push_str("%29"),
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the rewritten text, and that rewriting it again changes nothing.
    fn check(md: &str, expected: &str) {
        let rewrite = |md| rewrite(md, &Texts::default(), &|_| None);
        assert_eq!(rewrite(md), expected);
        assert_eq!(rewrite(expected), expected, "a second time");
    }

    #[test]
    fn no_tag_is_left() {
        check("a<b> `c<d>` *e* x_y", "a&lt;b> `c<d>` *e* x\\_y");
        check("a &amp;lt; b & c", "a &amp;lt; b & c");
        check("<script>\nalert(1)\n</script>", "&lt;script> alert(1) &lt;/script>");
        check("```mlir\n<b>", "```mlir\n<b>\n```");
    }

    #[test]
    fn blocks_keep_their_shape() {
        check("a\n\n* b\n* c\n  * d\n\ne", "a\n\n-   b\n-   c\n    -   d\n\ne");
        check("1. a\n\n   b\n2. c", "1.  a\n\n    b\n2.  c");
        check("> a\n> b\n\nc", "> a\n> b\n\nc");
        check("|a|b|\n|-|:-:|\n|`x\\|y`|2|", "| a | b |\n| --- | :-: |\n| `x\\|y` | 2 |");
        check("- a\n  ```\n  x\n   y\n  ```", "-   a\n\n    ```\n    x\n     y\n    ```");
        check("# A\n\ntext\n\n## B", "### A\n\ntext\n\n### B");
    }

    #[test]
    fn links_lead_to_the_web_or_are_gone() {
        check("[a](https://x/y) [b](../z.md) ![c](d.png)", "[a](https://x/y) b c");
        let link = |href: &str| href.strip_prefix('#').map(|id| format!("{id}.md"));
        assert_eq!(rewrite("[`b`](#z) [c](y.md)", &Texts::default(), &link), "[`b`](z.md) c");
    }

    #[test]
    fn formulas_stay() {
        check("a $x_{1}$ b", "a $x_{1}$ b");
        check("costs $5 or $6", "costs $5 or $6");
    }

    #[test]
    fn what_begins_a_line_begins_no_block() {
        check("a\n\\- b", "a\n\\- b");
        check("1\\. b", "1\\. b");
    }
}
