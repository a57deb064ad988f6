"""ROUGE of Gloss's summaries of scientific papers, beside lead, TextRank and LexRank.

    python rouge.py PAPERS TRY CACHE

PAPERS is the dataset of PyPI's `aclsum`, TRY the program that `cargo xtask try` runs,
CACHE a folder where the baselines' choices are kept (they take minutes and never change).
The parameters of Gloss were tuned on the training part; this reads the test part alone.
The last lines are the promised margins; the exit code says whether all are kept.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from statistics import mean

from rouge_score.rouge_scorer import RougeScorer
from sumy.models.dom import ObjectDocumentModel, Paragraph, Sentence
from sumy.nlp.stemmers import Stemmer
from sumy.summarizers.lex_rank import LexRankSummarizer
from sumy.summarizers.text_rank import TextRankSummarizer
from sumy.utils import get_stop_words

# A handful of papers, of which no promise is judged: `cargo xtask test`.
SMALL = "GLOSS_SMALL" in os.environ
METRICS = ["rouge1", "rouge2", "rougeL"]
SETUPS = ["aspects", "intro", "abstract"]
SYSTEMS = ["lead", "TextRank", "LexRank", "Gloss"]
# What is promised over lead in ROUGE-1, setup by setup, and over LexRank on their mean.
OVER_LEAD = {"aspects": 1, "intro": 8, "abstract": 6}
OVER_LEXRANK = 2


def documents(papers):
    """What is to be summed up, in how many sentences, and how people did it."""
    for line in (papers / "test.jsonl").read_text().splitlines():
        paper = json.loads(line)
        parts = [paper["sentences"][part] for part in ("abstract", "introduction", "conclusion")]
        gold = " ".join(paper["summary"][part] for part in ("challenge", "approach", "outcome"))
        whole = json.loads((papers / "paper_jsons" / f"{paper['id']}.json").read_text())
        body = [sentences(passage["text"]) for passage in whole["pdf_parse"]["body_text"]]
        for setup, paragraphs, reference, count in (
            ("aspects", parts, gold, 3),
            ("intro", parts[1:], gold, 3),
            ("abstract", body, " ".join(parts[0]), 6),
        ):
            yield {
                "id": f"{paper['id']}/{setup}",
                "setup": setup,
                "paragraphs": paragraphs,
                "reference": reference,
                "count": count,
            }


def sentences(text):
    """Cut plainly, for the baselines: after a mark of the end and before a capital letter."""
    return [s for s in re.split(r"(?<=[.!?])\s+(?=[A-Z(\[\"'])", text) if s.strip()]


class Words:
    """A tokenizer that needs no model (nltk's is not on PyPI)."""

    def to_words(self, text):
        return tuple(re.findall(r"[^\W\d_]+", text))


def ranked(summarizer_of, document):
    words = Words()
    model = ObjectDocumentModel(
        [Paragraph([Sentence(s, words) for s in p]) for p in document["paragraphs"]]
    )
    summarizer = summarizer_of(Stemmer("english"))
    summarizer.stop_words = get_stop_words("english")
    return [str(sentence) for sentence in summarizer(model, document["count"])]


def baselines(documents, cache):
    key = hashlib.sha256(json.dumps(documents).encode() + Path(__file__).read_bytes()).hexdigest()
    kept = cache / f"{key[:16]}.json"
    if kept.exists():
        return json.loads(kept.read_text())
    chosen = {
        "lead": [[s for p in d["paragraphs"] for s in p][: d["count"]] for d in documents],
        "TextRank": [ranked(TextRankSummarizer, d) for d in documents],
        "LexRank": [ranked(LexRankSummarizer, d) for d in documents],
    }
    cache.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(chosen))
    return chosen


def ours(documents, program):
    """Gloss is given plain text: paragraphs with an empty line between, sentences uncut."""
    asked = "".join(
        json.dumps(
            {
                "id": d["id"],
                "text": "\n\n".join(" ".join(p) for p in d["paragraphs"]),
                "k": d["count"],
            }
        )
        + "\n"
        for d in documents
    )
    told = subprocess.run([program, "summarise"], input=asked, capture_output=True, text=True, check=True)
    answers = {a["id"]: a["sentences"] for a in map(json.loads, told.stdout.splitlines())}
    return [answers[d["id"]] for d in documents]


def main(papers, program, cache):
    tasks = list(documents(Path(papers)))
    if SMALL:
        tasks = tasks[:6]
    chosen = baselines(tasks, Path(cache)) | {"Gloss": ours(tasks, program)}
    scorer = RougeScorer(METRICS, use_stemmer=True)
    figures = {}
    for system in SYSTEMS:
        for setup in SETUPS:
            scores = [
                scorer.score(task["reference"], " ".join(picked))
                for task, picked in zip(tasks, chosen[system], strict=True)
                if task["setup"] == setup
            ]
            figures[system, setup] = [100 * mean(s[m].fmeasure for s in scores) for m in METRICS]
    print(f"ROUGE-1/2/L F x 100 of {len(tasks) // 3} papers of the test part")
    print(f"{'':10}" + "".join(f"{setup:>20}" for setup in SETUPS))
    for system in SYSTEMS:
        cells = ("/".join(f"{f:.1f}" for f in figures[system, setup]) for setup in SETUPS)
        print(f"{system:10}" + "".join(f"{cell:>20}" for cell in cells))
    first = {system: {s: figures[system, s][0] for s in SETUPS} for system in SYSTEMS}
    margins = [
        (f"over lead, {s}", first["Gloss"][s] - first["lead"][s], OVER_LEAD[s]) for s in SETUPS
    ]
    over = mean(first["Gloss"].values()) - mean(first["LexRank"].values())
    margins.append(("over LexRank, mean", over, OVER_LEXRANK))
    for what, margin, promised in margins:
        print(f"{what:20} {margin:+6.1f}  >= {promised} {'' if margin >= promised else 'MISSED'}")
    return 0 if SMALL or all(margin >= promised for _, margin, promised in margins) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
