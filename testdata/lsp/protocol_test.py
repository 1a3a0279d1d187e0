"""`barlint lsp` by the letter of the protocol: the life cycle, documents, diagnostics pushed and
pulled, actions, hover, cancellation, several roots, and anything else that may come down a pipe."""
import json
import os
import pathlib
import random
import shutil
import signal
import sys
import time
import urllib.parse

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from client import Client, apply_edits, frame, position, span  # noqa: E402
from conftest import ROOT, lint_json, run_barlint  # noqa: E402

BEFORE = ROOT / "testdata" / "fixes" / "before" / "block_sync_after_init.cu"
AFTER = ROOT / "testdata" / "fixes" / "after" / "block_sync_after_init.cu"
NAMED = """__global__ void kernel()
{
    asm volatile("bar.sync 16;");
}
"""
EVERYTHING = {
    "general": {"positionEncodings": ["utf-8", "utf-16"]},
    "workspace": {"workspaceEdit": {"documentChanges": True},
                  "diagnostics": {"refreshSupport": True},
                  "didChangeWatchedFiles": {"dynamicRegistration": True}},
    "textDocument": {"diagnostic": {"relatedDocumentSupport": True},
                     "publishDiagnostics": {"codeDescriptionSupport": True}},
    "window": {"workDoneProgress": True},
}


@pytest.fixture
def client(tmp_path):
    with Client(cwd=tmp_path) as one:
        yield one


@pytest.fixture
def ready(client, tmp_path):
    client.initialize(tmp_path)
    return client


@pytest.fixture
def endless(tmp_path):
    """A text whose analysis never ends: its header is a pipe that nobody writes to."""
    os.mkfifo(tmp_path / "never.h")
    return '#include "never.h"\n' + NAMED


def workers(client):
    """The processes of the analyses that run."""
    path = pathlib.Path(f"/proc/{client.process.pid}/task/{client.process.pid}/children")
    return [int(word) for word in path.read_text().split()]


def wait_until(test):
    end = time.monotonic() + 60
    while not test():
        assert time.monotonic() < end
        time.sleep(0.01)


def codes(diagnostics):
    return [one["code"] for one in diagnostics]


def edits_of(action, uri):
    edit = action["edit"]
    if "changes" in edit:
        return edit["changes"][uri]
    return [e for change in edit["documentChanges"] if change["textDocument"]["uri"] == uri
            for e in change["edits"]]


# --- The life cycle ---

def test_life_cycle(client, tmp_path):
    assert client.error_of("textDocument/hover", {}) == -32002
    offered = client.initialize(tmp_path)
    assert offered["positionEncoding"] == "utf-16"
    assert offered["textDocumentSync"]["change"] == 2
    assert "diagnosticProvider" not in offered
    assert client.error_of("initialize", {"capabilities": {}}) == -32600
    assert client.ask("shutdown", None) is None
    assert client.error_of("textDocument/hover", {}) == -32600
    client.notify("exit", None)
    assert client.process.wait(timeout=20) == 0
    assert client.process.stderr.read() == b""


def test_exit_without_shutdown_is_a_failure(ready):
    ready.notify("exit", None)
    assert ready.process.wait(timeout=20) == 1


def test_an_editor_that_goes_away_ends_the_server(ready, tmp_path, endless):
    ready.open(tmp_path / "a.cu", endless)
    wait_until(lambda: workers(ready))
    (worker,) = workers(ready)
    ready.process.stdin.close()
    assert ready.process.wait(timeout=20) == 1
    wait_until(lambda: not pathlib.Path(f"/proc/{worker}").exists())


def test_command_line():
    assert "no files" in run_barlint("lsp", "x.cu", check=(2,)).stderr
    assert "no rule" in run_barlint("lsp", "--rule=nonsense", check=(2,)).stderr


# --- Diagnostics ---

