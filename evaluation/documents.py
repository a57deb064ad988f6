"""Long documents to ask questions of: one JSON file for each book of `target/books`.

Example: the handbook's 127 pages become `target/evaluation/documents/
handbook-en.json`, `{id, lang, title, sections: [{id, headings, text}]}`, cut at
the pages' own headings in reading order. It is a sectioniser of its own, so that
what is measured never cuts the text it is measured on: it knows headings, blocks and
a few names of navigation, and judges nothing. Standard library only.
"""

import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# A section with less text of its own than this is told with its neighbour.
SHORT = 200

DOC = "usr/share/doc/"
GIT = ("gittutorial gittutorial-2 giteveryday gitworkflows user-manual gitcore-tutorial gitfaq "
       "gitcredentials gitsubmodules gitglossary").split()
APACHE = ("getting-started install configuring sections caching content-negotiation "
          "custom-error dso env handler invoking logs mpm stopping suexec urlmapping filter bind "
          "howto/auth howto/access howto/cgi howto/ssi howto/htaccess howto/public_html "
          "howto/reverse_proxy howto/http2 rewrite/intro rewrite/remapping rewrite/access "
          "rewrite/avoid ssl/ssl_intro ssl/ssl_howto ssl/ssl_faq misc/security_tips "
          "misc/perf-tuning vhosts/name-based vhosts/ip-based vhosts/examples").split()

# (id, language, title, folder, pages). A page is a name, or (first, end): first and those
# that follow it by their "next" links, up to and without end, inside first's own folder.
BOOKS = [
    ("handbook-en", "en", "The Debian Administrator's Handbook",
     DOC + "debian-handbook/html/en-US", [("preface.html", None)]),
    ("handbook-zh", "zh", "Debian 管理员手册",
     DOC + "debian-handbook/html/zh-CN", [("preface.html", None)]),
    ("reference-en", "en", "Debian Reference", "usr/share/debian-reference",
     [("pr01.en.html", None)]),
    ("reference-zh", "zh", "Debian 参考手册", "usr/share/debian-reference",
     [("pr01.zh-cn.html", None)]),
    ("rust-book", "en", "The Rust Programming Language", DOC + "rust-doc/html/book",
     [("title-page.html", None)]),
    ("postgresql", "en", "PostgreSQL Documentation", DOC + "postgresql-doc-*/html",
     [("tutorial.html", "sql.html"), ("ddl.html", "dml.html"), ("indexes.html", "textsearch.html"),
      ("mvcc.html", "performance-tips.html"), ("user-manag.html", "managing-databases.html"),
      ("routine-vacuuming.html", "routine-reindex.html"), ("backup.html", "monitoring.html")]),
    ("python", "en", "Python: Tutorial, FAQ and HOWTOs", DOC + "python3.*/html",
     [("tutorial/index.html", None), ("faq/general.html", None), ("howto/functional.html", None)]),
    ("apache", "en", "Apache HTTP Server Guides", DOC + "apache2-doc/manual/en",
     [page + ".html" for page in APACHE]),
    ("bash", "en", "Bash Reference Manual", DOC + "bash", ["bashref.html"]),
    ("git", "en", "Git Guides", DOC + "git-doc", [page + ".html" for page in GIT]),
    ("policy", "en", "Debian Policy Manual", DOC + "debian-policy/policy.html",
     [("ch-scope.html", "upgrading-checklist.html")]),
    ("developers-reference", "en", "Debian Developer's Reference",
     "usr/share/developers-reference", [("scope.html", None)]),
    ("faq-en", "en", "The Debian FAQ", DOC + "debian/FAQ", [("basic-defs.en.html", None)]),
    ("faq-zh", "zh", "Debian 常见问题", DOC + "debian/FAQ/zh-cn", [("basic-defs.zh-cn.html", None)]),
    ("securing-en", "en", "Securing Debian Manual", DOC + "harden-doc/html/en-US",
     # Its second page is a changelog, which Debian compresses.
     ["intro.html", ("ch01s03.html", None)]),
    ("installation-en", "en", "Debian Installation Guide",
     DOC + "installation-guide-amd64/en", [("ch01.html", None)]),
    ("installation-zh", "zh", "Debian 安装手册",
     DOC + "installation-guide-amd64/zh_CN", [("ch01.html", None)]),
    ("edu-zh", "zh", "Debian Edu 手册", DOC + "debian-edu-doc-zh-cn",
     ["debian-edu-bookworm-manual.html"]),
    ("anarchism", "en", "An Anarchist FAQ", DOC + "anarchism/html",
     ["secAint.html", *(f"secA{n}.html" for n in range(1, 6)), "secAcon.html",
      "secBint.html", *(f"secB{n}.html" for n in range(1, 8)), "secBcon.html"]),
]

