"""What .barlint.yaml says, where each value comes from, and what editors and shells learn of it."""
import json
import re
import shutil
import subprocess

import pytest

from conftest import BUILD, ROOT, run_barlint
from report_project import WRONG, check, project  # noqa: F401

SCHEMA = ROOT / "docs" / "barlint.schema.json"


def findings(folder, *arguments):
    result = check(folder, "--format=json", *arguments)
    assert result.returncode in (0, 1), result.stderr
    return [(one["file"], one["rule"], one["level"])
            for one in json.loads(result.stdout)["findings"]]


# --- Levels and settings of some files -----------------------------------------------------------


def test_levels(project):
    (project / ".barlint.yaml").write_text("rules: {named-id-range: note}\n")
    assert findings(project, "wrong.cu") == [("wrong.cu", "named-id-range", "note")]
    assert check(project, "wrong.cu").returncode == 0
    assert check(project, "--fail-on=note", "wrong.cu").returncode == 1


def test_settings_of_some_files(project):
    (project / "tests" / "deep").mkdir(parents=True)
    for name in ("tests/a.cu", "tests/deep/b.cu"):
        (project / name).write_text(WRONG)
    (project / ".barlint.yaml").write_text(
        "rules: {named-id-range: warning}\n"
        "per-file:\n"
        "  - files: tests/**\n"
        "    rules: {named-id-range: off}\n"
        "  - files: [deep]\n"
        "    rules: {named-id-range: note}\n")
    assert findings(project, ".") == [("tests/deep/b.cu", "named-id-range", "note"),
                                      ("wrong.cu", "named-id-range", "warning")]
    # On for some files only.
    (project / ".barlint.yaml").write_text(
        "rules: {named-id-range: off}\n"
        "per-file: [{files: a.cu, rules: {named-id-range: on}}]\n")
    assert findings(project, ".") == [("tests/a.cu", "named-id-range", "error")]
    # What is asked for on the command line runs.
    assert len(findings(project, "--rule=named-id-range", ".")) == 3


def test_every_rule_at_once(project):
    (project / "third_party").mkdir()
    (project / "third_party" / "a.cu").write_text(WRONG)
    (project / ".barlint.yaml").write_text('per-file: [{files: third_party, rules: {"*": off}}]\n')
    assert findings(project, ".") == [("wrong.cu", "named-id-range", "error")]
    (project / ".barlint.yaml").write_text('rules: {"*": off, named-id-range: warning}\n')
    assert {(rule, level) for _, rule, level in findings(project, ".")} == {
        ("named-id-range", "warning")}
    (project / ".barlint.yaml").write_text('rules: {"*": note}\n')
    assert {level for _, _, level in findings(project, ".")} == {"note"}


def test_settings_follow_the_file_of_the_finding(project):
    (project / "lib").mkdir()
    body, _, launch = WRONG.partition("void run")
    (project / "lib" / "kernel.cuh").write_text(body)
    (project / "uses.cu").write_text('#include "lib/kernel.cuh"\nvoid run' + launch)
    assert findings(project, "uses.cu") == [("lib/kernel.cuh", "named-id-range", "error")]
    (project / "lib" / ".barlint.yaml").write_text("rules: {named-id-range: note}\n")
    assert findings(project, "uses.cu") == [("lib/kernel.cuh", "named-id-range", "note")]


def test_headers_outside_every_project(project, tmp_path_factory):
    far = tmp_path_factory.mktemp("far")
    body, _, launch = WRONG.partition("void run")
    (far / "kernel.cuh").write_text(body)
    (project / "uses.cu").write_text(f'#include "{far}/kernel.cuh"\nvoid run' + launch)
    (project / ".barlint.yaml").write_text("rules: {named-id-range: note}\n")
    assert [level for _, _, level in findings(project, "uses.cu")] == ["note"]
    # A configuration that is met only there and is wrong is said to be so.
    (far / ".barlint.yaml").write_text("ruels: {}\n")
    result = check(project, "uses.cu")
    assert result.returncode == 2 and "did you mean 'rules'?" in result.stderr
    assert result.stdout == ""