def test_diagnostics_are_those_of_check(ready, tmp_path):
    path = tmp_path / "a.cu"
    shutil.copy(BEFORE, path)
    uri = ready.open(path)
    found = ready.diagnostics(uri, 1)
    expected = json.loads(run_barlint("check", "--json", "--headers=builtin", path,
                                      check=(1,)).stdout)["findings"]
    assert codes(found) == [one["rule"] for one in expected]
    (one,), (other,) = found, expected
    assert one["message"] == other["message"] and one["source"] == "barlint"
    assert one["severity"] == 1
    assert one["range"] == {"start": position(other["line"] - 1, other["column"] - 1),
                            "end": position(other["end_line"] - 1, other["end_column"] - 1)}
    told = [step["message"] for step in one["relatedInformation"]]
    assert told[:len(other["notes"])] == [note["message"] for note in other["notes"]]


def test_unsaved_text_is_what_is_analysed(ready, tmp_path):
    path = tmp_path / "new.cu"  # is never written
    uri = ready.open(path, NAMED)
    assert codes(ready.diagnostics(uri, 1)) == ["named-id-range"]
    ready.change(uri, 2, NAMED.replace("16", "15"))
    assert ready.diagnostics(uri, 2) == []
    ready.change(uri, 3, NAMED)
    assert codes(ready.diagnostics(uri, 3)) == ["named-id-range"]
    ready.close(uri)
    assert ready.diagnostics(uri) == []
    assert not path.exists()


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8"])
def test_incremental_changes_outside_the_first_plane(client, tmp_path, encoding):
    offered = client.initialize(tmp_path, capabilities={
        "general": {"positionEncodings": ["utf-16", encoding]}})
    assert offered["positionEncoding"] == encoding
    text = NAMED.replace("    asm", "    /* \U0001f6a7 \u00e9 */ asm").replace("16", "1")
    uri = client.open(tmp_path / "a.cu", text)
    assert client.diagnostics(uri, 1) == []
    line = text.split("\n")[2]
    before = line[:line.index("1;") + 1]
    at = len(before.encode("utf-16-le")) // 2 if encoding == "utf-16" else len(before.encode())
    client.change(uri, 2, (span(2, at), "6"), (span(0, 0), "// \U0001f6a7\n"))
    (found,) = client.diagnostics(uri, 2)
    start = line[:line.index("asm")]
    start = len(start.encode("utf-16-le")) // 2 if encoding == "utf-16" else len(start.encode())
    assert found["code"] == "named-id-range"
    assert found["range"]["start"] == position(3, start)
    client.change(uri, 3, (span(0, 0, 1, 0), ""), (span(2, at, end=at + 1), ""))
    assert client.diagnostics(uri, 3) == []


