"""Prints, for each term, the first passage with which Gloss explains it, and the share that is right.

    bench.py BOOKS TRY [TERMS.jsonl]

A passage is right if a reader who sees only the term and the passage says that it defines the term. Such a
reader's verdicts are in `judged.jsonl`; a passage without a verdict is printed and counts as wrong.
"""
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
PROMISED = 80


def passage(sentences):
    """The first sentence, and the next one if it directly continues the first."""
    first, *rest = sentences or [{"text": "", "id": "p0.0"}]
    paragraph, place = first["id"].split(".")
    follows = [s for s in rest if s["id"] == f"{paragraph}.{int(place) + 1}" and s["why"] == first["why"]]
    return " ".join(s["text"] for s in [first, *follows])


def main():
    books = Path(sys.argv[1]) / "usr/share/doc"
    terms = [json.loads(line) for line in open(sys.argv[3] if len(sys.argv) > 3 else HERE / "blind.jsonl")]
    terms = [entry for entry in terms if entry["page"]][: 6 if os.environ.get("GLOSS_SMALL") else None]
    judged = {}
    for line in open(HERE / "judged.jsonl"):
        verdict = json.loads(line)
        judged[verdict["term"], verdict["page"], verdict["passage"]] = verdict["right"]
    asked = [{"id": number, "url": "https://example.org/" + entry["page"], "term": entry["term"],
              "html": (books / entry["page"]).read_text()} for number, entry in enumerate(terms)]
    lines = "".join(json.dumps(one) + "\n" for one in asked)
    told = subprocess.run([sys.argv[2], "explain"], input=lines, capture_output=True, text=True, check=True)
    right, unjudged = 0, 0
    for entry, line in zip(terms, told.stdout.splitlines(), strict=True):
        found = json.loads(line)["sentences"]
        shown = passage(found)[:200]
        verdict = judged.get((entry["term"], entry["page"], shown))
        right += verdict is True
        unjudged += verdict is None
        mark = {True: "right", False: "wrong", None: "not judged"}[verdict]
        print(json.dumps({"term": entry["term"], "page": entry["page"], "passage": shown, "right": verdict}, ensure_ascii=False)
              if verdict is None else f"{mark:6} {entry['term']}: {shown}")
    share = 100 * right / len(terms)
    print(f"first passage right: {right} of {len(terms)} ({share:.0f} %); not judged: {unjudged}; promised: {PROMISED} %")
    if not os.environ.get("GLOSS_SMALL") and share < PROMISED:
        sys.exit("fewer definitions come first than promised")


if __name__ == "__main__":
    main()
