"""The command line: exit statuses, formats, what is analysed, and every kind of bad input."""
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest

from conftest import BARLINT, CASE_MODES, ROOT, TOOLKITS, run_barlint

WRONG = """\
__device__ void warp_sync(int id)
{
    asm volatile("bar.sync %0, 32;" ::"r"(id) : "memory");
}

__global__ void scale(float *rows)
{
    warp_sync(threadIdx.x / 32);
    rows[threadIdx.x] *= 2.0f;
}

void run(float *rows)
{
    scale<<<1, 1024>>>(rows);
}
"""
RIGHT = WRONG.replace("1024", "512")
WARNING = """\
#include <cuda/barrier>

__global__ void iterate(float *data)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> step;
    if (threadIdx.x == 0)
        init(&step, blockDim.x);
    __syncthreads();
    for (int phase = 0; phase < 3; ++phase) {
        (void)step.arrive();
        step.wait_parity(phase);
    }
}

void run(float *data)
{
    iterate<<<1, 128>>>(data);
}
"""
BUILTIN = "--headers=builtin"


@pytest.fixture
def project(tmp_path):
    (tmp_path / "wrong.cu").write_text(WRONG)
    (tmp_path / "right.cu").write_text(RIGHT)
    return tmp_path


def check(folder, *arguments, **more):
    return run_barlint("check", BUILTIN, *arguments, cwd=folder, **more)


def check_json(folder, *arguments, status=(0, 1, 3)):
    result = check(folder, "--format=json", *arguments)
    assert result.returncode in status, (result.returncode, result.stderr)
    return json.loads(result.stdout)


def statuses(document):
    return {entry["file"]: entry["status"] for entry in document["files"]}


# --- Exit status ---------------------------------------------------------------------------------


def test_exit_clean_and_findings(project):
    assert check(project, "right.cu").returncode == 0
    assert check(project, "wrong.cu").returncode == 1
    assert check(project, "right.cu", "wrong.cu").returncode == 1


def test_check_is_the_default_command(project):
    result = run_barlint(BUILTIN, "wrong.cu", cwd=project, check=(1,))
    assert "named-id-range" in result.stdout


def test_fail_on(tmp_path):
    (tmp_path / "warning.cu").write_text(WARNING)
    rule = ("--rule=phase-parity-range", "warning.cu")
    assert check(tmp_path, *rule).returncode == 1
    assert check(tmp_path, "--fail-on=warning", *rule).returncode == 1
    assert check(tmp_path, "--fail-on=note", *rule).returncode == 1
    assert check(tmp_path, "--fail-on=error", *rule).returncode == 0
    assert check(tmp_path, "--fail-on=never", *rule).returncode == 0


def test_failed_unit_wins_over_findings(project):
    result = check(project, "wrong.cu", "missing.cu")
    assert result.returncode == 3
    assert "named-id-range" in result.stdout
    assert "missing.cu: there is no such file" in result.stderr


@pytest.mark.parametrize("arguments, words", [
    (["check", "--formt=json", "x.cu"], "did you mean '--format'?"),
    (["check", "--format=jsn", "x.cu"], "did you mean 'json'?"),
    (["check", "--headers=none", "x.cu"], "auto, toolkit or builtin"),
    (["check", "--fail-on=sometimes", "x.cu"], "note, warning, error or never"),
    (["check", "--rule=named-id-rnage", "x.cu"], "did you mean 'named-id-range'?"),
    (["check", "--disable=nothing-like-it", "x.cu"], "there is no rule 'nothing-like-it'"),
    (["check", "-j0", "x.cu"], "--jobs takes a number from 1"),
    (["check", "-jmany", "x.cu"], "--jobs takes a number from 1"),
    (["check", "--timeout=soon", "x.cu"], "--timeout takes a number"),
    (["check", "--timeout=-1", "x.cu"], "--timeout takes a number"),
    (["check", "--memory-limit=much", "x.cu"], "--memory-limit takes a size"),
    (["check", "--format"], "requires an argument"),
    (["check", "-Z", "x.cu"], "invalid option"),
    (["chek", "x.cu"], "did you mean 'check'?"),
    (["check", ""], "a path is empty"),
    (["explain", "named-id-rang"], "did you mean 'named-id-range'?"),
    (["explain"], "name a rule"),
    (["rules", "x"], "takes no arguments"),
    (["translate"], "needs the name of a file"),
    (["dump"], "needs the name of a file"),
    (["check", "--config=nowhere.yaml", "x.cu"], "cannot read 'nowhere.yaml'"),
    (["check", "-p", "nowhere", "x.cu"], "nowhere"),
    (["check", "-o", "nowhere/report.txt", "x.cu"], "cannot write 'nowhere/report.txt'"),
    (["check"], "no compile_commands.json is found"),
])
def test_wrong_usage(tmp_path, arguments, words):
    (tmp_path / "x.cu").write_text(RIGHT)
    result = run_barlint(*arguments, cwd=tmp_path)
    assert result.returncode == 2, (result.stdout, result.stderr)
    assert words in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("arguments", [["--help"], ["help"], ["check", "--help"], ["--version"],
                                       ["version"], ["rules"], ["explain", "named-id-range"]])
def test_what_needs_no_input(tmp_path, arguments):
    result = run_barlint(*arguments, cwd=tmp_path, check=(0,))
    assert result.stdout and not result.stderr


def test_help_lists_every_command_and_option(tmp_path):
    text = run_barlint("--help", check=(0,)).stdout
    for command in ("check", "explain", "rules", "translate", "doctor", "dump", "lsp", "nvcc",
                    "version"):
        assert re.search(rf"^  {command} ", text, re.M)
    text = run_barlint("check", "--help", check=(0,)).stdout
    for option in ("arch", "build-path", "color", "config", "cuda-path", "disable", "fail-on",
                   "format", "headers", "jobs", "memory-limit", "output", "pedantic", "quiet",
                   "rule", "stats", "timeout"):
        assert f"--{option}" in text


# --- Bad input -----------------------------------------------------------------------------------


