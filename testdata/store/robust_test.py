"""Whatever befalls the store, a run says what it would say without one, and so does the next."""
import contextlib
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import time

import pytest

from store.conftest import Project


def agrees(project, warnings=None):
    """A run and the next one are right; returns what the first wrote on standard error."""
    first, second = project.run(), project.run()
    assert first[:2] == second[:2] == project.cold()
    said = [line for line in first[2].splitlines() if "results are not kept" in line]
    assert len(said) <= 1 and (warnings is None or len(said) == warnings), first[2]
    return first[2]


def recovers(project):
    """After two runs, everything is found again."""
    agrees(project, warnings=0)
    assert project.found() == 4


# --- Many at once, and sudden ends -------------------------------------------------------------------


def test_many_processes_at_once(project):
    expected = project.cold()
    processes = [project.start("-j1") for _ in range(10)]
    for process in processes:
        output, errors = process.communicate(timeout=300)
        assert (process.returncode, output) == expected and "not kept" not in errors
    assert project.found() == 4


def test_many_processes_over_files_that_change(project):
    """Each run gives the answer for the one or for the other content, never a mixture of both that
    a later run finds."""
    unit = project.folder / "unit_0.cu"
    contents = [unit.read_text(), unit.read_text().replace("1, 32", "1, 16")]
    answers = set()
    for text in contents:
        unit.write_text(text)
        answers.add(project.cold())
    assert len(answers) == 2
    processes = []
    for number in range(12):
        fresh = project.write("fresh", contents[number % 2])
        fresh.rename(unit)
        processes.append(project.start("-j1"))
        time.sleep(0.03)
    for process in processes:
        output, _ = process.communicate(timeout=300)
        assert (process.returncode, output) in answers
    agrees(project)


def test_killed_at_any_moment(project):
    choice = random.Random(7)
    expected = project.cold()
    for number in range(25):
        if number % 5 == 0:
            shutil.rmtree(project.cache / "store", ignore_errors=True)
        process = project.start("-j2")
        time.sleep(choice.uniform(0.02, 0.5))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        if number % 5 == 4:
            assert project.run()[:2] == expected
    recovers(project)


def test_killed_while_it_saves(project):
    """A journal that nobody finished is rolled back by the next run."""
    project.run()
    database = project.database()
    writer = subprocess.Popen(
        ["/usr/bin/python3", "-c", f"""
import os, sqlite3
store = sqlite3.connect({str(database)!r}, isolation_level=None)
store.execute('PRAGMA cache_size = 1')
store.execute('BEGIN EXCLUSIVE')
store.execute("UPDATE result SET result = '{{}}', links = hex(zeroblob(200000))")
print('ready', flush=True)
os.read(0, 1)"""], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    writer.stdout.readline()
    assert database.with_name(database.name + "-journal").stat().st_size > 0
    writer.kill()
    writer.wait()
    assert project.found() == 4


def test_locked_by_another(project):
    project.run()
    with sqlite3.connect(project.database(), isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        status, output, errors = project.run()
        assert "database is locked" in errors
        other.execute("ROLLBACK")
    assert (status, output) == project.cold()
    assert project.found() == 4


# --- No room, no permission ---------------------------------------------------------------------------


@pytest.mark.parametrize("bytes_", [0, 5000, 20000, 60000])
def test_files_may_not_grow(project, bytes_):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_, bytes_))

    limited = project.run("-j1", preexec_fn=limit)
    assert limited[:2] == project.cold()
    assert project.run("-j1", preexec_fn=limit)[:2] == limited[:2]
    recovers(project)


@contextlib.contextmanager
def mounted(folder, *arguments):
    command = ["mount", *arguments, str(folder)]
    if (os.geteuid() != 0 or not shutil.which("mount") or
            subprocess.run(command, capture_output=True).returncode != 0):
        pytest.skip("this user may not mount")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.mark.parametrize("kilobytes", [4, 16, 40, 80])
def test_full_disk(project, kilobytes):
    (project.cache / "store").mkdir(parents=True)
    with mounted(project.cache / "store", "-t", "tmpfs", "-o", f"size={kilobytes}k", "none"):
        agrees(project)
    recovers(project)


@pytest.mark.parametrize("megabytes", [1, 3])
def test_no_room_for_precompiled_headers(project, megabytes):
    project.cache.mkdir()
    with mounted(project.cache, "-t", "tmpfs", "-o", f"size={megabytes}m", "none"):
        agrees(project)
        assert project.run("--no-cache")[0] == 1 and project.found() == 4


def test_disk_that_fills_up(project):
    (project.cache / "store").mkdir(parents=True)
    with mounted(project.cache / "store", "-t", "tmpfs", "-o", "size=400k", "none"):
        project.run()
        filler = project.cache / "store" / "filler"
        with contextlib.suppress(OSError), filler.open("wb") as file:
            while True:
                file.write(b"x" * 4096)
                file.flush()
        assert project.found() == 4
        for number in range(4):
            unit = project.folder / f"unit_{number}.cu"
            unit.write_text(unit.read_text() + "// more\n")
        agrees(project)
        filler.unlink()
        agrees(project)


