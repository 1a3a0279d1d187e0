"""Names that a missing header would have declared: what they stand for is unknown, and nothing
else of the code around them is."""
import json

from conftest import run_barlint

# Thread 0 leaves its inner loop by conditions on values nobody knows; the others wait for it.
POLLS = """\
#include "status.h"

__global__ void serve(volatile int *ready, int *out)
{
    __shared__ int state;
    while (true) {
        if (threadIdx.x == 0) {
            int now = 0;
            do {
                now = READ_ONCE(ready[0]);
                if (now > LIMIT) {
                    state = STATUS_QUIT;
                    break;
                }
            } while (now == STATUS_BUSY);
        }
        __syncthreads();
        if (state == STATUS_QUIT)
            break;
        out[threadIdx.x] = state;
        __syncthreads();
    }
}

void run(volatile int *ready, int *out)
{
    serve<<<1, 128>>>(ready, out);
}
"""

# A library whose version here has no elect().
OLDER = """\
#include <stdint.h>

namespace lib {
namespace ptx {
__device__ inline void init(uint64_t *bar, unsigned count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%%0], %%1;"
                 ::"r"((unsigned)__cvta_generic_to_shared(bar)), "r"(count) : "memory");
}

__device__ inline void arrive(uint64_t *bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%%0];"
                 ::"r"((unsigned)__cvta_generic_to_shared(bar)) : "memory");
}

__device__ inline bool is_over(uint64_t *bar, unsigned parity)
{
    unsigned over;
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%%1], %%2;"
                 " selp.u32 %%0, 1, 0, p; }" : "=r"(over)
                 : "r"((unsigned)__cvta_generic_to_shared(bar)), "r"(parity) : "memory");
    return over;
}
}
}
namespace ptx = lib::ptx;

__global__ void announce(int *out)
{
    __shared__ uint64_t ready;
    if (threadIdx.x == 0)
        ptx::init(&ready, 1);
    __syncthreads();
    if (%s)
        ptx::arrive(&ready);
    while (!ptx::is_over(&ready, 0)) {
    }
    out[threadIdx.x] = 1;
}

void run(int *out)
{
    announce<<<1, 64>>>(out);
}
"""

# 64 threads, of which 32 come to the barrier.
HALF = """\
#include "stream.h"

template <typename T> __global__ void swap_ends(T *row)
{
    __shared__ T piece[64];
    piece[threadIdx.x] = row[threadIdx.x];
    if (threadIdx.x < 32)
        __syncthreads();
    row[threadIdx.x] = piece[63 - threadIdx.x];
}

void run(float *row)
{
    swap_ends<float><<<%s, 64, 0, %s>>>(row);
}
"""

# Between the accesses of two threads stands what may be a barrier of the block.
BETWEEN = """\
#include "meet.h"

__device__ void meet_elsewhere();

template <typename T> __global__ void swap_ends(T *row)
{
    __shared__ T piece[64];
    piece[threadIdx.x] = row[threadIdx.x];
    %s
    row[threadIdx.x] = piece[63 - threadIdx.x];
}

void run(float *row)
{
    swap_ends<float><<<2, 64>>>(row);
}
"""

# It stands before the accesses of both.
BEFORE = BETWEEN.replace("    %s\n", "").replace("    piece[threadIdx.x] = row",
                                                "    %s\n    piece[threadIdx.x] = row")

UNREAD = ("lib::meet();", "lib::meet<4>(1, 64);", "meet();", "meet(1, 64);", "meet<1>();",
          "MEET();", "team.meet();", "team.meet(); // all of them", "meet_elsewhere();",
          "\n#ifndef ALONE\n    team.meet();\n#endif")

# The kernel may start early, and whether it waits is not known.
EARLY = """\
#include <cuda_runtime.h>
#include "meet.h"

__global__ void copy(const int *in, int *out)
{
    %s
    out[threadIdx.x] = in[threadIdx.x];
}

void launch(const int *in, int *out, cudaStream_t stream)
{
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute[0].val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(128);
    config.stream = stream;
    config.attrs = attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, copy, in, out);
}
"""

