"""Each probe file of this folder parses without an error, with barlint's own declarations and with
every toolkit at hand, and the syntax tree shows what the frontend relies on.

Toolkits: the folders named in BARLINT_TEST_TOOLKITS (separated by ':'; each has include/), else
CUDA_PATH, else /usr/local/cuda. A probe says in its comments what it needs:
    // since: 12.0        the first toolkit that has it
    // modes: builtin     not for toolkits
    // needs: a.h b.h     headers a toolkit may lack
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
INCLUDE = HERE.parent.parent / "include" / "barlint"
BUILTIN = INCLUDE / "builtin"
TORCH = ["-idirafter", str(INCLUDE / "torch")]
CLANG = shutil.which("clang-22") or shutil.which("clang")
PROBES = sorted(HERE.glob("*.cu"))


def toolkits():
    named = os.environ.get("BARLINT_TEST_TOOLKITS")
    if named:
        return [Path(t) for t in named.split(":") if t]
    for folder in (os.environ.get("CUDA_PATH"), "/usr/local/cuda"):
        if folder and (Path(folder) / "include" / "cuda.h").exists():
            return [Path(folder)]
    return []


def version(toolkit):
    text = (toolkit / "include" / "cuda.h").read_text()
    number = int(re.search(r"#define\s+CUDA_VERSION\s+(\d+)", text).group(1))
    return number // 1000, number % 1000 // 10


def common(arch, standard):
    return [
        CLANG, "-fsyntax-only", "-x", "cuda", "--cuda-device-only", f"--cuda-gpu-arch={arch}",
        "-nocudainc", "-nocudalib", "--cuda-path=/nonexistent", "-fgpu-rdc",
        "-Xclang", "-target-sdk-version=12.9", f"-std={standard}", "-ferror-limit=0", "-w",
        "-Wno-c++11-narrowing", "-Wno-register", "-Wno-invalid-constexpr",
    ]


def builtin_command(arch="sm_90a", standard="c++17"):
    return common(arch, standard) + [
        "-DBARLINT_BUILTIN_HEADERS", "-isystem", str(BUILTIN),
        "-idirafter", str(BUILTIN / "std"), "-idirafter", str(BUILTIN / "std" / "c"),
        "-include", str(INCLUDE / "prelude.h"), *TORCH,
    ]


def lean_command():
    """barlint's own C++ library instead of the machine's: much faster to read."""
    return common("sm_90a", "c++17") + [
        "-nostdinc++", "-DBARLINT_BUILTIN_HEADERS", "-isystem", str(BUILTIN),
        "-isystem", str(BUILTIN / "std"), "-idirafter", str(BUILTIN / "std" / "c"),
        "-include", str(INCLUDE / "prelude.h"), *TORCH,
    ]


def toolkit_command(toolkit, arch="sm_90a", standard="c++17"):
    major, minor = version(toolkit)
    return common(arch, standard) + [
        f"-D__CUDACC_VER_MAJOR__={major}", f"-D__CUDACC_VER_MINOR__={minor}",
        "-D__CUDACC_VER_BUILD__=1", "-I", str(INCLUDE / "overlay"),
        "-include", str(INCLUDE / "prelude.h"),
        "-isystem", str(toolkit / "include"), "-isystem", str(toolkit / "include" / "cccl"),
        "-idirafter", str(INCLUDE / "shim"), *TORCH,
    ]


def run(command, *files):
    return subprocess.run(command + [str(f) for f in files], capture_output=True, text=True,
                          timeout=300)


def errors(done):
    """The errors that lose something: clang also refuses an unescaped special register in inline
    assembly, and keeps the statement."""
    return [line for line in done.stderr.splitlines()
            if "error:" in line and "invalid % escape in inline assembly" not in line]


def note(probe, word):
    found = re.search(rf"^// {word}: (.*)$", probe.read_text(), re.M)
    return found.group(1).split() if found else []


pytestmark = pytest.mark.skipif(not CLANG, reason="clang 22 is not installed")


@pytest.mark.parametrize("standard", ["c++14", "c++17", "c++20"])
@pytest.mark.parametrize("probe", PROBES, ids=lambda p: p.stem)
def test_builtin(probe, standard):
    done = run(builtin_command(standard=standard), probe)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("arch", ["sm_70", "sm_80", "sm_100a", "sm_120"])
def test_builtin_architectures(arch):
    for probe in PROBES:
        done = run(builtin_command(arch=arch), probe)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("probe", PROBES, ids=lambda p: p.stem)
def test_builtin_without_a_standard_library(probe):
    """No header of the machine's C or C++ library is found."""
    command = builtin_command() + ["-nostdinc++", "-nostdlibinc"]
    done = run(command, probe)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("probe", PROBES, ids=lambda p: p.stem)
