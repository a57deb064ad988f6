"""The English "golden rules" of sentence boundaries, as PyPI's `pysbd` ships them.

    python rules.py RULES

Writes them to the file RULES as [[text, [sentence, …]], …], for `tests/suite/text_rules.rs`, and
says how many of them `pysbd` itself keeps.
"""

import json
import sys
from pathlib import Path

import pysbd
from benchmarks.english_golden_rules import GOLDEN_EN_RULES


def main(path):
    Path(path).write_text(json.dumps(GOLDEN_EN_RULES))
    segmenter = pysbd.Segmenter(language="en", clean=False)
    kept = sum([s.strip() for s in segmenter.segment(text)] == wanted for text, wanted in GOLDEN_EN_RULES)
    print(f"pysbd keeps {kept} of {len(GOLDEN_EN_RULES)} rules")


if __name__ == "__main__":
    main(*sys.argv[1:])
