"""A result is found again while all that it depends on is as it was, and not longer."""
import json
import os
import time

import pytest

from conftest import TOOLKITS
from store.conftest import HEADER, Project


def test_unchanged_units_are_found(project):
    assert project.found() == 0
    assert project.found() == 4
    assert project.found("unit_2.cu") == 1


def test_nothing_is_found_or_kept_without_a_cache(project):
    project.run("--no-cache")
    assert not (project.cache / "store").exists()
    assert project.found() == 0


def test_output_is_the_same_cold_and_warm_with_any_number_of_workers(project):
    runs = {project.run(*arguments)[:2]
            for arguments in (("--no-cache",), (), (), ("-j1",), ("-j7",), ("--no-cache", "-j7"))}
    assert len(runs) == 1
    status, output = runs.pop()
    assert status == 1 and len(json.loads(output)["findings"]) == 4


@pytest.mark.parametrize("format_", ["text", "concise"])
def test_other_formats_too(project, format_):
    first = project.cold(f"--format={format_}")
    assert [project.run(f"--format={format_}")[:2] for _ in range(2)] == [first, first]


def test_edited_unit(project):
    project.found()
    unit = project.folder / "unit_1.cu"
    unit.write_text(unit.read_text().replace("threadIdx.x))", "0))"))
    assert project.found() == 3
    assert project.found() == 4


