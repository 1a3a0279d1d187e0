"""`barlint nvcc`: the flow of a build against a stand-in for nvcc, then real builds."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from conftest import BARLINT, ROOT, find_compiler

HERE = pathlib.Path(__file__).parent
INSTRUMENT = HERE.parent / "instrument"
COMPILER = find_compiler()
needs_nvcc = pytest.mark.skipif(not COMPILER or not (COMPILER / "nvcc").exists(),
                                reason="no nvcc on this machine")


@pytest.fixture(scope="session")
def resource(tmp_path_factory):
    """barlint's headers with the tests' own host part and hooks."""
    folder = tmp_path_factory.mktemp("resource")
    shutil.copytree(ROOT / "include", folder / "include")
    shutil.copy(HERE / "host.h", folder / "include/barlint/runtime_check/host.h")
    (folder / "runtime_check").mkdir()
    shutil.copy(HERE / "hooks.cu", folder / "runtime_check/hooks.cu")
    return folder / "include"


@pytest.fixture(scope="session")
def environment(resource, tmp_path_factory):
    return {**os.environ, "BARLINT_RESOURCE_DIR": str(resource), "LC_ALL": "C.UTF-8",
            "BARLINT_CACHE_DIR": str(tmp_path_factory.mktemp("cache"))}


def run(environment, *arguments, cwd, **more):
    return subprocess.run([str(BARLINT), "nvcc", *map(str, arguments)], env=environment, cwd=cwd,
                          capture_output=True, text=True, timeout=300, **more)


# --- the flow ------------------------------------------------------------------------------------

@pytest.fixture
def fake(environment, tmp_path):
    """An nvcc that is a script; its tools lie beside it."""
    tools = tmp_path / "fake tools"
    tools.mkdir()
    for name in ("nvcc", "cicc", "ptxas", "cudafe++", "gcc"):
        path = tools / name
        path.write_text(f"#!{sys.executable}\n" + (HERE / "fake_nvcc.py").read_text())
        path.chmod(0o755)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    return {**environment, "BARLINT_NVCC": str(tools / "nvcc"), "TMPDIR": str(temporary),
            "FAKE_PTX": str(INSTRUMENT / "block.ptx"), "FAKE_HOOKS": str(INSTRUMENT / "hooks.ptx"),
            "BARLINT_CACHE_DIR": str(tmp_path / "cache")}


def test_build_with_a_stand_in(fake, tmp_path):
    result = run(fake, "-c", "a b.cu", "-o", "out put.o", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (0, "")
    assert result.stderr == "nvcc warning : a warning\n"
    device = (tmp_path / "out put.o.cubin").read_text()
    assert len(re.findall(r"// barlint: bar(rier)?(.cta)?[.](sync|arrive|red)", device)) == 10
    assert ".weak .func barlint_rt_named" in device
    assert "barlint_rt_private_str" in device and "$str" not in device
    assert ".weak .global .align 4 .u32 barlint_rt_calls" in device
    assert re.search(r"\[_ZL16barlint_rt_state\]", device)
    assert ".extern .global .align 8 .u64 barlint_rt_state" not in device
    host = (tmp_path / "out put.o").read_text()
    assert "launches.h" in host and "barlint_rt_register(&barlint_rt_module_of_unit)" in host
    assert list((tmp_path / "temporary").iterdir()) == []


def test_steps_are_shown_when_nvcc_is_asked_to(fake, tmp_path):
    for words, shown in ((["-v"], True), (["-Xptxas", "-v"], False), (["--ptxas-options", "-v"], False),
                         (["-Xptxas=-v"], False), (["-Xptxas=-v", "-v"], True)):
        result = run(fake, *words, "-c", "a.cu", "-o", "a.o", cwd=tmp_path)
        assert result.returncode == 0 and ("#$ cudafe++" in result.stderr) == shown


def test_a_repeated_build_is_the_same(fake, tmp_path):
    texts = []
    for _ in range(2):
        assert run(fake, "-c", "a.cu", "-o", "a.o", cwd=tmp_path).returncode == 0
        # The folder of the files that do not last has a new name each time.
        texts.append(re.sub(r"barlint-\w{6}", "", (tmp_path / "a.o").read_text()) +
                     (tmp_path / "a.o.cubin").read_text())
    assert texts[0] == texts[1]
    assert run(fake, "-c", "-DX", "a.cu", "-o", "a.o", cwd=tmp_path).returncode == 0
    assert (tmp_path / "a.o.cubin").read_text() not in texts[0]


def test_arguments_that_compile_nothing_reach_nvcc_unchanged(fake, tmp_path):
    for words in (["--version"], ["-E", "x.cpp"], ["a.o", "b.o", "-o", "c d"],
                  ["--dryrun", "a.cu", "-o", "a.o"]):
        result = run(fake, *words, cwd=tmp_path)
        if "--dryrun" not in words:
            assert result.stdout == f"nvcc was run: {words} {fake['TMPDIR']}\n"
            assert result.returncode == (0 if words == ["--version"] else 5)
        else:
            assert "module.cuh" not in result.stderr and "#$ cudafe++" in result.stderr
    result = run(fake, "--broken", "a.cu", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (3, "nvcc fatal : broken\n")


def test_a_step_that_fails_ends_the_build(fake, tmp_path):
    result = run(fake, "-c", "bad.cu", "-o", "bad.o", cwd=tmp_path)
    assert result.returncode == 7
    assert result.stderr.count("bad.cu:1: error\n") == 1 and "without checks" not in result.stderr
    assert not (tmp_path / "bad.o").exists()
    assert list((tmp_path / "temporary").iterdir()) == []


def test_what_compiles_without_the_checks_alone_is_built_so(fake, tmp_path):
    result = run(fake, "-c", "own.cu", "-o", "own.o", cwd=tmp_path)
    assert result.returncode == 0
    assert result.stderr == ("nvcc warning : a warning\nbarlint: warning: built without checks, as it "
                             "does not compile with them: own.cu:1: error\n")
    assert list((tmp_path / "temporary").iterdir()) == []


def test_what_ptxas_refuses_is_built_without_checks(fake, tmp_path):
    fake["FAKE_REFUSED"] = "barlint_rt_fence"
    result = run(fake, "-c", "a.cu", "-o", "a.o", cwd=tmp_path)
    assert result.returncode == 0
    assert "is built without checks" in result.stderr and "refused" in result.stderr
    assert (tmp_path / "a.o.cubin").read_text() == (INSTRUMENT / "block.ptx").read_text()
    # An error of the program itself is nvcc's to say.
    fake["FAKE_REFUSED"] = "bar.sync"
    result = run(fake, "-c", "a.cu", "-o", "a.o", cwd=tmp_path)
    assert result.returncode == 255
    assert "without checks" not in result.stderr and "ptxas error: refused" in result.stderr


def test_forms_that_are_left_are_counted(fake, tmp_path):
    module = tmp_path / "left.ptx"
    module.write_text((INSTRUMENT / "block.ptx").read_text().replace(
        "\tbar.sync 0;", "\tbar.sync 0;\n\tbar.sync unknown;\n\tmbarrier.unheard.b64 [%r1];"))
    fake["FAKE_PTX"] = str(module)
    result = run(fake, "-c", "a.cu", "-o", "a.o", cwd=tmp_path)
    assert "2 barrier instructions are not instrumented: bar.sync (1), mbarrier.unheard.b64 (1)" \
        in result.stderr


def test_a_library_that_cannot_be_compiled_costs_the_checks(fake, tmp_path):
    fake["FAKE_HOOKS"] = str(tmp_path / "missing")
    result = run(fake, "-c", "a.cu", "-o", "a.o", cwd=tmp_path)
    assert result.returncode == 0
    assert "the checks cannot be compiled for sm_90a" in result.stderr
    assert (tmp_path / "a.o.cubin").read_text() == (INSTRUMENT / "block.ptx").read_text()


def test_nvcc_as_the_first_word(fake, tmp_path):
    """As a compiler launcher is called."""
    nvcc = fake.pop("BARLINT_NVCC")
    result = run(fake, nvcc, "--version", cwd=tmp_path)
    assert result.stdout.startswith("nvcc was run: ['--version']")


def test_without_nvcc(fake, tmp_path):
    fake["BARLINT_NVCC"] = str(tmp_path / "nowhere")
    result = run(fake, "--version", cwd=tmp_path)
    assert result.returncode == 3 and "nowhere" in result.stderr


def test_an_installed_tree_is_whole(fake, tmp_path):
    """What `cmake --install` puts elsewhere checks sources and has what instrumented code is joined
    with."""
    prefix = tmp_path / "prefix"
    subprocess.run(["cmake", "--install", BARLINT.parent, "--prefix", prefix], check=True,
                   capture_output=True, timeout=60)
    installed = prefix / "bin" / "barlint"
    alone = {name: value for name, value in fake.items() if name != "BARLINT_RESOURCE_DIR"}
    found = subprocess.run([installed, "check", "--headers=builtin", ROOT / "testdata/example/src"],
                           env=alone, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert found.returncode == 1, found.stderr
    build = [installed, "nvcc", "-c", "a b.cu", "-o", "out put.o"]
    result = subprocess.run(build, env=alone, cwd=tmp_path, capture_output=True, text=True,
                            timeout=60)
    assert result.returncode == 0 and "there is no" not in result.stderr, result.stderr
    hooks = prefix / "share/barlint/runtime_check/hooks.cu"
    hooks.unlink()
    alone["BARLINT_CACHE_DIR"] = str(tmp_path / "another cache")
    result = subprocess.run(build, env=alone, cwd=tmp_path, capture_output=True, text=True,
                            timeout=60)
    assert "there is no" in result.stderr


# --- real builds ---------------------------------------------------------------------------------

KERNEL = """
__device__ __noinline__ void meet() { __syncthreads(); }
__global__ void kernel(int *p)
{
    meet();
    __syncwarp();
    *p = 1;
}
"""
MAIN = KERNEL + "int main() { kernel<<<1, 32>>>(nullptr); return 0; }\n"


@pytest.fixture
def real(environment, tmp_path):
    return {**environment, "BARLINT_NVCC": str(COMPILER / "nvcc")}


def table_of(program, cwd):
    result = subprocess.run([program], cwd=cwd, capture_output=True, text=True, timeout=60)
    return result.stderr


@needs_nvcc
def test_program(real, tmp_path):
    (tmp_path / "a b.cu").write_text(MAIN)
    result = run(real, "-arch=sm_90", "a b.cu", "-o", "a b", cwd=tmp_path)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    said = table_of(tmp_path / "a b", tmp_path)
    assert "broken" not in said
    assert re.search(r"\d+: \S*/a b.cu:2:\d+ bar.sync in meet, 0\n", said)
    inlined = re.search(r" bar.warp.sync in __syncwarp, (\d+)\n", said)
    assert re.search(rf"\n{int(inlined.group(1)) - 1}: \S*/a b.cu:6:\d+  in kernel, 0\n", said)
    assert said.endswith("launch\n")


@needs_nvcc
def test_two_architectures_share_a_table(real, tmp_path):
    (tmp_path / "a.cu").write_text(MAIN)
    result = run(real, "-gencode", "arch=compute_80,code=sm_80", "-gencode",
                 "arch=compute_90,code=[sm_90,compute_90]", "-t", "2", "a.cu", "-o", "a",
                 cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    said = table_of(tmp_path / "a", tmp_path)
    assert said.count("module of") == 1
    assert said.count(" bar.sync in meet") == 2


@needs_nvcc
def test_separate_compilation(real, tmp_path):
    (tmp_path / "a.cu").write_text("extern __device__ void meet();\n"
                                   "__global__ void kernel() { meet(); }\n"
                                   "int main() { kernel<<<1, 32>>>(); return 0; }\n")
    (tmp_path / "b.cu").write_text("__device__ void meet() { __syncthreads(); }\n")
    for name in ("a", "b"):
        result = run(real, "-arch=sm_90", "-dc", f"{name}.cu", "-o", f"{name}.o", cwd=tmp_path)
        assert (result.returncode, result.stderr) == (0, "")
    result = run(real, "-arch=sm_90", "a.o", "b.o", "-o", "whole", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    said = table_of(tmp_path / "whole", tmp_path)
    assert said.count("module of") == 2
    assert " bar.sync in meet" in said and "ret in kernel" in said and "launch" in said
    result = run(real, "-arch=sm_90", "-rdc=true", "a.cu", "b.cu", "-o", "at once", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    assert table_of(tmp_path / "at once", tmp_path).count("module of") == 2
    result = run(real, "-arch=sm_90", "-dlink", "a.o", "b.o", "-o", "link.o", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")


@needs_nvcc
@pytest.mark.parametrize("option", ["-ptx", "-cubin", "-fatbin"])
def test_device_code_only(real, tmp_path, option):
    (tmp_path / "a.cu").write_text(KERNEL)
    result = run(real, "-arch=sm_90", option, "a.cu", "-o", "out", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    assert b"barlint_rt_named" in (tmp_path / "out").read_bytes()


@needs_nvcc
@pytest.mark.parametrize("option", ["-G", "-lineinfo"])
def test_debug_information(real, tmp_path, option):
    (tmp_path / "a.cu").write_text(MAIN)
    result = run(real, "-arch=sm_90", option, "a.cu", "-o", "a", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    assert re.search(r"a.cu:2:\d+ bar.sync in meet", table_of(tmp_path / "a", tmp_path))


@needs_nvcc
def test_options_file_and_kept_files(real, tmp_path):
    (tmp_path / "a.cu").write_text(MAIN)
    (tmp_path / "options").write_text("-arch=sm_90 --keep -std=c++17 -DNAME=\"x\"")
    result = run(real, "--options-file", "options", "-c", "a.cu", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    assert "barlint_rt_named" in (tmp_path / "a.ptx").read_text()
    assert (tmp_path / "a.o").exists()


@needs_nvcc
def test_code_without_barriers_is_left_alone(real, tmp_path):
    (tmp_path / "a.cu").write_text("__global__ void kernel(int *p) { *p = 1; }\n"
                                   "int main() { kernel<<<1, 1>>>(nullptr); }\n")
    result = run(real, "-arch=sm_90", "a.cu", "--keep", "-o", "a", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    assert "call" not in (tmp_path / "a.ptx").read_text()
    assert table_of(tmp_path / "a", tmp_path) == "launch\n"


@needs_nvcc
@pytest.mark.parametrize("text, status", [("int x = y;", 2),
                                          ('__global__ void k() { asm("bogus;"); }', 255),
                                          ("#include <nowhere.h>", 1)])
def test_errors_are_nvccs(real, tmp_path, text, status):
    (tmp_path / "a.cu").write_text(text)
    result = run(real, "-arch=sm_90", "-c", "a.cu", cwd=tmp_path)
    plain = subprocess.run([COMPILER / "nvcc", "-arch=sm_90", "-c", "a.cu"], cwd=tmp_path,
                           capture_output=True, text=True, timeout=60)
    assert result.returncode == plain.returncode == status

    def shown(error):
        return re.sub(r"\S*tmpxft\S+, line \d+", "", error)
    assert shown(result.stderr) == shown(plain.stderr)


def test_no_third_place_for_shadows(fake, tmp_path):
    result = run({**fake, "BARLINT_RT_SHADOW": "nowhere"}, "-c", "a.cu", "-o", "a.o", cwd=tmp_path)
    assert result.returncode == 2
    assert "BARLINT_RT_SHADOW: 'nowhere' is neither 'shared' nor 'global'" in result.stderr


@needs_nvcc
@pytest.mark.parametrize("place", ["shared", "global"])
def test_who_asks_for_too_much_is_told(real, tmp_path, place):
    (tmp_path / "a.cu").write_text(KERNEL + """
