"""The kinds of error that other tools know, transcribed into CUDA C++: testdata/peers/<tool>.

A case is written as those of testdata/rules; its `// kind:` line says what the tool calls the error, in
our words. docs/peers.md has the table of kinds and rules; run this file to write it anew.
"""
import re

import pytest

from conftest import CASE_MODES, ROOT, TOOLKITS, cccl_version, expectations, lint_json, reported

PEERS = ROOT / "testdata" / "peers"
PAGE = ROOT / "docs" / "peers.md"
CASES = sorted(PEERS.glob("*/*.cu"))
TOOLS = {"synccheck": "compute-sanitizer synccheck: its samples",
         "weft": "Weft: named barriers",
         "tirx": "TIRx Synccheck: the kinds that exist in CUDA C++",
         "consan": "Triton ConSan: its messages on barriers",
         "weft-mbarriers": "weft-mbarriers: drift between phases"}


def kind_of(text):
    return re.search(r"^// kind: (.+)$", text, re.M).group(1)


def table():
    """The tables of docs/peers.md, one a tool."""
    lines = []
    for tool, title in TOOLS.items():
        lines += [f"## {title}", "", "| kind | case | rules | |", "| --- | --- | --- | --- |"]
        for case in sorted((PEERS / tool).glob("*.cu")):
            text = case.read_text()
            ids = sorted(set(sum(expectations(text).values(), [])))
            found = "not found" if text.startswith("// xfail:") else "found"
            lines.append(f"| {kind_of(text)} | `{case.stem}` | "
                         + ", ".join(f"`{one}`" for one in ids) + f" | {found} |")
        lines.append("")
    return "\n".join(lines)


@pytest.fixture(scope="session")
def findings(barlint):
    made = {}

    def get(mode):
        if mode not in made:
            document = lint_json([PEERS], *TOOLKITS[mode], cwd=ROOT)
            made[mode] = reported(document), {one["file"]: one for one in document["files"]}
        return made[mode]

    return get


@pytest.mark.parametrize("mode", CASE_MODES)
@pytest.mark.parametrize("case", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_case(findings, case, mode):
    text, name = case.read_text(), str(case.relative_to(ROOT))
    want, got = expectations(text, cccl_version(mode)), findings(mode)[0].get(name, {})
    assert want, f"{name} expects nothing"
    if text.startswith("// xfail:"):
        assert got != want, f"{name} passes now: take its xfail mark away"
        pytest.xfail(text.partition("\n")[0].removeprefix("// xfail:").strip())
    assert findings(mode)[1][name]["status"] in ("ok", "cached")
    assert got == want


def test_every_folder_is_a_tool():
    assert {path.name for path in PEERS.iterdir() if path.is_dir()} == set(TOOLS)


def test_page_has_the_table():
    assert table() in PAGE.read_text(), "run testdata/peers_test.py to write docs/peers.md anew"


if __name__ == "__main__":
    head = PAGE.read_text().partition("\n## ")[0].rstrip("\n")
    PAGE.write_text(head + "\n\n" + table())
