"""barlint query and barlint index, and the examples of docs/store.md."""
import json
import re
import shlex
import sqlite3

import pytest

from conftest import ROOT, run_barlint

DOCUMENT = (ROOT / "docs" / "store.md").read_text()
PIPELINE = """#include <cuda/barrier>
__global__ void stages(int *p) {
    __shared__ cuda::barrier<cuda::thread_scope_block> full;
    if (threadIdx.x == 0)
        init(&full, 64);
    __syncthreads();
    full.arrive_and_wait();
    p[threadIdx.x] = 1;
}
__global__ void nobody_launches(int *p) { __syncthreads(); }
void run(int *p) { stages<<<dim3(4, 2), 64, 256>>>(p); }
"""


@pytest.fixture
def stored(project):
    project.write("unit_0.cu", PIPELINE)
    project.run()
    return project


def query(project, sql, *arguments, check=(0,)):
    return run_barlint("query", *arguments, sql, cwd=project.folder, env=project.environment,
                       check=check)


def rows(project, sql):
    return json.loads(query(project, sql, "--format=json").stdout)


def test_views(stored):
    unit = str(stored.folder / "unit_0.cu")
    assert {row["unit"]: row["status"] for row in rows(stored, "SELECT * FROM units")} == {
        str(stored.folder / f"unit_{number}.cu"): "ok" for number in range(4)}
    assert rows(stored, f"SELECT name, file, line FROM kernels WHERE unit = '{unit}' ORDER BY 3") == [
        {"name": "stages", "file": unit, "line": 2},
        {"name": "nobody_launches", "file": unit, "line": 10}]
    launch, = rows(stored, "SELECT * FROM launches WHERE kernel = 'stages'")
    assert (launch["block_x"], launch["grid_x"], launch["grid_y"], launch["shared_bytes"],
            launch["source"], launch["line"]) == (64, 4, 2, 256, "launch", 11)
    assert {row["source"] for row in rows(
        stored, "SELECT source FROM launches WHERE kernel = 'nobody_launches'")} == {"assumed"}
    barrier, = rows(stored, "SELECT * FROM barriers")
    assert (barrier["name"], barrier["memory"], barrier["expected_count"], barrier["line"]) == (
        "full", "shared", "64", 3)
    operations = {(row["line"], row["barrier"]) for row in rows(
        stored, "SELECT * FROM operations WHERE kernel = 'stages'")}
    assert {(5, "full"), (7, "full")} <= operations and 6 in {line for line, _ in operations}
    finding, = rows(stored, "SELECT * FROM findings WHERE unit LIKE '%unit_1.cu'")
    assert (finding["rule"], finding["level"], finding["certainty"], finding["line"]) == (
        "sync-divergent", "error", "certain", 4)


def test_views_tell_the_last_run_of_each_unit(stored):
    count = "SELECT count(*) AS n FROM findings WHERE NOT pedantic"
    assert rows(stored, count) == [{"n": 3}]
    stored.run("--disable=sync-divergent")
    assert rows(stored, count) == [{"n": 0}]
    stored.run()
    assert rows(stored, count) == [{"n": 3}]
    unit = stored.folder / "unit_1.cu"
    unit.write_text(unit.read_text().replace("1, 32", "1, 16"))
    stored.run()
    assert rows(stored, count) == [{"n": 2}]


def test_history(stored):
    stored.run("unit_1.cu", "--fail-on=never")
    first, second = rows(stored, "SELECT * FROM runs ORDER BY id")
    assert (first["units"], first["from_store"], first["findings"], first["status"]) == (4, 0, 3, 1)
    assert (second["units"], second["from_store"], second["status"]) == (1, 1, 0)
    assert "--fail-on=never" in second["arguments"] and second["folder"] == str(stored.folder)
    assert 0 < second["seconds"] < 60


def test_table(stored):
    lines = query(stored, "SELECT rule, line FROM findings WHERE NOT pedantic").stdout.splitlines()
    assert lines[0].split() == ["rule", "line"]
    assert [line.split() for line in lines[1:]] == [["sync-divergent", "4"]] * 3
    assert query(stored, "SELECT NULL AS missing, 'ü' AS text, 1.5").stdout.splitlines()


