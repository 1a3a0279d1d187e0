"""The layering: who may include what, who may print, and that each rule's file is complete."""
import re

import pytest

from conftest import ROOT, run_barlint

ANALYZER = ROOT / "analyzer"
# A layer and those below it that it may include.
ALLOWED = {
    "base": set(),
    "semantics": {"base"},
    "instrument": {"base"},
    "ir": {"base"},
    "model": {"base", "ir"},
    "frontend": {"base", "ir", "model"},
    "engine": {"base", "ir", "model", "semantics"},
    "rules": {"base", "ir", "model", "engine", "semantics"},
    "report": {"base", "ir", "model", "engine", "rules"},
    "lsp": {"base", "ir", "model", "engine", "rules", "report"},
    "store": {"base"},
    "driver": {"base", "ir", "model", "frontend", "engine", "rules", "report", "lsp",
               "store", "instrument"},
}


def sources():
    files = [*ANALYZER.rglob("*.[ch]"), *(ROOT / "rules").glob("*.[ch]")]
    assert len(files) > 20
    return sorted(files)


def layer_of(path):
    parts = path.relative_to(ROOT).parts
    return "rules" if parts[0] == "rules" else parts[1]


def is_test(path):
    return path.stem.endswith(("_test", "_fuzz")) or path.stem.startswith(("test_", "expect"))


def includes(path):
    return re.findall(r'^\s*#\s*include\s+["<]([^">]+)[">]', path.read_text(), re.M)


def without_comments_and_text(path):
    code = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', path.read_text())
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", code, flags=re.S)


def test_layers_include_only_what_lies_below():
    for path in sources():
        layer = layer_of(path)
        for name in includes(path):
            other = name.split("/")[0]
            if other in ALLOWED and other != layer and "/" in name and not is_test(path):
                assert other in ALLOWED[layer], f"{path} includes {name}"


@pytest.mark.parametrize("header, layer", [("clang-c/", "frontend"), ("sqlite3.h", "store")])
def test_libraries_stay_in_their_layer(header, layer):
    for path in sources():
        if any(name.startswith(header) for name in includes(path)):
            assert layer_of(path) == layer, f"{path} includes {header}"


def test_only_driver_and_report_print():
    """Other layers return what went wrong; a FILE they are handed is their caller's."""
    printing = re.compile(r"\b(?:printf|puts|putchar|perror)\s*\(|\bstdout\b|\bstderr\b")
    for path in sources():
        # A program for developers prints for itself.
        is_program = path.stem.endswith("_main")
        if layer_of(path) in ("driver", "report") or is_test(path) or is_program:
            continue
        # Running out of memory has no caller to tell.
        code = without_comments_and_text(path)
        if path.name == "arena.c":
            code = re.sub(r"fprintf\(stderr, \"\"[^;]*;", "", code)
        found = printing.search(code)
        assert not found, f"{path}: {found.group(0)}"


def test_every_rule_file_defines_its_rule():
    ids = {line.split()[0] for line in run_barlint("rules", check=(0,)).stdout.splitlines()}
    files = {path.stem for path in (ROOT / "rules").glob("*.c")} - {"facts", "number", "outcome", "parts", "turned"}
    assert {name.replace("_", "-") for name in files} == ids


def test_no_file_is_too_long():
    for path in sources():
        if path.suffix in (".c", ".h"):
            assert len(path.read_text().splitlines()) <= 900, path