int main()
{
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 30);
    cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 1 << 30);
}
""")
    result = run({**real, "BARLINT_RT_SHADOW": place}, "-arch=sm_90", "a.cu", "-o", "a",
                 cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    said = table_of(tmp_path / "a", tmp_path)
    assert re.findall(r"no room.*", said) == [f"no room for 1073741824 bytes, {place} shadows"]


@needs_nvcc
def test_where_shadows_lie(real, tmp_path):
    """With the true hooks: what they take of a kernel's shared memory."""
    (tmp_path / "a.cu").write_text("""
__global__ void kernel(int *p)
{
    __shared__ unsigned long long bar;
    unsigned at = (unsigned)__cvta_generic_to_shared(&bar);
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 32;" : : "r"(at) : "memory");
    __syncthreads();
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" : : "r"(at) : "memory");
}
""")
    taken = {}
    for place in ("shared", "global"):
        environment = {**real, "BARLINT_RESOURCE_DIR": str(ROOT / "include"),
                       "BARLINT_RT_SHADOW": place}
        for target in ("sm_80", "sm_90a"):
            result = run(environment, f"-arch={target}", "-Xptxas=-v", "-cubin", "a.cu", "-o", "a",
                         cwd=tmp_path)
            assert result.returncode == 0
            taken[place, target] = max(map(int, re.findall(r"(\d+) bytes smem", result.stderr)))
    assert all(bytes > 10000 for (place, _), bytes in taken.items() if place == "shared")
    assert all(bytes < 1200 for (place, _), bytes in taken.items() if place == "global")