def test_edit_that_leaves_size_and_time(project):
    time.sleep(2.1)  # the header's times are to be trusted
    project.found()
    header = project.folder / "inc" / "shared.cuh"
    before = header.stat()
    header.write_text(HEADER.replace("16", "32"))
    os.utime(header, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert header.stat().st_size == before.st_size
    assert project.found() == 0


def test_replaced_by_an_older_file(project):
    older = project.write("older", HEADER.replace("16", "32"))
    os.utime(older, (0, 0))
    project.found()
    older.rename(project.folder / "inc" / "shared.cuh")
    assert project.found() == 0


def test_touched_files_are_as_they_were(project):
    project.found()
    for path in project.folder.glob("*.cu"):
        os.utime(path, (1000, 1000))
    assert project.found() == 4


def test_edit_and_back(project):
    header = project.folder / "inc" / "shared.cuh"
    project.found()
    header.write_text(HEADER + "// more\n")
    assert project.found() == 0
    header.write_text(HEADER)
    assert project.found() == 0  # one result is kept for each key
    assert project.found() == 4


def test_header_that_hides_another(project):
    project.found()
    project.write("late/shared.cuh", HEADER.replace("16", "32"))
    assert project.found() == 0
    (project.folder / "late" / "shared.cuh").unlink()
    assert project.found() == 0


def test_header_beside_the_unit_hides_another(project):
    project.found()
    project.write("shared.cuh", HEADER.replace("16", "32"))
    assert project.found() == 0


def test_folder_that_comes_to_be(project):
    project.commands("unit_0.cu", more="-Inowhere/yet -I late/deep")
    unit = project.folder / "unit_0.cu"
    unit.write_text(unit.read_text().replace("shared.cuh", "deep/shared.cuh"))
    project.write("inc/deep/shared.cuh", HEADER)
    project.found()
    assert project.found() == 1
    project.write("late/deep/shared.cuh", HEADER.replace("16", "32"))
    assert project.found() == 0


def test_header_that_was_missing(project):
    project.write("unit_0.cu", '#include "later.cuh"\n' + (project.folder / "unit_0.cu").read_text())
    project.found()
    assert project.found() == 4
    project.write("inc/later.cuh", "#define WIDTH 32\n")
    assert project.found() == 3


def test_header_that_was_asked_for(project):
    project.write("unit_0.cu", "#if __has_include(<optional/width.h>)\n#define WIDTH 32\n#endif\n" +
                  (project.folder / "unit_0.cu").read_text())
    project.found()
    assert project.found() == 4
    project.write("late/optional/width.h", "")
    assert project.found() == 3
    (project.folder / "late" / "optional" / "width.h").unlink()
    assert project.found() == 3


def test_header_that_goes(project):
    project.found()
    (project.folder / "inc" / "shared.cuh").unlink()
    assert project.found() == 0


def test_file_that_becomes_unreadable(project):
    project.found()
    (project.folder / "unit_0.cu").unlink()
    (project.folder / "unit_0.cu").mkdir()
    assert project.found() == 3


@pytest.mark.parametrize("text", ["rules:\n  sync-divergent: off\n",
                                  "launch:\n  - kernel: kernel_0\n    block: 16\n",
                                  "arch: sm_80\n", "headers: builtin\n"])
def test_configuration(project, text):
    project.found()
    config = project.write(".barlint.yaml", text)
    assert project.found() == 0
    assert project.found() == 4
    config.unlink()
    assert project.found() == 4


def test_command_line(project):
    project.found()
    project.commands(*[f"unit_{number}.cu" for number in range(4)], more="-DWIDTH=32")
    assert project.found() == 0
    project.commands(*[f"unit_{number}.cu" for number in range(4)])
    assert project.found() == 4


def test_options_in_a_file(project):
    options = project.write("options.rsp", "-DWIDTH=32")
    project.commands("unit_0.cu", more="--options-file options.rsp")
    project.found()
    options.write_text("-DWIDTH=16")
    assert project.found() == 0


@pytest.mark.parametrize("option", ["--rule=sync-divergent", "--disable=sync-divergent",
                                    "--arch=sm_80"])
def test_options(project, option):
    project.found()
    assert project.found(option) == 0
    assert project.found(option) == 4
    assert project.found() == 4


def test_options_that_change_what_is_shown_only(project):
    project.found()
    for option in ("--pedantic", "--fail-on=error", "-j2", "--timeout=60", "--memory-limit=4G"):
        assert project.found(option) == 4


def test_environment_of_clang(project):
    project.write("elsewhere/shared.cuh", HEADER.replace("16", "32"))
    project.write("unit_0.cu", (project.folder / "unit_0.cu").read_text().replace(
        '"shared.cuh"', "<only_there.h>"))
    project.found()
    header = project.write("elsewhere/only_there.h", HEADER)
    environment = {**project.environment, "CPATH": str(project.folder / "elsewhere")}
    assert project.found(environment=environment) == 0
    assert project.found(environment=environment) == 4
    header.write_text(HEADER.replace("16", "32"))
    assert project.found(environment=environment) == 3
    assert project.found() == 4


@pytest.mark.skipif(len(TOOLKITS) < 3, reason="there are no two toolkits")
def test_toolkit(tmp_path):
    project = Project(tmp_path, units=1)
    first, second = [arguments for name, arguments in TOOLKITS.items() if name != "builtin"][-2:]
    project.options = first
    project.found()
    assert project.found() == 1
    project.options = second
    assert project.found() == 0
    project.options = ["--headers=builtin"]
    assert project.found() == 0


def test_headers_of_a_toolkit_that_are_precompiled(tmp_path):
    """What a precompiled header is made of counts as read by every unit that loads it."""
    project = Project(tmp_path, units=2)
    folder = project.folder / "own"
    environment = {**project.environment, "BARLINT_RESOURCE_DIR": str(folder)}
    import shutil

    from conftest import ROOT
    shutil.copytree(ROOT / "include", folder)
    project.found(environment=environment)
    assert project.found(environment=environment) == 2
    header = folder / "barlint" / "builtin" / "device_functions.h"
    header.write_text(header.read_text() + "\n#define WIDTH 32\n")
    assert project.found(environment=environment) == 0


def test_suppressions_and_unused_ones_are_read_anew(project):
    project.found()
    unit = project.folder / "unit_0.cu"
    before = project.run()[1]
    unit.write_text(unit.read_text().replace(
        "        __sync", "        // barlint-ignore[sync-divergent]: on purpose\n        __sync"))
    assert project.found() == 3
    assert project.run()[1] != before


def test_failed_units_are_not_kept(project):
    project.write("unit_0.cu", "\0")
    assert project.found() == 0
    assert project.found() == 3


def test_late_units_are_not_kept(project):
    project.write("unit_0.cu", "#include <cuda/barrier>\n" * 3 + "\n".join(
        f"template <int N> struct s{n} {{ static constexpr int v = s{n - 1}<N>::v; }};"
        if n else "template <int N> struct s0 { static constexpr int v = N; };"
        for n in range(3000)))
    status, output, _ = project.run("--timeout=0.05", "unit_0.cu")
    assert status == 3 and json.loads(output)["files"][0]["status"] == "failed"
    assert project.found("unit_0.cu") == 0


def test_headers_of_folders_are_analysed_once(project):
    """A CUDA header that a unit reads needs no unit of its own, whether that unit came from the
    store or not."""
    project.write("alone.cuh", "__device__ void alone() {}\n")
    first = project.cold(".")
    assert [project.run(".")[:2] for _ in range(2)] == [first, first]
    names = [entry["file"] for entry in json.loads(first[1])["files"]]
    assert "alone.cuh" in names and "inc/shared.cuh" not in names


def test_every_project_has_a_store_of_its_own(tmp_path):
    (tmp_path / "second").mkdir()
    first, second = Project(tmp_path), Project(tmp_path / "second")
    second.environment = first.environment
    first.found()
    second.found()
    assert len(list((first.cache / "store").glob("*.sqlite"))) == 2


def test_a_project_is_the_same_from_each_of_its_folders(project):
    (project.folder / ".git").mkdir()
    project.run("unit_0.cu")
    (project.folder / "sub").mkdir()
    folder, project.folder = project.folder, project.folder / "sub"
    assert project.found("../unit_0.cu") == 1
    assert project.database().name.startswith(folder.name)
