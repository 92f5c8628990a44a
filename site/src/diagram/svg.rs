//! The output as SVG: one path for all tracks, then the boxes.

use std::fmt::Write as _;

use super::{
    NARROW, WIDE,
    layout::{BEND, BOX, GAP, Kind, LINE, Layout, Repetition, TextBox, layout, line_starts},
};
use crate::{
    markdown::escape,
    syntax::{Node, tokens},
};

/// The margin around the picture.
const MARGIN: i32 = 4;
/// The length of the track with the mark at each end.
const END: i32 = 14;

/// A piece of a picture: a text, a number or a curve.
trait Piece {
    fn put(self, out: &mut String);
}

/// Writes pieces in sequence. Pictures are mostly numbers, for which `write!` does more work than necessary.
macro_rules! draw {
    ($out:expr, $($piece:expr),+) => {
        $(Piece::put($piece, &mut $out);)+
    };
}
impl Piece for &str {
    fn put(self, out: &mut String) {
        out.push_str(self);
    }
}

impl Piece for i32 {
    fn put(self, out: &mut String) {
        out.push_str(itoa::Buffer::new().format(self));
    }
}

/// Draws a syntax for the text column of a page. On a phone the style sheet hides what is too wide for it, because the
/// grammar below says the same.
#[must_use]
pub fn inline(node: &Node, name: &str) -> String {
    let picture = Picture::new(&lay(node, WIDE), true);
    picture.inline(if picture.width <= NARROW { "rail" } else { "rail wide" }, name)
}

/// Draws a syntax as a file of its own, with a title, and with the grammar as its description.
#[must_use]
pub fn standalone(node: &Node, name: &str) -> String {
    let grammar: String = tokens(node).iter().map(|token| &*token.text).collect();
    Picture::new(&lay(node, WIDE), false).standalone(name, &grammar)
}

/// The style of a file of its own: the site's colours, light and dark.
const STYLE: &str = "svg{color:#24292f;background:#fff;font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,\
    \"Liberation Mono\",\"DejaVu Sans Mono\",monospace}path,rect{fill:none;stroke:currentColor;stroke-width:1.5}\
    path{opacity:.55}text{fill:currentColor;text-anchor:middle}.operand,.type{color:#0b5f6b}.attr{color:#7a2a91}\
    .region{color:#1f6b31}.directive rect{stroke-dasharray:4 3}.name,.literal{font-weight:600}\
    .type rect{stroke-width:1}@media(prefers-color-scheme:dark){svg{color:#dfe2e6;background:#15171c}\
    .operand,.type{color:#74cbd8}.attr{color:#d9a5ea}.region{color:#8fcf9a}}";

/// Lays out a syntax for a picture of this width.
fn lay(node: &Node, limit: i32) -> Layout {
    layout(node, limit - 2 * (MARGIN + END))
}

struct Picture {
    width: i32,
    height: i32,
    path: String,
    boxes: String,
    has_links: bool,
}

impl Picture {
    fn new(laid: &Layout, has_links: bool) -> Self {
        let mut picture = Picture {
            width: laid.width + 2 * (MARGIN + END),
            height: laid.up + laid.down + 2 * MARGIN,
            path: String::with_capacity(512),
            boxes: String::with_capacity(2048),
            has_links,
        };
        let (x, y) = (MARGIN + END, MARGIN + laid.up);
        // A bar at each end.
        draw!(picture.path, "M", MARGIN, " ", y - 5, "v10m0-5h", END);
        picture.draw(laid, x, y);
        let (x, y) = (x + end_of(laid), y + laid.out);
        draw!(picture.path, "M", x, " ", y, "h", END, "m0-5v10");
        picture
    }

    fn inline(&self, class: &str, name: &str) -> String {
        let mut out = String::with_capacity(self.boxes.len() + self.path.len() + 256);
        let Picture { width, height, path, boxes, .. } = self;
        let _ = write!(
            out,
            "<svg class=\"{class}\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"graphics-document\"><title>Syntax diagram of "
        );
        escape(name, &mut out);
        let _ = write!(
            out,
            "</title><desc>The same as the grammar below.</desc><path d=\"{path}\"/>{boxes}</svg>"
        );
        out
    }

