"""Checks that the questions over documents can be answered, and counts them.

Example: a book in another edition has other anchors, and this names each
question whose section is gone. Every accepted section must exist in its document.
"""

import json
import os
import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent


def lines(path):
    """The objects of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


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


def main():
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent / "target"
    questions, counts, wrong, over = retrieval(target)
    again = [i for i, n in Counter(q["id"] for q in questions).items() if n > 1]
    wrong += [f"{identity}: twice" for identity in again]
    print(f"retrieval: {len(questions)} questions over {over}")
    for group in sorted({key[:2] for key in counts}):
        dev, test = counts[(*group, "dev")], counts[(*group, "test")]
        print(f"  {' '.join(group):18} {dev + test:4}  dev {dev:3}  test {test:3}")
    for line in wrong:
        print(f"  WRONG {line}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