def test_bad_files_do_not_stop_the_rest(project):
    (project / "empty.cu").write_text("")
    (project / "junk.cu").write_bytes(random.Random(7).randbytes(5000) + b"\0")
    (project / "letters.cu").write_text("this is not C++ at all {{{ ((( \n" * 50)
    (project / "folder.cu").mkdir()
    os.mkfifo(project / "pipe.cu")
    document = check_json(project, "empty.cu", "junk.cu", "letters.cu", "pipe.cu", "missing.cu",
                          "wrong.cu", "folder.cu", status=(3,))
    got = statuses(document)
    assert got["empty.cu"] == "ok"
    assert got["junk.cu"] == "failed"
    assert got["letters.cu"] in ("partial", "failed")
    assert got["pipe.cu"] == "failed"
    assert got["missing.cu"] == "failed"
    assert got["wrong.cu"] == "ok"
    reasons = {entry["file"]: entry["reason"] for entry in document["files"]}
    assert reasons["junk.cu"] == "is not a text file"
    assert reasons["pipe.cu"] == "is not a file"
    assert [finding["file"] for finding in document["findings"]] == ["wrong.cu"]


def as_nobody(*arguments, cwd):
    """Permissions mean nothing to root, so these runs are somebody else's."""
    user = {"user": "nobody"} if os.geteuid() == 0 else {}
    return subprocess.run([str(BARLINT), *arguments], cwd=cwd, capture_output=True, text=True,
                          timeout=120, **user)


def test_without_permission(project):
    if os.geteuid() == 0:
        reach = subprocess.run(["test", "-x", str(BARLINT)], user="nobody")
        inside = subprocess.run(["test", "-r", str(project)], user="nobody")
        if reach.returncode or inside.returncode:
            for parent in project.parents:
                if parent.is_relative_to("/tmp") and parent != pathlib.Path("/tmp"):
                    parent.chmod(0o755)
            if subprocess.run(["test", "-x", str(BARLINT)], user="nobody").returncode:
                pytest.skip("another user cannot run the build")
    project.chmod(0o755)
    (project / "locked.cu").write_text(WRONG)
    (project / "locked.cu").chmod(0)
    (project / "closed").mkdir()
    (project / "closed" / "inner.cu").write_text(WRONG)
    (project / "closed").chmod(0)
    result = as_nobody("check", BUILTIN, "--format=json", ".", cwd=project)
    (project / "closed").chmod(0o755)
    assert result.returncode == 3
    document = json.loads(result.stdout)
    got = {entry["file"]: (entry["status"], entry["reason"]) for entry in document["files"]}
    assert got["locked.cu"] == ("failed", "cannot be read: Permission denied")
    assert got["closed"] == ("failed", "cannot be read: Permission denied")
    assert got["wrong.cu"][0] == "ok"


def write_database(folder, *files, **more):
    entries = [{"directory": str(folder), "file": name, **more,
                "command": f"nvcc -std=c++17 -arch=sm_90a -c {name} -o x.o"} for name in files]
    (folder / "compile_commands.json").write_text(json.dumps(entries))


def test_vanished_file_of_the_database(project):
    write_database(project, "wrong.cu", "gone.cu")
    document = check_json(project, status=(3,))
    assert statuses(document) == {"wrong.cu": "ok", "gone.cu": "failed"}


def test_truncated_database(project):
    write_database(project, "wrong.cu", "right.cu")
    path = project / "compile_commands.json"
    path.write_text(path.read_text()[:-60])
    result = check(project, "--format=json")
    assert result.returncode == 3
    assert "compile_commands.json" in result.stderr
    assert statuses(json.loads(result.stdout)) == {"wrong.cu": "ok"}


@pytest.mark.parametrize("content", ["", "{", "[1, 2]", "\0\0", "[]", "null"])
def test_useless_database(project, content):
    (project / "compile_commands.json").write_text(content)
    result = check(project, "-p", ".")
    assert result.returncode in (0, 2, 3)
    assert "compile_commands.json" in result.stderr
    assert result.returncode != 0 or content == "[]"


def test_toolkit_that_is_none(project):
    result = check(project, "--headers=toolkit", f"--cuda-path={project}", "right.cu")
    assert result.returncode == 3
    assert str(project) in result.stderr


def test_unknown_architecture(project):
    result = check(project, "--arch=sm_9000x", "right.cu")
    assert result.returncode in (2, 3)
    assert "sm_9000x" in result.stderr


@pytest.mark.parametrize("arch, found", [("sm_60", 0), ("sm_70", 1), ("sm_90a", 1)])
def test_lanes_that_went_together_once(tmp_path, arch, found):
    """Before sm_70 the lanes of a warp go together: volatile steps of a sum are right there."""
    case = ROOT / "testdata/rules/sync-missing/bad_volatile_last_steps_of_a_sum.cu"
    done = check_json(tmp_path, case, "--", f"-arch={arch}")
    assert len(done["findings"]) == found


def test_missing_header_is_named_once(project):
    for name in ("a.cu", "b.cu"):
        (project / name).write_text('#include "not/there.h"\n' + WRONG)
    result = check(project, "--format=json", "a.cu", "b.cu")
    assert result.returncode in (0, 1)
    assert result.stderr.count("not/there.h") == 1
    assert set(statuses(json.loads(result.stdout)).values()) == {"partial"}


def test_names_that_a_missing_header_may_choose(project):
    """Which way an #if went is a guess where the header that decides is not there."""
    (project / "old.cu").write_text(
        '#include "made/by_the_build.h"\n'
        "#if HAS_SYNC\n#define shuffle(v) __shfl_sync(~0u, v, 0)\n"
        "#else\n#define shuffle(v) __shfl(v, 0)\n#endif\n"
        "__global__ void k(int *o) { o[threadIdx.x] = shuffle(o[0]); }\n"
        "void run(int *o) { k<<<1, 32>>>(o); }\n")
    assert check_json(project, "old.cu")["findings"] == []
    found = check_json(project, "--pedantic", "old.cu")["findings"]
    assert {(f["rule"], f["certainty"]) for f in found} == {("port-removed-api", "possible")}


def test_empty_folder(tmp_path):
    result = check(tmp_path, ".")
    assert result.returncode == 0
    assert "no CUDA file below" in result.stderr


def test_full_disk(project):
    with open("/dev/full", "w") as full:
        result = subprocess.run([str(BARLINT), "check", BUILTIN, "wrong.cu"], cwd=project,
                                stdout=full, stderr=subprocess.PIPE, text=True)
    assert result.returncode == 4
    assert "writing to standard output failed" in result.stderr