def test_random_edits_leave_the_text_as_the_editor_has_it(ready, tmp_path):
    """Whatever is edited, what the server analyses in the end is the text of the editor: line ends
    of both kinds, letters of one to four bytes, places behind the ends of lines."""
    generator = random.Random(4)
    text, uri = "", ready.open(tmp_path / "a.cu", "")
    pieces = ["a", "\u00e9", "\u20ac", "\U0001f6a7", "\n", "\r\n", "x y", ""]
    for version in range(2, 120):
        start, end = sorted(generator.randrange(len(text) + 1) for _ in range(2))
        # Never between the two halves of a line end.
        start -= text[start - 1:start + 1] == "\r\n"
        end += text[end - 1:end + 1] == "\r\n"

        def place(index):
            lines = text[:index].split("\n")
            return position(len(lines) - 1, len(lines[-1].encode("utf-16-le")) // 2)
        new = "".join(generator.choice(pieces) for _ in range(4))
        if (text[:start].endswith("\r") and new.startswith("\n")) or new.endswith("\r"):
            continue
        ready.change(uri, version, ({"start": place(start), "end": place(end)}, new))
        text = text[:start] + new + text[end:]
    # A kernel behind it all: its place tells whether the lines were counted alike.
    end = position(text.count("\n"), 10000)
    ready.change(uri, 200, ({"start": end, "end": end}, "\n*/\n" + NAMED),
                 (span(0, 0), "/*"))
    (found,) = ready.diagnostics(uri, 200)
    assert found["range"]["start"] == position(text.count("\n") + 4, 4)


def test_headers_are_read_as_the_editor_has_them(ready, tmp_path):
    header, source = tmp_path / "k.h", tmp_path / "k.cu"
    header.write_text("#define NUMBER 3\n")
    source.write_text('#include "k.h"\n__global__ void k() { __barrier_sync(NUMBER); }\n')
    uri = ready.open(source)
    assert ready.diagnostics(uri, 1) == []
    other = ready.open(header, language="c")
    ready.change(other, 2, "#define NUMBER 33\n")
    while codes(ready.diagnostics(uri)) != ["named-id-range"]:
        pass
    ready.close(other)
    while ready.diagnostics(uri):
        pass


def test_findings_in_a_header_are_shown_there(ready, tmp_path):
    header, source = tmp_path / "k.cuh", tmp_path / "k.cu"
    header.write_text(NAMED.replace("__global__ void kernel", "inline __device__ void part").replace(
        "    asm", "    __syncthreads();\n    asm"))
    source.write_text('#include "k.cuh"\n__global__ void k() { part(); }\n')
    uri = ready.open(source)
    found = ready.diagnostics(header.as_uri()) + ready.diagnostics(uri)
    assert codes(found) == ["named-id-range"]
    ready.close(uri)
    assert ready.diagnostics(header.as_uri()) == []


def test_plain_sources_are_not_analysed(ready, tmp_path):
    uri = ready.open(tmp_path / "a.cpp", NAMED, language="cpp")
    assert ready.diagnostics(uri, 1) == []
    uri = ready.open(tmp_path / "b.cpp", NAMED, language="cuda-cpp")
    assert codes(ready.diagnostics(uri, 1)) == ["named-id-range"]


def test_rule_pages_are_there(client, tmp_path):
    client.initialize(tmp_path, capabilities={
        "textDocument": {"publishDiagnostics": {"codeDescriptionSupport": True}}})
    (found,) = client.diagnostics(client.open(tmp_path / "a.cu", NAMED))
    page = urllib.parse.urlparse(found["codeDescription"]["href"])
    text = pathlib.Path(urllib.parse.unquote(page.path)).read_text()
    assert page.scheme == "file" and text.startswith("# named-id-range")


# --- Configuration and folders ---

def test_two_roots_and_their_configurations(client, tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        folder.mkdir()
    (two / ".barlint.yaml").write_text("rules:\n  named-id-range: off\n")
    client.initialize(one)
    client.notify("workspace/didChangeWorkspaceFolders", {
        "event": {"added": [{"uri": two.as_uri(), "name": "two"}], "removed": []}})
    assert codes(client.diagnostics(client.open(one / "a.cu", NAMED))) == ["named-id-range"]
    uri = client.open(two / "a.cu", NAMED)
    assert client.diagnostics(uri) == []
    (two / ".barlint.yaml").unlink()
    client.notify("workspace/didChangeWatchedFiles", {
        "changes": [{"uri": (two / ".barlint.yaml").as_uri(), "type": 3}]})
    assert codes(client.diagnostics(uri)) == ["named-id-range"]
    client.notify("workspace/didChangeWorkspaceFolders", {
        "event": {"removed": [{"uri": two.as_uri(), "name": "two"}], "added": []}})
    assert codes(client.diagnostics(uri)) == ["named-id-range"]


def test_the_compile_database_is_read_again(ready, tmp_path):
    path = tmp_path / "a.cu"
    path.write_text(NAMED.replace("kernel()\n{", "kernel()\n{\n#ifdef BAD").replace(
        "}\n", "#endif\n}\n"))
    uri = ready.open(path)
    assert ready.diagnostics(uri) == []
    database = tmp_path / "compile_commands.json"
    database.write_text(json.dumps([{"directory": str(tmp_path), "file": "a.cu",
                                     "command": "nvcc -DBAD -c a.cu"}]))
    ready.notify("workspace/didChangeWatchedFiles",
                 {"changes": [{"uri": database.as_uri(), "type": 1}]})
    assert codes(ready.diagnostics(uri)) == ["named-id-range"]


def test_a_wrong_configuration_is_told(ready, tmp_path):
    (tmp_path / ".barlint.yaml").write_text("rulez: {}\n")
    uri = ready.open(tmp_path / "a.cu", NAMED)
    told = ready.wait_for(lambda m: m.get("method") == "window/showMessage")["params"]["message"]
    assert "rulez" in told and ".barlint.yaml:1" in told
    assert ready.diagnostics(uri) == []


# --- Pulled diagnostics ---

def test_pull(client, tmp_path):
    assert client.initialize(tmp_path, capabilities=EVERYTHING)["diagnosticProvider"] == {
        "identifier": "barlint", "interFileDependencies": True, "workspaceDiagnostics": True}
    uri = client.open(tmp_path / "a.cu", NAMED)

    def pull(**more):
        return client.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}, **more})
    report = pull()
    assert report["kind"] == "full" and codes(report["items"]) == ["named-id-range"]
    assert pull(previousResultId=report["resultId"]) == {
        "kind": "unchanged", "resultId": report["resultId"]}
    client.change(uri, 2, NAMED.replace("16", "1"))
    clean = pull(previousResultId=report["resultId"])
    assert clean["kind"] == "full" and clean["items"] == []
    (whole,) = client.ask("workspace/diagnostic", {"previousResultIds": []})["items"]
    assert (whole["uri"], whole["version"], whole["items"]) == (uri, 2, [])
    (same,) = client.ask("workspace/diagnostic", {
        "previousResultIds": [{"uri": uri, "value": whole["resultId"]}]})["items"]
    assert same["kind"] == "unchanged"
    assert not [m for m in client.kept if m.get("method") == "textDocument/publishDiagnostics"]
    assert client.shut_down() == 0