    fn standalone(&self, name: &str, grammar: &str) -> String {
        let Picture { width, height, path, boxes, .. } = self;
        let mut out = String::with_capacity(boxes.len() + path.len() + 2048);
        let _ = write!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"title description\">\n<title id=\"title\">syntax of "
        );
        escape(name, &mut out);
        out.push_str("</title>\n<desc id=\"description\">");
        escape(grammar, &mut out);
        let _ = write!(out, "</desc>\n<style>{STYLE}</style>\n<path d=\"{path}\"/>\n{boxes}\n</svg>\n");
        out
    }

    fn across(&mut self, x: i32, y: i32, to: i32) {
        if to != x {
            draw!(self.path, "M", x, " ", y, "H", to);
        }
    }

    fn draw(&mut self, laid: &Layout, x: i32, y: i32) {
        match &laid.kind {
            Kind::Track => {}
            Kind::Box(boxed) => self.boxed(boxed, laid, x, y),
            Kind::Row(all) => {
                let mut at = x;
                for (index, laid) in all.iter().enumerate() {
                    if index > 0 {
                        self.across(at, y, at + GAP);
                        at += GAP;
                    }
                    self.draw(laid, at, y);
                    at += laid.width;
                }
            }
            Kind::Lines(lines) => self.lines(lines, x, y),
            Kind::Branches(all, again) => self.branches(laid, all, *again, x, y),
        }
    }

    fn lines(&mut self, lines: &[Layout], x: i32, y: i32) {
        let starts = line_starts(lines);
        for (index, (line, start)) in lines.iter().zip(&starts).enumerate() {
            let left = if index > 0 { x + 2 * BEND } else { x };
            self.draw(line, left, y + start);
            let (Some(next), Some(below)) = (starts.get(index + 1), lines.get(index + 1)) else { continue };
            // The return track: right, down, back to the left, down and right again.
            let between = y + next - below.up - BEND - 2;
            draw!(
                self.path,
                "M",
                left + line.width,
                " ",
                y + start,
                bend(1, 1),
                "V",
                between - BEND,
                turn(-1, 1),
                "H",
                x + 2 * BEND,
                bend(-1, 1),
                "V",
                y + next - BEND,
                turn(1, 1)
            );
        }
    }

    fn branches(&mut self, laid: &Layout, all: &[(i32, Layout)], again: Repetition, x: i32, y: i32) {
        let right = x + laid.width;
        for (index, (at, branch)) in all.iter().enumerate() {
            let left = x + 2 * BEND;
            let start = y + at;
            self.draw(branch, left, start);
            let (end, out) = (left + end_of(branch), start + branch.out);
            if index == 0 {
                self.across(x, y, left);
            } else {
                let is_last = index + 1 == all.len();
                // Only the outermost track down is drawn in full; the others branch off from it.
                if is_last {
                    draw!(self.path, "M", x, " ", y, bend(1, 1), "V", start - BEND, turn(1, 1));
                } else {
                    draw!(self.path, "M", x + BEND, " ", start - BEND, turn(1, 1));
                }
            }
            if index == 0 && out == y {
                self.across(end, y, right);
                continue;
            }
            self.across(end, out, right - 2 * BEND);
            let is_last = index + 1 == all.len();
            let corner = right - 2 * BEND;
            if is_last {
                draw!(self.path, "M", corner, " ", out, bend(1, -1), "V", y + BEND, turn(1, -1));
            } else {
                draw!(self.path, "M", corner, " ", out, bend(1, -1));
            }
        }
        if again == Repetition::Often {
            // The track back to the beginning, above the others, with an arrow.
            let middle = (x + right) / 2;
            let top = y - 2 * BEND;
            draw!(
                self.path,
                "M",
                right - BEND,
                " ",
                y,
                bend(1, -1),
                turn(-1, -1),
                "H",
                x + BEND,
                bend(-1, 1),
                turn(1, 1),
                "M",
                middle,
                " ",
                top - 4,
                "l-5 4 5 4"
            );
        }
    }

    fn boxed(&mut self, boxed: &TextBox, laid: &Layout, x: i32, y: i32) {
        let height = laid.up + laid.down;
        let radius = if boxed.is_round { BOX / 2 } else { 0 };
        let href = boxed.href.as_deref().filter(|_| self.has_links);
        match href {
            Some(href) => {
                self.boxes.push_str("<a tabindex=\"-1\" href=\"");
                escape(href, &mut self.boxes);
                draw!(self.boxes, "\" class=\"", boxed.class, "\">");
            }
            None => {
                draw!(self.boxes, "<g class=\"", boxed.class, "\">");
            }
        }
        draw!(
            self.boxes,
            "<rect x=\"",
            x,
            "\" y=\"",
            y - laid.up,
            "\" width=\"",
            laid.width,
            "\" height=\"",
            height,
            "\""
        );
        if radius > 0 {
            draw!(self.boxes, " rx=\"", radius, "\"");
        }
        self.boxes.push_str("/>");
        let middle = x + laid.width / 2;
        for (index, line) in boxed.lines.iter().enumerate() {
            let below = i32::try_from(index).unwrap_or(0) * LINE;
            draw!(self.boxes, "<text x=\"", middle, "\" y=\"", y - laid.up + BOX / 2 + 5 + below, "\">");
            escape(line, &mut self.boxes);
            self.boxes.push_str("</text>");
        }
        self.boxes.push_str(if href.is_some() { "</a>" } else { "</g>" });
    }
}

/// The end of a layout, measured from its left side; the last line of a stack may not be the widest.
fn end_of(laid: &Layout) -> i32 {
    match &laid.kind {
        Kind::Lines(lines) => lines.last().map_or(0, |line| 2 * BEND + line.width),
        _ => laid.width,
    }
}

/// A quadratic curve: its control point and its end.
struct Curve([i32; 4]);

impl Piece for Curve {
    fn put(self, out: &mut String) {
        let [by_x, by_y, x, y] = self.0;
        draw!(*out, "q", by_x, " ", by_y, " ", x, " ", y);
    }
}

/// A curve from horizontal to vertical.
fn bend(right: i32, down: i32) -> Curve {
    Curve([right * BEND, 0, right * BEND, down * BEND])
}

/// A curve from vertical to horizontal.
fn turn(right: i32, down: i32) -> Curve {
    Curve([0, down * BEND, right * BEND, down * BEND])
}
