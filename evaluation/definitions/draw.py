"""Draws terms from the glossaries and indexes of three manuals, each with the chapters to which they link.

    draw.py BOOKS SEED COUNT [DRAWN.jsonl ...]

Prints {term, pages} as JSON lines: COUNT terms of each manual, taken in turn from its glossary and its index.
A page is never a glossary or an index. Terms of earlier draws (DRAWN.jsonl) are left out. For each term, a
reader then keeps the first page that says what the term is, and strikes out terms that no page defines.
"""
import html
import itertools
import json
import random
import re
import sys
from pathlib import Path

# Lists of functions and commands name functions and commands, not terms.
REFERENCE = re.compile(r"(functions-|sql-|app-|catalog-|view-|infoschema-|spi-|release-|errcodes|glossary|bookindex|genindex|http|whatsnew)")
TERM = re.compile(r"[A-Za-z]+(?:[ -][A-Za-z]+){0,3}")
CODE = r"(?s)^.*<body|<(code|pre|h[1-6]|title|strong class=.command.)\b.*?</|<nav.*?</nav>|<a class=.headerlink.*?</a>"


def plain(markup):
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", markup)).split())


def stem(term):
    return re.sub(r"(?<!s)s$", "", term.lower())


def postgresql(root):
    glossary = (root / "glossary.html").read_text()
    entry = r'<dt[^>]*><span class="glossterm">(.*?)</span></dt><dd class="glossdef">(.*?)</dd>'
    terms = {stem(plain(term)): (plain(term), body) for term, body in re.findall(entry, glossary, re.S)}
    index = (root / "bookindex.html").read_text()
    indexed = {}
    for term, body in re.findall(r'<dt id="ientry-[^"]*">([^<]*?), (<a class="indexterm".*?)</dt>', index, re.S):
        links = re.findall(r'href="([^"]+)"', body)
        indexed[plain(term)] = links
    by_stem = {stem(term): links for term, links in indexed.items()}
    yield {
        re.sub(r" \(.*", "", term): re.findall(r'<a class="xref" href="([^"]+)"', body) + by_stem.get(key, [])
        for key, (term, body) in terms.items()
    }
    yield indexed


def python(root):
    index = (root / "genindex-all.html").read_text()
    glossary, indexed = {}, {}
    for links in re.findall(r"^ {4,6}<li>(<a href=.*)$", index, re.M):
        term = plain(re.match(r"<a href=[^>]+>(.*?)</a>", links).group(1))
        # A name in code has its kind in brackets: "abs() (built-in function)".
        if "(" not in term:
            kept = glossary if "glossary.html" in links else indexed
            kept[term] = re.findall(r'href="([^"]+)"', links)
    yield glossary
    yield indexed


def rust(root):
    """The Rust Reference has no index: its headings of one or two words are taken as one."""
    headings = {}
    for page in sorted(root.rglob("*.html")):
        name = page.relative_to(root).as_posix()
        if name not in ("glossary.html", "print.html", "introduction.html", "index.html"):
            for title in re.findall(r'<h[1-6] id="[^"]+">(.*?)</h[1-6]>', page.read_text(), re.S):
                headings.setdefault(stem(plain(title)), []).append(name)
    parts = re.split(r'<h[23] id="[^"]+">', (root / "glossary.html").read_text().split("</main>")[0])
    glossary = {}
    for part in parts[1:]:
        term, body = part.split("</a></h", 1)
        term = plain(term)
        glossary[term] = headings.get(stem(term), []) + re.findall(r'href="([^"#]+\.html)', body)
    yield glossary
    yield {term: pages for term, pages in headings.items() if len(term.split()) <= 2}


def usable(root, terms, drawn):
    """The terms with the pages that use them outside code and headings: a name in code is no term."""
    for term, links in terms.items():
        term = term if term.isupper() else term[:1].lower() + term[1:]
        files = dict.fromkeys(link.split("#")[0] for link in links if not REFERENCE.match(link))
        used = re.compile(rf"\b{re.escape(stem(term))}", re.I)
        pages = [page for page in files if (root / page).is_file()
                 and used.search(plain(re.sub(CODE, " ", (root / page).read_text())))]
        if TERM.fullmatch(term) and not re.search("[a-z][A-Z]", term) and stem(term) not in drawn and pages:
            yield term, pages


def main():
    books, seed, count = Path(sys.argv[1]) / "usr/share/doc", int(sys.argv[2]), int(sys.argv[3])
    drawn = {stem(json.loads(line)["term"]) for path in sys.argv[4:] for line in open(path)}
    postgres = sorted(books.glob("postgresql-doc-*/html"))[-1]
    roots = [postgres, books / "python3.11/html", books / "rust-doc/html/reference"]
    for root, read in zip(roots, (postgresql, python, rust)):
        lists = [sorted(dict(usable(root, terms, drawn)).items()) for terms in read(root)]
        for terms in lists:
            random.Random(seed).shuffle(terms)
        in_turn = {}
        for entry in itertools.chain.from_iterable(itertools.zip_longest(*lists)):
            if entry:
                in_turn.setdefault(stem(entry[0]), entry)
        for term, pages in itertools.islice(in_turn.values(), count):
            pages = [(root / page).relative_to(books).as_posix() for page in pages]
            print(json.dumps({"term": term, "pages": pages}))


if __name__ == "__main__":
    main()