HEADINGS = {f"h{level}": level for level in range(1, 7)}
BLOCKS = set("h1 h2 h3 h4 h5 h6 address article blockquote br caption dd div dl dt fieldset figcaption figure "
             "footer form hr li main ol p pre section table tbody td th thead tr ul".split())
BREAKS = {"br": "\n", "tr": "\n", "td": "\t", "th": "\t"}
VOID = set("area base br col embed hr img input link meta source track wbr".split())
SKIPPED = set("button head nav script style svg template".split())
# Classes and ids, by generator: DocBook, Publican, Sphinx, mdBook, Texinfo, AsciiDoc, Apache.
NAVIGATION = set("""navheader navfooter toc list-of-tables list-of-figures list-of-examples
    docnav banner title-bar revhistory index indexdiv footer toctree-wrapper contents
    related headerlink menu-bar nav-wrapper nav-wide-wrapper sphinxsidebar breadcrumbs
    header-nav Contents_element section-toc menu printindex footnotes-segment subtitle
    page-header path quickview toplang bottomlang up top comments_section page-footer
    genindextable releaseinfo boring""".split())

# The chapter of Bash's manual that lists where its words stand.
INDEX = "Appendix D Indexes"
# Boxes that DocBook titles with a heading, though no section begins there.
BOXES = set("caution example important note sidebar tip warning".split())


