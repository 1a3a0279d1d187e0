"""The fixes that rules offer, and how they are applied.

testdata/fixes/before holds sources with findings, testdata/fixes/after what --fix makes of them. A
first line `// options: --unsafe-fixes` says that the fix is one of the suggested kind. What comes out
must lint clean and compile.
"""
import json
import os
import shutil
import stat
import subprocess

import pytest

from conftest import COMPILER_ARGUMENTS, ROOT, TOOLKITS, find_compiler, run_barlint

BEFORE, AFTER = ROOT / "testdata" / "fixes" / "before", ROOT / "testdata" / "fixes" / "after"
CASES = sorted(BEFORE.glob("*.cu"))
COMPILER = find_compiler()
BUILTIN = TOOLKITS["builtin"]


def options_of(text):
    first = text.partition("\n")[0]
    return first.removeprefix("// options:").split() if first.startswith("// options:") else []


def fix(folder, *options, check=(0,), paths=(".",)):
    return run_barlint("check", *BUILTIN, *options, *paths, "--", *COMPILER_ARGUMENTS, cwd=folder,
                       check=check)


def test_every_case_has_both_sides():
    assert [case.name for case in CASES] == [case.name for case in sorted(AFTER.glob("*.cu"))]


@pytest.mark.parametrize("mode", list(TOOLKITS)[:2])
@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_case(barlint, tmp_path, case, mode):
    """The fixed file is what was expected, and nothing is found in it any more."""
    shutil.copy(case, tmp_path)
    options = options_of(case.read_text())
    run_barlint("check", *TOOLKITS[mode], "--fix", *options, case.name, "--", *COMPILER_ARGUMENTS,
                cwd=tmp_path, check=(0,))
    assert (tmp_path / case.name).read_text() == (AFTER / case.name).read_text()
    assert os.listdir(tmp_path) == [case.name]


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_suggested_fixes_are_asked_for(barlint, tmp_path, case):
    text = case.read_text()
    if not options_of(text):
        return
    shutil.copy(case, tmp_path)
    fix(tmp_path, "--fix", check=(1,))
    assert (tmp_path / case.name).read_text() == text


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_fixed_compiles(barlint, tmp_path, case):
    if not COMPILER:
        pytest.skip("no nvcc here: what the fixes make is not compiled")
    for folder in (BEFORE, AFTER):
        subprocess.run([COMPILER / "nvcc", *COMPILER_ARGUMENTS, "-diag-suppress=20054", "-cubin",
                        "-o", tmp_path / "case.cubin", folder / case.name], check=True)


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_diff_is_what_patch_applies(barlint, tmp_path, case):
    """--diff changes nothing, exits with 1, and patch(1) makes of it what --fix makes."""
    text = case.read_text()
    shutil.copy(case, tmp_path)
    diff = fix(tmp_path, "--diff", *options_of(text), check=(1,)).stdout
    assert (tmp_path / case.name).read_text() == text
    subprocess.run(["patch", "-p0", "--quiet"], input=diff, text=True, cwd=tmp_path, check=True)
    assert (tmp_path / case.name).read_text() == (AFTER / case.name).read_text()


def test_text_says_how_to_apply(barlint, tmp_path):
    shutil.copy(BEFORE / "mask_of_the_group.cu", tmp_path)
    shutil.copy(BEFORE / "mask_of_a_vote.cu", tmp_path)
    text = fix(tmp_path, check=(1,)).stdout
    assert "help: name the lanes that come here, 0x0000ffff (--fix)\n" in text
    assert "help: name the lanes that come here, 0x000000ff (--fix --unsafe-fixes)\n" in text


ROUNDS = """\
#include <cuda/ptx>

__global__ void rounds(float *data)
{
    __shared__ uint64_t stored;
    if (threadIdx.x == 0)
        cuda::ptx::mbarrier_init(&stored, 128);
    __syncthreads();
    data[threadIdx.x] += 1;
    cuda::ptx::mbarrier_arrive(&stored);
    cuda::ptx::mbarrier_try_wait_parity(&stored, 1);
    data[threadIdx.x] *= 2;
}

void launch(float *data)
{
    rounds<<<1, 128>>>(data);
}
"""


