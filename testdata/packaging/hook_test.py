"""The hooks of .pre-commit-hooks.yaml, run by pre-commit in a fresh repository."""
import os
import re
import shutil
import textwrap

import pytest
import yaml
from conftest import BARLINT, ROOT, without_toolkits
from packages import BARE, install_from_pypi, run, sources  # noqa: F401

BAD = """\
__global__ void halves(float *rows)
{
    if (threadIdx.x < 64)
        __syncthreads();
    rows[threadIdx.x] *= 2.0f;
}

void run(float *rows)
{
    halves<<<1, 128>>>(rows);
}
"""
GOOD = BAD.replace("    if (threadIdx.x < 64)\n        __sync", "    __sync")
GIT = ["git", "-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"]


@pytest.fixture(scope="module")
def pre_commit(tmp_path_factory):
    return install_from_pypi(tmp_path_factory.mktemp("pre-commit") / "env", "pre-commit") / "pre-commit"


class Repository:
    def __init__(self, folder, hooks, hook, pre_commit, before=()):
        self.folder = folder
        self.before = before  # words before each git command
        # The installed barlint is found on PATH, and pre-commit keeps what it builds by the test.
        binaries = folder.parent / "bin"
        binaries.mkdir()
        (binaries / "barlint").symlink_to(BARLINT.resolve())
        self.environment = {**BARE, "PATH": f"{binaries}:{BARE['PATH']}",
                            "PRE_COMMIT_HOME": str(folder.parent / "kept"),
                            "PIP_CACHE_DIR": os.environ.get("PIP_CACHE_DIR", str(folder.parent / "pip")),
                            "CMAKE_BUILD_PARALLEL_LEVEL": str(os.cpu_count())}
        # What pip needs to reach the network.
        self.environment.update((name, value) for name, value in os.environ.items() if re.match(
            r"PIP_|SSL_CERT|REQUESTS_CA_BUNDLE|\w+_proxy$", name, re.I))
        folder.mkdir()
        revision = run("git", "rev-parse", "HEAD", cwd=hooks).stdout.strip()
        (folder / ".pre-commit-config.yaml").write_text(
            f"repos:\n- repo: {hooks}\n  rev: {revision}\n  hooks:\n  - {hook}\n")
        self.git("init", "-q")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "start")
        run(pre_commit, "install", cwd=folder, env=self.environment)

    def git(self, *words, check=(0,)):
        return run(*self.before, *GIT, *words, cwd=self.folder, env=self.environment, check=check)

    def commit(self, check=(0, 1), **files):
        """Commits files; returns whether it was let through, and what was said."""
        for name, text in files.items():
            (self.folder / f"{name}.cu").write_text(text)
        self.git("add", "-A")
        result = self.git("commit", "-m", "change", check=check)
        log = self.folder.parent / "kept" / "pre-commit.log"  # of a hook that could not be run
        return result.returncode == 0, result.stdout + (log.read_text() if log.exists() else "")


def refuses_what_is_bad(repository):
    accepted, said = repository.commit(kernel=BAD)
    assert not accepted
    assert "[sync-divergent]" in said and "kernel.cu:4:9" in said
    accepted, said = repository.commit(kernel=GOOD)
    assert accepted, said
    assert repository.git("status", "--porcelain").stdout == ""


@pytest.mark.parametrize("hook", ["id: barlint-system",
                                  "{id: barlint-system, args: [--headers=builtin]}",
                                  "{id: barlint-system, args: [--staged]}"])
def test_installed_program(sources, pre_commit, tmp_path, hook):
    refuses_what_is_bad(Repository(tmp_path / "work", sources, hook, pre_commit))


def test_where_no_toolkit_is(sources, pre_commit, tmp_path):
    refuses_what_is_bad(Repository(tmp_path / "work", sources, "id: barlint-system", pre_commit,
                                   before=without_toolkits()))


def test_built_by_pre_commit(sources, pre_commit, tmp_path):
    """pre-commit builds the program itself; the one that is installed is out of its sight."""
    repository = Repository(tmp_path / "work", sources, "id: barlint", pre_commit)
    (tmp_path / "bin" / "barlint").unlink()
    refuses_what_is_bad(repository)
    shutil.rmtree(tmp_path / "kept")


def test_readme_names_hooks_that_exist():
    shown = re.search(r"# .pre-commit-config.yaml[^\n]*\n(?:    [^\n]*\n)*",
                      (ROOT / "README.md").read_text()).group(0)
    configured = yaml.safe_load(textwrap.dedent("    " + shown))["repos"]
    ids = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    assert ids == {"barlint", "barlint-system"}
    assert {hook["id"] for hook in configured[0]["hooks"]} <= ids and "barlint-system" in shown


def test_staged_content_counts(sources, pre_commit, tmp_path):
    repository = Repository(tmp_path / "work", sources, "id: barlint-system", pre_commit)
    kernel = repository.folder / "kernel.cu"
    # Wrong as staged, mended in the work tree alone.
    kernel.write_text(BAD)
    repository.git("add", "kernel.cu")
    kernel.write_text(GOOD)
    assert "[sync-divergent]" in repository.git("commit", "-m", "bad", check=(1,)).stdout
    # The other way round.
    repository.git("add", "kernel.cu")
    kernel.write_text(BAD)
    repository.git("commit", "-m", "good")
    assert kernel.read_text() == BAD, "what was not staged is still there"


def test_excluded_files_are_left_out_even_when_named(sources, pre_commit, tmp_path):
    repository = Repository(tmp_path / "work", sources, "id: barlint-system", pre_commit)
    (repository.folder / ".barlint.yaml").write_text("exclude: [kernel.cu]\n")
    accepted, said = repository.commit(kernel=BAD)
    assert accepted, said


def test_only_cuda_files_start_it(sources, pre_commit, tmp_path):
    repository = Repository(tmp_path / "work", sources, "id: barlint-system", pre_commit)
    (repository.folder / "notes.cpp").write_text("int unfinished(")
    accepted, said = repository.commit()
    assert accepted and "Skipped" in said
    (repository.folder / "device.cuh").write_text(BAD)
    accepted, said = repository.commit()
    assert not accepted and "[sync-divergent]" in said