def test_required_reasons(project):
    def commented(reason):
        return WRONG.replace("/ 32);", f"/ 32); // barlint-ignore[named-id-range]{reason}")
    (project / ".barlint.yaml").write_text("require-reason: on\n")
    (project / "wrong.cu").write_text(commented(": ids alias on purpose"))
    assert findings(project, "wrong.cu") == []
    (project / "wrong.cu").write_text(commented(""))
    assert sorted(rule for _, rule, _ in findings(project, "wrong.cu")) == [
        "named-id-range", "unused-suppression"]
    assert "gives no reason" in check(project, "wrong.cu").stdout
    (project / ".barlint.yaml").write_text("")
    assert findings(project, "wrong.cu") == []


@pytest.mark.parametrize("text, words", [
    ("per-file: [{rules: {}}]\n", "'files' is missing"),
    ("per-file: [{files: a, rules: {named-id-rang: off}}]\n", "did you mean 'named-id-range'?"),
    ("per-file: [{file: a}]\n", "did you mean 'files'?"),
    ("exclude: {a: b}\n", "a word is expected"),
    ("require-reason: perhaps\n", "'on' or 'off' is expected"),
    ("rules:\n  named-id-range: off\n  named-id-range: on\n",
     ".barlint.yaml:3: 'named-id-range' is given twice"),
    ("headers: auto\nheaders: builtin\n", ".barlint.yaml:2: 'headers' is given twice"),
])
def test_wrong_configuration(project, text, words):
    (project / ".barlint.yaml").write_text(text)
    result = check(project, "wrong.cu")
    assert result.returncode == 2 and words in result.stderr and result.stdout == ""


# --- barlint config ------------------------------------------------------------------------------


def shown(folder, *arguments):
    text = run_barlint("config", "show", *arguments, cwd=folder, check=(0, )).stdout
    return dict(re.findall(r"^(\S+): (.*)$", text, re.M))


def test_origin_of_every_value(project):
    (project / "sub").mkdir()
    (project / ".barlint.yaml").write_text("headers: toolkit\n")
    (project / "sub" / ".barlint.yaml").write_text(
        "# a comment\n"
        "headers: builtin\n"
        "rules:\n"
        "  named-id-range: note\n"
        "per-file:\n"
        "  - files: legacy.cu\n"
        "    rules:\n"
        "      named-id-range: off\n"
        "launch:\n"
        "  - kernel: k\n"
        "    block: [32, 8]\n")
    values = shown(project / "sub", "legacy.cu")
    origin = f"  # .barlint.yaml:%d"
    assert values["headers"] == "builtin" + origin % 2
    assert values["rules.named-id-range"] == "off" + origin % 8
    assert values["launch[0].block[1]"] == "8" + origin % 11
    assert values["arch"].endswith("  # default")
    assert values["rules.sync-divergent"] == "error  # default"
    assert shown(project / "sub", "a.cu")["rules.named-id-range"] == "note" + origin % 4
    # Seen from above, the nearest file still holds for what lies below.
    assert shown(project, "sub/a.cu")["headers"] == "builtin  # sub/.barlint.yaml:2"
    assert shown(project)["headers"] == "toolkit" + origin % 1
    listed = json.loads(run_barlint("config", "show", "--json", "legacy.cu",
                                    cwd=project / "sub", check=(0, )).stdout)
    rule, = [one for one in listed if one["name"] == "rules.named-id-range"]
    assert rule == {"name": "rules.named-id-range", "value": "off", "line": 8,
                    "file": str(project / "sub" / ".barlint.yaml")}
    assert {one["file"] for one in listed if one["line"] == 0} == {None}


def test_config_usage(project):
    result = run_barlint("config", "schem", cwd=project)
    assert result.returncode == 2 and "did you mean 'schema'?" in result.stderr
    (project / ".barlint.yaml").write_text("headrs: auto\n")
    result = run_barlint("config", "show", cwd=project)
    assert result.returncode == 2 and "did you mean 'headers'?" in result.stderr


# --- The schema ----------------------------------------------------------------------------------


def test_schema_is_that_of_the_table():
    text = run_barlint("config", "schema", check=(0, )).stdout
    assert SCHEMA.read_text() == text, "run .ci/update-readme"