def test_diff_is_of_all_rounds(barlint, tmp_path):
    """The wait becomes a loop in the first round; only then its parity is told to be wrong."""
    case = tmp_path / "case.cu"
    case.write_text(ROUNDS)
    options = ["--unsafe-fixes", *options_of(ROUNDS)]
    diff = fix(tmp_path, "--diff", *options, check=(1,)).stdout
    lines = [line for line in diff.splitlines() if line[0] in "+-"]
    assert lines == ["--- case.cu", "+++ case.cu",
                     "-    cuda::ptx::mbarrier_try_wait_parity(&stored, 1);",
                     "+    while (!cuda::ptx::mbarrier_try_wait_parity(&stored, 0)) {}"]
    assert case.read_text() == ROUNDS
    given = run_barlint("check", *BUILTIN, "--diff", *options, "--stdin-filename=case.cu", "-", "--",
                        *COMPILER_ARGUMENTS, input=ROUNDS, check=(1,), cwd=tmp_path)
    assert given.stdout == diff
    fix(tmp_path, "--fix", *options)
    fixed = case.read_text()
    case.write_text(ROUNDS)
    subprocess.run(["patch", "-p0", "--quiet"], input=diff, text=True, cwd=tmp_path, check=True)
    assert case.read_text() == fixed


def test_diff_of_nothing(barlint, tmp_path):
    shutil.copy(AFTER / CASES[0].name, tmp_path)
    assert fix(tmp_path, "--diff").stdout == ""


def test_json_offsets_are_bytes(barlint, tmp_path):
    """Edits count bytes, whatever the file's encoding holds before them."""
    text = BEFORE.joinpath("block_sync_after_init.cu").read_text()
    text = "// \u00fcber \u4e00\n" + text
    (tmp_path / "case.cu").write_text(text)
    document = json.loads(fix(tmp_path, "--json", check=(1,)).stdout)
    edit, = document["findings"][0]["fixes"][0]["edits"]
    data = text.encode()
    assert edit["file"] == "case.cu"
    assert data[:edit["start"]].endswith(b"// one thread")
    assert edit["text"] == "\n    __syncthreads();"


def test_unsafe_fixes_needs_a_verb(barlint, tmp_path):
    assert "--fix" in fix(tmp_path, "--unsafe-fixes", check=(2,)).stderr


# --- Hostile files ----------------------------------------------------------------------------------

SIMPLE = BEFORE.joinpath("block_sync_after_init.cu").read_text()
FIXED = AFTER.joinpath("block_sync_after_init.cu").read_text()


def test_line_ends_and_missing_last_line_end(barlint, tmp_path):
    case = tmp_path / "case.cu"
    case.write_bytes(SIMPLE.rstrip("\n").replace("\n", "\r\n").encode())
    diff = fix(tmp_path, "--diff", check=(1,)).stdout
    assert "+    __syncthreads();" in diff
    fix(tmp_path, "--fix")
    assert case.read_bytes() == FIXED.rstrip("\n").replace("\n", "\r\n").encode()


def test_tabs_stay(barlint, tmp_path):
    case = tmp_path / "case.cu"
    case.write_text(SIMPLE.replace("    ", "\t"))
    fix(tmp_path, "--fix")
    assert case.read_text() == FIXED.replace("    ", "\t")


def test_mode_bits_and_links_stay(barlint, tmp_path):
    real, link = tmp_path / "real" / "case.inc", tmp_path / "case.cu"
    real.parent.mkdir()
    real.write_text(SIMPLE)
    real.chmod(0o754)
    link.symlink_to("real/case.inc")
    fix(tmp_path, "--fix", paths=["case.cu"])
    assert link.is_symlink() and real.read_text() == FIXED
    assert stat.S_IMODE(real.stat().st_mode) == 0o754
    assert os.listdir(real.parent) == ["case.inc"]


def test_write_protected_file_is_left(barlint, tmp_path):
    case = tmp_path / "case.cu"
    case.write_text(SIMPLE)
    case.chmod(0o444)
    result = fix(tmp_path, "--fix", check=(1,))
    assert "case.cu is not fixed: it is write-protected" in result.stderr
    assert case.read_text() == SIMPLE


