"""Shards of a check, merged, equal one check of everything, whatever the format."""
import json
import os
import shutil

import pytest
from conftest import ROOT, run_barlint

FORMATS = ["text", "json", "sarif", "github", "gitlab", "html", "junit"]
PROJECTS = [ROOT / "testdata" / "example",
            *sorted(path.parent for path in (ROOT / "testdata" / "program").glob("*/compile_commands.json"))]


class Project:
    def __init__(self, source, folder):
        self.folder = shutil.copytree(source, folder / "project")
        # Each run has results of its own, as machines of a CI do.
        self.cache = folder / "cache"
        self.shards = folder

    def run(self, command, *arguments, check=(0, 1), cache="0"):
        return run_barlint(command, *arguments, cwd=self.folder, check=check,
                           env={**os.environ, "BARLINT_CACHE_DIR": str(self.cache / cache)})

    def whole(self, form, *arguments):
        result = self.run("check", "--headers=builtin", f"--format={form}", *arguments)
        return result.stdout, result.stderr, result.returncode

    def shard(self, count, *arguments):
        """The documents of all shards."""
        documents = [self.shards / f"shard-{i + 1}-of-{count}.json" for i in range(count)]
        for i, document in enumerate(documents):
            self.run("check", "--headers=builtin", f"--shard={i + 1}/{count}", *arguments,
                     f"--output=json:{document}", cache=f"shard-{i}")
        return documents

    def merged(self, form, documents, *arguments):
        result = self.run("merge", *documents, f"--format={form}", *arguments, cache="merge")
        return result.stdout, result.stderr, result.returncode


@pytest.fixture
def project(request, tmp_path):
    return Project(getattr(request, "param", PROJECTS[0]), tmp_path)


@pytest.mark.parametrize("project", PROJECTS, indirect=True, ids=lambda path: path.name)
def test_merged_shards_are_the_whole(project):
    documents = project.shard(3)
    for form in FORMATS:
        assert project.merged(form, documents) == project.whole(form), form
    # The order in which they are named does not count.
    assert project.merged("json", documents[::-1]) == project.whole("json")


@pytest.mark.parametrize("count", [1, 2, 4, 7])
def test_any_number_of_shards(project, count):
    documents = project.shard(count)
    taken = [len(json.loads(document.read_text())["files"]) for document in documents]
    assert sum(taken) == 4 and max(taken) - min(taken) <= 3
    assert project.merged("json", documents) == project.whole("json")


def test_shards_are_of_like_size(project):
    """The largest files are dealt out first: nothing but one large file is in its shard."""
    (project.folder / "src" / "block_sum.cu").open("a").write("// filling\n" * 10000)
    files = [[name["file"] for name in json.loads(document.read_text())["files"]]
             for document in project.shard(2)]
    assert ["src/block_sum.cu"] in files and sorted(map(len, files)) == [1, 3]


def test_options_of_the_check_hold_in_the_merge(project):
    options = ["--rule=tx-size-align", "--pedantic", "src/stage_copy.cu", "src/row_groups.cu"]
    documents = project.shard(2, *options)
    assert project.merged("json", documents) == project.whole("json", *options)
    assert json.loads(project.merged("json", documents)[0])["summary"]["findings"] == 1


def test_verdict_is_that_of_the_merge(project):
    documents = project.shard(2, "--fail-on=never")
    assert project.merged("concise", documents)[2] == 1
    assert project.merged("concise", documents, "--fail-on=never")[2] == 0


def test_arguments_for_the_compiler(project):
    (project.folder / "lone").mkdir()
    shutil.copy(project.folder / "src" / "stage_copy.cu", project.folder / "lone")
    shutil.copy(project.folder / "src" / "row_groups.cu", project.folder / "lone")
    include = f"-I{project.folder / 'include'}"
    documents = [project.shards / f"{i}.json" for i in (1, 2)]
    for i, document in enumerate(documents):
        project.run("check", "--headers=builtin", f"--shard={i + 1}/2", f"--output={document}",
                    "--format=json", "lone", "--", include, "-arch=sm_90a")
    result = project.run("check", "--headers=builtin", "--format=json", "lone", "--", include,
                         "-arch=sm_90a")
    assert project.merged("json", documents)[0] == result.stdout
    assert len(json.loads(result.stdout)["findings"]) == 3


def test_headers_of_folders(project):
    """Which headers nobody includes is known when all units are: the merge analyses them."""
    (project.folder / "lone.cuh").write_text(
        "__global__ void lone(float *p)\n{\n    if (threadIdx.x < 64)\n        __syncthreads();\n"
        "    p[threadIdx.x] = 0;\n}\ninline void run(float *p) { lone<<<1, 128>>>(p); }\n")
    documents = project.shard(2, ".")
    whole = project.whole("json", ".")
    assert "lone.cuh" in whole[0]
    assert project.merged("json", documents) == whole


# --- What does not fit ---------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["0/2", "3/2", "1", "1/", "/2", "-1/2", "1/2x", "1/100000", "a/b",
                                  "1 /2", "+1/2"])
def test_wrong_shards_are_refused(project, word):
    result = project.run("check", f"--shard={word}", check=(2,))
    assert "--shard takes which of how many" in result.stderr


def test_incomplete_or_foreign_documents_are_refused(project):
    documents = project.shard(3)
    others = project.shard(2)
    (project.shards / "plain.json").write_text(project.whole("json")[0])
    (project.shards / "cut.json").write_text(documents[0].read_text()[:100])
    damaged = json.loads(documents[0].read_text())
    damaged["shard"]["units"] = [{"key": 1}]
    (project.shards / "damaged.json").write_text(json.dumps(damaged))
    for names, message in [
            ([], "needs the JSON of every shard"),
            (documents[:2], "shard 3 of 3 is missing"),
            ([*documents, documents[0]], "shard 1 is named twice"),
            ([*documents[:2], others[0]], "is a shard of 2, another one of 3"),
            ([project.shards / "plain.json"], "is no JSON of 'barlint check --shard'"),
            ([project.shards / "cut.json"], "cannot be read"),
            ([project.shards / "damaged.json"], "is damaged"),
            ([project.shards / "none.json"], "cannot be read")]:
        assert message in project.run("merge", *names, check=(2,)).stderr


def test_documents_of_other_sources_are_refused(project):
    documents = project.shard(2)
    source = project.folder / "src" / "tile_ring.cu"
    before = source.read_text()
    source.write_text(before + "// edited\n")
    assert "is not what its shard analysed" in project.run("merge", *documents, check=(2,)).stderr
    source.write_text(before)
    (project.folder / ".barlint.yaml").write_text("rules: {sync-missing: note}\n")
    assert "other settings" in project.run("merge", *documents, check=(2,)).stderr


def test_shards_do_not_go_with_fixes(project):
    for option in ("--fix", "--diff", "--staged"):
        assert "--shard goes with none of" in project.run("check", "--shard=1/2", option,
                                                          check=(2,)).stderr
