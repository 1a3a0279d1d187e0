"""Programs of several units: testdata/program/<case> with a compile database of its own. What one
unit says about another is found whatever the order, and again by later runs."""
import collections
import json
import os
import random
import shutil

import pytest

from conftest import ROOT, expectations, reported, run_barlint

CASES = sorted(path.parent for path in (ROOT / "testdata" / "program").glob("*/compile_commands.json"))


class Program:
    def __init__(self, source, folder):
        self.folder = shutil.copytree(source, folder / "program")
        self.environment = {**os.environ, "BARLINT_CACHE_DIR": str(folder / "cache")}

    def run(self, *arguments):
        return run_barlint("check", "--headers=builtin", "--format=json", "--stats", *arguments,
                           cwd=self.folder, env=self.environment, check=(0, 1))

    def found(self, *arguments):
        errors = self.run(*arguments).stderr
        line = next(line for line in errors.splitlines() if line.startswith("files:"))
        return int(line.split(";")[1].split()[0])

    def edit(self, name, old, new):
        path = self.folder / name
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    def database(self):
        return json.loads((self.folder / "compile_commands.json").read_text())

    def reorder(self, entries):
        (self.folder / "compile_commands.json").write_text(json.dumps(entries))


@pytest.fixture
def program(request, tmp_path):
    return Program(ROOT / "testdata" / "program" / request.param, tmp_path)


def cases():
    assert len(CASES) > 5
    return pytest.mark.parametrize("program", [case.name for case in CASES], indirect=True)


def one(name):
    return pytest.mark.parametrize("program", [name], indirect=True)


def check_expectations(program, document):
    got = reported(document)
    for path in sorted(program.folder.glob("*.cu")):
        wanted = expectations(path.read_text())
        assert {line: ids for line, ids in got.get(path.name, {}).items()} == wanted, path.name


@cases()
@pytest.mark.parametrize("headers", ["builtin", "auto"])
def test_expectations(program, headers):
    document = json.loads(program.run(f"--headers={headers}", "--no-cache").stdout)
    assert {entry["status"] for entry in document["files"]} == {"ok"}
    check_expectations(program, document)


@cases()
def test_same_whatever_the_order_and_the_number_of_workers(program):
    outputs = collections.Counter()
    entries = program.database()
    choice = random.Random(3)
    for _ in range(2):
        choice.shuffle(entries)
        program.reorder(entries)
        for arguments in (("--no-cache", "-j1"), ("--no-cache", "-j4"), ("-j1",)):
            outputs[program.run(*arguments).stdout] += 1
    assert len(outputs) == 1
    assert program.found() == len(entries)


@cases()
def test_one_file_after_a_run_over_all(program):
    """What the others say is remembered: a run over one file says what the run over all said."""
    whole = json.loads(program.run().stdout)
    for path in sorted(program.folder.glob("*.cu")):
        alone = json.loads(program.run(path.name).stdout)
        assert alone["findings"] == [f for f in whole["findings"] if f["file"] == path.name]
        assert program.found(path.name) == 1


@one("launch_elsewhere")
def test_launch_that_changes(program):
    program.run()
    program.edit("main.cu", "2 * 256", "1 * 256")
    assert json.loads(program.run().stdout)["findings"] == []
    program.edit("main.cu", "1 * 256", "2 * 256")
    assert len(json.loads(program.run().stdout)["findings"]) == 1


@one("launch_elsewhere")
def test_edit_that_says_nothing_new_to_others(program):
    program.run()
    program.edit("main.cu", "void run", "int more() { return 1; } void run")
    assert program.found() == 1  # kernel.cu
    program.edit("main.cu", "<<<1, 32>>>", "<<<1, 16>>>")
    assert program.found() == 0
    program.edit("kernels.h", "#pragma once", "#pragma once // more")
    assert program.found() == 0
    assert program.found() == 2


@one("launch_elsewhere")
def test_what_others_said_before_they_changed_is_not_believed(program):
    program.run()
    program.edit("main.cu", "<<<1, threads>>>", "<<<1, 32>>>")
    assert "launched here" not in program.run("kernel.cu").stdout
    assert json.loads(program.run().stdout)["findings"] == []


@one("device_functions")
def test_device_function_that_changes(program):
    program.run()
    program.edit("deeper.cu", "__syncthreads()", "data[0] = 1")
    assert json.loads(program.run().stdout)["findings"] == []
    program.edit("helper.cu", "threadIdx.x < 32", "threadIdx.x >= 0")
    program.edit("deeper.cu", "data[0] = 1", "__syncthreads()")
    assert json.loads(program.run().stdout)["findings"] == []


@one("device_functions")
def test_two_definitions_are_none(program):
    shutil.copy(program.folder / "helper.cu", program.folder / "again.cu")
    entries = program.database()
    entries.append({**entries[0], "file": "again.cu", "command": entries[0]["command"].replace(
        entries[0]["file"], "again.cu")})
    program.reorder(entries)
    assert json.loads(program.run().stdout)["findings"] == []