# --- Workers -------------------------------------------------------------------------------------


@pytest.fixture
def endless(project):
    """A unit that never ends: its header is a pipe that nobody writes to."""
    os.mkfifo(project / "never.h")
    (project / "endless.cu").write_text('#include "never.h"\n' + WRONG)
    return project


def test_timeout(endless):
    result = check(endless, "--timeout=1", "--format=json", "endless.cu", "wrong.cu")
    assert result.returncode == 3
    document = json.loads(result.stdout)
    got = {entry["file"]: (entry["status"], entry["reason"]) for entry in document["files"]}
    assert got["endless.cu"] == ("failed", "took longer than 1 s")
    assert got["wrong.cu"] == ("ok", "")
    assert len(document["findings"]) == 1


def test_memory_limit(project):
    (project / "large.cu").write_text(WRONG)
    result = check(project, "--memory-limit=200M", "--format=json", "large.cu")
    document = json.loads(result.stdout)
    entry = document["files"][0]
    assert (entry["status"], entry["reason"]) == ("failed", "needs more than 200 MB of memory")
    assert result.returncode == 3


def children(pid):
    path = pathlib.Path(f"/proc/{pid}/task/{pid}/children")
    return [int(word) for word in path.read_text().split()] if path.exists() else []


def start_endless(folder, *arguments):
    process = subprocess.Popen([str(BARLINT), "check", BUILTIN, "--timeout=0", *arguments,
                                "endless.cu"], cwd=folder, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    for _ in range(200):
        workers = children(process.pid)
        if workers:
            return process, workers
        time.sleep(0.05)
    raise AssertionError("no worker was started")


def test_crash_costs_one_unit(endless):
    process, workers = start_endless(endless, "--format=json", "wrong.cu", "-j1")
    # The units are worked on in the order of their names: the endless one is first.
    time.sleep(0.3)
    os.kill(workers[0], signal.SIGSEGV)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 3
    document = json.loads(out)
    got = {entry["file"]: (entry["status"], entry["reason"]) for entry in document["files"]}
    assert got["endless.cu"][0] == "failed"
    assert "crashed" in got["endless.cu"][1]
    assert got["wrong.cu"][0] == "ok"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupt(endless, number):
    process, workers = start_endless(endless, "-o", "report.txt")
    assert (endless / "report.txt.barlint-part").exists()
    process.send_signal(number)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == -number
    assert "interrupted after 0 of 1 units: nothing is reported" in errors
    assert not list(endless.glob("report.txt*"))
    for worker in workers:
        assert not pathlib.Path(f"/proc/{worker}").exists()


def test_output_does_not_depend_on_jobs_or_order(tmp_path):
    names = []
    for i in range(12):
        name = f"unit{i:02}.cu"
        text = WRONG if i % 3 else RIGHT
        (tmp_path / name).write_text(text.replace("scale", f"scale{i % 4}"))
        names.append(name)
    names.append("missing.cu")
    first = check(tmp_path, "--format=json", "-j1", *names)
    random.Random(1).shuffle(names)
    for jobs in ("-j4", "-j13"):
        again = check(tmp_path, "--format=json", jobs, *names)
        assert (first.returncode, first.stdout) == (again.returncode, again.stdout)
        assert first.stderr == again.stderr


# --- What is analysed ----------------------------------------------------------------------------


def test_folder_means_every_cuda_file_below(project):
    for name in ("deep/er/a.cu", "deep/b.cu", ".hidden/c.cu", "build/CMakeFiles/d.cu", "e.cpp"):
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(WRONG)
    document = check_json(project, ".")
    assert set(statuses(document)) == {"wrong.cu", "right.cu", "deep/er/a.cu", "deep/b.cu"}


def test_headers_of_a_folder(project):
    (project / "used.cuh").write_text(WRONG)
    (project / "lonely.cuh").write_text(WRONG)
    (project / "wrong.cu").write_text('#include "used.cuh"\n')
    document = check_json(project, ".")
    # What a unit includes is analysed there; the finding stands in the header all the same.
    assert set(statuses(document)) == {"wrong.cu", "right.cu", "lonely.cuh"}
    assert [finding["file"] for finding in document["findings"]] == ["lonely.cuh", "used.cuh"]


def test_database_without_paths(project):
    write_database(project, "wrong.cu")
    assert set(statuses(check_json(project))) == {"wrong.cu"}
    (project / "below").mkdir()
    document = check_json(project / "below")
    assert list(statuses(document)) == [str(project / "wrong.cu")]
    elsewhere = check_json(project / "below", "-p", "..")
    assert elsewhere == document


def test_database_of_the_build_folder(project):
    (project / "build").mkdir()
    write_database(project, "wrong.cu")
    (project / "compile_commands.json").rename(project / "build" / "compile_commands.json")
    assert set(statuses(check_json(project))) == {"wrong.cu"}


def test_sources_that_only_their_command_says_are_cuda(project):
    (project / "kernel.cpp").write_text(WRONG)
    entry = {"directory": str(project), "file": "kernel.cpp",
             "command": "nvcc -x cu -std=c++17 -arch=sm_90a -c kernel.cpp"}
    (project / "compile_commands.json").write_text(json.dumps([entry]))
    assert set(statuses(check_json(project))) == {"kernel.cpp"}
    assert "kernel.cpp" in statuses(check_json(project, "."))


def test_a_file_named_twice_is_analysed_once(project):
    document = check_json(project, "wrong.cu", "./wrong.cu", ".", project / "wrong.cu")
    assert list(statuses(document)) == ["right.cu", "wrong.cu"]
    assert len(document["findings"]) == 1


def test_compiler_arguments(tmp_path):
    (tmp_path / "a.cu").write_text("#ifdef WRONG\n" + WRONG + "#endif\n")
    assert check(tmp_path, "a.cu").returncode == 0
    assert check(tmp_path, "a.cu", "--", "-DWRONG").returncode == 1
    assert check(tmp_path, "a.cu", "--", "nvcc", "-DWRONG", "-arch=sm_90a").returncode == 1


def test_options_alone_name_no_architecture(tmp_path):
    # nvcc's own choice is its oldest target, which has no cp.async.
    (tmp_path / "a.cu").write_text(
        "__global__ void fence() { asm volatile(\"cp.async.commit_group;\" ::: \"memory\"); }\n")
    assert check(tmp_path, "a.cu", "--", "-I", ".").returncode == 0
    assert check(tmp_path, "a.cu", "--", "nvcc", "-I", ".").returncode == 1
    assert check(tmp_path, "a.cu", "--", "-arch=sm_75").returncode == 1


def test_several_configurations_of_a_file_are_merged(project):
    entries = [{"directory": str(project), "file": "wrong.cu",
                "command": f"nvcc -std=c++17 -arch=sm_90a -DCASE={case} -c wrong.cu"}
               for case in range(3)]
    (project / "compile_commands.json").write_text(json.dumps(entries))
    document = check_json(project)
    assert len(document["findings"]) == 1
    assert len(document["files"]) == 1
    assert document["summary"]["kernels"] == 3


def test_every_architecture_of_the_command(tmp_path):
    text = ("#if __CUDA_ARCH__ >= 900 || !defined(__CUDA_ARCH__)\n#define GROUP 16\n#else\n"
            "#define GROUP 128\n#endif\n" + WRONG.replace("/ 32)", "/ GROUP)"))
    (tmp_path / "a.cu").write_text(text)
    rule = "--rule=named-id-range"
    command = ["--", "-gencode", "arch=compute_80,code=sm_80",
               "-gencode", "arch=compute_90,code=sm_90"]
    assert len(check_json(tmp_path, rule, "a.cu", *command)["findings"]) == 1
    assert check_json(tmp_path, rule, "--arch=sm_80", "a.cu", *command)["findings"] == []
    document = check_json(tmp_path, rule, "--arch=all", "a.cu", *command)
    assert len(document["findings"]) == 1
    assert document["summary"]["kernels"] == 2


def test_rule_selection(project):
    (project / "two.cu").write_text(WRONG.replace("32;", "48;"))
    everything = {f["rule"] for f in check_json(project, "two.cu")["findings"]}
    assert {"named-id-range"} <= everything
    only = {f["rule"] for f in check_json(project, "--rule=named-id-range", "two.cu")["findings"]}
    assert only == {"named-id-range"}
    document = check_json(project, "--disable=named-id-range", "two.cu")
    assert "named-id-range" not in {f["rule"] for f in document["findings"]}


def test_warnings_made_errors_leave_a_file_whole(project):
    (project / "pedantic.cu").write_text(
        '#pragma clang diagnostic error "-Wunused-variable"\n' + RIGHT.replace(
            "warp_sync(t", "int unused; warp_sync(t"))
    assert statuses(check_json(project, "pedantic.cu")) == {"pedantic.cu": "ok"}


# --- Formats -------------------------------------------------------------------------------------


def test_json_contract(project):
    document = check_json(project, "wrong.cu", "right.cu", "missing.cu")
    assert list(document) == ["schema", "tool", "findings", "files", "summary"]
    assert document["schema"] == 1
    assert document["tool"]["name"] == "barlint" and document["tool"]["version"]
    finding, = document["findings"]
    assert list(finding) == ["rule", "level", "certainty", "file", "line", "column", "end_line",
                             "end_column", "message", "function", "kernel", "launch", "notes",
                             "fixes", "fingerprint"]
    assert finding["rule"] == "named-id-range"
    assert finding["level"] == "error"
    assert finding["certainty"] == "certain"
    assert (finding["file"], finding["line"]) == ("wrong.cu", 8)
    assert finding["column"] == 5 and finding["end_line"] == 8 and finding["end_column"] > 5
    assert finding["function"].startswith("scale")
    assert finding["kernel"].startswith("scale")
    assert "1024" in finding["launch"]
    assert not finding["message"].endswith(".")
    for note in finding["notes"]:
        assert list(note) == ["file", "line", "column", "message"]
        assert note["file"] == "wrong.cu" and note["line"] >= 1 and note["column"] >= 1
    assert {note["line"] for note in finding["notes"]} >= {3, 14}  # the operation and the launch
    assert re.fullmatch(r"[0-9a-f]{16}", finding["fingerprint"])
    for entry in document["files"]:
        assert list(entry) == ["file", "status", "reason"]
        assert entry["status"] in ("ok", "partial", "failed", "cached")
    summary = document["summary"]
    assert (summary["files"], summary["ok"], summary["failed"]) == (3, 2, 1)
    assert (summary["findings"], summary["errors"], summary["certain"]) == (1, 1, 1)


def test_fingerprint_survives_edits_elsewhere(project):
    before = check_json(project, "wrong.cu")["findings"][0]
    (project / "wrong.cu").write_text("// a comment\n\n" + WRONG.replace("    warp_sync(", "\t  warp_sync("))
    after = check_json(project, "wrong.cu")["findings"][0]
    assert after["line"] == before["line"] + 2
    assert after["fingerprint"] == before["fingerprint"]


def test_text(project):
    result = check(project, "wrong.cu")
    lines = result.stdout.splitlines()
    assert re.fullmatch(r"wrong\.cu:8:5: error: .* \[named-id-range\]", lines[0])
    assert lines[1] == "    8 |     warp_sync(threadIdx.x / 32);"
    assert re.fullmatch(r" +\|     \^~+", lines[2])
    assert any(re.match(r"  wrong\.cu:3:\d+: note: ", line) for line in lines)
    assert any(line.startswith("  in kernel 'scale") for line in lines)
    assert "\033" not in result.stdout
    assert result.stderr == "1 error in 1 file; 1 analysed\n"


def test_text_is_safe_and_aligned(tmp_path):
    text = WRONG.replace("    warp_sync(", "\t/* \x1b[31m é 漢 */ warp_sync(")
    (tmp_path / "odd\x1bname.cu").write_text(text)
    result = check(tmp_path, "odd\x1bname.cu")
    assert result.returncode == 1
    assert "\033" not in result.stdout
    source, caret = result.stdout.splitlines()[1:3]
    # The mark stands under the call, two columns for the wide character.
    assert caret.index("^") == source.index("warp_sync") + 1


def test_long_lines_are_cut(tmp_path):
    (tmp_path / "a.cu").write_text(WRONG.replace("    warp_sync(", "/*" + "x" * 5000 + "*/ warp_sync("))
    result = check(tmp_path, "a.cu")
    assert all(len(line) < 200 for line in result.stdout.splitlines())
    assert "^" in result.stdout


def test_concise(project):
    result = check(project, "--format=concise", "wrong.cu")
    assert re.fullmatch(r"wrong\.cu:8:5: error: [^\n]* \[named-id-range\]\n", result.stdout)


@pytest.mark.parametrize("arguments, environment, colored", [
    (["--color=always"], {}, True),
    (["--color=always"], {"NO_COLOR": "1"}, True),
    (["--color=never"], {"CLICOLOR_FORCE": "1"}, False),
    ([], {}, False),
    ([], {"CLICOLOR_FORCE": "1"}, True),
    ([], {"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, False),
    ([], {"NO_COLOR": ""}, False),
])
def test_color(project, arguments, environment, colored):
    result = check(project, *arguments, "wrong.cu", env={**os.environ, **environment})
    assert ("\033[" in result.stdout) == colored


def test_quiet_and_stats(project):
    assert check(project, "--quiet", "right.cu").stderr == ""
    stats = check(project, "--stats", "wrong.cu").stderr
    assert "kernels: 1, under 1 launch shapes" in stats


def test_output_file(project):
    result = check(project, "--format=json", "-o", "report.json", "wrong.cu")
    assert result.returncode == 1 and result.stdout == ""
    assert len(json.loads((project / "report.json").read_text())["findings"]) == 1
    assert check(project, "-o", "/dev/stdout", "wrong.cu").stdout.startswith("wrong.cu:8:5")


def test_paths_are_relative_to_where_the_user_stands(project):
    (project / "below").mkdir()
    (project / "below" / "a.cu").write_text(WRONG)
    inside = check_json(project, "below")["findings"][0]
    assert inside["file"] == "below/a.cu"
    outside = check_json(project / "below", "..")["findings"]
    assert {finding["file"] for finding in outside} == {"a.cu", str(project / "wrong.cu")}
    assert check_json(project, project / "below" / "a.cu")["findings"][0] == inside


# --- Merging -------------------------------------------------------------------------------------


def test_kernels_and_launches_of_one_place_are_one_finding(tmp_path):
    text = WRONG.replace("__global__ void scale", "template <int N>\n__global__ void scale")
    text = text.replace("scale<<<1, 1024>>>(rows);",
                        "scale<1><<<1, 1024>>>(rows);\n    scale<2><<<1, 768>>>(rows);\n"
                        "    scale<2><<<1, 512>>>(rows);")
    (tmp_path / "a.cu").write_text(text)
    finding, = check_json(tmp_path, "a.cu")["findings"]
    assert finding["certainty"] == "certain"
    also = [note["message"] for note in finding["notes"] if note["message"].startswith("also in")]
    assert len(also) == 1
    assert {"768", "1024"} == {size for told in (finding["launch"], also[0])
                               for size in ("512", "768", "1024") if f"({size}," in told}


def test_guessed_shapes_are_not_certain(tmp_path):
    text = WRONG[:WRONG.index("void run")]
    # Wrong for a block of 256 threads but not for one of 128: nobody says which it is.
    (tmp_path / "a.cu").write_text(text.replace("/ 32)", "/ 8)"))
    assert check_json(tmp_path, "--rule=named-id-range", "a.cu")["findings"] == []
    finding, = check_json(tmp_path, "--rule=named-id-range", "--pedantic", "a.cu")["findings"]
    assert finding["certainty"] == "possible" and finding["launch"].endswith(", assumed")
    # Wrong for all that were tried.
    (tmp_path / "a.cu").write_text(text.replace("threadIdx.x / 32", "16 + threadIdx.x % 32"))
    finding, = check_json(tmp_path, "--rule=named-id-range", "a.cu")["findings"]
    assert finding["certainty"] == "possible"


# --- Configuration -------------------------------------------------------------------------------


def test_nearest_configuration(project):
    (project / "below").mkdir()
    (project / "below" / "a.cu").write_text(WRONG)
    (project / "below" / ".barlint.yaml").write_text("rules:\n  named-id-range: off\n")
    document = check_json(project, ".")
    assert [finding["file"] for finding in document["findings"]] == ["wrong.cu"]
    (project / ".barlint.yaml").write_text("rules: {named-id-range: off}\n")
    (project / "below" / ".barlint.yaml").write_text("rules: {named-id-range: on}\n")
    document = check_json(project, ".")
    assert [finding["file"] for finding in document["findings"]] == ["below/a.cu"]


def test_named_configuration(project):
    (project / ".barlint.yaml").write_text("rules: {named-id-range: off}\n")
    (project / "other.yaml").write_text("headers: builtin\n")
    assert check(project, "wrong.cu").returncode == 0
    assert check(project, "--config=other.yaml", "wrong.cu").returncode == 1


def test_suppression_of_a_disabled_rule_is_not_unused(project):
    text = WRONG.replace("/ 32);", "/ 32); // barlint-ignore[named-id-range]: known")
    (project / "wrong.cu").write_text(text)
    assert check_json(project, "wrong.cu")["findings"] == []
    assert check_json(project, "--disable=named-id-range", "wrong.cu")["findings"] == []
    (project / ".barlint.yaml").write_text("rules: {named-id-range: off}\n")
    assert check_json(project, "wrong.cu")["findings"] == []


def test_launch_shapes_of_the_configuration(tmp_path):
    (tmp_path / "a.cu").write_text(WRONG[:WRONG.index("void run")])
    (tmp_path / ".barlint.yaml").write_text(
        "launch:\n  - kernel: scale\n    block: [32, 24]\n    grid: 8\n")
    assert check_json(tmp_path, "--rule=named-id-range", "a.cu")["findings"] == []
    (tmp_path / ".barlint.yaml").write_text(
        "launch:\n  - kernel: scale\n    block: [1024]\n    grid: 8\n")
    finding, = check_json(tmp_path, "a.cu")["findings"]
    assert finding["certainty"] == "certain"
    assert finding["launch"].endswith("from the configuration")


def test_model_rows_of_the_configuration(tmp_path):
    text = WRONG.replace(WRONG[:WRONG.index("__global__")],
                         "namespace far { __device__ void meet(int id, int threads); }\n\n")
    text = text.replace("warp_sync(threadIdx.x / 32);", "far::meet(threadIdx.x / 32, 32);")
    (tmp_path / "a.cu").write_text(text)
    assert check_json(tmp_path, "a.cu")["findings"] == []
    (tmp_path / ".barlint.yaml").write_text(
        "models:\n  - function: far::meet\n    like: __barrier_sync_count\n    roles: in\n")
    finding, = check_json(tmp_path, "a.cu")["findings"]
    assert (finding["rule"], finding["line"]) == ("named-id-range", 5)


@pytest.mark.parametrize("text, words", [
    ("ruels: {}\n", ".barlint.yaml:1: unknown key 'ruels'; did you mean 'rules'?"),
    ("headers: builtin\nrules:\n  named-id-rang: off\n",
     ".barlint.yaml:3: there is no rule 'named-id-rang'; did you mean 'named-id-range'?"),
    ("rules: {named-id-range: maybe}\n", "'on', 'off' or a level"),
    ("rules: [a]\n", "'rules' must be a mapping"),
    ("headers: [auto]\n", "'auto', 'toolkit' or 'builtin' is expected"),
    ("arch: fast\n", "'fast' is no architecture"),
    ("launch: 3\n", "a list is expected"),
    ("launch:\n  - kernel: k\n", ".barlint.yaml:2: a launch needs a 'kernel' and a 'block'"),
    ("launch:\n  - kernel: k\n    block: [1024, 2]\n", "at most 1024 threads, not 2048"),
    ("launch:\n  - kernel: k\n    block: many\n", "a number from 1 to 1024 is expected"),
    ("launch:\n  - kernel: k\n    blok: 1\n", "did you mean 'block'?"),
    ("models:\n  - function: f\n", "a model needs a 'function' and a 'like'"),
    ("models:\n  - function: f\n    like: no_such_thing_at_all\n", "no_such_thing_at_all"),
    ("- 1\n", "must be a mapping"),
    ("rules: {a: [}\n", ".barlint.yaml:1:"),
    ("\t- x: [\n", ".barlint.yaml:1:"),
    ("&a [*a]\n", ".barlint.yaml:"),
])
def test_wrong_configuration(project, text, words):
    (project / ".barlint.yaml").write_text(text)
    result = check(project, "wrong.cu")
    assert result.returncode == 2, result.stderr
    assert words in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("text", ["", "# nothing\n", "rules: {}\nlaunch: []\n", "---\n"])
def test_empty_configuration(project, text):
    (project / ".barlint.yaml").write_text(text)
    assert check(project, "wrong.cu").returncode == 1


# --- The other commands --------------------------------------------------------------------------


def test_rules_and_explain():
    rules = json.loads(run_barlint("rules", "--json", check=(0,)).stdout)
    assert [rule["id"] for rule in rules] == sorted(rule["id"] for rule in rules)
    listed = run_barlint("rules", check=(0,)).stdout.splitlines()
    assert [line.split()[0] for line in listed] == [rule["id"] for rule in rules]
    text = run_barlint("explain", rules[0]["id"], rules[1]["id"], check=(0,)).stdout
    for rule in rules[:2]:
        assert f"{rule['id']} ({rule['family']}, {rule['level']}" in text
    explained = json.loads(run_barlint("explain", "--json", rules[0]["id"], check=(0,)).stdout)
    assert [record["id"] for record in explained] == [rules[0]["id"]]


def test_translate(project):
    text = run_barlint("translate", BUILTIN, "wrong.cu", cwd=project, check=(0,)).stdout
    assert "--cuda-gpu-arch=sm_90a" in text
    result = run_barlint("translate", BUILTIN, "--json", "wrong.cu", "--", "-DX=1,Y=2",
                         cwd=project, check=(0,))
    document, = json.loads(result.stdout)
    assert "-DX=1" in json.dumps(document) and "-DY=2" in json.dumps(document)
    assert run_barlint("translate", "missing.cu", cwd=project).returncode == 3


def test_dump(project):
    text = run_barlint("dump", BUILTIN, "--barriers", "wrong.cu", cwd=project, check=(0,)).stdout
    assert "kernel scale" in text
    assert re.search(r"wrong\.cu:3:5: \S+, id 0\.\.31, count 32", text)
    assert run_barlint("dump", BUILTIN, "wrong.cu", cwd=project, check=(0,)).stdout == text
    text = run_barlint("dump", BUILTIN, "--ir", "wrong.cu", cwd=project, check=(0,)).stdout
    assert "warp_sync" in text and "bar.sync" in text
    assert run_barlint("dump", "missing.cu", cwd=project).returncode == 3


def test_doctor(project):
    write_database(project, "wrong.cu", "right.cu")
    result = run_barlint("doctor", BUILTIN, cwd=project, check=(0,))
    assert "2 entries, 2 of them CUDA" in result.stdout
    assert "units:             2, 0 with the toolkit's headers, 2 with barlint's own" in result.stdout
    (project / "compile_commands.json").unlink()
    assert "none found here" in run_barlint("doctor", cwd=project, check=(0,)).stdout


def test_doctor_counts_units_of_an_unknown_option(project):
    commands = {"wrong.cu": "--odd-flag --rare-flag", "right.cu": "--odd-flag"}
    (project / "compile_commands.json").write_text(json.dumps(
        [{"directory": str(project), "file": name, "command": f"nvcc -c {flags} {name}"}
         for name, flags in commands.items()]))
    lines = run_barlint("doctor", BUILTIN, cwd=project, check=(0,)).stdout.splitlines()
    counts = {line.split(":")[0].strip(): line.rpartition(" ")[2] for line in lines
              if "-flag:" in line}
    assert counts == {"--odd-flag": "(2)", "--rare-flag": "(1)"}


# --- Precompiled headers -------------------------------------------------------------------------


def test_changed_headers_are_read_anew(project):
    """Headers count as a system's, which clang does not by itself look at again."""
    headers = project / "include"
    shutil.copytree(ROOT / "include", headers)
    environment = {**os.environ, "BARLINT_RESOURCE_DIR": str(headers),
                   "BARLINT_CACHE_DIR": str(project / "cache")}
    check(project, "--no-cache", "wrong.cu", env=environment)
    kept = project / "cache" / "pch"
    assert list(kept.glob("*.pch"))
    functions = headers / "barlint" / "builtin" / "device_functions.h"
    functions.write_text(functions.read_text() + "\n#define NEW_WORD 32\n")
    (project / "new.cu").write_text("__global__ void newer() { asm(\"bar.sync 17, %0;\" ::"
                                    "\"n\"(NEW_WORD)); }\n")
    document = json.loads(check(project, "--format=json", "new.cu", env=environment).stdout)
    assert statuses(document) == {"new.cu": "ok"}
    assert "named-id-range" in {finding["rule"] for finding in document["findings"]}


def test_headers_of_one_unit_hide_those_of_no_other(project):
    """A precompiled header that units share holds the system's features.h, not the first one's."""
    (project / "own").mkdir()
    (project / "own" / "features.h").write_text("#define OWN_FEATURES 1\n")
    (project / "unit.cu").write_text("#include <cuda/barrier>\n__global__ void unit() {}\n")
    environment = {**os.environ, "BARLINT_CACHE_DIR": str(project / "cache")}
    for flags in (["--", "-Iown"], ["--", "-Iown"], []):
        check(project, "--no-cache", "unit.cu", *flags, env=environment)
    kept = list((project / "cache" / "pch").glob("*.pch.files"))
    assert kept
    assert all("own/features.h" not in made.read_text() for made in kept)


def test_the_first_run_sees_what_later_ones_do(project):
    """Built-in headers bring declarations that a file uses and does not include."""
    (project / "alone.cu").write_text("""#include <initializer_list>
std::string name(std::initializer_list<int> sizes) { return std::string(sizes.size(), 'x'); }
__global__ void kernel() { if (threadIdx.x < 5) __syncthreads(); }
void run() { kernel<<<1, 64>>>(); }
""")
    environment = {**os.environ, "BARLINT_CACHE_DIR": str(project / "cache")}
    first, second = (json.loads(check(project, "--no-cache", "--format=json", "alone.cu",
                                      env=environment).stdout) for _ in range(2))
    assert statuses(first) == statuses(second) == {"alone.cu": "ok"}
    assert first["findings"] == second["findings"] != []


def test_the_first_run_with_a_toolkit_sees_what_later_ones_do(project):
    """What a file uses and does not include comes with the precompiled header, made for one file, too."""
    (project / "alone.cu").write_text("""#include <cuda_runtime.h>
__global__ void kernel(__half *x) { if (threadIdx.x < 5) __syncthreads(); x[threadIdx.x] = __half(0.f); }
void run(__half *x) { kernel<<<1, 64>>>(x); }
""")
    environment = {**os.environ, "BARLINT_CACHE_DIR": str(project / "cache")}
    for mode in CASE_MODES:
        first, second = (json.loads(check(project, "--no-cache", "--format=json", *TOOLKITS[mode],
                                          "alone.cu", env=environment).stdout) for _ in range(2))
        assert statuses(first) == statuses(second)
        assert first["findings"] == second["findings"] != []


def test_names_that_only_the_precompiled_header_declares(project):
    """A unit may have a kernel called half where it does not include what declares a type of that name."""
    for name in ("half", "half2", "nv_bfloat16"):
        (project / "own.cu").write_text(f"""#include <cuda_runtime.h>
__global__ void {name}(int *x) {{ if (threadIdx.x < 5) __syncthreads(); x[threadIdx.x] /= 2; }}
void run(int *x) {{ {name}<<<1, 64>>>(x); }}
""")
        document = json.loads(check(project, "--no-cache", "--format=json", "--headers=builtin",
                                    "own.cu").stdout)
        assert statuses(document) == {"own.cu": "ok"}
        assert [finding["rule"] for finding in document["findings"]] == ["sync-divergent"]


def test_instances_that_a_table_of_virtual_functions_leads_to(project):
    """By libclang they are listed with a precompiled header, which a toolkit's headers get later."""
    (project / "kernels.h").write_text("""#include <cuda_runtime.h>
#include <memory>
template <int N> __global__ void meet() { if (threadIdx.x < 5) __syncthreads(); }
struct Kernel {
    virtual ~Kernel() {}
    virtual void launch() const = 0;
};
template <int N> struct Impl : Kernel {
    void launch() const override { meet<N><<<1, N>>>(); }
};
""")
    (project / "registry.cu").write_text("""#include "kernels.h"
void add(std::unique_ptr<Kernel>);
void add_all() { add(std::make_unique<Impl<64>>()); }
""")
    environment = {**os.environ, "BARLINT_CACHE_DIR": str(project / "cache")}
    for mode in CASE_MODES:
        for _ in range(3):
            document = json.loads(check(project, "--no-cache", "--format=json", *TOOLKITS[mode],
                                        "registry.cu", env=environment).stdout)
            assert [finding["rule"] for finding in document["findings"]] == ["sync-divergent"]


# --- The example ---------------------------------------------------------------------------------


def test_example_from_any_place(tmp_path):
    """The bundled database holds wherever the checkout lies and wherever the user stands."""
    moved = tmp_path / "some where"
    shutil.copytree(ROOT / "testdata" / "example", moved)
    expected = [line.split() for line in (moved / "expected.txt").read_text().splitlines()]
    for cwd, arguments in ((moved, []), (tmp_path, ["-p", "some where"]), (ROOT, ["-p", moved])):
        document = check_json(cwd, *arguments, status=(1,))
        assert {entry["status"] for entry in document["files"]} == {"ok"}
        assert len(document["files"]) == 4
        got = sorted([f"{pathlib.Path(f['file']).name}:{f['line']}", f["rule"], f["certainty"]]
                     for f in document["findings"])
        assert got == sorted(expected)


def test_standard_input(tmp_path):
    text = (ROOT / "testdata" / "rules" / "sync-divergent").glob("bad_*.cu").__next__().read_text()
    path = tmp_path / "on_disk.cu"
    path.write_text(text)
    options = ["--headers=builtin", "--format=json", "--quiet"]
    on_disk = json.loads(run_barlint("check", *options, path, check=(1,), cwd=tmp_path).stdout)
    path.write_text("// the disk holds something else\n")
    given = run_barlint("check", *options, "-", "--stdin-filename=on_disk.cu", input=text, check=(1,),
                        cwd=tmp_path)
    assert json.loads(given.stdout) == on_disk
    unnamed = run_barlint("check", "--headers=builtin", "--format=concise", "-", input=text, check=(1,),
                          cwd=tmp_path)
    assert unnamed.stdout.startswith("stdin.cu:")
    assert run_barlint("check", *options, "-", input="", check=(0,), cwd=tmp_path)
    for arguments in (["-", path], ["-", "--fix"], ["-", "--shard=1/2"]):
        assert "'-'" in run_barlint("check", *arguments, input=text, check=(2, 3), cwd=tmp_path).stderr
    assert "no source" in run_barlint("check", "-", input="a\0b", check=(2,), cwd=tmp_path).stderr


def test_one_line_as_long_as_the_file(tmp_path):
    """Where a place is on its line is found without going through the line."""
    seconds = {}
    for name, between in (("long", " "), ("short", "\n")):
        path = tmp_path / f"{name}.cu"
        path.write_text("__global__ void kernel(int *p)\n{" +
                        between.join(["p[threadIdx.x] += 1;"] * 12000) + "__syncthreads(); }\n")
        said = run_barlint("check", "--headers=builtin", "--no-cache", "--stats", path, check=(0,))
        seconds[name] = float(re.search(r"([\d.]+) s lowering", said.stderr).group(1))
    assert seconds["long"] < 10 * seconds["short"] + 1


def test_what_is_assumed_of_a_difference_reads_forwards(tmp_path):
    """`first - last < -3` is said as `last - first >= 4`."""
    path = tmp_path / "late.cu"
    path.write_text("""\
#include <cuda_awbarrier_primitives.h>
__global__ void late(int first, int last)
{
    __shared__ __mbarrier_t bar;
    if (threadIdx.x == 0)
        __mbarrier_init(&bar, blockDim.x);
    __syncthreads();
    if (threadIdx.x >= 32 && first - last < -3)
        return;
    __mbarrier_token_t token = __mbarrier_arrive(&bar);
    while (!__mbarrier_test_wait(&bar, token)) {
    }
}
void run(int first, int last) { late<<<1, 64>>>(first, last); }
""")
    said = run_barlint("check", "--headers=builtin", "--no-cache", path, check=(1,))
    assert "if 'last - first' >= 4 [" in said.stdout


def test_bytes_taken_for_a_record_are_called_by_its_members(tmp_path):
    """Of storage that a kernel casts an array of bytes to the members are named."""
    path = tmp_path / "storage.cu"
    path.write_text("""\
#include <cuda_awbarrier_primitives.h>
struct storage {
    float data[2][64];
    __mbarrier_t full[2];
};
__global__ void late(const float *in, float *out)
{
    extern __shared__ __align__(16) unsigned char raw[];
    storage &shared = *reinterpret_cast<storage *>(raw);
    if (threadIdx.x < 2)
        __mbarrier_init(&shared.full[threadIdx.x], 64);
    __syncthreads();
    for (int i = 0; i < 2; ++i) {
        shared.data[i][threadIdx.x] = in[i * 64 + threadIdx.x];
        if (i == 1 && threadIdx.x >= 32)
            return;
        __mbarrier_token_t token = __mbarrier_arrive(&shared.full[i]);
        while (!__mbarrier_test_wait(&shared.full[i], token)) {
        }
        out[i * 64 + threadIdx.x] = shared.data[i][threadIdx.x ^ 1];
    }
}
void run(const float *in, float *out) { late<<<1, 64, sizeof(storage)>>>(in, out); }
""")
    said = run_barlint("check", "--headers=builtin", "--no-cache", path, check=(1,))
    assert "while 'raw.full[1]' counts on them" in said.stdout


def test_accesses_to_a_cast_array_are_called_by_their_members(tmp_path):
    """What a race or a copy is about is the member of the record, not the record's first one."""
    path = tmp_path / "members.cu"
    path.write_text("""\
#include <cuda_runtime.h>
struct storage {
    alignas(128) float tile[2][128];
    alignas(128) float sum[128];
};
__device__ unsigned shared_of(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__global__ void mixed(const float *in, float *out)
{
    extern __shared__ __align__(128) unsigned char raw[];
    storage &shared = *reinterpret_cast<storage *>(raw);
    shared.tile[0][threadIdx.x] = in[threadIdx.x];
    shared.sum[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = shared.sum[threadIdx.x ^ 64];
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 512;" ::"l"(out + 128),
                     "r"(shared_of(shared.sum)) : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}
void run(const float *in, float *out) { mixed<<<1, 128, sizeof(storage)>>>(in, out); }
""")
    said = run_barlint("check", "--headers=builtin", "--no-cache", path, check=(1,))
    assert "reads 'raw.sum' where thread 64 of another warp writes it" in said.stdout
    assert "between the stores to 'raw.sum' and this bulk copy" in said.stdout


def test_words_that_read_alike_do_not_contradict_each_other(tmp_path):
    """Of two words of an array, both of which are called `counts[...]`, the later is told."""
    path = tmp_path / "words.cu"
    path.write_text("""\
#include <cuda_awbarrier_primitives.h>
__global__ void late(const int *counts)
{
    __shared__ __mbarrier_t bar;
    if (threadIdx.x == 0)
        __mbarrier_init(&bar, blockDim.x);
    __syncthreads();
    if (counts[2 * blockIdx.x] > 3 && counts[2 * blockIdx.x + 1] < 2 && threadIdx.x >= 32)
        return;
    __mbarrier_token_t token = __mbarrier_arrive(&bar);
    while (!__mbarrier_test_wait(&bar, token)) {
    }
}
void run(const int *counts) { late<<<8, 64>>>(counts); }
""")
    said = run_barlint("check", "--headers=builtin", "--no-cache", "--format=concise", path, check=(1,))
    assert said.stdout.count("'counts[...]'") == 1 and "'counts[...]' < 2 [" in said.stdout


def test_who_has_no_part_in_a_circle_is_not_named_there():
    """The warp that loads waits behind the two groups that wait for each other."""
    path = ROOT / "testdata" / "rules" / "named-order-cycle" / "bad_first_turn_not_given.cu"
    said = run_barlint("check", "--headers=builtin", "--no-cache", "--format=concise", "--arch=sm_90a", path,
                       check=(1,))
    assert "threads 64-127 of 160 wait at barrier 2 for threads 0-63 of 160, which wait" in said.stdout