# Blocks of a cluster use each other's memory between two such calls.
PEERS = """\
#include <cooperative_groups.h>
#include "meet.h"

__device__ void meet_elsewhere();

__global__ void __cluster_dims__(2, 1, 1) swap_words(int *out)
{
    __shared__ int word;
    auto cluster = cooperative_groups::this_cluster();
    if (threadIdx.x == 0)
        word = blockIdx.x;
    %s
    out[threadIdx.x + blockIdx.x * 128] = *cluster.map_shared_rank(&word, cluster.block_rank() ^ 1);
    %s
}

void run(int *out)
{
    swap_words<<<2, 128>>>(out);
}
"""

# A copy that each thread waits for itself, in a kernel and in a template that nothing instantiates.
COPY = """\
#include "meet.h"

__device__ void meet_elsewhere();

%s__global__ void reverse(const float *in, float *out)
{
    __shared__ float line[128];
    unsigned to = (unsigned)__cvta_generic_to_shared(line + threadIdx.x);
    asm volatile("cp.async.ca.shared.global [%%0], [%%1], 4;" ::"r"(to), "l"(in + threadIdx.x)
                 : "memory");
    %s
    __syncthreads();
    out[threadIdx.x] = line[127 - threadIdx.x];
}
%s
"""
COPY_LAUNCH = "void run(const float *in, float *out) { reverse<<<1, 128>>>(in, out); }"

# An mbarrier that is initialised, arrived at and waited for by calls of two spellings.
HANDED = """\
#include <cstdint>
#include "gate.h"

__device__ void open_elsewhere(uint64_t *gate, int count);
__device__ bool pass_elsewhere(uint64_t *gate, int parity);

__global__ void rounds(float *row, float *out, int n)
{
    __shared__ uint64_t gate;
    if (threadIdx.x == 0)
        %s;
    __syncthreads();
    for (int i = 0; i < n; ++i) {
        row[threadIdx.x] += i;
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%%0];" ::"r"(
                         (unsigned)__cvta_generic_to_shared(&gate))
                     : "memory");
        %s;
        out[threadIdx.x] += row[127 - threadIdx.x];
        __syncthreads();
    }
}

void run(float *row, float *out) { rounds<<<1, 128>>>(row, out, 4); }
"""
OPENED = ('asm volatile("mbarrier.init.shared::cta.b64 [%0], 128;" ::"r"('
          '(unsigned)__cvta_generic_to_shared(&gate)) : "memory")')


def check(tmp_path, text, *option):
    file = tmp_path / "a.cu"
    file.write_text(text)
    result = run_barlint("check", "--no-cache", "--headers=builtin", "--format=json", *option, file,
                         cwd=tmp_path, check=(0, 1))
    return json.loads(result.stdout)


def test_a_condition_on_such_a_name_may_be_true(tmp_path):
    report = check(tmp_path, POLLS)
    assert not report["findings"]
    assert [one["status"] for one in report["files"]] == ["partial"]


def test_a_namespace_may_lack_the_name(tmp_path):
    report = check(tmp_path, OLDER % "threadIdx.x < 32 && ptx::elect(~0u)")
    assert not report["findings"]
    assert "no member named 'elect' in namespace 'lib::ptx'" in report["files"][0]["reason"]
    report = check(tmp_path, OLDER % "threadIdx.x > 64")
    assert [finding["rule"] for finding in report["findings"]] == ["init-count-mismatch"]


def test_a_launch_with_such_names_has_its_block(tmp_path):
    for grid, stream in (("2", "queue"), ("2", "lib::cuda::current_queue()"),
                         ("BLOCKS", "queue"), ("lib::blocks(64)", "0"), ("(n + 1) / PER", "queue")):
        finding, = check(tmp_path, HALF % (grid, stream))["findings"]
        assert finding["rule"] == "sync-divergent" and finding["line"] == 8
        assert finding["launch"].startswith("block (64, 1, 1)"), (grid, stream)
        assert "assumed" not in finding["launch"], (grid, stream)


