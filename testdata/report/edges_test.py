"""What breaks reports: large databases, macros, line ends, links, bytes."""
import json
import os
import pty
import re
import subprocess
import time

import pytest

from conftest import BARLINT
from report_project import WRONG, check, nasty, project  # noqa: F401

# The operation comes from one macro and its argument from another.
MACROS = WRONG.replace("    warp_sync(threadIdx.x / 32);", "    MEET(WARP);").replace(
    "__global__", "#define WARP (threadIdx.x / 32)\n#define MEET(id) \\\n    do { \\\n"
    "        warp_sync(id); \\\n    } while (0)\n\n__global__", 1)


def document(folder, *arguments, status=(0, 1, 3)):
    result = check(folder, "--format=json", *arguments)
    assert result.returncode in status, (result.returncode, result.stderr)
    return json.loads(result.stdout)


def test_database_of_ten_thousand(project):
    entries = [{"directory": str(project), "file": f"src/k{number}.cu",
                "command": f"nvcc -DN={number} -c src/k{number}.cu"} for number in range(10000)]
    (project / "src").mkdir()
    (project / "src" / "k4711.cu").write_text(WRONG)
    (project / "compile_commands.json").write_text(json.dumps(entries))
    begun = time.monotonic()
    result = check(project, "src/k4711.cu")
    assert result.returncode == 1 and result.stdout.startswith("src/k4711.cu:8:5: error")
    assert time.monotonic() - begun < 5
    result = check(project, "-q", "--output=json:a.json", "--output=sarif:a.sarif",
                   "--output=junit:a.xml", "--output=gitlab:a.gl.json", "--format=concise")
    assert result.returncode == 3
    whole = json.loads((project / "a.json").read_text())
    assert len(whole["files"]) == 10000 and len(whole["findings"]) == 1
    assert whole["summary"]["failed"] == 9999
    run, = json.loads((project / "a.sarif").read_text())["runs"]
    assert len(run["invocations"][0]["toolExecutionNotifications"]) == 9999
    assert time.monotonic() - begun < 60


def test_macros(project):
    (project / "wrong.cu").write_text(MACROS)
    finding, = document(project, "wrong.cu")["findings"]
    line = MACROS[:MACROS.index("    MEET(WARP)")].count("\n") + 1
    assert (finding["rule"], finding["line"], finding["column"]) == ("named-id-range", line, 5)
    text = check(project, "wrong.cu").stdout
    assert f"{line:5} |     MEET(WARP);\n      |     ^" in text
    # It is suppressed where the macro is used.
    (project / "wrong.cu").write_text(MACROS.replace(
        "    MEET(WARP);", "    MEET(WARP); // barlint-ignore[named-id-range]: known"))
    assert document(project, "wrong.cu")["findings"] == []


@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_line_ends(project, end):
    (project / "wrong.cu").write_bytes(WRONG.replace("\n", end).encode())
    text = check(project, "wrong.cu").stdout
    assert "\r" not in text and "    8 |     warp_sync(threadIdx.x / 32);\n" in text
    finding, = document(project, "wrong.cu")["findings"]
    assert (finding["line"], finding["column"]) == (8, 5)
    # The fingerprint does not depend on them, nor does a comment that suppresses.
    (project / "other.cu").write_text(WRONG)
    other, = document(project, "other.cu")["findings"]
    assert finding["fingerprint"] == other["fingerprint"]
    commented = WRONG.replace("    warp_sync(thr", "    // barlint-ignore[named-id-range]: known\n"
                              "    warp_sync(thr")
    (project / "wrong.cu").write_bytes(commented.replace("\n", end).encode())
    assert document(project, "wrong.cu")["findings"] == []


def test_bytes_that_are_no_text(nasty):
    result = check(nasty, "bytes.cu")
    assert result.returncode == 1
    line = next(line for line in result.stdout.splitlines() if line.startswith("    8 |"))
    assert line == "    8 |     /* ? -- ? ]]> */ warp_sync(threadIdx.x / 32);"
    for finding in document(nasty, ".")["findings"]:
        assert finding["line"] == 8


def test_a_name_that_is_no_utf8_is_read_again(project):
    """Findings come from another process, and the report reads the source by that name."""
    name = os.fsdecode(b"latin\xe9.cu")
    (project / name).write_text(WRONG.replace(
        "/ 32);", "/ 32); // barlint-ignore[named-id-range]: known"))
    whole = document(project, name)
    assert whole["findings"] == [] and whole["summary"]["suppressed"] == 1


def test_symlinked_tree(project):
    (project / "link").symlink_to(project)
    (project / "alias.cu").symlink_to(project / "wrong.cu")
    # A folder is walked without going round in circles, and a linked file is a file.
    whole = document(project, ".")
    assert {entry["file"] for entry in whole["files"]} == {"wrong.cu", "right.cu", "alias.cu"}
    assert re.match("link/wrong.cu:8:5: error", check(project, "link/wrong.cu").stdout)
    (project / "loop.cu").symlink_to(project / "loop.cu")
    result = check(project, "loop.cu")
    assert result.returncode == 3 and "loop.cu" in result.stderr


def test_hundreds_of_findings(project):
    kernels = "".join(WRONG.replace("warp_sync", f"sync{number}").replace("scale", f"scale{number}")
                      .replace("run", f"run{number}") for number in range(300))
    (project / "wrong.cu").write_text(kernels)
    for format in ("sarif", "github", "gitlab", "junit", "rdjson"):
        result = check(project, f"--format={format}", "wrong.cu")
        assert result.returncode == 1
        assert result.stdout.count("named barrier 0 to 31 does not exist") >= 300


# --- Progress ------------------------------------------------------------------------------------


@pytest.fixture
def slow(project):
    """A unit that takes as long as it is allowed: its header is a pipe that nobody writes to."""
    os.mkfifo(project / "never.h")
    (project / "slow.cu").write_text('#include "never.h"\n' + WRONG)
    return project


def test_progress_on_a_terminal(slow):
    ours, theirs = pty.openpty()
    process = subprocess.Popen([BARLINT, "check", "--headers=builtin", "--timeout=2", "slow.cu",
                                "wrong.cu"], cwd=slow, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    said = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # how Linux tells that the other end is closed
            break
        if not part:
            break
        said += part
    os.close(ours)
    assert process.wait() == 3
    assert b"\r\x1b[K1 of 2 units" in said
    # Nothing of it is left before the first line that stays.
    assert re.search(rb"units(\r\x1b\[K)+barlint: slow\.cu: took longer than 2 s", said)


def test_no_progress_in_a_short_log(slow):
    result = check(slow, "--timeout=2", "slow.cu", "wrong.cu")
    assert result.returncode == 3 and " units" not in result.stderr
