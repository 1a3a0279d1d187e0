"""The baseline: what it hides, what it keeps, and how it lives in git."""
import json
import os
import re

import pytest

from report_project import RIGHT, WRONG, check, git, project  # noqa: F401
from conftest import run_barlint

NAME = "barlint-baseline.json"


def baseline(folder, action, *arguments, status=(0, )):
    options = [] if action == "show" else ["--headers=builtin"]
    return run_barlint("baseline", action, *options, *arguments, cwd=folder, check=status)


def entries(folder, name=NAME):
    document = json.loads((folder / name).read_text())
    assert document[-1] == {"barlint-baseline": 1}
    return document[:-1]


def count(folder, *arguments):
    result = check(folder, "--format=json", f"--baseline={NAME}", *arguments)
    assert result.returncode in (0, 1), result.stderr
    document = json.loads(result.stdout)
    return len(document["findings"]), document["summary"]["baselined"]


def test_known_findings_are_hidden(project):
    assert "lists 1 finding" in baseline(project, "create", "wrong.cu", "right.cu").stderr
    entry, = entries(project)
    assert entry["file"] == "wrong.cu" and entry["rule"] == "named-id-range"
    assert entry["function"] == "scale" and entry["count"] == 1
    result = check(project, f"--baseline={NAME}", "wrong.cu")
    assert result.returncode == 0 and result.stdout == ""
    assert "1 in the baseline" in result.stderr
    # A new one shows.
    (project / "new.cu").write_text(WRONG)
    assert count(project, "wrong.cu", "new.cu") == (1, 1)


def test_lines_do_not_matter_and_code_does(project):
    baseline(project, "create", "wrong.cu")
    (project / "wrong.cu").write_text("// moved\n\n" + WRONG.replace("    warp", "\twarp"))
    assert count(project, "wrong.cu") == (0, 1)
    (project / "wrong.cu").write_text(WRONG.replace("threadIdx.x / 32);", "threadIdx.x / 32 + 1);"))
    assert count(project, "wrong.cu") == (1, 0)


def test_like_findings_are_counted(project):
    twice = WRONG.replace("    warp_sync(threadIdx.x / 32);\n",
                          "    warp_sync(threadIdx.x / 32);\n" * 2)
    (project / "wrong.cu").write_text(twice)
    baseline(project, "create", "wrong.cu")
    assert [entry["count"] for entry in entries(project)] == [2]
    assert count(project, "wrong.cu") == (0, 2)
    # A third like them is new, and one less is stale.
    (project / "wrong.cu").write_text(twice.replace("    rows", "    warp_sync(threadIdx.x / 32);\n"
                                                    "    rows", 1))
    assert count(project, "wrong.cu") == (1, 2)
    (project / "wrong.cu").write_text(WRONG)
    assert baseline(project, "prune", "wrong.cu").returncode == 0
    assert [entry["count"] for entry in entries(project)] == [1]


def test_renamed_files_keep_their_findings(project):
    baseline(project, "create", "wrong.cu")
    (project / "wrong.cu").rename(project / "renamed.cu")
    assert count(project, "renamed.cu") == (0, 1)
    baseline(project, "update", "renamed.cu")
    assert [entry["file"] for entry in entries(project)] == ["renamed.cu"]
    # A copy is not a rename.
    (project / "copy.cu").write_text(WRONG)
    assert count(project, "copy.cu") == (1, 0)


def test_stale_entries(project):
    baseline(project, "create", "wrong.cu")
    (project / "wrong.cu").write_text(RIGHT)
    result = check(project, f"--baseline={NAME}", "wrong.cu")
    assert result.returncode == 0
    assert "wrong.cu: 'named-id-range' in 'scale' is not found any more" in result.stderr
    assert check(project, f"--baseline={NAME}", "--strict-baseline", "wrong.cu").returncode == 2
    # A run that did not look there says nothing of it.
    for arguments in (["right.cu"], ["--disable=named-id-range", "wrong.cu"],
                      ["--rule=named-count-block", "wrong.cu"]):
        result = check(project, f"--baseline={NAME}", "--strict-baseline", *arguments)
        assert result.returncode == 0 and "not found any more" not in result.stderr
    (project / "wrong.cu").write_text('#include "nowhere.h"\n' + RIGHT)
    result = check(project, f"--baseline={NAME}", "--strict-baseline", "wrong.cu")
    assert "not found any more" not in result.stderr
    (project / "wrong.cu").unlink()
    assert check(project, f"--baseline={NAME}", "--strict-baseline", "right.cu").returncode == 2
    baseline(project, "prune", "right.cu")
    assert entries(project) == []


