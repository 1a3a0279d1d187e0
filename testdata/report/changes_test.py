"""Changed-lines mode, the index, and what is left out on request."""
import json
import os
import shutil
import subprocess

import pytest

from report_project import NASTY, RIGHT, WRONG, check, git, project  # noqa: F401


@pytest.fixture
def repository(project):
    git(project, "init")
    git(project, "add", "-A")
    git(project, "commit", "-m", "first")
    return project


def findings(folder, *arguments):
    result = check(folder, "--format=json", *arguments)
    assert result.returncode in (0, 1), result.stderr
    document = json.loads(result.stdout)
    return [(one["file"], one["line"]) for one in document["findings"]]


# --- --diff-base ---------------------------------------------------------------------------------


def test_old_findings_do_not_show(repository):
    assert findings(repository, "--diff-base=HEAD", ".") == []
    result = check(repository, "--diff-base=HEAD", "wrong.cu")
    assert result.returncode == 0 and "1 outside the change" in result.stderr


@pytest.mark.parametrize("old, new", [
    ("    warp_sync(threadIdx.x / 32);", "    warp_sync(threadIdx.x / 32); // touched"),  # itself
    ("<<<1, 1024>>>", "<<<2, 1024>>>"),                                                 # the launch
    ('"bar.sync %0, 32;"', '"bar.sync  %0, 32;"'),                                      # the operation
])
def test_any_step_of_the_path_counts(repository, old, new):
    assert old in WRONG
    (repository / "wrong.cu").write_text(WRONG.replace(old, new))
    assert findings(repository, "--diff-base=HEAD", ".") == [("wrong.cu", 8)]


def test_changes_elsewhere_do_not_count(repository):
    (repository / "wrong.cu").write_text("// one\n" + WRONG.replace("rows[", "/* x */ rows["))
    assert findings(repository, "--diff-base=HEAD", ".") == []


def test_lines_taken_away_count(repository):
    with_guard = RIGHT.replace("512", "1024").replace("    warp_sync(threadIdx", "    // guard\n"
                                                      "    warp_sync(threadIdx")
    (repository / "wrong.cu").write_text(with_guard)
    git(repository, "commit", "-am", "guard")
    (repository / "wrong.cu").write_text(WRONG)
    assert findings(repository, "--diff-base=HEAD", ".") == [("wrong.cu", 8)]


def test_untracked_files_are_new_and_renamed_ones_are_not(repository):
    (repository / "new.cu").write_text(WRONG)
    git(repository, "mv", "wrong.cu", "moved.cu")
    assert findings(repository, "--diff-base=HEAD", ".") == [("new.cu", 8)]
    (repository / ".gitignore").write_text("new.cu\n")
    assert findings(repository, "--diff-base=HEAD", ".") == []


def test_the_base_is_the_common_ancestor(repository):
    git(repository, "checkout", "-b", "topic")
    (repository / "mine.cu").write_text(WRONG)
    git(repository, "add", "-A")
    git(repository, "commit", "-m", "mine")
    git(repository, "checkout", "main")
    (repository / "wrong.cu").write_text(WRONG.replace("/ 32);", "/ 32); // theirs"))
    git(repository, "commit", "-am", "theirs")
    git(repository, "checkout", "topic")
    assert findings(repository, "--diff-base=main", ".") == [("mine.cu", 8)]


@pytest.mark.parametrize("name", NASTY)
def test_names(repository, name):
    (repository / name).write_text(RIGHT)
    git(repository, "add", "-A")
    git(repository, "commit", "-m", "right")
    (repository / name).write_text(WRONG)
    assert len(findings(repository, "--diff-base=HEAD", f"./{name}")) == 1


def test_settings_of_git_do_not_matter(repository):
    for key, value in (("diff.noprefix", "true"), ("diff.mnemonicPrefix", "true"),
                       ("color.ui", "always"), ("diff.external", "false"),
                       ("diff.interHunkContext", "50"), ("core.quotePath", "false"),
                       ("core.pager", "false")):
        git(repository, "config", key, value)
    (repository / "wrong.cu").write_text("// one\n" + WRONG + "// last\n")
    assert findings(repository, "--diff-base=HEAD", ".") == []
    (repository / "wrong.cu").write_text(WRONG.replace("<<<1, 1024>>>", "<<<2, 1024>>>"))
    assert findings(repository, "--diff-base=HEAD", ".") == [("wrong.cu", 8)]


def test_below_the_root_and_through_a_link(repository, tmp_path_factory):
    (repository / "sub").mkdir()
    (repository / "sub" / "a.cu").write_text(WRONG)
    assert findings(repository / "sub", "--diff-base=HEAD", ".") == [("a.cu", 8)]
    link = tmp_path_factory.mktemp("links") / "link"
    link.symlink_to(repository)
    assert [line for _, line in findings(repository, "--diff-base=HEAD", link / "sub")] == [8]


