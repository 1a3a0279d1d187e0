"""Every machine-readable format, read by a parser that is not ours, also when names and sources hold
what the format gives a meaning."""
import json
import os
import re
import subprocess
import sys
import tarfile
import urllib.parse
import xml.etree.ElementTree

import pytest

from conftest import BUILD, ROOT
from report_project import NASTY, RIGHT, ROLES, WRONG, check, git, nasty, project  # noqa: F401

FORMATS = ["text", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit", "checkstyle",
           "rdjson", "rdjsonl", "html"]


def report(folder, format, *arguments, status=(0, 1)):
    result = check(folder, f"--format={format}", "-q", "--output=out", *arguments)
    assert result.returncode in status, (result.returncode, result.stderr)
    assert result.stdout == ""
    return (folder / "out").read_bytes()


def shown(name):
    """A file name in a format of UTF-8."""
    return os.fsencode(name).decode("utf-8", "replace")


def in_xml(name):
    return shown(name).replace("\x01", "\ufffd")


# --- Several at once -----------------------------------------------------------------------------


def test_every_format_is_listed(project):
    words = check(project, "--help").stdout
    for name in FORMATS:
        assert re.search(rf"\b{name}\b", words)
    result = check(project, "--format=sarfi", "wrong.cu")
    assert result.returncode == 2 and "did you mean 'sarif'?" in result.stderr


def test_several_outputs(project):
    result = check(project, "--format=concise", "--output=json:a.json", "--output=sarif:b.sarif",
                   "wrong.cu")
    assert result.returncode == 1 and result.stdout.startswith("wrong.cu:8:5: error:")
    assert len(json.loads((project / "a.json").read_text())["findings"]) == 1
    assert json.loads((project / "b.sarif").read_text())["version"] == "2.1.0"
    # A format that has a file is not printed too.
    result = check(project, "--format=json", "--output=json:a.json", "wrong.cu")
    assert (result.returncode, result.stdout) == (1, "")
    # Without --format, people still see the text.
    result = check(project, "--output=json:a.json", "wrong.cu")
    assert "8 |     warp_sync" in result.stdout
    assert [path.name for path in project.glob("*-part")] == []


@pytest.mark.parametrize("arguments, words", [
    (["--format=json", "--format=sarif"], "cannot share one output"),
    (["--output=a", "--output=b"], "several files need formats"),
    (["--output=json:a", "--output=sarif:a"], "'a' is named for two outputs"),
    (["--output=json:"], "names no file"),
    (["--output=sarfi:a"], "did you mean 'sarif'?"),
    (["--output=json:no/such/folder"], "cannot write 'no/such/folder'"),
])
def test_impossible_outputs(project, arguments, words):
    result = check(project, *arguments, "wrong.cu")
    assert result.returncode == 2 and words in result.stderr and result.stdout == ""
    assert sorted(path.name for path in project.iterdir()) == ["right.cu", "wrong.cu"]


@pytest.mark.parametrize("format", FORMATS)
def test_same_bytes_whatever_the_order(nasty, format):
    first = report(nasty, format, *(f"./{name}" for name in NASTY))
    again = report(nasty, format, "-j1", *(f"./{name}" for name in reversed(NASTY)))
    assert first == again and (first or format == "jsonl")


# --- JSON and JSON lines -------------------------------------------------------------------------


def test_json_lines(nasty):
    whole = json.loads(report(nasty, "json", "."))
    lines = report(nasty, "jsonl", ".").decode().splitlines()
    assert [json.loads(line) for line in lines] == whole["findings"]
    assert sorted(finding["file"] for finding in whole["findings"]) == sorted(
        [*map(shown, NASTY), "bytes.cu"])


def test_silenced_findings(project):
    text = WRONG.replace("/ 32);", "/ 32); // barlint-ignore[named-id-range]: ids alias, \"so\" %")
    (project / "wrong.cu").write_text(text)
    assert "silenced" not in json.loads(report(project, "json", "wrong.cu"))
    document = json.loads(report(project, "json", "--show-suppressed", "wrong.cu"))
    assert document["findings"] == [] and document["summary"]["suppressed"] == 1
    finding, = document["silenced"]
    assert finding["rule"] == "named-id-range"
    assert finding["silenced"] == {"by": "comment", "reason": 'ids alias, "so" %'}


# --- SARIF ---------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def sarif_schema():
    """The schema as sarif-om carries it; the OASIS text is not ours to keep here."""
    jsonschema = pytest.importorskip("jsonschema")
    folder = BUILD / "sarif-schema"
    if not list(folder.glob("*.tar.gz")):
        got = subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
                              "--disable-pip-version-check", "--no-binary=:all:",
                              f"--dest={folder}", "sarif-om==1.0.4"],
                             capture_output=True, text=True)
        if got.returncode != 0:
            pytest.skip("the SARIF schema could not be fetched (no network?)")
    with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
        schema = json.load(archive.extractfile("sarif_om-1.0.4/sarif-2.1.0-rtm.4.json"))
    return jsonschema.Draft4Validator(schema)


