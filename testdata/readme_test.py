"""The README: its table is what the program says, and every command in it runs and says what the
README shows."""
import os
import re
import shutil
import subprocess

import pytest
from conftest import BARLINT, ROOT, run_barlint

TEXT = (ROOT / "README.md").read_text()
# Lines of indented blocks: a command, and perhaps a remark behind two blanks or a #.
COMMANDS = [re.split(r"\s{2,}|\s+#", line)[0].strip()
            for line in re.findall(r"^    (?=\w)([^\n]*)$", TEXT, re.M)]
OURS = [line for line in COMMANDS if line.startswith("barlint ")]
# Commands of other programs: the test that runs them, and the words it does so with.
OTHERS = {"sh .ci/setup": (".ci/run", "sh .ci/setup"), "sh .ci/test": (".ci/run", "sh .ci/test"),
          "python3 -m pip install .": ("testdata/packaging/packages.py", '"pip", "wheel", ROOT'),
          "cpack --config build/CPackConfig.cmake": ("testdata/packaging/install_test.py",
                                                     '"cpack", "--config"'),
          "cmake --install build --prefix ~/.local": ("testdata/packaging/install_test.py",
                                                      '"cmake", "--install", BUILD, "--prefix"')}
GIT = ["git", "-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"]
KERNEL = """\
__global__ void gemm(float *rows)
{
    __shared__ float tile[32];
    tile[threadIdx.x] = rows[threadIdx.x];
    __syncthreads();
    rows[threadIdx.x] = tile[31 - threadIdx.x];
}
void run(float *rows) { gemm<<<1, 32>>>(rows); }
"""


def test_readme_lists_every_rule():
    for line in run_barlint("rules", check=(0,)).stdout.splitlines():
        rule, level, summary = line.split(None, 2)
        assert f"| `{rule}` | {level} | {summary} |" in TEXT, f"the README's row of {rule}"


def test_readme_commands_exist():
    """The commands a reader is told to type are those that CI runs, and what barlint answers is
    what the README shows."""
    runner = (ROOT / ".ci" / "run").read_text()
    for command in ("sh .ci/setup", "sh .ci/test"):
        assert command in TEXT and command in runner
    shown = re.findall(r"^    \$ (build/barlint [^\n]*)\n((?:    [^\n]*\n|\n(?=    ))*)", TEXT, re.M)
    assert shown, "the README shows no run"
    for command, output in shown:
        words = command.split()
        result = run_barlint(*words[1:], cwd=ROOT)
        got = re.sub(r"\s+", " ", result.stdout + result.stderr)
        for line in output.splitlines():
            line = re.sub(r"\s+", " ", line.strip())
            assert line in ("", "...") or line in got, f"{command}: {line!r} is not in its output"


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A repository that has what the commands name."""
    folder = shutil.copytree(ROOT / "testdata" / "example", tmp_path_factory.mktemp("readme") / "p")
    (folder / "src" / "kernels").mkdir()
    for name in ("k.cu", "src/k.cu", "src/kernels/gemm.cu"):
        (folder / name).write_text(KERNEL)
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "start"],
                  ["update-ref", "refs/remotes/origin/main", "HEAD"]):
        subprocess.run([*GIT, *words], cwd=folder, check=True)
    return folder


@pytest.mark.parametrize("command", OURS)
def test_command_runs(project, command):
    """They run in the order of the README, each in the state that those before it left."""
    if command == "barlint baseline create":
        (project / "barlint-baseline.json").unlink(missing_ok=True)
    binaries = project.parent / "bin"
    binaries.mkdir(exist_ok=True)
    if not (binaries / "barlint").exists():
        (binaries / "barlint").symlink_to(BARLINT.resolve())
    result = subprocess.run(["bash", "-c", command], cwd=project, capture_output=True, text=True,
                            stdin=subprocess.DEVNULL, timeout=300,
                            env={**os.environ, "PATH": f"{binaries}:{os.environ['PATH']}"})
    assert result.returncode in (0, 1), f"{result.stdout}\n{result.stderr}"


def test_no_command_is_left_out():
    assert len(OURS) > 15
    programs = ("sh ", "python3 ", "cmake ", "cpack ", "pip ", "git ", "apt", "pkg-config ")
    assert {line for line in COMMANDS if line.startswith(programs)} == set(OTHERS)
    for file, words in OTHERS.values():
        assert words in (ROOT / file).read_text()


def test_the_editor_lines_are_those_that_are_tested():
    shown = re.search(r"    ;; Emacs[^\n]*\n((?:    [^\n]+\n)+)", TEXT).group(1)
    page = (ROOT / "editors" / "emacs.md").read_text()
    assert "\n".join(line[4:] for line in shown.splitlines()) in page