@needs_nvcc
@pytest.mark.parametrize("stream", ["legacy", "per-thread"])
def test_every_way_to_launch(real, tmp_path, stream):
    (tmp_path / "a.cu").write_text(KERNEL + """
int main()
{
    int *p = nullptr;
    void *arguments[] = {&p};
    cudaLaunchConfig_t config = {};
    kernel<<<1, 32>>>(p);
    cudaLaunchKernel((const void *)kernel, dim3(1), dim3(32), arguments, 0, 0);
    cudaLaunchKernel(kernel, dim3(1), dim3(32), arguments);
    cudaLaunchCooperativeKernel(kernel, dim3(1), dim3(32), arguments);
    cudaLaunchKernelEx(&config, kernel, p);
    cudaLaunchKernelExC(&config, (const void *)kernel, arguments);
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t node;
    cudaKernelNodeParams parameters = {};
    cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters);
    cudaGraphLaunch(nullptr, 0);
    cudaDeviceReset();
}
""")
    result = run(real, "-arch=sm_90", f"--default-stream={stream}", "a.cu", "-o", "a", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    said = table_of(tmp_path / "a", tmp_path)
    assert said.count("launch\n") == 8
    assert said.endswith("launch\nreset\n")


@needs_nvcc
def test_warnings_that_are_errors(real, tmp_path):
    """What a program's flags warn of is not looked for in barlint's own headers."""
    (tmp_path / "a.cu").write_text(MAIN)
    environment = {**real, "BARLINT_RESOURCE_DIR": str(ROOT / "include")}
    result = run(environment, "-arch=sm_90", "-Werror", "all-warnings",
                 "-Xcompiler=-Wall,-Wextra,-Wshadow,-Wundef,-Wno-error=undef", "-c", "a.cu", cwd=tmp_path)
    own = [line for line in result.stderr.splitlines() if "barlint/" in line]
    assert (result.returncode, own) == (0, [])


@needs_nvcc
@pytest.mark.parametrize("count, more, once", [
    (3, "", True), (1, "", False), (3, 'asm volatile("wgmma.fence.sync.aligned;");', False),
    (3, "extern __shared__ float4 more[]; more[0].x = 1;", True),
    (3, "extern __shared__ __align__(128) char more[]; more[0] = 1;", False)],
    ids=["several", "one", "wgmma", "dynamic", "aligned"])
def test_checks_that_are_compiled_once(real, tmp_path, count, more, once):
    """For all kernels of a unit: the same kernels, within the registers that the least of them has."""
    kernels = "".join(f"""
__global__ void kernel{i}(int *p)
{{
    if (p[{i}])
        __syncthreads();
    __shared__ int s[{i + 1}];
    s[0] = __shfl_sync(~0u, p[threadIdx.x], {i});
    p[{i}] = s[0];
    {more}
}}
""" for i in range(count))
    (tmp_path / "a.cu").write_text(kernels + "int main() { kernel0<<<1, 32>>>(nullptr); }\n")
    environment = {**real, "BARLINT_RESOURCE_DIR": str(ROOT / "include")}
    target = ["-gencode", "arch=compute_90a,code=sm_90a"]
    result = run(environment, *target, "-v", "-c", "a.cu", "-o", "a.o", cwd=tmp_path)
    assert result.returncode == 0 and "without checks" not in result.stderr, result.stderr
    result = run(environment, *target, "-cubin", "a.cu", "-o", "a.cubin", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    cubin = (tmp_path / "a.cubin").read_bytes()
    names = set(re.findall(rb"[.]text[.](\w+)", cubin))
    assert {name for name in names if b"kernel" in name} == {b"_Z7kernel%dPi" % i for i in range(count)}
    assert any(name.endswith(b"barlint_rt_considerEPK15barlint_rt_here") for name in names) == once


@needs_nvcc
def test_names_that_barlints_headers_have_differently(real, tmp_path):
    (tmp_path / "a.cu").write_text("typedef unsigned long long uint64_t;\n" + KERNEL)
    environment = {**real, "BARLINT_RESOURCE_DIR": str(ROOT / "include")}
    result = run(environment, "-arch=sm_90", "-c", "a.cu", "-o", "a.o", cwd=tmp_path)
    assert result.returncode == 0 and (tmp_path / "a.o").exists()
    assert result.stderr.count("\n") == 1 and "built without checks" in result.stderr
    assert "uint64_t" in result.stderr


@needs_nvcc
@pytest.mark.parametrize("target", ["sm_80", "sm_90a"])
def test_linked_units_have_their_checks(real, tmp_path, target):
    """With the true hooks, which take more registers than these kernels do by themselves."""
    (tmp_path / "a.cu").write_text(MAIN)
    environment = {**real, "BARLINT_RESOURCE_DIR": str(ROOT / "include")}
    result = run(environment, f"-arch={target}", "-rdc=true", "a.cu", "-o", "a", cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