def test_builtin_with_the_lean_library(probe):
    done = run(lean_command(), probe)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("toolkit", toolkits() or [None], ids=str)
@pytest.mark.parametrize("probe", PROBES, ids=lambda p: p.stem)
def test_toolkit(probe, toolkit):
    if toolkit is None:
        pytest.skip("no CUDA toolkit: set BARLINT_TEST_TOOLKITS or CUDA_PATH")
    if "builtin" in note(probe, "modes"):
        pytest.skip("for the built-in headers only")
    since = note(probe, "since")
    if since and version(toolkit) < tuple(int(n) for n in since[0].split(".")):
        pytest.skip(f"needs CUDA {since[0]}")
    roots = (toolkit / "include", toolkit / "include" / "cccl")
    lacking = [h for h in note(probe, "needs") if not any((r / h).exists() for r in roots)]
    if lacking:
        pytest.skip(f"the toolkit lacks {', '.join(lacking)}")
    done = run(toolkit_command(toolkit), probe)
    assert not errors(done), done.stderr


def commands():
    return [builtin_command()] + [toolkit_command(t) for t in toolkits()]


@pytest.mark.parametrize("command", commands(), ids=lambda c: c[-1])
def test_tree_shows_attributes(command):
    done = run(command + ["-Xclang", "-ast-dump"], HERE / "attributes.cu")
    assert not errors(done), done.stderr
    tree = done.stdout
    for name in ("shared", "launch_bounds", "cluster_dims", "block_size", "block_cluster",
                 "maxnreg", "grid_constant", "managed"):
        assert re.search(rf'AnnotateAttr.*"?barlint\.{name}"?', tree), name
    for variable in ("at_file_scope", "one", "several", "aligned", "first", "second", "third"):
        assert re.search(rf"VarDecl.* {variable} .*\n(?:.*\n){{0,12}}?.*CUDASharedAttr", tree), \
            variable
    # No shared variable was found invalid.
    assert " invalid " not in tree


@pytest.mark.parametrize("command", commands(), ids=lambda c: c[-1])
def test_tree_shows_builtin_variables_as_members(command, tmp_path):
    source = tmp_path / "one.cu"
    source.write_text("__global__ void kernel(int *p) { p[threadIdx.x] = blockDim.y + warpSize; }\n"
                      "void host(int *p) { kernel<<<1, 32>>>(p); }\n")
    tree = run(command + ["-Xclang", "-ast-dump", "-Xclang", "-ast-dump-filter=kernel"],
               source).stdout
    assert re.search(r"MemberExpr.* \.x\b", tree) and re.search(r"MemberExpr.* \.y\b", tree)
    assert "PseudoObjectExpr" not in tree
    tree = run(command + ["-Xclang", "-ast-dump", "-Xclang", "-ast-dump-filter=host"],
               source).stdout
    assert "CUDAKernelCallExpr" in tree and "__cudaPushCallConfiguration" in tree


@pytest.mark.parametrize("command", commands(), ids=lambda c: c[-1])
def test_a_refused_shared_object_has_a_way_out(command, tmp_path):
    """The error the frontend looks for, and the annotation of the same length that cures it."""
    text = ("struct Counter { int n = 3; __device__ Counter() : n(4) { n = 5; } };\n"
            "__global__ void kernel(int *p) { __shared__ Counter c; p[0] = c.n; }\n")
    source = tmp_path / "refused.cu"
    source.write_text(text)
    done = run(command, source)
    assert "initialization is not supported for __shared__ variables" in done.stderr
    source.write_text(text.replace("__shared__", "__shared_o"))
    done = run(command, source)
    assert not errors(done), done.stderr
