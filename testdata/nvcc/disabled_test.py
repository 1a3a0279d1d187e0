"""With BARLINT_RT_DISABLED the hooks of <barlint/runtime_check.cuh> leave nothing in the code."""
import pathlib
import re
import subprocess

import pytest

from conftest import ROOT, find_compiler

COMPILER = find_compiler()
KERNEL = """
#ifdef HOOKED
#include <barlint/runtime_check.cuh>
#define HOOK(call) call
#else
#include <stdint.h>
#define HOOK(call)
#endif

__global__ void rounds(int n, int *out)
{
    __shared__ uint64_t bar;
    uint32_t address = (uint32_t)__cvta_generic_to_shared(&bar);
    HOOK(barlint_rt_enter(BARLINT_RT_HERE));
    if (threadIdx.x == 0) {
        HOOK(barlint_rt_mbarrier(BARLINT_RT_INIT, address, BARLINT_RT_SHARED_CTA, blockDim.x, 0,
                                 BARLINT_RT_WHO, BARLINT_RT_HERE));
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" : : "r"(address), "r"(blockDim.x));
    }
    HOOK(barlint_rt_named(BARLINT_NAMED_SYNC, 0, 0, BARLINT_RT_ALIGNED, BARLINT_RT_WHO,
                          BARLINT_RT_HERE));
    __syncthreads();
    HOOK(barlint_rt_synced(BARLINT_RT_WHO));
    for (int i = 0; i < n; i++) {
        HOOK(barlint_rt_warp(BARLINT_RT_WARP_SYNC, 0xffffffffu, BARLINT_RT_WHO, BARLINT_RT_HERE));
        __syncwarp();
        out[threadIdx.x] += i;
    }
    HOOK(barlint_rt_exit(BARLINT_RT_WHO, BARLINT_RT_HERE));
}
"""


def ptx(folder, *flags):
    source = folder / "rounds.cu"
    source.write_text(KERNEL)
    result = subprocess.run([COMPILER / "nvcc", "-ptx", "-arch=sm_90", "-I", ROOT / "include", *flags,
                             "-o", folder / "rounds.ptx", source], capture_output=True, text=True,
                            timeout=120, check=False)
    assert result.returncode == 0, result.stderr
    text = (folder / "rounds.ptx").read_text()
    return re.sub(r"//.*", "", text[text.index(".visible .entry"):])


@pytest.mark.skipif(not COMPILER, reason="no nvcc on this machine")
def test_nothing_is_left(tmp_path):
    plain = ptx(tmp_path)
    assert ptx(tmp_path, "-DHOOKED", "-DBARLINT_RT_DISABLED") == plain
    assert ptx(tmp_path, "-DHOOKED") != plain
