#!/usr/bin/env python3
"""How long an editor waits: from a change of a file of 1,000 lines until its diagnostics, beside a
cold `barlint check` of the same file. Usage: bench/lsp.py [--headers=toolkit ...]"""
import os
import pathlib
import statistics
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "testdata"), str(ROOT / "testdata" / "lsp")]

from client import Client, position  # noqa: E402
from conftest import run_barlint  # noqa: E402

CHANGES = 30
LINES = 1000
# A copy behind a barrier, a hand-shake of two roles over a ring, and a tree: one of each in turn.
KERNELS = [
    """__global__ void copy_N(const float *in, float *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> stored;
    __shared__ float line[128];
    if (threadIdx.x == 0)
        init(&stored, blockDim.x);
    __syncthreads();
    line[threadIdx.x] = in[threadIdx.x];
    stored.arrive_and_wait();
    out[threadIdx.x] = line[127 - threadIdx.x];
}

void launch_copy_N(const float *in, float *out)
{
    copy_N<<<1, 128>>>(in, out);
}

""",
    """__global__ void ring_N(const int *in, int *out, int n)
{
    constexpr int stages = 4;
    __shared__ cuda::barrier<cuda::thread_scope_block> full[stages], empty[stages];
    __shared__ int data[stages][32];
    if (threadIdx.x == 0) {
        for (int i = 0; i < stages; ++i) {
            init(&full[i], 64);
            init(&empty[i], 64);
        }
    }
    __syncthreads();
    int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (int i = 0; i < n; ++i) {
            if (i >= stages)
                empty[i % stages].arrive_and_wait();
            data[i % stages][lane] = in[i * 32 + lane];
            (void)full[i % stages].arrive();
        }
    } else {
        for (int i = 0; i < n; ++i) {
            full[i % stages].arrive_and_wait();
            out[i * 32 + lane] = data[i % stages][lane];
            if (i + stages < n)
                (void)empty[i % stages].arrive();
        }
    }
}

void launch_ring_N(const int *in, int *out, int n)
{
    ring_N<<<8, 64>>>(in, out, n);
}

""",
    """__global__ void tree_N(float *data)
{
    __shared__ float part[256];
    part[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        data[0] = part[0];
}

void launch_tree_N(float *data)
{
    tree_N<<<1, 256>>>(data);
}

""",
]


# What the lines between kernels are in most files: code of the host and helpers of the device.
OTHER = """static __device__ float weight_N(const float *in, int i)
{
    float sum = 0;
    for (int k = 0; k < 4; ++k)
        sum += in[i + k] * (k + 1);
    return sum;
}

void reference_N(const float *in, float *out, int n)
{
    for (int i = 0; i < n; ++i) {
        out[i] = 0;
        for (int k = 0; k < 4; ++k)
            out[i] += in[i + k] * (k + 1);
    }
}

"""


def source(most_kernels):
    text, number = "#include <cuda/barrier>\n\n", 0
    while text.count("\n") < LINES:
        piece = KERNELS[number % len(KERNELS)] if number < most_kernels else OTHER
        text += piece.replace("_N", f"_{number}")
        number += 1
    return text, min(number, most_kernels)


def cold(path, options):
    times = []
    for _ in range(7):
        begun = time.perf_counter()
        run_barlint("check", "--quiet", "--no-cache", "--headers=builtin", *options, path, check=(0, 1))
        times.append(time.perf_counter() - begun)
    return times


def children_seconds(process):
    """Processor time of the children that a process has waited for."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[13:15])) / os.sysconf("SC_CLK_TCK")


def above(version):
    """A word more in a comment at the start: every place behind it moves."""
    return {"start": position(0, 0), "end": position(0, 0)}, f"// {version}\n"


def inside(text):
    """Changes of a number in the first ring, each to one that was not there before."""
    line, words = next((number, line) for number, line in enumerate(text.split("\n"))
                       if "in[i * 32 + lane]" in line)
    start = words.index("lane];") + len("lane")
    where = {"start": position(line, start), "end": position(line, start)}
    return lambda version: (where, " + 1")


def warm(path, text, options, change):
    times = []
    with Client(*options) as client:
        client.initialize(path.parent)
        uri = client.open(path, text)
        found = len(client.diagnostics(uri, 1))
        before = children_seconds(client.process.pid)
        for version in range(2, CHANGES + 2):
            begun = time.perf_counter()
            client.change(uri, version, change(version))
            assert len(client.diagnostics(uri, version)) == found
            times.append(time.perf_counter() - begun)
        processor = (children_seconds(client.process.pid) - before) / CHANGES
        client.shut_down()
    return times, processor


def spread(times):
    median, least, most = (f"{1000 * figure:.0f}" for figure in
                           (statistics.median(times), min(times), max(times)))
    return f"{median} ({least} to {most})"


def main():
    options = sys.argv[1:]
    for most_kernels in (6, 12, 1000):
        text, kernels = source(most_kernels)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "kernels.cu")
            path.write_text(text)
            before = cold(path, options)
            after = [warm(path, text, options, change) for change in (above, inside(text))]
        cells = [spread(before)]
        for times, processor in after:
            cells += [spread(times), f"{1000 * processor:.0f}"]
        print(f"| {text.count(chr(10))} | {kernels} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