def test_macros_are_left(barlint, tmp_path):
    """What a macro writes is not edited where it is used."""
    case = tmp_path / "case.cu"
    text = SIMPLE.replace("    if (threadIdx.x == 0)\n        init(&stored, blockDim.x); // one thread\n",
                          "    READY(stored)\n")
    text = "#define READY(b) if (threadIdx.x == 0) init(&b, blockDim.x);\n" + text
    case.write_text(text)
    fix(tmp_path, "--fix", "--unsafe-fixes", check=(1,))
    assert case.read_text() == text


def test_header_of_two_units_is_fixed_once(barlint, tmp_path):
    header = tmp_path / "mirror.cuh"
    header.write_text(SIMPLE[:SIMPLE.index("void launch")])
    for name in ("one.cu", "two.cu"):
        (tmp_path / name).write_text(
            '#include "mirror.cuh"\n\nvoid launch_' + name[:3] +
            "(const float *in, float *out)\n{\n    mirror<<<1, 128>>>(in, out);\n}\n")
    fix(tmp_path, "--fix", paths=["one.cu", "two.cu"])
    assert header.read_text() == FIXED[:FIXED.index("void launch")]


HALF = """#include <cuda/barrier>

template <int Threads>
__global__ void fold(const float *in, float *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> stored;
    __shared__ float line[64];
    if (threadIdx.x == 0)
        init(&stored, 128);
    __syncthreads();
    if (threadIdx.x < Threads) {
        line[threadIdx.x] = in[threadIdx.x];
        stored.arrive_and_wait();
        out[threadIdx.x] = line[Threads - 1 - threadIdx.x];
    }
}

void launch(const float *in, float *out)
{
    fold<64><<<1, 128>>>(in, out);
    fold<32><<<1, 128>>>(in, out);
}
"""


def test_instances_that_differ_have_no_fix(barlint, tmp_path):
    case = tmp_path / "case.cu"
    case.write_text(HALF)
    fix(tmp_path, "--fix", "--unsafe-fixes", check=(1,))
    assert case.read_text() == HALF


def test_shapes_that_differ_have_no_fix(barlint, tmp_path):
    """A count that is wrong under one launch may be right under the other."""
    case = tmp_path / "case.cu"
    text = HALF.replace("template <int Threads>\n", "").replace("Threads", "64").replace(
        "fold<64><<<1, 128>>>", "fold<<<1, 64>>>").replace("fold<32>", "fold")
    text = text.replace("threadIdx.x < 64", "threadIdx.x < blockDim.x / 2")
    case.write_text(text)
    fix(tmp_path, "--fix", "--unsafe-fixes", check=(1,))
    assert case.read_text() == text


def test_no_second_arrival(barlint, tmp_path):
    """A thread that has arrived and leaves before its wait has nothing left to drop in that phase."""
    case = tmp_path / "case.cu"
    text = BEFORE.joinpath("drop_before_return.cu").read_text()
    text = text[:text.index("__global__ void same_line")].replace(
        "    for (", "    (void)step.arrive();\n    for (") + """
void launch(float *cell, const float *force, int steps)
{
    own_line<<<1, 128>>>(cell, force, steps);
}
"""
    case.write_text(text)
    fix(tmp_path, "--fix", "--unsafe-fixes", check=(1,))
    assert case.read_text() == text


def test_headers_of_others_are_left(barlint, tmp_path):
    """A file outside the folder where the user stands, and not asked for, belongs to somebody else."""
    (tmp_path / "vendor").mkdir()
    (tmp_path / "own").mkdir()
    header = tmp_path / "vendor" / "mirror.cuh"
    header.write_text(SIMPLE[:SIMPLE.index("void launch")])
    (tmp_path / "own" / "case.cu").write_text(
        '#include "../vendor/mirror.cuh"\n' + SIMPLE[SIMPLE.index("void launch"):])
    fix(tmp_path / "own", "--fix", check=(1,))
    assert header.read_text() == SIMPLE[:SIMPLE.index("void launch")]


def test_suppressed_findings_are_not_fixed(barlint, tmp_path):
    case = tmp_path / "case.cu"
    text = SIMPLE.replace("// one thread", "// barlint-ignore[init-no-sync]: one warp")
    case.write_text(text)
    fix(tmp_path, "--fix")
    assert case.read_text() == text