def test_pull_of_a_file_whose_header_is_wrong(client, tmp_path):
    client.initialize(tmp_path, capabilities=EVERYTHING)
    header = tmp_path / "k.cuh"
    header.write_text(NAMED.replace("__global__ void kernel", "inline __device__ void part").replace(
        "    asm", "    __syncthreads();\n    asm"))
    uri = client.open(tmp_path / "k.cu", '#include "k.cuh"\n__global__ void k() { part(); }\n')
    report = client.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    assert report["items"] == []
    assert codes(report["relatedDocuments"][header.as_uri()]["items"]) == ["named-id-range"]
    reports = client.ask("workspace/diagnostic", {"previousResultIds": []})["items"]
    assert {one["uri"]: codes(one["items"]) for one in reports} == {
        uri: [], header.as_uri(): ["named-id-range"]}


# --- Actions ---

@pytest.mark.parametrize("capabilities", [{}, EVERYTHING], ids=["changes", "documentChanges"])
def test_quick_fix(client, tmp_path, capabilities):
    client.initialize(tmp_path, capabilities=capabilities)
    path = tmp_path / "a.cu"
    uri = client.open(path, BEFORE.read_text())
    fix, silence, whole = client.actions(uri, span(8, 10))
    assert fix["kind"] == "quickfix" and fix["isPreferred"] is True
    assert codes(fix["diagnostics"]) == ["init-no-sync"]
    if capabilities:
        assert fix["edit"]["documentChanges"][0]["textDocument"] == {"uri": uri, "version": 1}
    for action in (fix, whole):
        assert apply_edits(BEFORE.read_text(), edits_of(action, uri)) == AFTER.read_text()
    assert client.actions(uri, span(8, 10), only=["source.fixAll"]) == [whole]
    assert client.actions(uri, span(8, 10), only=["quickfix"]) == [fix, silence]
    assert client.actions(uri, span(8, 10), only=["refactor"]) == []
    assert client.actions(uri, span(0, 0), only=["quickfix"]) == []
    client.change(uri, 2, *((e["range"], e["newText"]) for e in edits_of(fix, uri)))
    assert client.ask("textDocument/hover", {"textDocument": {"uri": uri},
                                             "position": position(0, 0)}) is None
    assert client.actions(uri, span(0, 0, 100, 0)) == []


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_suppression(ready, tmp_path, end):
    text = NAMED.replace("    asm", "\tasm").replace("\n", end)
    uri = ready.open(tmp_path / "a.cu", text)
    (silence,) = ready.actions(uri, span(2, 0))
    assert "named-id-range" in silence["title"]
    silent = apply_edits(text, edits_of(silence, uri))
    assert f"{end}\t// barlint-ignore[named-id-range]: reason{end}\tasm" in silent
    ready.change(uri, 2, silent)
    assert ready.diagnostics(uri, 2) == []