def test_read_only_folder(project):
    project.run()
    store = project.cache / "store"
    with mounted(store, "--bind", str(store)):
        subprocess.run(["mount", "-o", "remount,ro,bind", str(store)], check=True)
        status, output, _ = project.run("-q")
        assert (status, output) == project.cold()
        assert project.found() == 4
        unit = project.folder / "unit_0.cu"
        unit.write_text(unit.read_text() + "// more\n")
        agrees(project, warnings=1)
    recovers(project)


def test_read_only_file(project):
    project.run()
    database = project.database()
    database.chmod(0o444)
    if os.geteuid() == 0:  # whom permissions do not stop
        if not shutil.which("chattr") or subprocess.run(["chattr", "+i", str(database)],
                                                        capture_output=True).returncode != 0:
            pytest.skip("this file system has no immutable files")
    try:
        unit = project.folder / "unit_0.cu"
        unit.write_text(unit.read_text() + "// more\n")
        agrees(project, warnings=1)
        assert project.found() == 3
    finally:
        if os.geteuid() == 0:
            subprocess.run(["chattr", "-i", str(database)], check=True)


def test_no_place_for_a_cache(project):
    for variables in ({"HOME": "/nonexistent"}, {"HOME": ""}, {"BARLINT_CACHE_DIR": "/dev/null/x"},
                      {"BARLINT_CACHE_DIR": "/proc/nowhere"}):
        project.environment = {**project.environment, "BARLINT_CACHE_DIR": "", **variables}
        project.environment.pop("XDG_CACHE_HOME", None)
        agrees(project)


# --- Damage --------------------------------------------------------------------------------------------


@pytest.fixture
def stored(project):
    project.run()
    return project


def test_folder_in_place_of_the_file(stored):
    database = stored.database()
    database.unlink()
    (database / "x").mkdir(parents=True)
    assert "unable to open" in agrees(stored, warnings=1)
    shutil.rmtree(database)
    recovers(stored)


@pytest.mark.parametrize("keep", [0, 1, 50, 100, 4000, 4096, 5000, 20000, -1, -4096])
def test_cut_off(stored, keep):
    database = stored.database()
    database.write_bytes(database.read_bytes()[:keep])
    recovers(stored)


@pytest.mark.parametrize("seed", range(12))
def test_flipped_bytes(stored, seed):
    choice = random.Random(seed)
    database = stored.database()
    content = bytearray(database.read_bytes())
    for _ in range(choice.choice([1, 3, 30, 300])):
        content[choice.randrange(len(content))] ^= 1 << choice.randrange(8)
    database.write_bytes(content)
    agrees(stored, warnings=0)
    agrees(stored, warnings=0)


def test_pages_of_another_time(stored):
    """What a loss of power may leave: some pages are new and some are old."""
    database = stored.database()
    before = database.read_bytes()
    (stored.folder / "inc" / "shared.cuh").write_text("__device__ bool is_low(int) { return true; }")
    stored.run()
    after = database.read_bytes()
    for seed in range(6):
        choice = random.Random(seed)
        pages = max(len(before), len(after)) // 4096
        database.write_bytes(b"".join(
            (before if choice.random() < 0.5 and len(before) > page * 4096 else after)
            [page * 4096:(page + 1) * 4096] for page in range(pages)))
        agrees(stored, warnings=0)


def test_not_a_database(stored):
    stored.database().write_text("this is no database\n" * 1000)
    recovers(stored)


def test_journal_of_nobody(stored):
    database = stored.database()
    database.with_name(database.name + "-journal").write_bytes(os.urandom(8000))
    recovers(stored)


@pytest.mark.parametrize("version", [0, 2, 99])
def test_schema_of_another_version(stored, version):
    with sqlite3.connect(stored.database()) as other:
        other.execute("DROP TABLE result")
        other.execute("CREATE TABLE result(other TEXT)")
        other.execute(f"PRAGMA user_version = {version}")
    recovers(stored)


@pytest.mark.parametrize("change", [
    "DROP TABLE file", "DELETE FROM file", "UPDATE file SET content = zeroblob(16)",
    "UPDATE file SET path = 'x' || path", "UPDATE file SET id = id + 1000",
    "UPDATE result SET result = replace(result, 'error', 'note')",
    "UPDATE result SET result = '{}'", "UPDATE result SET files = x'ffffffffffffffffffff'",
    "UPDATE result SET seal = zeroblob(16)", "DROP TABLE current", "DROP TABLE run",
    "UPDATE result SET inputs = x''", "ALTER TABLE result DROP COLUMN links"])
def test_rows_that_are_wrong(stored, change):
    with sqlite3.connect(stored.database()) as other:
        other.execute(change)
    agrees(stored, warnings=0)
    recovers(stored)


def test_results_of_other_units_are_not_mixed_up(stored):
    """Two rows that are whole but in each other's place."""
    with sqlite3.connect(stored.database()) as other:
        rows = other.execute("SELECT id, inputs, files, seal, result, links FROM result").fetchall()
        for (row, *_), (_, *content) in zip(rows, rows[1:] + rows[:1]):
            other.execute("UPDATE result SET inputs = ?, files = ?, seal = ?, result = ?, links = ? "
                          "WHERE id = ?", (*content, row))
    recovers(stored)