def sarif_run(folder, *arguments):
    document = json.loads(report(folder, "sarif", *arguments, status=(0, 1, 3)))
    run, = document["runs"]
    return document, run


def test_sarif_is_valid(nasty, sarif_schema):
    (nasty / "roles.cu").write_text(ROLES)
    (nasty / "quiet.cu").write_text(
        WRONG.replace("/ 32);", "/ 32); // barlint-ignore[named-id-range]: known"))
    (nasty / "broken.cu").write_text('#include "nowhere.h"\n' + WRONG)
    (nasty / "clean.cu").write_text(RIGHT)
    for arguments in ([".", "missing.cu", "--show-suppressed"], ["clean.cu"]):
        document, run = sarif_run(nasty, *arguments)
        errors = [error.message for error in sarif_schema.iter_errors(document)]
        assert errors == []
    # The schema is one that says no.
    document["runs"][0]["results"] = [{"level": "bad"}]
    assert list(sarif_schema.iter_errors(document))


def test_sarif_of_every_rule(sarif_schema, tmp_path):
    """Whatever the rules say in their own cases is valid, names the roles and points into files."""
    cases = sorted((ROOT / "testdata" / "rules").glob("*/bad_*.cu"))[::3]
    assert len(cases) > 50
    check(tmp_path, "-q", "--output=sarif:out.sarif", *cases, "--", "-std=c++17", "-arch=sm_90a")
    document = json.loads((tmp_path / "out.sarif").read_text())
    assert [error.message for error in sarif_schema.iter_errors(document)] == []
    results = document["runs"][0]["results"]
    assert len(results) > 70
    assert sum(len(result["codeFlows"][0]["threadFlows"]) > 1 for result in results
               if "codeFlows" in result) > 10
    for result in results:
        region = result["locations"][0]["physicalLocation"]["region"]
        assert region["startLine"] >= 1 and result["partialFingerprints"]["primaryLocationLineHash"]


def test_sarif_paths_are_of_the_repository(nasty):
    git(nasty, "init")
    (nasty / "sub").mkdir()
    (nasty / "sub" / "a.cu").write_text(WRONG)
    document = json.loads(check(nasty / "sub", "--format=sarif", "a.cu", "..").stdout)
    places = [result["locations"][0]["physicalLocation"]["artifactLocation"]
              for result in document["runs"][0]["results"]]
    assert {place["uriBaseId"] for place in places} == {"%SRCROOT%"}
    for place in places:
        assert re.fullmatch(r"[A-Za-z0-9._~/%-]+", place["uri"])
    names = {os.fsdecode(urllib.parse.unquote_to_bytes(place["uri"])) for place in places}
    assert names == {*NASTY, "sub/a.cu", "bytes.cu"}
    # No absolute path anywhere.
    assert str(nasty) not in json.dumps(document)


def test_sarif_of_a_symlinked_tree(tmp_path):
    (tmp_path / "real" / "src").mkdir(parents=True)
    (tmp_path / "real" / "src" / "a.cu").write_text(WRONG)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    git(tmp_path / "real", "init")
    document = json.loads(check(tmp_path / "real", "--format=sarif",
                                tmp_path / "link" / "src" / "a.cu").stdout)
    result, = document["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": "src/a.cu", "uriBaseId": "%SRCROOT%"}


def test_sarif_rules(project):
    _, run = sarif_run(project, "wrong.cu")
    rules = run["tool"]["driver"]["rules"]
    listed = json.loads(subprocess.run([os.environ.get("BARLINT", BUILD / "barlint"), "rules",
                                        "--json"], capture_output=True, check=True).stdout)
    assert [rule["id"] for rule in rules] == [rule["id"] for rule in listed]
    for rule in rules:
        # What GitHub requires and cuts at.
        assert 0 < len(rule["shortDescription"]["text"]) <= 1024
        assert 0 < len(rule["fullDescription"]["text"]) <= 1024
        assert rule["help"]["text"] and "```cuda" in rule["help"]["markdown"]
        assert rule["properties"]["precision"] in ("very-high", "high", "medium", "low")
        assert rule["properties"]["problem.severity"] in ("error", "warning", "recommendation")
        assert len(rule["properties"]["tags"]) <= 20
    assert run["automationDetails"]["id"].endswith("/")
    result, = run["results"]
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == "named-id-range"
    assert result["level"] == "error" and result["message"]["text"]


