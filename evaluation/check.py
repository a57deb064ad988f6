"""Checks that the questions can be answered, and counts them.

Driving example: a book in another edition has other anchors, and this names each
question whose section is gone. Every accepted section must exist in its document,
every answer must stand in the text of its page; where a suite of pages is not on
this machine, its questions are counted and said to be unchecked.
"""

import json
import os
import re
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

HERE = Path(__file__).resolve().parent


def lines(path):
    """The objects of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


class Text(HTMLParser):
    """The text of a page without its scripts and styles, blanks as they are."""

    def __init__(self):
        super().__init__()
        self.parts, self.skipped = [], None

    def handle_starttag(self, tag, _attributes):
        if tag in ("script", "style") and not self.skipped:
            self.skipped = tag

    def handle_endtag(self, tag):
        if tag == self.skipped:
            self.skipped = None

    def handle_data(self, data):
        if not self.skipped:
            self.parts.append(data)


def text(page):
    """In one line, as a quote of it would be compared."""
    parser = Text()
    parser.feed(page.read_text(encoding="utf-8", errors="replace"))
    parser.close()
    return flat("".join(parser.parts))


def flat(words):
    """With every run of blanks as one."""
    return re.sub(r"\s+", " ", words)


def retrieval(target):
    """The counts of the questions over documents, and what is wrong with them."""
    questions = lines(HERE / "retrieval" / "questions.jsonl")
    wrong, documents = [], {}
    for question in questions:
        name = question["document"]
        if name not in documents:
            made = target / "evaluation" / "documents" / f"{name}.json"
            sections = json.loads(made.read_text())["sections"] if made.is_file() else []
            documents[name] = {section["id"] for section in sections}
            # `cargo xtask test` makes documents of a few books alone.
            if not made.is_file() and "GLOSS_SMALL" not in os.environ:
                wrong.append(f"{name}: no such document was made")
        known = documents[name]
        gone = [s for s in question["sections"] if known and s not in known]
        if gone or not question["sections"]:
            wrong.append(f"{question['id']}: no section {', '.join(gone)}")
    counts = Counter((q["language"], q["wording"], q["split"]) for q in questions)
    return questions, counts, wrong, f"{len(documents)} documents"


def answers(target):
    """The counts of the questions over pages, and what is wrong with them."""
    questions = lines(HERE / "answers" / "questions.jsonl")
    wrong, pages, unchecked = [], {}, 0
    for question in questions:
        page = question["page"]
        if page not in pages:
            # What the suite's own makers say is the page's content; else the whole page.
            where = source(target, page)
            main = where.with_name("expected.html")
            where = main if main.is_file() else where
            pages[page] = text(where) if where.is_file() else None
        if pages[page] is None:
            unchecked += 1
        elif question["answers"]:
            gone = [a for a in question["answers"] if flat(a) not in pages[page]]
            if gone:
                wrong.append(f"{question['id']}: the page does not say {', '.join(gone)}")
    counts = Counter(
        (q["language"], "answerable" if q["answers"] else "unanswerable", q["split"])
        for q in questions
    )
    return questions, counts, wrong, f"{len(pages)} pages, {unchecked} questions unchecked"


def source(target, page):
    """The file of a page: in Readability's test pages, or in a book."""
    suite, _, rest = page.partition("/")
    if suite == "books":
        return target / "books" / rest
    return readability() / rest / "source.html"


def readability():
    """The folder of Readability's test pages, as the tests find it."""
    suites = os.environ.get("GLOSS_SUITES") or HERE.parent.parent / "shared" / "suites"
    return Path(suites) / "readability" / "test" / "test-pages"


def main():
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent / "target"
    failed = False
    for subject in (retrieval, answers):
        questions, counts, wrong, over = subject(target)
        again = [i for i, n in Counter(q["id"] for q in questions).items() if n > 1]
        wrong += [f"{identity}: twice" for identity in again]
        print(f"{subject.__name__}: {len(questions)} questions over {over}")
        for group in sorted({key[:2] for key in counts}):
            dev, test = counts[(*group, "dev")], counts[(*group, "test")]
            print(f"  {' '.join(group):18} {dev + test:4}  dev {dev:3}  test {test:3}")
        for line in wrong:
            print(f"  WRONG {line}")
        failed |= bool(wrong)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