# --- Hover ---

def test_hover_on_a_barrier(ready, tmp_path):
    uri = ready.open(tmp_path / "a.cu", AFTER.read_text())
    lines = AFTER.read_text().split("\n")
    for word in ("stored;", "init(", "stored.arrive_and_wait"):
        line = next(i for i, text in enumerate(lines) if word in text)
        text = ready.hover(uri, line, lines[line].index(word) + 2)["contents"]["value"]
        assert "**stored**" in text and "expected count 128" in text, text
        assert "thread 0 of 128" in text and "threads 0-127 of 128" in text
        assert "One phase is seen to complete" in text
        assert "kernel `mirror`, block (128, 1, 1)" in text
    assert ready.hover(uri, 0, 0) is None


def test_hover_on_a_finding(ready, tmp_path):
    uri = ready.open(tmp_path / "a.cu", NAMED)
    text = ready.hover(uri, 2, 6)["contents"]["value"]
    assert "**named-id-range**" in text and "How to fix it" in text
    assert "number 16" in text


# --- Cancellation, versions, time ---

def test_cancellation(ready, tmp_path, endless):
    uri = ready.open(tmp_path / "a.cu", endless)
    where = {"textDocument": {"uri": uri}, "position": position(0, 0)}
    first, second = (ready.request("textDocument/hover", where) for _ in range(2))
    ready.notify("$/cancelRequest", {"id": first})
    assert ready.answer(first)["error"]["code"] == -32800
    ready.notify("$/cancelRequest", {"id": 12345})
    ready.change(uri, 2, NAMED)
    assert ready.answer(second)["error"]["code"] == -32801
    # The newer version did not wait for the older one's analysis.
    assert codes(ready.diagnostics(uri, 2)) == ["named-id-range"]
    assert workers(ready) == []
    assert ready.shut_down() == 0


def test_shutdown_answers_who_waits(ready, tmp_path, endless):
    uri = ready.open(tmp_path / "a.cu", endless)
    waits = ready.request("textDocument/hover", {"textDocument": {"uri": uri},
                                                 "position": position(0, 0)})
    assert ready.shut_down() == 0
    assert ready.answer(waits)["error"]["code"] == -32800


def test_a_crash_costs_one_answer(ready, tmp_path, endless):
    uri = ready.open(tmp_path / "a.cu", endless)
    wait_until(lambda: workers(ready))
    os.kill(workers(ready)[0], signal.SIGSEGV)
    told = ready.wait_for(lambda m: m.get("method") == "window/showMessage")["params"]["message"]
    assert "the analysis crashed" in told
    assert ready.diagnostics(uri) == []
    ready.change(uri, 2, NAMED)
    assert codes(ready.diagnostics(uri, 2)) == ["named-id-range"]


def test_progress_of_what_takes_long(client, tmp_path, endless):
    client.initialize(tmp_path, capabilities=EVERYTHING)
    uri = client.open(tmp_path / "a.cu", endless)

    def progress(kind):
        return lambda m: (m.get("method") == "$/progress" and
                          m["params"]["value"]["kind"] == kind)
    created = client.wait_for(lambda m: m.get("method") == "window/workDoneProgress/create")
    begun = client.wait_for(progress("begin"))
    assert begun["params"]["token"] == created["params"]["token"]
    client.change(uri, 2, NAMED)
    ended = client.wait_for(progress("end"))
    assert ended["params"]["token"] == created["params"]["token"]


def test_files_to_watch_are_registered(client, tmp_path):
    client.initialize(tmp_path, capabilities=EVERYTHING)
    (registered,) = client.wait_for(lambda m: m.get("method") == "client/registerCapability")[
        "params"]["registrations"]
    patterns = [one["globPattern"] for one in registered["registerOptions"]["watchers"]]
    assert registered["method"] == "workspace/didChangeWatchedFiles"
    assert "**/.barlint.yaml" in patterns and "**/compile_commands.json" in patterns