def github_hash(text, wanted):
    """GitHub's line hash, written from its description once more: by hashing each line anew."""
    units = [unit for unit in re.sub("\r\n?", "\n", text)]
    lines, current = [[]], []
    flat = [(unit, ) for unit in units if unit not in " \t"] + [("\uffff", )]
    starts, fresh = [], True
    for index, (unit, ) in enumerate(flat):
        if fresh:
            starts.append(index)
        fresh = unit == "\n"
    hashes = []
    for start in starts:
        value = 0
        window = [ord(unit) for unit, in flat[start:start + 100]]
        for unit in window + [0] * (100 - len(window)):
            value = (value * 37 + unit) % 2**64
        hashes.append(f"{value:x}")
    line = hashes[wanted - 1]
    return f"{line}:{hashes[:wanted].count(line)}"


@pytest.mark.parametrize("text", [
    WRONG, WRONG.replace("\n", "\r\n"), WRONG.replace("    warp_sync(", "\t warp_sync("),
    "// é漢\n" + WRONG, "\n" * 300 + WRONG, WRONG.rstrip(),
])
def test_sarif_fingerprint_is_github_s(project, text):
    (project / "wrong.cu").write_bytes(text.encode())
    _, run = sarif_run(project, "wrong.cu")
    result, = run["results"]
    line = result["locations"][0]["physicalLocation"]["region"]["startLine"]
    prints = result["partialFingerprints"]
    assert prints["primaryLocationLineHash"] == github_hash(text, line)
    assert re.fullmatch("[0-9a-f]{16}", prints["barlint/v1"])


def test_sarif_columns_count_utf16(project):
    (project / "wrong.cu").write_text(WRONG.replace("    warp_sync(", "/* é漢😀 */ warp_sync("))
    _, run = sarif_run(project, "wrong.cu")
    region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert run["columnKind"] == "utf16CodeUnits"
    assert (region["startColumn"], region["endColumn"]) == (12, 12 + len("warp_sync(threadIdx.x / 32)"))


def test_sarif_code_flows_follow_the_roles(project):
    (project / "roles.cu").write_text(ROLES)
    _, run = sarif_run(project, "roles.cu")
    result, = [result for result in run["results"] if result["ruleId"] == "named-participants"
               or len(result["codeFlows"][0]["threadFlows"]) > 1]
    flows = result["codeFlows"][0]["threadFlows"]
    assert [flow["message"]["text"] for flow in flows] == ["threads 0-63 of 128",
                                                           "threads 64-127 of 128"]
    for flow in flows:
        texts = [step["location"]["message"]["text"] for step in flow["locations"]]
        orders = [step["executionOrder"] for step in flow["locations"]]
        assert texts[-1] == result["message"]["text"]
        assert orders == sorted(orders)
        others = {other["message"]["text"] for other in flows} - {flow["message"]["text"]}
        assert not any(text.startswith(tuple(others)) for text in texts[:-1])
    assert len(result["relatedLocations"]) >= 2


def test_sarif_tells_of_suppressions_on_request_only(project):
    text = WRONG.replace("/ 32);", "/ 32); // barlint-ignore[named-id-range]: known")
    (project / "wrong.cu").write_text(text)
    # GitHub shows suppressed results as open alerts, so they stay out.
    assert sarif_run(project, "wrong.cu")[1]["results"] == []
    result, = sarif_run(project, "--show-suppressed", "wrong.cu")[1]["results"]
    assert result["suppressions"] == [{"kind": "inSource", "justification": "known"}]


def test_sarif_tells_what_was_not_analysed(project):
    _, run = sarif_run(project, "right.cu", "missing.cu")
    invocation, = run["invocations"]
    assert invocation["executionSuccessful"] is False
    notification, = invocation["toolExecutionNotifications"]
    assert notification["level"] == "error"
    assert notification["message"]["text"] == "there is no such file"


# --- GitHub's annotations ------------------------------------------------------------------------


def parse_annotations(text):
    """As the runner reads them."""
    def unescape(word, *more):
        for code, letter in (("%0D", "\r"), ("%0A", "\n"), *more, ("%25", "%")):
            word = word.replace(code, letter)
        return word
    found = []
    for line in text.split("\n"):
        if not line.lstrip().startswith("::"):
            continue
        command, _, message = line.lstrip()[2:].partition("::")
        name, _, words = command.partition(" ")
        properties = dict(word.split("=", 1) for word in words.split(","))
        found.append((name, {key: unescape(value, ("%3A", ":"), ("%2C", ","))
                             for key, value in properties.items()}, unescape(message)))
    return found


