"""barlint report: findings beside what checked programs said on a GPU."""
import json

import pytest

from conftest import run_barlint

# Reported in both kernels by the analysis; the second is never launched on the GPU.
SOURCE = """#include <cuda/barrier>
using barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void first(int *p) {
    __shared__ barrier full;
    full.arrive_and_wait();
    p[threadIdx.x] = 1;
}
__global__ void second(int *p) {
    __shared__ barrier full;
    full.arrive_and_wait();
    p[threadIdx.x] = 1;
}
void run(int *p) { first<<<1, 64>>>(p); second<<<1, 64>>>(p); }
"""


@pytest.fixture
def stored(project):
    project.write("unit_0.cu", SOURCE)
    project.commands("unit_0.cu")
    project.run()
    return project


def report_at(line, rule="init-missing", file="unit_0.cu", count=1, level="error", inlined_at=()):
    return {"rule": rule, "reason": "X", "kind": "event", "level": level, "count": count,
            "message": "a message", "at": {"file": file, "line": line, "inlined_at": [
                {"file": name, "line": number} for name, number in inlined_at]},
            "block": [0, 0, 0], "threads": "0-31"}


def place_at(line, passed, file="unit_0.cu"):
    return {"kind": "place", "passed": passed, "at": {"file": file, "line": line, "inlined_at": []}}


def write_run(project, *said, name="run.json"):
    project.write(name, "".join(json.dumps(one) + "\n" for one in said))
    return name


def report(project, *arguments, check=(0, 1)):
    return run_barlint("report", *arguments, cwd=project.folder, env=project.environment, check=check)


def states(project, *arguments):
    """Line -> what is said of the finding there; and what only the GPU reported."""
    told = json.loads(report(project, "--json", *arguments).stdout)
    assert told["schema"] == 1
    return ({one["line"]: one["gpu"] for one in told["findings"] if one["rule"] == "init-missing"},
            [one["line"] for one in told["gpu_only"]])


def test_without_a_run_nothing_is_checked(stored):
    assert states(stored) == ({5: "not-checked", 10: "not-checked"}, [])
    assert report(stored).returncode == 0


def test_states(stored):
    run = write_run(stored, report_at(5, count=3), place_at(5, True), place_at(10, False))
    assert states(stored, run) == ({5: "confirmed", 10: "not-run"}, [])
    text = report(stored)
    assert text.returncode == 1 # a bug is confirmed
    assert "confirmed on GPU" in text.stdout and "reported at unit_0.cu:5, 3 times" in text.stdout
    assert text.stdout.endswith("1 confirmed on GPU, 0 not seen, 1 not run, 0 not checked; "
                                "0 on GPU only\n")


def test_what_was_passed_without_a_word(stored):
    run = write_run(stored, place_at(5, True), place_at(10, False))
    again = write_run(stored, place_at(10, True), name="again.json")
    assert states(stored, run) == ({5: "not-seen", 10: "not-run"}, [])
    assert states(stored, again) == ({5: "not-seen", 10: "not-seen"}, [])
    assert report(stored).returncode == 0


def test_another_rule_at_the_place_is_told_but_confirms_nothing(stored):
    run = write_run(stored, report_at(5, rule="arrive-over"), place_at(5, True))
    told = json.loads(report(stored, "--json", run).stdout)
    finding = next(one for one in told["findings"] if one["line"] == 5)
    assert finding["gpu"] == "not-seen"
    assert [one["rule"] for one in finding["reports"]] == ["arrive-over"]
    assert told["gpu_only"] == []


def test_what_only_the_gpu_saw(stored):
    run = write_run(stored, report_at(6, rule="exit-before-sync"))
    assert states(stored, run)[1] == [6]
    assert report(stored).returncode == 1
    assert states(stored, write_run(stored, report_at(6, rule="exit-before-sync", level="note")))[
        1] == [6]
    assert report(stored).returncode == 0 # a note is no alarm
    # A mistake at the same place is, in the same run or another.
    write_run(stored, report_at(6, rule="exit-before-sync", level="note"),
              report_at(6, rule="exit-before-sync"))
    assert report(stored, "run.json", check=(1,)).returncode == 1


def test_calls_that_were_inlined_count(stored):
    run = write_run(stored, report_at(90, file="/usr/include/cuda/barrier",
                                      inlined_at=[("unit_0.cu", 10)]))
    assert states(stored, run)[0][10] == "confirmed"


def test_a_program_built_elsewhere(stored):
    run = write_run(stored, report_at(5, file="/builds/elsewhere/project/unit_0.cu"),
                    place_at(10, True, file="/builds/elsewhere/project/unit_0.cu"))
    assert states(stored, run)[0] == {5: "confirmed", 10: "not-seen"}


def test_counts_of_a_run_and_of_several(stored):
    first = write_run(stored, report_at(5, count=1), report_at(5, count=9))
    second = write_run(stored, report_at(5, count=4), name="second.json")
    told = json.loads(report(stored, "--json", first, second).stdout)
    reports = next(one for one in told["findings"] if one["line"] == 5)["reports"]
    assert [(one["count"], one["rule"]) for one in reports] == [(9, "init-missing")]


def test_a_run_taken_again_replaces_itself(stored):
    assert states(stored, write_run(stored, report_at(5)))[0][5] == "confirmed"
    assert states(stored, write_run(stored, place_at(5, True)))[0][5] == "not-seen"


@pytest.mark.parametrize("text", ["nonsense\n", "[1, 2]\n", '{"rule": "x"}\n',
                                  '{"kind": "place", "at": 3}\n{\n'])
def test_files_that_are_something_else(stored, text):
    stored.write("bad.json", text)
    result = report(stored, "bad.json", check=(2,))
    assert "bad.json', line " in result.stderr
    assert states(stored)[0] == {5: "not-checked", 10: "not-checked"}


def test_odd_values_are_survived(stored):
    run = write_run(stored, {"kind": "place", "at": 3}, {"kind": "event", "rule": "init-missing"},
                    {"kind": "event", "rule": 7, "at": {"file": 1, "line": "x"}}, {"kind": "z"})
    report(stored, run)


def test_a_file_that_is_not_there(stored):
    assert "nowhere.json" in report(stored, "nowhere.json", check=(2,)).stderr
