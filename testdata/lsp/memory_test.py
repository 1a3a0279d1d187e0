"""What `barlint lsp` remembers of kernels must not show: whatever is changed, in whatever order, it
says what `barlint check` says of the text, and its hover is that of a server that was just begun."""
import json
import os
import pathlib
import random
import re
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from client import Client  # noqa: E402
from conftest import ROOT, run_barlint  # noqa: E402

ROUNDS = int(os.environ.get("BARLINT_LSP_ROUNDS", "12"))
RULES = ROOT / "testdata" / "rules"
# Kernels of many kinds: roles, helpers, templates, completion functions, launches, macros.
SOURCES = ["init-count-mismatch", "arrive-completion-fn", "phase-parity-lag", "named-id-conflict",
           "sync-missing", "tx-bytes", "warp-mask-agree", "cluster-exit", "pipe-unbalanced",
           "phase-trywait-ignored"]


def start_text(chance):
    """A few cases of the rules in one file, each in a namespace of its own."""
    includes, bodies = [], []
    for number, rule in enumerate(chance.sample(SOURCES, 4)):
        path = chance.choice(sorted((RULES / rule).glob("bad_*.cu")))
        lines = path.read_text().split("\n")
        includes += [line for line in lines if line.startswith("#include")]
        kept = [line for line in lines if not line.startswith("#include")]
        bodies.append(f"namespace case_{number} {{\n" + "\n".join(kept) + "\n}\n")
    return "\n".join(dict.fromkeys(includes)) + "\n" + "\n".join(bodies)


def other_number(chance, text):
    """A number of as many digits: nothing else on the line moves."""
    least = 10 ** (len(text) - 1) if len(text) > 1 else 0
    usual = [n for n in (0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512) if len(str(n)) == len(text)]
    return str(chance.choice([*usual, least, least + 1]))


def edited(chance, text, earlier):
    lines = text.split("\n")
    statements = [i for i, line in enumerate(lines) if line.endswith(";")]
    # Now and then something is cut that leaves little to be parsed.
    at = chance.choice(statements if chance.random() < 0.9 else range(len(lines)))
    kind = chance.randrange(11)
    if kind == 0:
        lines.insert(at, "")
    elif kind == 1:
        lines.insert(at, "// a line more")
    elif kind == 2:
        del lines[at]
    elif kind == 3:
        lines.insert(at, lines[at])
    elif kind in (4, 8, 9, 10):  # another number
        numbers = [i for i, line in enumerate(lines) if re.search(r"\b\d+\b", line)]
        at = chance.choice(numbers or [at])
        lines[at] = re.sub(r"\b\d+\b", lambda m: other_number(chance, m[0]), lines[at])
    elif kind == 5:  # indented further: columns
        lines[at] = "  " + lines[at]
    elif kind == 6:  # pieces change places
        pieces = text.split("\nnamespace ")
        head, rest = pieces[0], pieces[1:]
        chance.shuffle(rest)
        return "\nnamespace ".join([head, *rest])
    else:  # back to what was
        return chance.choice([earlier[0], chance.choice(earlier)])
    return "\n".join(lines)


def shown(diagnostic):
    def place(one):
        return one["start"]["line"] + 1, one["start"]["character"] + 1
    related = [(*place(one["location"]["range"]), one["message"])
               for one in diagnostic["relatedInformation"]
               if not one["message"].startswith("in kernel '")]
    return (*place(diagnostic["range"]), diagnostic["code"], diagnostic["message"], related)


def expected(path):
    answer = run_barlint("check", "--format=json", "--quiet", "--headers=builtin", "--no-cache", path,
                         check=(0, 1, 3))
    return sorted((one["line"], one["column"], one["rule"], one["message"],
                   [(note["line"], note["column"], note["message"]) for note in one["notes"]
                    if not note["message"].startswith("also in kernel '")])
                  for one in json.loads(answer.stdout)["findings"])


def hovers(client, uri, text):
    return [client.hover(uri, line, len(words) - len(words.lstrip()))
            for line, words in enumerate(text.split("\n")) if "(" in words]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_memory_does_not_show(seed, tmp_path):
    chance = random.Random(seed)
    text = start_text(chance)
    path = tmp_path / "k.cu"
    path.write_text(text)
    earlier, total = [text], 0
    with Client() as client:
        client.initialize(tmp_path)
        uri = client.open(path, text)
        for version in range(1, ROUNDS + 1):
            found, wanted = client.diagnostics(uri, version), expected(path)
            assert sorted(map(shown, found)) == wanted, text
            total += len(wanted)
            text = edited(chance, text, earlier)
            earlier.append(text)
            path.write_text(text)
            client.change(uri, version + 1, text)
        client.diagnostics(uri, ROUNDS + 1)
        with Client() as fresh:
            fresh.initialize(tmp_path)
            fresh.open(path, text)
            assert hovers(client, uri, text) == hovers(fresh, uri, text)
    assert total > ROUNDS  # there was something to compare