def test_what_can_go_wrong(repository, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "a.cu").write_text(WRONG)
    bare = {**os.environ, "GIT_CEILING_DIRECTORIES": str(outside.parent)}
    for folder, arguments, words, environment in (
            (repository, ["--diff-base=nowhere"], "there is no commit 'nowhere'", None),
            (repository, ["--diff-base=--output=x"], "there is no commit '--output=x'", None),
            (repository, ["--diff-base=HEAD", "--staged"], "exclude each other", None),
            (outside, ["--diff-base=HEAD"], "is not in a git repository", bare),
            (outside, ["--staged"], "is not in a git repository", bare),
            (repository, ["--diff-base=HEAD"], "git is not installed",
             {**os.environ, "PATH": str(outside)})):
        result = check(folder, *arguments, ".", env=environment)
        assert result.returncode == 2, (arguments, result.stderr)
        assert words in result.stderr and result.stdout == ""
    git(repository, "checkout", "--orphan", "alone")
    git(repository, "commit", "-m", "unrelated")
    result = check(repository, "--diff-base=main", ".")
    assert result.returncode == 2 and "no common ancestor" in result.stderr


# --- --staged ------------------------------------------------------------------------------------


def test_staged_content_counts(repository):
    # The index is wrong and the work tree is mended: the commit would be wrong.
    (repository / "right.cu").write_text(WRONG)
    git(repository, "add", "right.cu")
    (repository / "right.cu").write_text("\n\n" + RIGHT)
    assert findings(repository, "right.cu") == []
    assert findings(repository, "--staged") == [("right.cu", 8)]
    assert findings(repository, "right.cu") == []
    # And the other way round.
    (repository / "right.cu").write_text(RIGHT.replace("rows)", "rows )"))
    git(repository, "add", "right.cu")
    (repository / "right.cu").write_text(WRONG)
    assert findings(repository, "--staged") == []


def test_staged_headers_count(repository):
    header = "constexpr int kThreads = %d;\n"
    (repository / "size.h").write_text(header % 512)
    (repository / "uses.cu").write_text('#include "size.h"\n' + WRONG.replace("1024", "kThreads"))
    git(repository, "add", "-A")
    git(repository, "commit", "-m", "header")
    (repository / "size.h").write_text(header % 1024)
    (repository / "uses.cu").write_text((repository / "uses.cu").read_text() .replace(
        "<<<1,", "<<<2,"))
    git(repository, "add", "uses.cu")
    assert findings(repository, "--staged") == []
    git(repository, "add", "size.h")
    assert findings(repository, "--staged") == [("uses.cu", 9)]


def test_staged_without_paths_takes_the_staged_files(repository):
    assert check(repository, "--staged").returncode == 0
    (repository / "new.cu").write_text(WRONG)
    (repository / "untracked.cu").write_text(WRONG)
    git(repository, "add", "new.cu")
    assert findings(repository, "--staged") == [("new.cu", 8)]
    # Deleted in the work tree only.
    (repository / "new.cu").unlink()
    result = check(repository, "--staged")
    assert result.returncode == 1 and "8 |     warp_sync(" in result.stdout


def test_staged_in_the_first_commit(project):
    git(project, "init")
    git(project, "add", "-A")
    assert findings(project, "--staged") == [("wrong.cu", 8)]


def test_as_a_hook(repository):
    """git gives a hook an index of its own when some files only are committed."""
    from conftest import BARLINT
    hook = repository / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\nexec {BARLINT.resolve()} check --headers=builtin --staged\n")
    hook.chmod(0o755)
    (repository / "right.cu").write_text(RIGHT + "// fine\n")
    (repository / "wrong.cu").write_text(WRONG.replace("/ 32);", "/ 32); // touched"))
    git(repository, "commit", "-m", "fine", "right.cu")
    with pytest.raises(subprocess.CalledProcessError):
        git(repository, "commit", "-m", "not fine", "wrong.cu")


# --- Leaving files out ---------------------------------------------------------------------------


def test_exclude(project):
    (project / "third_party").mkdir()
    shutil.copy(project / "wrong.cu", project / "third_party" / "a.cu")
    assert findings(project, "--exclude=third_party", ".") == [("wrong.cu", 8)]
    assert findings(project, "--exclude=wrong.cu", "--exclude=third_party/**", ".") == []
    # A file that is named is meant, unless the caller names what it finds.
    assert findings(project, "--exclude=*.cu", "wrong.cu") == [("wrong.cu", 8)]
    assert findings(project, "--exclude=*.cu", "--force-exclude", "wrong.cu") == []
    (project / ".barlint.yaml").write_text("exclude: [third_party, /wrong.cu]\n")
    assert findings(project, ".") == []
    assert findings(project, "--force-exclude", "wrong.cu", "third_party/a.cu") == []
    assert findings(project / "third_party", "a.cu") == [("a.cu", 8)]


def test_exclude_from_a_database(project):
    entries = [{"directory": str(project), "file": name, "command": f"nvcc -c {name}"}
               for name in ("wrong.cu", "right.cu")]
    (project / "compile_commands.json").write_text(json.dumps(entries))
    assert findings(project) == [("wrong.cu", 8)]
    assert findings(project, "--exclude=wrong.cu") == []