def test_a_launch_may_take_members_of_such_objects(tmp_path):
    for argument in ("scene.rows", "scene->rows()", "lib::scene.rows(0)", "*scene.data<float>()",
                     "(int)scene.area(1, 2) + 1"):
        text = HALF.replace("T *row)", "T *row, T)").replace("(row);", f"(row, {argument});")
        finding, = check(tmp_path, text % ("2", "queue"))["findings"]
        assert finding["rule"] == "sync-divergent" and finding["line"] == 8, argument
        assert "assumed" not in finding["launch"], argument


def test_what_is_missing_is_still_said(tmp_path):
    report = check(tmp_path, HALF.replace('#include "stream.h"\n', "") % ("BLOCKS", "queue"))
    file, = report["files"]
    assert file["status"] == "partial"
    assert "use of undeclared identifier 'BLOCKS'" in file["reason"]


def test_a_call_that_nobody_can_read_may_be_a_barrier(tmp_path):
    for call in UNREAD:
        report = check(tmp_path, BETWEEN % call, "--pedantic")
        assert all(one["rule"] != "sync-missing" for one in report["findings"]), call


def test_it_is_a_barrier_for_what_stands_on_both_sides_only(tmp_path):
    for call in UNREAD:
        report = check(tmp_path, BEFORE % call, "--pedantic")
        assert [one["rule"] for one in report["findings"]] == ["sync-missing"], call


def test_it_may_be_a_barrier_of_the_cluster(tmp_path):
    for call in UNREAD:
        report = check(tmp_path, PEERS % (call, call), "--pedantic")
        assert not report["findings"], call
    report = check(tmp_path, PEERS % ("", ""))
    assert {"cluster-dsmem-start", "cluster-exit"} <= {one["rule"] for one in report["findings"]}


def test_what_gives_a_number_is_no_barrier(tmp_path):
    finding, = check(tmp_path, BETWEEN % "int n = lib::rows(64);")["findings"]
    assert finding["rule"] == "sync-missing"


def test_it_may_wait_for_the_kernel_before(tmp_path):
    for call in UNREAD:
        if "elsewhere" not in call:
            assert not check(tmp_path, EARLY % call)["findings"], call
    finding, = check(tmp_path, EARLY % "")["findings"]
    assert finding["rule"] == "launch-pdl"


def test_a_wait_that_a_macro_has_left_out_is_named(tmp_path):
    helper = ("__device__ void lib_wait()\n{\n#ifdef LIB_WAITS\n"
              '    asm volatile("griddepcontrol.wait;" ::: "memory");\n#endif\n}\n')
    text = EARLY.replace('#include "meet.h"\n', helper) % "lib_wait();"
    finding, = check(tmp_path, text)["findings"]
    assert finding["rule"] == "launch-pdl"
    assert "'lib_wait' does nothing" in finding["notes"][0]["message"]
    finding, = check(tmp_path, EARLY % "")["findings"]
    assert all("does nothing" not in note["message"] for note in finding["notes"])


def test_it_may_wait_for_copies(tmp_path):
    for call in UNREAD:
        report = check(tmp_path, COPY % ("", call, COPY_LAUNCH), "--pedantic")
        assert not report["findings"], call
        if "elsewhere" not in call:
            report = check(tmp_path, COPY % ("template <int N> ", call, ""), "--pedantic")
            assert not report["findings"], call
    finding, = check(tmp_path, COPY % ("", "", COPY_LAUNCH))["findings"]
    assert finding["rule"] == "group-copy-no-wait"


def test_it_may_be_an_operation_on_what_it_is_given(tmp_path):
    opens = (OPENED, "lib::open(&gate, 128)", "open<128>(&gate)", "open_elsewhere(&gate, 128)")
    waits = ("lib::wait(&gate, i & 1)", "wait<1>(&gate, i & 1)", "pass_elsewhere(&gate, i & 1)")
    for first in opens:
        for then in waits:
            report = check(tmp_path, HANDED % (first, then))
            assert not report["findings"], (first, then)
    report = check(tmp_path, HANDED % ("lib::open(nullptr, 128)", "(void)n"))
    assert {one["rule"] for one in report["findings"]} == {"init-missing"}
