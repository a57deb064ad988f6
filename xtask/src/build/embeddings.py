"""Packs a wheel's embeddings: `python3 embeddings.py WHEEL EMBEDDINGS LICENCE`.

Keeps the first 64 columns, as bytes with a scale for each row. The file's format is described in
`crates/text/src/embedding/format.rs`. All arithmetic is that of 32-bit floats.
"""

import json
import math
import struct
import sys
import zipfile
from array import array

DIMENSIONS = 64
wheel, packed, licence = sys.argv[1:]
with zipfile.ZipFile(wheel) as files:
    weights = files.read("wordllama/weights/l2_supercat_256.safetensors")
    vocabulary = json.loads(files.read("wordllama/tokenizers/l2_supercat_tokenizer_config.json"))
    with open(licence, "wb") as file:
        file.write(files.read("wordllama-0.4.0.post1.dist-info/licenses/LICENSE"))

ids = vocabulary["model"]["vocab"]
tokens = [token.encode() for token in sorted(ids, key=ids.get)]
(length,) = struct.unpack_from("<Q", weights)
tensor = json.loads(weights[8 : 8 + length])["embedding.weight"]
assert tensor["dtype"] == "F16" and tensor["shape"][0] == len(tokens) == max(ids.values()) + 1
columns = tensor["shape"][1]
scales, rows = array("f"), array("b")
for place in range(len(tokens)):
    row = struct.unpack_from(f"<{DIMENSIONS}e", weights, 8 + length + place * columns * 2)
    scales.append(max(map(abs, row)) / 127 or 1)
    parts = array("f", (part / scales[-1] for part in row))
    rows.extend(int(math.copysign(math.floor(abs(part) + 0.5), part)) for part in parts)

texts = b"".join(tokens)
with open(packed, "wb") as file:
    file.write(b"glossemb" + struct.pack("<4I", 1, len(tokens), DIMENSIONS, len(texts)))
    file.write(bytes(map(len, tokens)) + texts + scales.tobytes() + rows.tobytes())
