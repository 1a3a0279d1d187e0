"""<barlint/runtime_check.cuh> as the first line of a source: what it checks, and that it leaves no
trace when it is disabled."""
import re
import subprocess

import pytest

from conftest import ROOT, find_compiler

COMPILER = find_compiler()
SOURCE = ROOT / "testdata" / "nvcc" / "source.cu"
needs_nvcc = pytest.mark.skipif(not COMPILER, reason="no nvcc on this machine")


def compile_to(output, source, *flags):
    return subprocess.run([COMPILER / "nvcc", "-arch=sm_90a", "-std=c++17", "-w", *flags, "-o", output,
                           source], capture_output=True, text=True, timeout=600, check=False)


def with_include(folder, source):
    """A source that includes the header first and then is `source`, its lines numbered as there."""
    text = folder / "included.cu"
    text.write_text(f'#include <barlint/runtime_check.cuh>\n#include "{source}"\n')
    return text


def lines_in(ptx):
    """Lines that hooks are called with: a place is a bit, the line and the file's name."""
    numbers = {int(word) & 2**64 - 1 for word in re.findall(r"-?\d{15,20}", ptx)}
    return {number >> 47 & 0xffff for number in numbers
            if number >> 63 and not number & 2**47 - 1}


@needs_nvcc
def test_every_operation_is_seen_with_its_line(tmp_path):
    ptx = tmp_path / "source.ptx"
    result = compile_to(ptx, with_include(tmp_path, SOURCE), "-I", ROOT / "include", "-ptx")
    assert result.returncode == 0, result.stderr
    marked = {number for number, line in enumerate(SOURCE.read_text().splitlines(), 1)
              if "// check:" in line}
    assert len(marked) > 60
    assert marked - lines_in(ptx.read_text()) == set()


@needs_nvcc
def test_disabled_it_leaves_the_code_as_it_is(tmp_path):
    ptx = {}
    for name, flags in (("plain", []), ("disabled", ["-DBARLINT_RT_DISABLED"])):
        source = with_include(tmp_path, SOURCE) if flags else tmp_path / "included.cu"
        if not flags:
            source.write_text(f'\n#include "{SOURCE}"\n')
        result = compile_to(tmp_path / f"{name}.ptx", source, "-I", ROOT / "include", "-ptx", *flags)
        assert result.returncode == 0, result.stderr
        ptx[name] = (tmp_path / f"{name}.ptx").read_text()
    assert ptx["disabled"] == ptx["plain"]
    assert ".entry" in ptx["plain"]


@needs_nvcc
@pytest.mark.parametrize("flags", [["-arch=sm_80", "-rdc=true", "-dc"], ["-arch=sm_75", "-std=c++14", "-c"]])
def test_other_targets(tmp_path, flags):
    """ptxas takes it; before sm_80 and C++17 there is less to check."""
    planted = ROOT / "runtime_check" / "planted" / "17-sync-by-one-warp.cu"
    result = compile_to(tmp_path / "program.o", with_include(tmp_path, planted), "-I",
                        ROOT / "include", *flags)
    assert result.returncode == 0, result.stderr


@needs_nvcc
def test_it_wants_to_be_first(tmp_path):
    source = tmp_path / "late.cu"
    source.write_text("#include <cuda/barrier>\n#include <barlint/runtime_check.cuh>\n")
    result = compile_to(tmp_path / "late.ptx", source, "-I", ROOT / "include", "-ptx")
    assert result.returncode != 0
    assert "is to be included before" in result.stderr


@needs_nvcc
def test_barriers_that_are_software_stay(tmp_path):
    """And nothing is warned of, also where `module` begins a line of C++20."""
    source = tmp_path / "stays.cu"
    source.write_text("""#include <cuda/std/barrier>
__global__ void meet(cuda::std::barrier<> *all, cuda::barrier<cuda::thread_scope_device> *device)
{
    device->arrive_and_wait();
    all->wait(all->arrive());
}
int main()
{
    cuda::std::barrier<> own(1);
    own.arrive_and_wait();
}
""")
    result = subprocess.run([COMPILER / "nvcc", "-arch=sm_90a", "-std=c++20", "-I", ROOT / "include",
                             "-include", "barlint/runtime_check.cuh", "-Xcompiler=-Wall,-Wextra", "-c",
                             "-o", tmp_path / "stays.o", source], capture_output=True, text=True,
                            timeout=600, check=False)
    assert (result.returncode, result.stderr) == (0, "")
