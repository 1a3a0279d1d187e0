"""`barlint dump --schedule`: what the roles of a kernel do, as text and as a picture."""
import os
import pathlib
import re
import xml.etree.ElementTree as ElementTree

import pytest

from conftest import run_barlint

CASES = pathlib.Path(__file__).resolve().parent / "schedule"
SVG = "{http://www.w3.org/2000/svg}"


def dump(kernel, file, *arguments, status=0, **more):
    return run_barlint("dump", "--headers=builtin", f"--schedule={kernel}", *arguments, file, "--",
                       "-std=c++17", "-arch=sm_90a", check=(status,), cwd=CASES, **more)


def draw(tmp_path, kernel, file):
    """The root of the SVG and the texts in it, in the order of the document."""
    path = tmp_path / "out.svg"
    dump(kernel, file, f"--svg={path}")
    root = ElementTree.parse(path).getroot()
    return root, [element.text for element in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("case", ["ring", "hang"])
def test_text(case):
    """A ring of three stages, and the same with a count that nobody reaches."""
    text = dump("ring", f"{case}.cu").stdout
    assert text == (CASES / f"{case}.txt").read_text()
    assert max(map(len, text.splitlines())) <= 100
    assert not any(line != line.rstrip() for line in text.splitlines())


def test_a_hang_says_who_waits_and_who_is_missing():
    lines = dump("ring", "hang.cu").stdout.splitlines()
    end = lines[next(i for i, line in enumerate(lines) if "nobody can go on" in line):]
    lanes = [" ".join(cell.strip() for cell in column)
             for column in zip(*(line.split("|")[1:] for line in end if line.count("|") == 3))]
    producer, idle, consumers = lanes
    assert "HANGS: empty[0] phase 0: 96 of 128 arrived" in producer
    assert "missing: threads 1-31 of 128, exited" in producer
    assert "init-count-mismatch" in producer
    assert "NEVER COMES to" in idle and "empty[0] phase 0" in idle
    assert "HANGS: full[0] phase 1: 0 of 1 arrived" in consumers
    assert "missing: thread 0 of 128" in consumers


def test_svg_of_a_hang(tmp_path):
    root, texts = draw(tmp_path, "ring", "hang.cu")
    assert root.tag == f"{SVG}svg" and root.get("viewBox")
    lanes = [element.text for element in root.iter(f"{SVG}text") if element.get("class") == "lane"]
    assert lanes == ["thread 0", "threads 1-31", "warps 1-3"]
    for label in ("kernel ring", "init empty[0]", "count 128", "block barrier complete",
                  "expects 4096 bytes", "full[0]: phase 0 complete", "nobody can go on",
                  "HANGS: empty[0]", "phase 0: 96 of 128 arrived", "NEVER COMES to"):
        assert label in texts, label
    # The waits that never end are marked as such: one a lane that hangs, and one in the legend.
    classes = [element.get("class") for element in root.iter(f"{SVG}rect")]
    assert classes.count("stuck") == 3
    assert classes.count("box hang") == 2 and classes.count("box absent") == 1


def test_svg_of_a_good_run(tmp_path):
    root, texts = draw(tmp_path, "ring", "ring.cu")
    classes = [element.get("class") for element in root.iter(f"{SVG}rect")]
    assert classes.count("stuck") == 1 and "box hang" not in classes
    assert texts.count("exit") >= 3


def test_svg_boxes_stay_apart_and_inside(tmp_path):
    root, _ = draw(tmp_path, "ring", "hang.cu")
    width, height = float(root.get("width")), float(root.get("height"))
    boxes = []
    for element in root.iter(f"{SVG}rect"):
        if not (element.get("class") or "").startswith(("box", "complete", "land", "over")):
            continue
        x, y = float(element.get("x")), float(element.get("y"))
        box = (x, y, x + float(element.get("width")), y + float(element.get("height")))
        assert box[0] >= 0 and box[1] >= 0 and box[2] <= width and box[3] <= height
        for other in boxes:
            assert (box[0] >= other[2] or other[0] >= box[2] or box[1] >= other[3] or
                    other[1] >= box[3]), (box, other)
        boxes.append(box)
    assert len(boxes) > 30


def test_svg_needs_nothing_else_and_has_dark_colours(tmp_path):
    path = tmp_path / "out.svg"
    dump("rounds<40>", "rounds.cu", f"--svg={path}")
    text = path.read_text()
    assert "prefers-color-scheme:dark" in text
    assert not re.search(r"(href|url\(|@import|<script)", text)
    assert "kernel app::rounds&lt;40&gt;" in text


def test_rounds_that_are_alike_are_told_once():
    text = dump("rounds<40>", "rounds.cu").stdout
    assert "... 39 more rounds like the 2 steps above" in text
    assert text.count("block barrier complete") == 1


def test_two_rounds_are_both_told():
    text = dump("rounds<2>", "rounds.cu").stdout
    assert text.count("block barrier complete") == 2 and "more rounds" not in text


def test_of_roles_that_are_alike_the_first_is_shown():
    text = dump("warps", "rounds.cu").stdout
    assert "thread 0 and 7 more alike" in text and "threads 1-31 and 7 more alike" in text
    assert "own[0]: phase 0 complete" in text and "own[1]" not in text


def test_what_is_not_simulated_is_named():
    rows = [[cell.strip() for cell in line.split("|")]
            for line in dump("piped", "rounds.cu").stdout.splitlines()]
    cells = [row[1:] for row in rows if len(row) == 3]
    assert cells[0] == ["warp 0", "warp 1"]
    assert [row for row in cells if "_" in "".join(row)] == [
        ["make_pipeline", "make_pipeline"], ["producer_acquire", ""], ["producer_commit", ""],
        ["", "consumer_wait"], ["", "consumer_release"]]


def test_the_one_that_hangs_is_not_hidden_among_those_alike():
    text = dump("one_hangs", "rounds.cu").stdout
    assert "thread 0 and 6 more" in text and "thread 160 " in text
    assert "phase 0: 32 of 33" in text


@pytest.mark.parametrize("name, kernel, others", [
    ("rounds", "app::rounds<2>", 1),
    ("app::rounds", "app::rounds<2>", 1),
    ("rounds<40>", "app::rounds<40>", 0),
    ("app::rounds<40>", "app::rounds<40>", 0),
    ("warps", "app::warps", 0),
])
def test_names(name, kernel, others):
    text = dump(name, "rounds.cu").stdout
    assert f"kernel {kernel}\n" in text
    assert ("1 other instance of the kernel" in text) == bool(others)


def test_shapes_are_chosen():
    first = dump("pair", "rounds.cu").stdout
    assert "blocks of 64 threads in clusters of 2" in first
    assert "launch shape 1 of 2; see another with --shape=N" in first
    assert "all 64 threads of every block" in re.sub(r"[\s|]+", " ", first)
    assert "blocks of 128 threads" in dump("pair", "rounds.cu", "--shape=2").stdout
    wrong = dump("pair", "rounds.cu", "--shape=3", status=2)
    assert "has 2 launch shapes, no shape 3" in wrong.stderr and wrong.stdout == ""


def test_unknown_kernel():
    result = dump("wrap", "rounds.cu", status=2)
    assert "there is no kernel 'wrap'" in result.stderr
    assert "  app::rounds<40>\n" in result.stderr and "  pair\n" in result.stderr
    assert result.stdout == ""


def test_a_file_without_kernels(tmp_path):
    (tmp_path / "none.cu").write_text("int value;\n")
    result = dump("any", tmp_path / "none.cu", status=2)
    assert "there is no kernel 'any', nor any other" in result.stderr


def test_a_file_that_is_not_there():
    result = dump("any", "nowhere.cu", status=3)
    assert "no kernel" not in result.stderr


@pytest.mark.parametrize("arguments, words", [
    (["--svg=x.svg"], "'--svg' of 'barlint dump' goes with '--schedule'"),
    (["--shape=2"], "'--shape' of 'barlint dump' goes with '--schedule'"),
    (["--schedule=ring", "--shape=0"], "--shape takes a number from 1"),
])
def test_wrong_usage(arguments, words):
    result = run_barlint("dump", *arguments, "ring.cu", check=(2,), cwd=CASES)
    assert words in result.stderr


def test_a_place_that_cannot_be_written(tmp_path):
    result = dump("ring", "ring.cu", f"--svg={tmp_path}/nowhere/out.svg", status=2)
    assert "cannot write" in result.stderr
    assert result.stdout == ""


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_is_read_only(tmp_path):
    tmp_path.chmod(0o500)
    result = dump("ring", "ring.cu", f"--svg={tmp_path}/out.svg", status=2)
    assert "cannot write" in result.stderr


def test_names_that_are_no_text(tmp_path):
    """Whatever bytes a file's name has, the picture is XML that can be read."""
    folder = os.fsencode(tmp_path)
    file = folder + b"/a\xff<&'\"> \xef\xbf\xbf.cu"
    with open(file, "wb") as out:
        out.write((CASES / "hang.cu").read_bytes())
    svg = tmp_path / "out.svg"
    dump("ring", os.fsdecode(file), f"--svg={svg}")
    texts = [element.text for element in ElementTree.parse(svg).getroot().iter(f"{SVG}text")]
    assert any("<&'\">" in text for text in texts)


def test_a_full_disk(tmp_path):
    if not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full")
    result = dump("ring", "ring.cu", "--svg=/dev/full", status=4)
    assert "cannot write '/dev/full'" in result.stderr


def test_the_same_again(tmp_path):
    for name in ("one.svg", "two.svg"):
        dump("ring", "hang.cu", f"--svg={tmp_path / name}")
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