def test_many_changes_end_in_the_last(ready, tmp_path):
    uri = ready.open(tmp_path / "a.cu", NAMED)
    for version in range(2, 60):
        ready.change(uri, version, NAMED.replace("16", str(version)))
    assert codes(ready.diagnostics(uri, 59)) == ["named-id-range"]
    ready.change(uri, 60, NAMED.replace("16", "1"))
    assert ready.diagnostics(uri, 60) == []


def test_a_worker_that_takes_too_long_is_ended(tmp_path):
    with Client("--timeout=0.01") as client:
        client.initialize(tmp_path)
        uri = client.open(tmp_path / "a.cu", NAMED)
        told = client.wait_for(lambda m: m.get("method") == "window/showMessage")
        assert "took longer than 0.01 s" in told["params"]["message"]
        assert client.diagnostics(uri) == []
        assert client.shut_down() == 0


# --- Garbage ---

WORDS = [None, True, -1, 0, 2 ** 62, 1.5, "", "file:///", "file:///tmp/a%00b.cu", "a" * 5000, [],
         {}, [{}], [[]], {"uri": 3}, {"start": 1, "end": []},
         {"start": {"line": -1, "character": "x"}, "end": None}]
METHODS = ["initialize", "initialized", "shutdown", "$/cancelRequest", "$/unknown", "nonsense", "",
           "textDocument/didOpen", "textDocument/didChange", "textDocument/didSave",
           "textDocument/didClose", "textDocument/hover", "textDocument/codeAction",
           "textDocument/diagnostic", "workspace/diagnostic", "workspace/didChangeWatchedFiles",
           "workspace/didChangeWorkspaceFolders"]


def is_well(client):
    """The server still answers: an unknown method with the error that says so."""
    return client.error_of("barlint/unknown", {}) == -32601


@pytest.mark.parametrize("data", [
    b"\x00\xff\xfe garbage \r\n\r\n", b"Content-Length: x\r\n\r\n{}", b"Content-Length: -2\r\n\r\n{}",
    b"Content-Length: 999999999999999999999999\r\n\r\n{}", b"Content-Length: 70000000\r\n\r\n{}",
    b"Content-Type: a\r\n\r\n{}", b"A" * 10000, b"\r\n\r\n\r\n\r\n",
], ids=range(8))
def test_broken_headers(ready, data):
    ready.write(data)
    error = ready.wait_for(lambda m: "error" in m)
    assert error["id"] is None and error["error"]["code"] == -32700
    assert is_well(ready)


@pytest.mark.parametrize("content, code", [
    (b"", -32700), (b"{", -32700), (b"\xff\xff", -32700), (b'{"a": "\\u0000"}', -32700),
    (b"[" * 100000, -32700), (b"null", -32700), (b"3", -32700), (b"[]", -32600), (b"{}", -32600),
    (b'[{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}]', -32600),
    (b'{"id": 1, "method": "shutdown"}', -32600),
    (b'{"jsonrpc": "1.0", "id": 1, "method": "shutdown"}', -32600),
    (b'{"jsonrpc": "2.0", "id": {}, "method": "shutdown"}', -32600),
    (b'{"jsonrpc": "2.0", "id": 1, "method": 5}', -32600),
    (b'{"jsonrpc": "2.0", "id": 1}', -32600),
], ids=range(15))
def test_broken_messages(ready, content, code):
    ready.write(frame(content))
    error = ready.wait_for(lambda m: "error" in m)
    assert error["id"] is None and error["error"]["code"] == code
    assert is_well(ready)


