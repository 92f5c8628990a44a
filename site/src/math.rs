//! Formulas: LaTeX in an author's text becomes MathML while the site is built, so that a browser needs no script.

use pulldown_latex::{Parser, RenderConfig, Storage, config::DisplayMode, event::Event, push_mathml};

/// A formula as MathML, with its source for those who copy it; nothing if it is not LaTeX.
#[must_use]
pub fn mathml(latex: &str, is_display: bool) -> Option<String> {
    let storage = Storage::new();
    // An event may be an error; the printer would show it in the middle of the formula.
    let events: Vec<Event<'_>> = Parser::new(latex, &storage).collect::<Result<_, _>>().ok()?;
    let config = RenderConfig {
        display_mode: if is_display { DisplayMode::Block } else { DisplayMode::Inline },
        annotation: Some(latex),
        ..RenderConfig::default()
    };
    let mut out = String::new();
    let events = events.into_iter().map(Ok::<_, std::convert::Infallible>);
    push_mathml(&mut out, events, config).ok()?;
    Some(without_styles(&out))
}

/// Pages allow no styles of their own, so colours and spaces that would be styles are left out.
fn without_styles(mathml: &str) -> String {
    let mut out = String::with_capacity(mathml.len());
    let mut is_tag = false;
    let mut rest = mathml;
    while let Some(c) = rest.chars().next() {
        if is_tag && let Some(style) = rest.strip_prefix(" style=\"") {
            rest = style.split_once('"').map_or("", |(_, rest)| rest);
            continue;
        }
        is_tag = c == '<' || is_tag && c != '>';
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latex_becomes_mathml() {
        let html = mathml(r"b = 4^{w}", false).expect("a formula");
        assert!(html.starts_with("<math"), "{html}");
        assert!(html.contains("<msup>"), "{html}");
        assert!(html.contains("b = 4^{w}"), "the source stays: {html}");
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
        ] {
            let html = mathml(bad, false).unwrap_or_default();
            for needle in ["<img", "<script", "style=", "onclick=\"", "href=\"", "</math><"] {
                assert!(!html.contains(needle), "{needle} in {html}");
            }
        }
    }
}
