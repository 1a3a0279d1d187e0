"""`barlint dump --operations`: what the sources have, without running kernels."""
import json
import os

from conftest import run_barlint

SOURCE = """\
template <int N>
__device__ void wait_for(int id)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(id), "n"(N));
}

__device__ int helper(int value)
{
    return __syncthreads_count(value);
}

template <class T>
__global__ void unused(T *data)
{
    if constexpr (sizeof(T) == 4)
        __syncthreads();
    *data = 0;
}

__global__ void used(int *data)
{
#if 0
    __syncthreads();
#endif
    wait_for<64>(1);
    *data = helper(*data);
}
"""


def dump(path, *arguments, **more):
    return run_barlint("dump", "--headers=builtin", *arguments, path, cwd=path.parent, **more)


def test_text_names_functions_and_operations(tmp_path):
    file = tmp_path / "a.cu"
    file.write_text(SOURCE)
    lines = dump(file, "--operations", check=(0,)).stdout.splitlines()
    assert "function wait_for<64>" in lines
    assert "  a.cu:4:5: named-sync, barrier.sync" in lines
    assert "  a.cu:9:12: named-red, __syncthreads_count" in lines
    assert "kernel unused (a template nothing instantiates)" in lines
    assert "  a.cu:16:9: named-sync, __syncthreads" in lines
    assert not any(":23:" in line for line in lines)


def test_json_says_what_became_of_every_function(tmp_path):
    file = tmp_path / "a.cu"
    file.write_text(SOURCE)
    unit, = json.loads(dump(file, "--operations", "--json", check=(0,)).stdout)
    assert unit["status"] == "ok"
    fates = {entry["name"]: entry["fate"] for entry in unit["outline"]
             if entry["file"] == str(file)}
    assert fates == {"wait_for": "instantiated", "helper": "lowered", "unused": "pattern",
                     "used": "lowered"}
    assert [(one["line"], one["end_line"]) for one in unit["skipped"]
            if one["file"] == str(file)] == [(22, 24)]
    used, = (one for one in unit["functions"] if one["name"] == "used")
    assert not used["operations"] and used["kernel"]
    assert {(one["line"], one["callee"]) for one in used["calls"]} == {
        (25, "wait_for<64>"), (26, "helper")}


def test_a_broken_unit_says_why(tmp_path):
    file = tmp_path / "a.cu"
    file.write_text('#include "nowhere.h"\n' + SOURCE)
    unit, = json.loads(dump(file, "--operations", "--json", check=(0,)).stdout)
    assert unit["status"] == "partial"
    assert "nowhere.h" in unit["reason"]


def test_json_needs_operations(tmp_path):
    file = tmp_path / "a.cu"
    file.write_text(SOURCE)
    assert "--operations" in dump(file, "--json", check=(2,)).stderr


def test_json_uses_the_precompiled_header_of_a_check(tmp_path):
    """Whichever standard: C++20 has modules, which made clang refuse it."""
    file = tmp_path / "a.cu"
    file.write_text(SOURCE)
    environment = {**os.environ, "BARLINT_CACHE_DIR": str(tmp_path / "cache")}
    for standard in ("-std=c++17", "-std=c++20"):
        for _ in range(2):
            run_barlint("check", "--no-cache", "--headers=builtin", file, "--", standard,
                        cwd=tmp_path, env=environment, check=(0, 1))
        kept = set((tmp_path / "cache" / "pch").glob("*.pch"))
        run_barlint("dump", "--headers=builtin", "--operations", "--json", file, "--", standard,
                    cwd=tmp_path, env=environment, check=(0,))
        # One that clang refuses is removed.
        assert kept and kept == set((tmp_path / "cache" / "pch").glob("*.pch"))
