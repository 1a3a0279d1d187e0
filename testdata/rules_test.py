"""The annotated cases of testdata/rules and the snippets of the rules' documentation.

A case is right when barlint reports exactly what its `// expect:` comments say. A case whose first
line is `// xfail: why` is a known weakness: it must fail, so that the mark goes when it passes. One
whose first line starts with `// pedantic:` is silent by default, and right with --pedantic. One whose first line
is `// arch: sm_80` is analysed for that target.
"""
import json
import re

import pytest

from conftest import (CASE_MODES, ROOT, TOOLKITS, cccl_version, expectations, lint_json, reported, run_barlint,
                      toolkit_has)

RULES = ROOT / "testdata" / "rules"
CASES = sorted(RULES.glob("*/*.cu"))
RECORDS = {}
CERTAIN = set()
RULE_IDS = sorted(path.stem.replace("_", "-") for path in (ROOT / "rules").glob("*.c")
                  if "const struct rule rule_" in path.read_text())


def rule_records():
    if not RECORDS:
        for record in json.loads(run_barlint("explain", "--json", check=(0,)).stdout):
            RECORDS[record["id"]] = record
    return RECORDS


@pytest.fixture(scope="session")
def results(barlint):
    """Header mode -> (findings by file, status by file), one run each, made when first asked for."""
    made = {}

    def get(mode, pedantic=False, arch=None):
        if (mode, pedantic, arch) not in made:
            paths, options = [RULES], []
            if pedantic:
                paths, options = [case for case in CASES if is_pedantic(case.read_text())], ["--pedantic"]
            if arch:
                paths = [case for case in CASES if arch_of(case.read_text()) == arch]
                options = [f"--arch={arch}"]
            document = lint_json(paths, *options, *TOOLKITS[mode], cwd=ROOT)
            CERTAIN.update(one["rule"] for one in document["findings"]
                           if one["certainty"] == "certain")
            made[mode, pedantic, arch] = (reported(document),
                                          {entry["file"]: entry for entry in document["files"]})
        return made[mode, pedantic, arch]

    return get


@pytest.fixture(scope="session")
def certain_rules(results):
    """The rules that have a certain finding in the cases."""
    archs = {arch_of(case.read_text()) for case in CASES}
    for mode in CASE_MODES:
        for arch in archs:
            results(mode, arch=arch)
        results(mode, True)
    return CERTAIN


def is_pedantic(text):
    return text.startswith("// pedantic:")


def arch_of(text):
    first = text.partition("\n")[0]
    return first.removeprefix("// arch:").strip() if first.startswith("// arch:") else None


@pytest.mark.parametrize("mode", CASE_MODES)
@pytest.mark.parametrize("case", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_case(results, case, mode):
    name = str(case.relative_to(ROOT))
    text = case.read_text()
    findings, statuses = results(mode, arch=arch_of(text))
    want, got = expectations(text, cccl_version(mode)), findings.get(name, {})
    first = text.splitlines()[0]
    if first.startswith("// xfail:"):
        assert got != want, f"{name} passes now: take its xfail mark away"
        pytest.xfail(first.removeprefix("// xfail:").strip())
    assert statuses[name]["status"] in ("ok", "cached"), statuses[name]
    if is_pedantic(text):
        assert not got, "by default"
        got = results(mode, True)[0].get(name, {})
    assert got == want


def test_cases_are_named_and_marked():
    for case in CASES:
        kind = case.stem.split("_")[0]
        assert kind in ("good", "bad"), case
        ids = sum(expectations(case.read_text(), "0.0.0").values(), [])
        if kind == "bad":
            assert case.parent.name in ids, f"{case} expects nothing of its rule"
        else:
            assert not ids, f"{case} is good and expects findings"


def test_every_rule_has_cases(barlint):
    for rule in rule_records():
        for kind in ("good", "bad"):
            assert list((RULES / rule).glob(f"{kind}_*.cu")), f"{rule} has no {kind} case"
    for folder in RULES.iterdir():
        assert folder.name in rule_records(), f"{folder} belongs to no rule"


def test_every_rule_is_documented(barlint):
    for record in rule_records().values():
        assert record["summary"] and not record["summary"].endswith("."), record["id"]
        assert record["since"], record["id"]
        for part in ("what", "why", "bad", "good", "fix"):
            assert record["doc"][part].strip(), f"{record['id']} has no '{part}'"
        assert record["guidelines"], f"{record['id']} names no document"
        assert all(re.fullmatch(r"[^;]+[^.;]", text) for text in record["guidelines"]), record["id"]


def test_rules_that_are_never_certain_say_why(barlint):
    for record in rule_records().values():
        assert bool(record["doc"]["limit"]) == (record["certainty"] == "possible"), record["id"]


def test_rules_that_can_be_certain_are(certain_rules):
    """A record that promises certain findings is kept to it by a case."""
    promised = {record["id"] for record in rule_records().values() if record["certainty"] == "certain"}
    assert promised - certain_rules == set()


def test_explain_prints_the_whole_record(barlint):
    text = run_barlint("explain", "warp-mask-self", "phase-order", "named-exit", check=(0,)).stdout
    for words in ("CUDA C++ Guidelines 3.0.1, 2.3", "Never certain: ", "Measured: on H200"):
        assert words in text


@pytest.fixture(scope="session")
def snippet_results(barlint, tmp_path_factory):
    """Header mode -> findings by file for every rule's snippets, one run each."""
    made = {}

    def get(mode):
        if mode not in made:
            folder = tmp_path_factory.mktemp("snippets")
            for record in rule_records().values():
                for kind in ("bad", "good"):
                    (folder / f"{record['id']}_{kind}.cu").write_text(record["doc"][kind])
            made[mode] = reported(lint_json([folder], *TOOLKITS[mode], cwd=folder))
            paths = [path for path in folder.glob("*.cu") if is_pedantic(path.read_text())]
            if paths:
                made[mode].update(
                    reported(lint_json(paths, "--pedantic", *TOOLKITS[mode], cwd=folder)))
            for path in folder.glob("*.cu"):
                arch = arch_of(path.read_text())
                if arch:
                    made[mode].pop(path.name, None)
                    made[mode].update(
                        reported(lint_json([path], f"--arch={arch}", *TOOLKITS[mode], cwd=folder)))
        return made[mode]

    return get


@pytest.mark.parametrize("mode", TOOLKITS)
@pytest.mark.parametrize("rule", RULE_IDS)
def test_documentation_snippets(snippet_results, rule, mode):
    """The bad snippet is reported where it says, the good one is silent."""
    doc = rule_records()[rule]["doc"]
    for kind in ("bad", "good"):
        want = expectations(doc[kind], cccl_version(mode))
        ever = expectations(doc[kind], "0.0.0")
        assert (kind == "bad") == (rule in sum(ever.values(), [])), f"the {kind} snippet"
        if toolkit_has(mode, doc[kind]):
            assert snippet_results(mode).get(f"{rule}_{kind}.cu", {}) == want, f"the {kind} snippet"