@pytest.mark.parametrize("sql", [
    "DELETE FROM run", "SELECT * FROM result", "SELECT * FROM sqlite_schema", "PRAGMA user_version",
    "PRAGMA journal_mode = WAL", "ATTACH '/tmp/x' AS x", "SELECT 1; SELECT 2", "", "SELEKT",
    "CREATE TABLE x(y)", "SELECT load_extension('x')", "SELECT * FROM nothing", "VACUUM"])
def test_only_questions_about_the_views(stored, sql):
    before = stored.database().read_bytes()
    result = query(stored, sql, check=(2,))
    assert result.stdout == "" and result.stderr.startswith("barlint: ")
    assert stored.database().read_bytes() == before


def test_nothing_is_stored_yet(project):
    assert "barlint index build" in query(project, "SELECT 1", check=(2,)).stderr
    assert not (project.cache / "store").exists()


def test_damaged_file(stored):
    stored.database().write_text("no database" * 1000)
    assert query(stored, "SELECT * FROM runs", check=(2,)).stderr


def test_examples_of_the_documentation(stored):
    commands = re.findall(r"^    (barlint query .*)$", DOCUMENT, re.M)
    assert len(commands) >= 4
    for command in commands:
        words = shlex.split(command)
        result = run_barlint(*words[1:], cwd=stored.folder, env=stored.environment, check=(0,))
        assert len(result.stdout.splitlines()) > 1, command


def test_documented_columns_are_those_there_are(stored):
    for view, columns in re.findall(r"^\| `(\w+)` \| (.*) \|$", DOCUMENT, re.M):
        names = re.findall(r"`(\w+)`", columns)
        # One row, so that names come even from an empty view.
        query(stored, f"SELECT {', '.join(names)} FROM {view}")
        with sqlite3.connect(stored.database()) as database:
            there = [row[1] for row in database.execute(f"PRAGMA table_info({view})")]
        assert names == there, view


def index(project, *arguments, check=(0,)):
    return run_barlint("index", *arguments, cwd=project.folder, env=project.environment, check=check)


def test_index_build(project):
    result = index(project, "build", "--headers=builtin")
    assert result.stdout == ""
    assert project.found() == 4
    project.write("unit_0.cu", "\0")
    assert index(project, "build", "--headers=builtin", check=(3,)).stdout == ""


def test_index_stats(stored):
    numbers = json.loads(index(stored, "stats", "--format=json").stdout)
    assert numbers["path"] == str(stored.database())
    assert (numbers["units"], numbers["runs"]) == (4, 1)
    assert numbers["results"] >= 4 and numbers["files"] > 5 and numbers["bytes"] > 10000
    assert "units:    4" in index(stored, "stats").stdout


def test_index_gc(stored):
    stored.run("--disable=sync-divergent")
    (stored.folder / "unit_3.cu").unlink()
    with sqlite3.connect(stored.database()) as database:
        database.execute("UPDATE result SET used = used - 100 WHERE source LIKE '%unit_2.cu'")
    before = json.loads(index(stored, "stats", "--json").stdout)
    result = index(stored, "gc", "--json")
    after = json.loads(result.stdout)
    assert (before["results"], after["results"]) == (8, 4) and "4 results removed" in result.stderr
    assert after["units"] == 2 and after["files"] <= before["files"]
    assert [row["unit"] for row in rows(stored, "SELECT unit FROM units ORDER BY 1")] == [
        str(stored.folder / f"unit_{number}.cu") for number in range(2)]
    stored.commands("unit_0.cu", "unit_1.cu", "unit_2.cu")
    assert stored.found() == 2
    assert stored.found() == 3


@pytest.mark.parametrize("words", [[], ["stat"], ["stats", "more"], ["gc", "more"]])
def test_index_is_told_what(project, words):
    assert "build, stats or gc" in index(project, *words, check=(2,)).stderr
