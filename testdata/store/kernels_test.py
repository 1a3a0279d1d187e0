"""A unit that must be analysed again costs its parse and those kernels that an edit touches."""
import sqlite3

import pytest

from store.conftest import HEADER

TWO = """#include "shared.cuh"
#include "later.h"
__global__ void first(int *p)
{
    if (is_low(threadIdx.x))
        __syncthreads();
    p[0] = 1;
}
__global__ void second(int *p)
{
    if (threadIdx.x < 7)
        __syncthreads();
    p[0] = 2;
}
void launch(int *p) { first<<<1, 32>>>(p); second<<<1, 32>>>(p); }
"""
LATER = "inline int host_sum(int a, int b) { return a + b; }\n"


@pytest.fixture
def two(project):
    project.write("two.cu", TWO)
    project.write("inc/later.h", LATER)
    project.commands("two.cu")
    assert project.kernels() == 0
    return project


@pytest.mark.parametrize("header, text", [
    ("shared.cuh", "// a comment more\n" + HEADER),
    ("shared.cuh", HEADER.replace("WIDTH 16", "WIDTH  16")),
    ("later.h", LATER.replace("a + b", "a - b")),
    ("later.h", LATER + "__global__ void other();\n#define OTHER 1\n"),
])
def test_header_edit_that_changes_no_fact_stops_there(two, header, text):
    two.write(f"inc/{header}", text)
    assert two.kernels() == 2


def test_header_edit_that_changes_one_kernel(two):
    two.write("inc/shared.cuh", HEADER.replace("WIDTH 16", "WIDTH 8"))
    assert two.kernels() == 1
    two.write("inc/shared.cuh", HEADER)
    assert two.kernels() == 2


def test_lines_move_and_findings_with_them(two):
    two.write("two.cu", TWO.replace("__global__ void second", "\n// more\n\n__global__ void second"))
    assert two.kernels() == 2
    two.write("two.cu", TWO.replace("if (threadIdx.x < 7)", "if (threadIdx.x < 9)"))
    assert two.kernels() == 1
    two.write("two.cu", TWO.replace("second<<<1, 32>>>", "second<<<1, 64>>>"))
    assert two.kernels() == 1


def test_another_rule_is_another_outcome(two):
    two.write("inc/later.h", LATER + "\n")
    assert two.kernels("--rule=init-missing") == 0
    assert two.kernels() == 2


def test_damage_is_not_believed(two):
    for damage in ("content = replace(content, 'sync', 'sink')", "seal = zeroblob(16)",
                   "content = '{}'", "content = ''"):
        with sqlite3.connect(two.database()) as database:
            assert database.execute(f"UPDATE kernel SET {damage}").rowcount == 2
        two.write("inc/later.h", LATER + "//" + damage + "\n")
        assert two.kernels() == 0
        two.write("inc/later.h", LATER + "// again " + damage + "\n")
        assert two.kernels() == 2


def test_units_of_one_project_share_nothing_by_mistake(two):
    # The same text under another name: places are its own.
    two.write("copy.cu", TWO)
    two.commands("two.cu", "copy.cu")
    assert two.kernels() == 0
