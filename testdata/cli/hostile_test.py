"""Odd places and odd files: an answer and a status, and neither a crash nor a wait without end."""
import json
import os
import signal
import subprocess

import pytest

from conftest import BARLINT, run_barlint

WRONG = """__global__ void kernel(int *p)
{
    if (threadIdx.x < 7)
        __syncthreads();
    p[0] = 1;
}
void launch(int *p) { kernel<<<1, 64>>>(p); }
"""
OPTIONS = ["check", "--headers=builtin"]


@pytest.fixture
def wrong(tmp_path):
    path = tmp_path / "wrong.cu"
    path.write_text(WRONG)
    return path


def shell(script, folder, **more):
    return subprocess.run(["bash", "-c", script, "bash", str(BARLINT.resolve()), *OPTIONS], cwd=folder,
                          capture_output=True, text=True, timeout=120, **more)


def test_closed_output(wrong):
    assert shell('"$@" wrong.cu >&-', wrong.parent).returncode == 4
    assert shell('"$@" wrong.cu >&- 2>&-', wrong.parent).returncode == 4
    assert shell('"$@" wrong.cu --format=concise <&-', wrong.parent).returncode == 1


def test_nobody_reads(wrong):
    for number in range(200):
        (wrong.parent / f"more_{number}.cu").write_text(WRONG)
    result = shell('set -o pipefail; "$@" -q --format=json . | head -c 10', wrong.parent)
    assert result.returncode == 128 + signal.SIGPIPE and result.stderr == ""


def test_folder_that_is_gone(wrong):
    result = shell('mkdir gone; cd gone; rmdir ../gone; "$@" ../wrong.cu', wrong.parent)
    assert result.returncode == 3 and "current folder" in result.stderr


def test_no_home_and_no_place_for_files(wrong):
    result = shell('env -i PATH=/usr/bin:/bin HOME=/nonexistent TMPDIR=/nonexistent "$@" -q '
                   "--format=concise wrong.cu", wrong.parent)
    assert result.returncode == 1 and result.stdout.startswith("wrong.cu:4:9: error:")


def test_root_folder():
    result = run_barlint(*OPTIONS, cwd="/", check=(2,))
    assert "name files or folders" in result.stderr and result.stdout == ""


def test_what_is_no_file(wrong):
    folder = wrong.parent
    (folder / "folder.cu").mkdir()
    os.mkfifo(folder / "pipe.cu")
    (folder / "round.cu").symlink_to("round.cu")
    (folder / "round").symlink_to(".")
    (folder / "compile_commands.json").write_text(json.dumps([
        {"directory": str(folder), "file": name, "command": f"nvcc -c {name}"}
        for name in ("folder.cu", "pipe.cu", "round.cu", "gone.cu", "wrong.cu")]))
    result = run_barlint(*OPTIONS, "--format=json", "--no-cache", cwd=folder, check=(3,))
    status = {one["file"]: one["status"] for one in json.loads(result.stdout)["files"]}
    assert status.pop("wrong.cu") == "ok" and set(status.values()) == {"failed"} and len(status) == 4
    for path in ("pipe.cu", "/dev/zero", "/dev/null/x.cu"):
        run_barlint(*OPTIONS, "--no-cache", path, cwd=folder, check=(3,), timeout=60)
    # A folder is gone through once, whatever links lead back to it.
    (folder / "compile_commands.json").unlink()
    found = json.loads(run_barlint(*OPTIONS, "--format=json", "--no-cache", ".", cwd=folder,
                                   check=(1, 3)).stdout)
    assert len(found["findings"]) == 1


@pytest.mark.parametrize("text", [
    "", "\n" * 100000, "\ufeff" + WRONG, "{" * 100000 + "}" * 100000,
    "__global__ void k(int *p) { p[0] = " + "(" * 20000 + "1" + ")" * 20000 + "; }",
    "__global__ void k(int *p) { p[0] = 1" + " + p[1]" * 20000 + "; }",
    "#include \"self.cu\"\n" + WRONG, "#define A(x) A A(x)\n" * 1000 + WRONG,
], ids=range(8))
def test_odd_texts(tmp_path, text):
    (tmp_path / "self.cu").write_text(text)
    result = run_barlint(*OPTIONS, "--format=json", "--no-cache", "self.cu", cwd=tmp_path,
                         check=(0, 1, 3), timeout=120)
    (file,) = json.loads(result.stdout)["files"]
    assert file["status"] in ("ok", "partial") or file["reason"]


def test_files_that_vanish(tmp_path):
    for number in range(60):
        (tmp_path / f"unit_{number:02}.cu").write_text(WRONG)
    process = subprocess.Popen([str(BARLINT), *OPTIONS, "--no-cache", "-j1", "--format=json", "."],
                               cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    for number in range(59, 0, -1):
        (tmp_path / f"unit_{number:02}.cu").unlink()
    out, _ = process.communicate(timeout=120)
    assert process.returncode in (1, 3)
    for file in json.loads(out)["files"]:
        assert file["status"] == "ok" or file["reason"], file
