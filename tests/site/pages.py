"""The pages of a built site, as checks read them: the links of the main part with their text and section, and its text."""

import dataclasses
import html.parser

# Elements without an end.
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


@dataclasses.dataclass
class Link:
    """A link of the main part."""

    href: str
    #: The id of the section around it, or empty.
    section: str
    text: str = ""
    #: True if it holds a picture that has a text, or an accessible name.
    is_named: bool = False
    #: True if another link is around it.
    is_nested: bool = False


class Page(html.parser.HTMLParser):
    """The main part of a page."""

    def __init__(self, text):
        super().__init__()
        self.links = []
        self.text = []
        self.listings = []
        self.badges = []
        self._open = []
        self._anchors = []
        self._sections = [""]
        self._ids = ""
        self.feed(text)
        self.close()

    def _is_main(self):
        return "main" in self._open and "nav" not in self._open

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "a" and self._is_main() and "href" in values:
            link = Link(values["href"] or "", self._ids)
            link.is_nested = bool(self._anchors)
            link.is_named = bool(values.get("aria-label"))
            self.links.append(link)
            self._anchors.append(link)
        if tag in ("img", "svg") and self._anchors:
            self._anchors[-1].is_named |= bool(values.get("alt") or values.get("aria-label"))
        if tag in ("h2", "h3", "tbody") and values.get("id") and self._is_main():
            self._ids = values["id"]
        if tag == "code" and "pre" in self._open and self._is_main():
            self.listings.append("")
        if tag == "li" and "badge" in (values.get("class") or "").split():
            self.badges.append("")
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if tag in self._open:
            while self._open and self._open.pop() != tag:
                pass
        if tag == "a" and self._anchors:
            self._anchors.pop()

    def handle_data(self, data):
        if "main" not in self._open or "script" in self._open or "style" in self._open:
            return
        for link in self._anchors:
            link.text += data
        if "nav" in self._open:
            return
        self.text.append(data)
        if "pre" in self._open and self.listings:
            self.listings[-1] += data
        if "li" in self._open and self.badges and self.badges[-1] == "":
            self.badges[-1] = data


def read_pages(site):
    """All pages of a site, by path."""
    paths = sorted(path for path in site.rglob("*.html"))
    return {path.relative_to(site).as_posix(): Page(path.read_text()) for path in paths}
