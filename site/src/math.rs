//! Converts LaTeX formulas in authors' texts to MathML while the site is built, so that a browser needs no script.

use std::convert::Infallible;

use pulldown_latex::{Parser, RenderConfig, Storage, config::DisplayMode, event::Event, push_mathml};

/// The MathML elements that a formula may contain.
pub const ELEMENTS: &[&str] = &[
    "math",
    "menclose",
    "merror",
    "mfrac",
    "mi",
    "mmultiscripts",
    "mn",
    "mo",
    "mover",
    "mpadded",
    "mphantom",
    "mprescripts",
    "mroot",
    "mrow",
    "ms",
    "mspace",
    "msqrt",
    "mstyle",
    "msub",
    "msubsup",
    "msup",
    "mtable",
    "mtd",
    "mtext",
    "mtr",
    "munder",
    "munderover",
];

/// Converts a formula to MathML; `None` if it is not LaTeX.
#[must_use]
pub fn mathml(latex: &str, is_display: bool) -> Option<String> {
    let storage = Storage::new();
    // The printer would show an error event inside the formula.
    let events: Vec<Event<'_>> = Parser::new(latex, &storage).collect::<Result<_, _>>().ok()?;
    let config = RenderConfig {
        display_mode: if is_display { DisplayMode::Block } else { DisplayMode::Inline },
        ..RenderConfig::default()
    };
    let mut out = String::new();
    push_mathml(&mut out, events.into_iter().map(Ok::<_, Infallible>), config).ok()?;
    plain(&out)
}

/// Removes styles, which pages do not allow; `None` if there is anything but tags of MathML, so that the printer need
/// not be trusted.
fn plain(mathml: &str) -> Option<String> {
    let mut out = String::with_capacity(mathml.len());
    let mut rest = mathml;
    while let Some(at) = rest.find('<') {
        let (text, tag) = rest.split_at(at);
        let (tag, after) = tag[1..].split_once('>')?;
        let (slash, tag) = tag.strip_prefix('/').map_or(("", tag), |tag| ("/", tag));
        let end = tag.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(tag.len());
        let (name, attributes) = tag.split_at(end);
        if !ELEMENTS.contains(&name) {
            return None;
        }
        out.push_str(text);
        out.push('<');
        out.push_str(slash);
        out.push_str(name);
        copy_attributes(attributes, &mut out)?;
        out.push('>');
        rest = after;
    }
    out.push_str(rest);
    Some(out)
}

fn copy_attributes(mut text: &str, out: &mut String) -> Option<()> {
    loop {
        text = text.trim_start();
        if text.is_empty() || text == "/" {
            out.push_str(text);
            return Some(());
        }
        let (name, value) = text.split_once("=\"")?;
        let (value, after) = value.split_once('"')?;
        let is_word = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase());
        if !is_word || name.starts_with("on") || matches!(name, "href" | "src") {
            return None;
        }
        if name != "style" {
            out.push(' ');
            out.push_str(name);
            out.push_str("=\"");
            out.push_str(value);
            out.push('"');
        }
        text = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latex_becomes_mathml() {
        let html = mathml(r"b = 4^{w}", false).expect("a formula");
        assert!(html.starts_with("<math"), "{html}");
        assert!(html.contains("<msup>"), "{html}");
        assert!(mathml(r"\sum_{i=0}^n x_i", true).expect("a formula").contains("display=\"block\""));
    }

    #[test]
    fn what_is_not_latex_is_told() {
        assert_eq!(mathml(r"\frac{1", false), None);
        assert_eq!(mathml(r"\nosuchcommand", false), None);
    }

    #[test]
    fn no_tag_and_no_style_of_an_author_survives() {
        for bad in [
            r"\text{<img src=x onerror=alert(1)>}",
            r"a < b </math><script>alert(1)</script>",
            r"\color{red} x \hspace{1em} y",
            r#"\text{" onclick="x}"#,
            r"\href{javascript:alert(1)}{x}",
            r#"\begin{array}{"><script>}a\end{array}"#,
            r"\operatorname{<script>}",
            "<script>alert(1)</script>",
        ] {
            let html = mathml(bad, false).unwrap_or_default();
            // Text between tags is harmless.
            for tag in html.split('<').skip(1).map(|rest| rest.split('>').next().unwrap_or_default()) {
                for needle in ["img", "script", "style=", "onclick", "href"] {
                    assert!(!tag.contains(needle), "{needle} in {html}");
                }
            }
            assert!(!html.contains("</math><"), "{html}");
        }
        assert_eq!(plain("<mi>x</mi><script>"), None);
        assert_eq!(plain("<mi onclick=\"x\">x</mi>"), None);
        assert_eq!(plain("<mi style=\"a\" dir=\"b\"/>").as_deref(), Some("<mi dir=\"b\"/>"));
    }
}