def test_update_only_shrinks(project):
    baseline(project, "create", "right.cu")
    result = baseline(project, "update", "wrong.cu")
    assert "1 new finding is left out; --accept-new takes it" in result.stderr
    assert entries(project) == []
    baseline(project, "update", "--accept-new", "wrong.cu")
    assert len(entries(project)) == 1
    # What another run did not look at stays.
    baseline(project, "update", "right.cu")
    assert len(entries(project)) == 1


def test_show(project):
    baseline(project, "create", "wrong.cu")
    assert baseline(project, "show").stdout == "wrong.cu: named-id-range in 'scale'\n"
    (project / "wrong.cu").unlink()
    assert baseline(project, "show").stdout.endswith(", but the file is gone\n")


def test_from_the_configuration(project):
    (project / "sub").mkdir()
    (project / ".barlint.yaml").write_text("baseline: sub/known.json\n")
    baseline(project, "create", "wrong.cu")
    assert entries(project, "sub/known.json")[0]["file"] == "../wrong.cu"
    assert check(project, "wrong.cu").returncode == 0
    (project / "sub" / "known.json").unlink()
    result = check(project, "wrong.cu")
    assert result.returncode == 2 and "'barlint baseline create' writes one" in result.stderr


def test_branches_merge(tmp_path):
    def write(name):
        (tmp_path / name).write_text(WRONG)
        baseline(tmp_path, "update", "--accept-new", name)
        git(tmp_path, "add", "-A")
        git(tmp_path, "commit", "-m", name)

    git(tmp_path, "init")
    (tmp_path / "m.cu").write_text(WRONG)
    baseline(tmp_path, "create", "m.cu")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-m", "first")
    git(tmp_path, "checkout", "-b", "other")
    write("a.cu")
    git(tmp_path, "checkout", "main")
    write("z.cu")
    git(tmp_path, "merge", "-m", "both", "other")
    assert [entry["file"] for entry in entries(tmp_path)] == ["a.cu", "m.cu", "z.cu"]
    assert count(tmp_path, ".") == (0, 3)


def test_lines_and_order(project):
    (project / "b.cu").write_text(WRONG)
    baseline(project, "create", "wrong.cu", "b.cu")
    lines = (project / NAME).read_text().splitlines()
    assert lines[0] == "[" and lines[-1] == "]" and len(lines) == 5
    assert all(line.endswith(",") for line in lines[1:-2])
    assert [json.loads(line[:-1])["file"] for line in lines[1:-2]] == ["b.cu", "wrong.cu"]
    # Twice the same after a careless merge counts once.
    (project / NAME).write_text("\n".join([*lines[:2], *lines[1:]]) + "\n")
    assert count(project, "b.cu") == (0, 1)
    (project / "b.cu").write_text(WRONG.replace("    rows", "    warp_sync(threadIdx.x / 32);\n    rows"))
    assert count(project, "b.cu") == (1, 1)


@pytest.mark.parametrize("text, words", [
    ("", "barlint-baseline.json:1:"),
    ("[\n<<<<<<< HEAD\n]", ":2: a merge was left unresolved here"),
    ("{}", "is not a baseline"),
    ("[]", "is not a baseline"),
    ('[{"barlint-baseline":99}]', "newer barlint"),
    ('[{"file":"a"},{"barlint-baseline":1}]', "entry 1 of baseline"),
    ('[{"file":"a","rule":"r","function":"f","fingerprint":"0","count":-1},{"barlint-baseline":1}]',
     "entry 1 of baseline"),
    ("[" * 100000, "barlint-baseline.json:1:"),
    ("\0", "barlint-baseline.json:1:"),
])
def test_broken_baseline(project, text, words):
    (project / NAME).write_text(text)
    result = check(project, f"--baseline={NAME}", "wrong.cu")
    assert result.returncode == 2 and words in result.stderr and result.stdout == ""


def test_wrong_usage(project):
    for arguments, words in ((["creat"], "did you mean 'create'?"), ([], "takes create"),
                             (["create", "--format=json"], "there is no option")):
        result = run_barlint("baseline", *arguments, cwd=project)
        assert result.returncode == 2 and words in result.stderr
    baseline(project, "create", "wrong.cu")
    result = baseline(project, "create", "wrong.cu", status=(2, ))
    assert "is there already" in result.stderr
    result = check(project, "--strict-baseline", "wrong.cu")
    assert result.returncode == 2 and "needs a baseline" in result.stderr
    result = check(project, "--baseline=.", "wrong.cu")
    assert result.returncode == 2 and "is not a file" in result.stderr


def test_every_kind_of_name(project):
    name = os.fsdecode(b"n\xe9w \n\"<x>\".cu")
    (project / name).write_text(WRONG)
    baseline(project, "create", f"./{name}")
    assert count(project, f"./{name}") == (0, 1)
    assert re.search("named-id-range", baseline(project, "show").stdout)