class Sections(HTMLParser):
    """The sections of one page: anchor, level, heading, text."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.sections = [["", 0, "", []]]
        self.title = ""
        self.links = {}
        self.skipped = None  # [tag, depth]: inside something that is not text
        self.heading = None  # parts of the heading being read
        self.anchor = ""  # the last id since text was last seen
        self.boxed = False  # directly inside a box
        self.pre = 0

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag in ("a", "link") and given.get("rel") and given.get("href"):
            self.links.setdefault(given["rel"].lower(), given["href"].split("#")[0])
        elif tag == "a" and given.get("accesskey") == "u" and given.get("href"):
            self.links.setdefault("up", given["href"].split("#")[0])
        if self.skipped:
            self.skipped[1] += tag == self.skipped[0]
            return
        names = set((given.get("class") or "").split()) | {given.get("id")}
        texinfo_bar = tag == "div" and names == {"header", None}
        page_title = tag == "p" and given.get("id") == "title"
        hidden = tag in SKIPPED or names & NAVIGATION or texinfo_bar or page_title
        # The chapter "Top" of Texinfo and the class "top" of a wide table are not navigation.
        if hidden and not (tag == "div" and given.get("id") == "Top") and tag not in HEADINGS:
            if tag not in VOID:
                self.skipped = [tag, 1]
            return
        anchor = given.get("id") or (given.get("name") if tag == "a" else None)
        if anchor and tag != "body" and "indexterm" not in names:
            self.anchor = anchor
        if tag == "div":
            self.boxed = bool(names & BOXES)
        if tag in HEADINGS and "subtitle" not in names and not self.boxed:
            self.heading = []
            self.level = HEADINGS[tag]
        elif self.heading is not None:
            self.heading.append(" " if tag in BLOCKS else "")
        else:
            self.pre += tag == "pre"
            if tag in BLOCKS:
                self.sections[-1][3].append(BREAKS.get(tag, "\n\n"))

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if self.skipped:
            self.skipped[1] -= tag == self.skipped[0]
            if not self.skipped[1]:
                self.skipped = None
        elif tag in HEADINGS and self.heading is not None:
            heading = flat("".join(self.heading))
            self.heading = None
            if heading:
                self.sections.append([self.anchor, self.level, heading, []])
                self.anchor = ""
        elif self.heading is None:
            self.pre -= tag == "pre" and self.pre > 0
            if tag in BLOCKS - {"td", "th", "br"}:
                self.sections[-1][3].append("\n\n" if tag != "tr" else "\n")

    def handle_data(self, data):
        if self.skipped:
            return
        data = data.replace("¶", "")  # a heading's or term's link to itself
        if self.heading is not None:
            self.heading.append(data)
        elif self.pre:
            self.sections[-1][3].append(data)
        else:
            self.sections[-1][3].append(re.sub(r"\s+", " ", data))
        if data.strip() and self.heading is None:
            self.anchor = ""


def flat(text):
    """In one line."""
    return re.sub(r"\s+", " ", text).strip()


def prose(parts):
    """Lines without trailing blanks, no more than one empty line together."""
    lines = "".join(parts).split("\n")
    lines = (re.sub(r"[ \t]*\t[ \t]*", " | ", line.strip()) for line in lines)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def read(page):
    parser = Sections()
    parser.feed(page.read_text(encoding="utf-8", errors="replace"))
    parser.close()
    return parser


def in_order(folder, pages):
    """Every page of a book with what was read of it."""
    for page in pages:
        first, end = page if isinstance(page, tuple) else (page, None)
        inside, at, seen = (folder / first).parent, folder / first, set()
        while at.is_file() and at.parent == inside and at not in seen and at != folder / str(end):
            seen.add(at)
            parsed = read(at)
            yield at, parsed
            following = parsed.links.get("next")
            if not isinstance(page, tuple) or not following:
                break
            at = (inside / following).resolve()


def sectioned(folder, pages):
    """The sections in reading order, each with its path of headings."""
    sections, path, tops, used = [], [], {}, set()
    for page, parsed in in_order(folder, pages):
        name = str(page.relative_to(folder)).removesuffix(".html")
        name = re.sub(r"\.(en|zh-cn)$", "", name)
        base = tops.get(parsed.links.get("up"))  # a chapter's page, when this is a section's
        if base is not None:
            path = [(0, heading) for heading in base]
        elif parsed.links.get("up") or any(level == 1 for _, level, _, _ in parsed.sections):
            path = []
        else:  # mdBook: a chapter's first page alone has its title
            path = path[:1]
        top = None
        for anchor, level, heading, parts in parsed.sections:
            text = prose(parts)
            if heading:
                path = [above for above in path if above[0] < level] + [(level, heading)]
                if top is None:
                    top = [h for _, h in path]
                    tops[page.name] = top
            elif not text:
                continue
            if INDEX in (h for _, h in path):
                continue
            first = identity = f"{name}#{anchor}" if anchor else name
            count = 1
            while identity in used:  # a page may repeat an anchor, or have none
                count += 1
                identity = f"{first}~{count}"
            used.add(identity)
            sections.append({"id": identity, "headings": [h for _, h in path], "text": text})
    return sections


def merged(sections):
    """No section of a few words: it goes into its parent, its first child or the one before."""
    kept, waiting = [], None
    for section in sections:
        if waiting:
            if len(section["headings"]) > len(waiting["headings"]):
                text = f"{waiting['text']}\n\n{section['text']}"
                section = section | {"text": text.strip()}
            elif kept:
                join(kept[-1], waiting)
            waiting = None
        if len(section["text"]) >= SHORT:
            kept.append(section)
        elif kept and section["headings"][:-1] == kept[-1]["headings"]:
            join(kept[-1], section)
        elif section["text"]:
            waiting = section
    if waiting and kept:
        join(kept[-1], waiting)
    return kept


def join(into, section):
    heading = section["headings"][-1] if section["headings"] else ""
    into["text"] = f"{into['text']}\n\n{heading}\n\n{section['text']}".strip()


def documents(books):
    """Every document whose book is there."""
    for identity, lang, title, where, pages in BOOKS:
        folders = sorted(books.glob(where))
        sections = merged(sectioned(folders[-1].resolve(), pages)) if folders else []
        if not sections:
            print(f"{identity}: its book is not there")
            continue
        yield {"id": identity, "lang": lang, "title": title, "sections": sections}


def main():
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "target"
    out = target / "evaluation" / "documents"
    out.mkdir(parents=True, exist_ok=True)
    for document in documents(target / "books"):
        text = json.dumps(document, ensure_ascii=False, indent=1)
        (out / f"{document['id']}.json").write_text(text + "\n", encoding="utf-8")
        size = sum(len(s["text"].encode()) for s in document["sections"])
        print(f"{document['id']:22} {len(document['sections']):5} sections {size / 1000:7.0f} KB")


if __name__ == "__main__":
    main()
