"""What all tests share: the program under test, CUDA toolkits, and how expectations are written."""
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("BARLINT_BUILD", ROOT / "build"))
BARLINT = pathlib.Path(os.environ.get("BARLINT", BUILD / "barlint"))
# What barlint keeps between runs stays in the build folder.
os.environ.setdefault("BARLINT_CACHE_DIR", str(BUILD.resolve() / "test-cache"))
# The command behind every case: what the cases are checked to compile with.
COMPILER_ARGUMENTS = ["-std=c++17", "-gencode", "arch=compute_90a,code=sm_90a"]


def run_barlint(*arguments, check=None, **more):
    """Runs barlint; `check` lists the exit statuses that are right."""
    more.setdefault("timeout", 300)
    result = subprocess.run([str(BARLINT), *map(str, arguments)], capture_output=True, text=True,
                            errors="replace", **more)
    if check is not None:
        assert result.returncode in check, (result.returncode, result.stdout, result.stderr)
    return result


def find_toolkits():
    """Name and arguments of every way to give barlint CUDA headers on this machine."""
    modes = {"builtin": ["--headers=builtin"]}
    nvcc = shutil.which("nvcc")
    for place in (os.environ.get("CUDA_PATH"), "/usr/local/cuda",
                  nvcc and pathlib.Path(nvcc).resolve().parent.parent):
        if place and (pathlib.Path(place) / "include" / "cuda_runtime.h").exists():
            modes["toolkit"] = ["--headers=toolkit", f"--cuda-path={place}"]
            break
    for folder in sorted((BUILD / "toolkits").glob("cuda-*")):
        modes[folder.name] = ["--headers=toolkit", f"--cuda-path={folder}"]
    return modes


def find_compiler():
    """The bin folder of a toolkit that compiles: the machine's, or what fetch_toolkits.py put there.
    None when there is none."""
    nvcc = shutil.which("nvcc")
    places = [nvcc and pathlib.Path(nvcc).resolve().parent, pathlib.Path("/usr/local/cuda/bin"),
              *sorted((BUILD / "toolkits").resolve().glob("nvcc-*/bin"))]
    return next((place for place in places if place and (place / "ptxas").exists()), None)


def without_toolkits():
    """The words before a command that run it where no CUDA toolkit is: every folder of one is covered
    by an empty one, in a mount namespace of the command's own. Skips where the machine forbids that."""
    nvcc = shutil.which("nvcc")
    folders = {folder.resolve() for folder in [
        *pathlib.Path("/usr/local").glob("cuda*"), *pathlib.Path("/opt").glob("cuda*"),
        *(BUILD / "toolkits").glob("*"), *([pathlib.Path(nvcc).resolve().parent.parent] if nvcc else [])]
        if folder.is_dir() and str(folder.resolve()) not in ("/", "/usr", "/usr/local")}
    script = ('while [ "$1" != -- ]; do mount -t tmpfs none "$1" || exit 99; shift; done; shift; '
              'unset CUDA_HOME CUDA_PATH; exec "$@"')
    words = ["unshare", "--mount", *([] if os.getuid() == 0 else ["--map-root-user"]),
             "sh", "-c", script, "sh", *map(str, sorted(folders)), "--"]
    if subprocess.run([*words, "true"], capture_output=True).returncode != 0:
        pytest.skip("toolkits cannot be hidden here: unshare or mount is not allowed")
    return words


TOOLKITS = find_toolkits()
# For the tests of the headers themselves.
os.environ.setdefault("BARLINT_TEST_TOOLKITS", ":".join(
    arguments[-1].partition("=")[2] for name, arguments in TOOLKITS.items() if name != "builtin"))
# The cases run with barlint's own headers and with one toolkit, the machine's or the newest; the
# other toolkits run the documentation's snippets.
CASE_MODES = ["builtin"] + [name for name in ("toolkit", *reversed(TOOLKITS))
                            if name in TOOLKITS and name != "builtin"][:1]


def toolkit_has(mode, text):
    """Whether the toolkit has what the source uses of CUDA's C++ library: old ones lack some."""
    newer = ("wait_parity", "barrier_arrive()", "barrier_arrive_tx", "ProgrammaticStreamSerialization",
             "tiled_partition<64>")  # than CUDA 11
    if mode.startswith("cuda-11") and any(word in text for word in newer):
        return False
    folder = pathlib.Path(TOOLKITS[mode][-1].partition("=")[2], "include")
    return mode == "builtin" or all(
        (folder / name).exists() or (folder / "cccl" / name).exists()
        for name in re.findall(r"#include <(cuda/[^>]+)>", text))


def cccl_version(mode):
    """The version of CUDA's C++ library that a header mode has, "3.0.1"; None where it has none."""
    if mode == "builtin":
        return None
    folder = pathlib.Path(TOOLKITS[mode][-1].partition("=")[2], "include")
    for header in (folder / "cccl", folder):
        header = header / "cuda" / "std" / "__cccl" / "version.h"
        if header.exists():
            number = int(re.search(r"define CCCL_VERSION (\d+)", header.read_text()).group(1))
            return f"{number // 1000000}.{number // 1000 % 1000}.{number % 1000}"
    return None


def version_key(version):
    return [int(part) for part in version.split(".")]


def expectations(text, cccl=None):
    """Line number -> sorted rule ids, from `// expect: id, id` comments. What `expect[cccl < 3.2.1]:`
    says holds with CUDA's C++ library in an older version than that only."""
    found = collections.defaultdict(list)
    for number, line in enumerate(text.splitlines(), 1):
        for limit, ids in re.findall(
                r"expect(?:\[cccl < ([\d.]+)\])?: ([a-z0-9-]+(?:, [a-z0-9-]+)*)", line):
            if not limit or (cccl and version_key(cccl) < version_key(limit)):
                found[number] = sorted(found[number] + ids.split(", "))
    return dict(found)


def reported(document):
    """File -> line number -> sorted rule ids, from barlint's JSON."""
    files = collections.defaultdict(lambda: collections.defaultdict(list))
    for finding in document["findings"]:
        files[finding["file"]][finding["line"]].append(finding["rule"])
    return {path: {line: sorted(ids) for line, ids in lines.items()}
            for path, lines in files.items()}


def lint_json(paths, *arguments, cwd=None):
    """One run over all paths; the parsed document."""
    result = run_barlint("check", "--format=json", "--quiet", *arguments, *paths, "--",
                         *COMPILER_ARGUMENTS, check=(0, 1, 3), cwd=cwd)
    return json.loads(result.stdout)


@pytest.fixture(scope="session")
def barlint():
    assert BARLINT.exists(), f"{BARLINT} is not built; see the README"
    return run_barlint
