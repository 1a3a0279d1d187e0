"""`workspace/diagnostic`: files that nobody has open are analysed too, and told of as they are done."""
import json
import os
import pathlib
import sys
import time

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from client import Client, PATIENCE  # noqa: E402

CAN = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
BAD = '__global__ void kernel_%d()\n{\n    asm volatile("bar.sync 16;");\n}\n'
GOOD = BAD.replace("16", "1")
FILES = 7


@pytest.fixture
def project(tmp_path):
    entries = []
    for number in range(FILES):
        path = tmp_path / f"unit_{number}.cu"
        path.write_text((GOOD if number % 2 else BAD) % number)
        entries.append({"directory": str(tmp_path), "file": path.name,
                        "command": f"nvcc -c {path.name}"})
    (tmp_path / "compile_commands.json").write_text(json.dumps(entries))
    (tmp_path / "not_built.cu").write_text(BAD % 99)
    return tmp_path


@pytest.fixture
def client(project):
    with Client("-j3") as one:
        one.initialize(project, capabilities=CAN)
        yield one


def codes_by_name(items):
    return {pathlib.Path(one["uri"]).name: [found["code"] for found in one["items"]]
            for one in items if one["kind"] == "full"}


def parts(client, token):
    """The values of progress of a token that came so far."""
    found = [m["params"]["value"] for m in client.kept
             if m.get("method") == "$/progress" and m["params"]["token"] == token]
    client.kept = [m for m in client.kept
                   if m.get("method") != "$/progress" or m["params"]["token"] != token]
    return found


def ask_all(client, previous=()):
    """What parts and answer say together, by file."""
    answer = client.ask("workspace/diagnostic", {"previousResultIds": list(previous),
                                                 "partialResultToken": "part"})
    told = {}
    for part in [*parts(client, "part"), answer]:
        for one in part["items"]:
            told[one["uri"]] = one
    return told


WANTED = {f"unit_{number}.cu": [] if number % 2 else ["named-id-range"] for number in range(FILES)}


def test_closed_files_are_told_of_in_parts(client):
    request = client.request("workspace/diagnostic", {
        "previousResultIds": [], "partialResultToken": "part", "workDoneToken": "done"})
    answer = client.answer(request)["result"]
    partial = parts(client, "part")
    assert len(partial) > FILES // 2, "not all of it at the end"
    told = [one for part in partial for one in part["items"]]
    assert codes_by_name(told) == WANTED
    assert answer["items"] == [], "all of it was told"
    assert {one["version"] for one in told} == {None}
    kinds = [value["kind"] for value in parts(client, "done")]
    assert kinds[0] == "begin" and kinds[-1] == "end" and "report" in kinds


def test_editor_without_parts_is_asked_to_ask_again(client):
    first = client.ask("workspace/diagnostic", {"previousResultIds": []})["items"]
    assert len(first) < FILES
    client.wait_for(lambda m: m.get("method") == "workspace/diagnostic/refresh")
    told = client.ask("workspace/diagnostic", {"previousResultIds": []})["items"]
    assert codes_by_name(told) == WANTED


def test_nothing_changed(client):
    told = ask_all(client)
    again = client.ask("workspace/diagnostic", {"partialResultToken": "part", "previousResultIds": [
        {"uri": uri, "value": one["resultId"]} for uri, one in told.items()]})["items"]
    assert {one["kind"] for one in again} == {"unchanged"} and len(again) == FILES


def test_files_that_change_and_go(client, project):
    told = ask_all(client)
    (project / "unit_0.cu").write_text(GOOD % 0)
    (project / "unit_1.cu").write_text(BAD % 1)
    (project / "unit_2.cu").unlink()
    client.notify("workspace/didChangeWatchedFiles", {"changes": [
        {"uri": (project / f"unit_{number}.cu").as_uri(), "type": 2} for number in range(3)]})
    client.wait_for(lambda m: m.get("method") == "workspace/diagnostic/refresh")
    new = ask_all(client, ({"uri": uri, "value": one["resultId"]} for uri, one in told.items()))
    assert codes_by_name(new.values()) == {"unit_0.cu": [], "unit_1.cu": ["named-id-range"],
                                           "unit_2.cu": []}


def test_an_open_file_counts_as_it_is_in_the_editor(client, project):
    ask_all(client)
    uri = client.open(project / "unit_0.cu", GOOD % 0)
    told = ask_all(client)
    assert told[uri]["items"] == [] and told[uri]["version"] == 1 and len(told) == FILES
    client.close(uri)
    assert codes_by_name(ask_all(client).values())["unit_0.cu"] == ["named-id-range"]


def test_cancelled(client, project):
    os.mkfifo(project / "never.h")
    (project / "unit_3.cu").write_text('#include "never.h"\n' + BAD % 3)
    request = client.request("workspace/diagnostic", {"previousResultIds": [],
                                                      "partialResultToken": "part"})
    client.wait_for(lambda m: m.get("method") == "$/progress" and any(
        one["uri"].endswith("unit_6.cu") for one in m["params"]["value"]["items"]))
    client.notify("$/cancelRequest", {"id": request})
    assert client.answer(request)["error"]["code"] == -32800
    children = pathlib.Path(f"/proc/{client.process.pid}/task/{client.process.pid}/children")
    end = time.monotonic() + PATIENCE
    while children.read_text().split():
        assert time.monotonic() < end
    # Nothing is broken, and what was done is known.
    (project / "unit_3.cu").write_text(BAD % 3)
    told = ask_all(client)
    assert codes_by_name(told.values()) == {**WANTED, "unit_3.cu": ["named-id-range"]}
    assert client.shut_down() == 0


def test_workspace_without_a_database(client, project):
    (project / "compile_commands.json").unlink()
    told = ask_all(client)
    assert codes_by_name(told.values()) == {**WANTED, "not_built.cu": ["named-id-range"]}


def test_configuration_that_excludes(client, project):
    ask_all(client)
    (project / ".barlint.yaml").write_text("exclude: [unit_0.cu]\n")
    client.notify("workspace/didChangeWatchedFiles", {"changes": [
        {"uri": (project / ".barlint.yaml").as_uri(), "type": 1}]})
    wanted = {name: codes for name, codes in WANTED.items() if name != "unit_0.cu"}
    assert codes_by_name(ask_all(client).values()) == {**wanted, "unit_0.cu": []}
    assert codes_by_name(ask_all(client).values()) == wanted


def test_shut_down_in_the_middle(client, project):
    os.mkfifo(project / "never.h")
    (project / "unit_3.cu").write_text('#include "never.h"\n')
    request = client.request("workspace/diagnostic", {"previousResultIds": [],
                                                      "partialResultToken": "part"})
    client.wait_for(lambda m: m.get("method") == "$/progress")
    assert client.shut_down() == 0
    assert client.answer(request)["error"]["code"] == -32800