@pytest.mark.parametrize("text, good", [
    ("", True),
    ("headers: builtin\n", True),
    ("rules: {'*': off}\n", True),
    ("rules: {named-id-range: off, sync-missing: note}\nexclude: [a, b]\nrequire-reason: on\n", True),
    ("per-file: [{files: [a], rules: {sync-missing: error}}]\nbaseline: b.json\narch: sm_90a\n",
     True),
    ("launch: [{kernel: k, block: [32, 8], grid: 4, cluster: 2, shared-bytes: 0}]\n", True),
    ("models: [{function: f, like: __syncthreads, roles: ''}]\n", True),
    ("ruels: {}\n", False),
    ("rules: {no-such-rule: off}\n", False),
    ("rules: {named-id-range: maybe}\n", False),
    ("launch: [{kernel: k}]\n", False),
    ("launch: [{kernel: k, block: 2048}]\n", False),
    ("per-file: [{rules: {}}]\n", False),
    ("headers: none\n", False),
    ("arch: fast\n", False),
])
def test_schema_and_barlint_agree(project, text, good):
    jsonschema = pytest.importorskip("jsonschema")
    yaml = pytest.importorskip("yaml")
    validator = jsonschema.Draft7Validator(json.loads(SCHEMA.read_text()))
    (project / ".barlint.yaml").write_text(text)
    (project / "b.json").write_text('[{"barlint-baseline":1}]')
    assert (not list(validator.iter_errors(yaml.safe_load(text)))) == good
    assert (check(project, "right.cu").returncode == 0) == good


# --- Shells and the manual -----------------------------------------------------------------------


def completed(*words):
    """What bash offers for the last of the words."""
    script = BUILD / "completion.bash"
    script.write_text(run_barlint("completion", "bash", check=(0, )).stdout)
    line = " ".join(f"'{word}'" for word in words)
    program = (f"source {script}\n"
               f"COMP_WORDS=({line})\nCOMP_CWORD={len(words) - 1}\n"
               "compopt() { :; }\n_barlint\nprintf '%s\\n' \"${COMPREPLY[@]}\"")
    result = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=True)
    assert result.stderr == ""
    return result.stdout.split()


def test_bash_completion(project):
    assert "baseline" in completed("barlint", "b") and "man" not in completed("barlint", "m")
    assert completed("barlint", "check", "--fo") == ["--force-exclude", "--format="]
    assert completed("barlint", "check", "--format", "=", "sa") == ["sarif"]
    assert set(completed("barlint", "--color", "=", "")) >= {"auto", "always", "never"}
    assert completed("barlint", "explain", "named-id-r") == ["named-id-range"]
    assert completed("barlint", "check", "--rule", "named-id-r") == ["named-id-range"]
    assert completed("barlint", "baseline", "") == ["create", "update", "prune", "show"]
    assert completed("barlint", "baseline", "--accept") == ["--accept-new"]
    assert completed("barlint", "check", "--accept") == []
    assert completed("barlint", "check", "--output", "=", "x") == []


@pytest.mark.parametrize("shell, arguments", [("bash", ["-n"]), ("zsh", ["-n"]), ("fish", ["-n"])])
def test_completion_parses(tmp_path, shell, arguments):
    script = tmp_path / "completion"
    script.write_text(run_barlint("completion", shell, check=(0, )).stdout)
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    result = subprocess.run([shell, *arguments, script], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")


def test_completion_usage():
    result = run_barlint("completion", "bsh")
    assert result.returncode == 2 and "did you mean 'bash'?" in result.stderr
    assert run_barlint("completion").returncode == 2


def test_manual(tmp_path):
    text = run_barlint("man", check=(0, )).stdout
    for word in ("diff\\-base", "strict\\-baseline", "sarif", "EXIT STATUS"):
        assert word in text
    if not shutil.which("mandoc"):
        pytest.skip("mandoc is not installed")
    result = subprocess.run(["mandoc", "-T", "lint", "-W", "warning"], input=text,
                            capture_output=True, text=True)
    # The page has no date, as it belongs to a version.
    complaints = [line for line in result.stdout.splitlines() if "missing date" not in line]
    assert complaints == []


def test_installed(tmp_path):
    subprocess.run(["cmake", "--install", str(BUILD), "--prefix", str(tmp_path)], check=True,
                   capture_output=True)
    for name in ("share/man/man1/barlint.1", "share/bash-completion/completions/barlint",
                 "share/zsh/site-functions/_barlint", "share/fish/vendor_completions.d/barlint.fish"):
        assert (tmp_path / name).stat().st_size > 1000, name
    assert (tmp_path / "share/man/man1/barlint.1").read_text() == run_barlint("man").stdout
