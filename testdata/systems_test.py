"""The documents that barlint started from, sentence by sentence: testdata/systems/<document>.

Each folder's README.md is a table: what a sentence says, the case that keeps or breaks it, and the
rule that reports the break. Cases are written as those of testdata/rules; `// headers: builtin` in the
second line says that no toolkit at hand can compile for the target.
"""
import re

import pytest

from conftest import CASE_MODES, ROOT, TOOLKITS, cccl_version, expectations, lint_json, reported
from rules_test import arch_of, is_pedantic

SYSTEMS = ROOT / "testdata" / "systems"
CASES = sorted(SYSTEMS.glob("*/*.cu"))
FOLDERS = sorted(path for path in SYSTEMS.iterdir() if path.is_dir())


def rows(folder):
    """The rows of a folder's table: sentence, cases, rule or reason."""
    for line in (folder / "README.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and len(cells) == 3 and cells[0] not in ("sentence", "---"):
            yield cells[0], re.findall(r"`([\w.-]+\.cu)`", cells[1]), cells[2]


@pytest.fixture(scope="session")
def findings(barlint):
    """(mode, pedantic, arch) -> the document of one run over the cases it is for."""
    made = {}

    def get(mode, pedantic, arch):
        key = mode, pedantic, arch
        if key not in made:
            paths = [case for case in CASES if arch_of(case.read_text()) == arch
                     and (not pedantic or is_pedantic(case.read_text()))]
            options = ["--pedantic"] * pedantic + [f"--arch={arch}"] * bool(arch)
            document = lint_json(paths, *options, *TOOLKITS[mode], cwd=ROOT)
            made[key] = reported(document), {one["file"]: one for one in document["files"]}
        return made[key]

    return get


@pytest.mark.parametrize("mode", CASE_MODES)
@pytest.mark.parametrize("case", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_case(findings, case, mode):
    text, name = case.read_text(), str(case.relative_to(ROOT))
    first = text.partition("\n")[0]
    if "// headers: builtin" in text and mode != "builtin":
        return
    found, statuses = findings(mode, False, arch_of(text))
    want, got = expectations(text, cccl_version(mode)), found.get(name, {})
    if first.startswith("// xfail:"):
        assert got != want, f"{name} passes now: take its xfail mark away"
        pytest.xfail(first.removeprefix("// xfail:").strip())
    assert statuses[name]["status"] in ("ok", "cached"), statuses[name]
    if is_pedantic(text):
        assert not got, "by default"
        got = findings(mode, True, arch_of(text))[0].get(name, {})
    assert got == want


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_table(barlint, folder):
    """Every case stands in the table, beside the rule that it expects; every other row has a reason."""
    seen = set()
    for sentence, cases, verdict in rows(folder):
        assert sentence and verdict, (sentence, cases)
        assert cases or len(verdict.split()) > 3, f"'{sentence}' has neither case nor reason"
        for case in cases:
            seen.add(case)
            ids = sum(expectations((folder / case).read_text(), "0.0.0").values(), [])
            if case.startswith("good_"):
                assert not ids and verdict == "silent", case
            else:
                assert verdict.strip("`") in ids, f"{case} expects {ids}, not {verdict}"
    assert seen == {case.name for case in folder.glob("*.cu")}