@pytest.mark.parametrize("method", METHODS)
def test_wrong_types_in_every_parameter(ready, tmp_path, method):
    uri = ready.open(tmp_path / "a.cu", NAMED)
    good = {"textDocument": {"uri": uri, "version": 2, "languageId": "cuda", "text": "x"},
            "contentChanges": [{"text": "int x;"}], "position": position(0, 0), "range": span(0, 0),
            "context": {"only": ["quickfix"]}, "changes": [{"uri": uri}], "id": 1,
            "event": {"added": [{"uri": uri}], "removed": []}, "previousResultIds": [],
            "capabilities": {}, "workspaceFolders": []}
    for word in WORDS:
        cases = [word] + [{**good, key: word} for key in good] + [
            {**good, key: {**good[key], inner: word}} for key in good
            if isinstance(good[key], dict) for inner in good[key]] + [
            {**good, key: [word]} for key in good if isinstance(good[key], list)]
        for params in cases:
            ready.notify(method, params)
            ready.request(method, params)
    if method == "shutdown":
        assert ready.error_of("barlint/unknown", {}) == -32600
        return
    assert is_well(ready)
    last = ready.open(tmp_path / "last.cu", NAMED)
    assert codes(ready.diagnostics(last)) == ["named-id-range"]


def test_every_request_is_answered_once(ready, tmp_path):
    uri = ready.open(tmp_path / "a.cu", NAMED)
    where = {"textDocument": {"uri": uri}, "position": position(2, 6), "range": span(2, 6),
             "context": {}}
    ids = [ready.request(method, where) for _ in range(20)
           for method in ("textDocument/hover", "textDocument/codeAction", "nonsense",
                          "textDocument/diagnostic", "textDocument/didOpen")]
    answered = []
    ready.wait_for(lambda m: "method" not in m and (answered.append(m["id"]) or
                                                    len(answered) == len(ids)))
    assert sorted(answered) == ids


@pytest.mark.parametrize("cut", [1, 10, 20, 40, 60])
def test_end_in_the_middle(ready, cut):
    message = frame({"jsonrpc": "2.0", "id": 9, "method": "textDocument/hover", "params": {}})
    ready.write(message[:cut])
    ready.process.stdin.close()
    assert ready.process.wait(timeout=20) == 1


def test_mutated_conversations(tmp_path):
    """Messages with bytes changed, left out and doubled: the server goes on until the end."""
    talk = b"".join(frame({"jsonrpc": "2.0", **m}) for m in [
        {"id": 1, "method": "initialize", "params": {"capabilities": EVERYTHING}},
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": {
            "uri": (tmp_path / "a.cu").as_uri(), "languageId": "cuda", "version": 1,
            "text": NAMED}}},
        {"method": "textDocument/didChange", "params": {
            "textDocument": {"uri": (tmp_path / "a.cu").as_uri(), "version": 2},
            "contentChanges": [{"range": span(0, 0), "text": "//\n"}]}},
        {"id": 2, "method": "textDocument/hover", "params": {
            "textDocument": {"uri": (tmp_path / "a.cu").as_uri()}, "position": position(3, 6)}}])
    generator = random.Random(9)
    for _ in range(40):
        data = bytearray(talk)
        for _ in range(generator.randrange(1, 8)):
            at = generator.randrange(len(data))
            kind = generator.randrange(3)
            data[at:at + kind] = bytes([generator.randrange(256)]) if kind < 2 else b""
        with Client() as client:
            client.write(bytes(data))
            client.process.stdin.close()
            assert client.process.wait(timeout=20) in (0, 1)
            assert client.process.stderr.read() == b""


def test_shared_ways_to_analyse(ready, tmp_path):
    """The cases of a rule give in the editor what they give on the command line."""
    folder = ROOT / "testdata" / "rules" / "arrive-divergent"
    cases = sorted(folder.glob("bad_*.cu"))[:4]
    for path in cases:
        document = lint_json([path], "--headers=builtin")
        (tmp_path / path.name).write_text(path.read_text())
        (tmp_path / "compile_commands.json").write_text(json.dumps([
            {"directory": str(tmp_path), "file": path.name,
             "command": f"nvcc -std=c++17 -gencode arch=compute_90a,code=sm_90a -c {path.name}"}]))
        found = ready.diagnostics(ready.open(tmp_path / path.name))
        assert [(one["code"], one["range"]["start"]["line"] + 1) for one in found] == [
            (one["rule"], one["line"]) for one in document["findings"]]