def test_github_annotations(nasty):
    text = report(nasty, "github", ".").decode("utf-8", "surrogateescape")
    # Ten of a level are shown; the others are no commands, whatever their files are called.
    annotations = parse_annotations(text)
    assert [name for name, _, _ in annotations] == ["error"] * 10
    assert "GitHub shows 10 errors of a step" in text
    names = [properties["file"] for _, properties, _ in annotations]
    assert set(names) <= {*NASTY, "bytes.cu"} | {name.replace("\t", "?").replace("\x01", "?")
                                                 for name in NASTY}
    for _, properties, message in annotations:
        assert properties["line"] == properties["endLine"] == "8"
        assert properties["title"] == "barlint named-id-range"
        assert message.splitlines()[0].startswith("named barrier 0 to 31 does not exist")
        assert "is launched here" in message


def test_github_step_summary(nasty):
    summary = nasty / "summary.md"
    summary.write_text("before\n")
    check(nasty, "--format=github", ".",
          env={**os.environ, "GITHUB_STEP_SUMMARY": str(summary)})
    lines = summary.read_bytes().decode("utf-8", "replace").splitlines()
    assert lines[0] == "before"
    rows = [line for line in lines if line.startswith("| ") and ":8 | error" in line]
    assert len(rows) == len(NASTY) + 1
    assert all(row.count(" | ") == 3 and "<" not in row for row in rows)


# --- GitLab --------------------------------------------------------------------------------------


def test_gitlab(nasty):
    issues = json.loads(report(nasty, "gitlab", "."))
    assert len({issue["fingerprint"] for issue in issues}) == len(issues) == len(NASTY) + 1
    for issue in issues:
        assert {"description", "check_name", "fingerprint", "severity", "location"} <= set(issue)
        assert issue["severity"] == "critical"
        assert issue["location"]["lines"]["begin"] == 8
        assert not issue["location"]["path"].startswith(("./", "/"))


# --- XML -----------------------------------------------------------------------------------------


def test_junit(nasty):
    (nasty / "clean.cu").write_text(RIGHT)
    root = xml.etree.ElementTree.fromstring(
        report(nasty, "junit", ".", "missing.cu", status=(3, )))
    suite = root.find("testsuite")
    cases = {case.get("name"): case for case in suite}
    assert set(cases) == {*map(in_xml, NASTY), "bytes.cu", "clean.cu", "missing.cu"}
    assert int(suite.get("tests")) == len(cases)
    assert int(suite.get("failures")) == len(suite.findall("testcase/failure")) == len(NASTY) + 1
    assert int(suite.get("errors")) == 1
    assert cases["missing.cu"].find("error").get("message") == "there is no such file"
    assert len(cases["clean.cu"]) == 0
    assert "is launched here" in cases["two words.cu"].find("failure").text


def test_checkstyle(nasty):
    root = xml.etree.ElementTree.fromstring(report(nasty, "checkstyle", "."))
    assert root.tag == "checkstyle"
    assert {file.get("name") for file in root} == {*map(in_xml, NASTY), "bytes.cu"}
    for error in root.iter("error"):
        assert error.get("line") == "8" and error.get("severity") == "error"
        assert error.get("source") == "barlint.named-id-range"
    assert len(list(root.iter("error"))) == len(NASTY) + 1


# --- reviewdog -----------------------------------------------------------------------------------

PLACE = {
    "type": "object", "required": ["path", "range"], "additionalProperties": False,
    "properties": {
        "path": {"type": "string"},
        "range": {
            "type": "object", "required": ["start"], "additionalProperties": False,
            "properties": {end: {
                "type": "object", "additionalProperties": False, "required": ["line"],
                "properties": {"line": {"type": "integer", "minimum": 1},
                               "column": {"type": "integer", "minimum": 1}}}
                for end in ("start", "end")}}}}
# The fields of reviewdog's Diagnostic message that we use.
DIAGNOSTIC = {
    "type": "object", "required": ["message", "location"], "additionalProperties": False,
    "properties": {
        "message": {"type": "string", "minLength": 1},
        "location": PLACE,
        "severity": {"enum": ["ERROR", "WARNING", "INFO"]},
        "source": {"type": "object"},
        "code": {"type": "object", "required": ["value"]},
        "suggestions": {"type": "array"},
        "related_locations": {"type": "array", "items": {
            "type": "object", "required": ["location"],
            "properties": {"message": {"type": "string"}, "location": PLACE}}}}}


def test_rdjson(nasty):
    jsonschema = pytest.importorskip("jsonschema")
    document = json.loads(report(nasty, "rdjson", "."))
    lines = [json.loads(line) for line in report(nasty, "rdjsonl", ".").splitlines()]
    assert document["diagnostics"] == lines and len(lines) == len(NASTY) + 1
    for line in lines:
        jsonschema.validate(line, DIAGNOSTIC)
        start, end = (line["location"]["range"][end] for end in ("start", "end"))
        assert start["line"] == end["line"] == 8 and end["column"] > start["column"]
