#!/usr/bin/env python3
"""What the store saves: a generated project of units that share headers, analysed cold and warm in
turn.

    bench/cache.py [--barlint build/barlint] [--units N] [--rounds N] [--headers MODE ...]
                   [--out bench/cache.md]

Wall time of the whole process. `cold` is a run with --no-cache, its precompiled headers warm; the
others follow it at once on the same machine, so that the ratio means something when others use it.
"""
import argparse
import datetime
import json
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile
import time

SHARED_HEADERS = 24

HEADER = """#pragma once
{includes}
__device__ inline int shared_{number}(int value)
{{
    return value * {number} + 1;
}}
"""
UNIT = """#include "shared_{header}.cuh"
#include <cuda/barrier>

__global__ void scale_{number}(int *data, int count)
{{
    __shared__ int tile[128];
    for (int first = 0; first < count; first += 128) {{
        int i = first + threadIdx.x;
        tile[threadIdx.x] = i < count ? shared_{header}(data[i]) : 0;
        __syncthreads();
        if (i < count)
            data[i] = tile[127 - threadIdx.x];
        __syncthreads();
    }}
}}

__global__ void stages_{number}(int *data)
{{
    __shared__ cuda::barrier<cuda::thread_scope_block> full;
    if (threadIdx.x == 0)
        init(&full, 128);
    __syncthreads();
    for (int i = 0; i < 4; ++i) {{
        full.arrive_and_wait();
        data[threadIdx.x] += i;
    }}
}}

void launch_{number}(int *data)
{{
    scale_{number}<<<4, 128>>>(data, 1024);
    stages_{number}<<<4, 128>>>(data);
}}
"""


def generate(folder, units):
    (folder / "include").mkdir()
    (folder / "src").mkdir()
    for number in range(SHARED_HEADERS):
        includes = "\n".join(f'#include "shared_{other}.cuh"'
                             for other in range(number + 1, min(number + 3, SHARED_HEADERS)))
        (folder / "include" / f"shared_{number}.cuh").write_text(
            HEADER.format(number=number, includes=includes))
    entries = []
    for number in range(units):
        path = folder / "src" / f"unit_{number}.cu"
        path.write_text(UNIT.format(number=number, header=number % 12))
        entries.append({"directory": str(folder), "file": str(path), "arguments": [
            "nvcc", "-forward-unknown-to-host-compiler", f"-I{folder / 'include'}", "-O3",
            "-DNDEBUG", "--generate-code=arch=compute_90,code=[compute_90,sm_90]",
            "-Xcompiler=-fPIC", "-std=c++17", "-x", "cu", "-c", str(path), "-o", f"{number}.o"]})
    (folder / "compile_commands.json").write_text(json.dumps(entries))


class Bench:
    def __init__(self, arguments, folder, headers):
        self.folder = folder
        self.command = [str(arguments.barlint), "check", f"--headers={headers}", "--stats"]
        self.environment = {**os.environ, "BARLINT_CACHE_DIR": str(folder / "cache")}

    def run(self, *more):
        """(seconds, units from the store); the processor time of the last run is kept"""
        begun = time.monotonic()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        ran = subprocess.run([*self.command, *more], cwd=self.folder, env=self.environment,
                             capture_output=True, text=True)
        seconds = time.monotonic() - begun
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.processor = (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)
        assert ran.returncode in (0, 1), ran.stderr
        line = next(line for line in ran.stderr.splitlines() if line.startswith("files:"))
        return seconds, int(line.split(";")[1].split()[0])


def measure(arguments, headers):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        generate(folder, arguments.units)
        bench = Bench(arguments, folder, headers)
        for _ in range(2):  # headers are precompiled
            bench.run("--no-cache", "src/unit_0.cu", "src/unit_1.cu")
        time.sleep(2.1)
        cold, _ = bench.run("--no-cache")
        first, found = bench.run()
        assert found == 0
        warm, processor, changed, alone = [], [], [], []
        for number in range(arguments.rounds):
            seconds, found = bench.run()
            assert found == arguments.units
            warm.append(seconds)
            processor.append(bench.processor)
            unit = folder / "src" / f"unit_{number}.cu"
            unit.write_text(unit.read_text() + "// changed\n")
            alone.append(bench.run("--no-cache", str(unit))[0])
            seconds, found = bench.run()
            assert found == arguments.units - 1
            changed.append(seconds)
        for path in folder.rglob("*.cu*"):
            os.utime(path)
        touched, found = bench.run()
        assert found == arguments.units
        size = next((folder / "cache" / "store").glob("*.sqlite")).stat().st_size
        return {"headers": headers, "cold": cold, "first": first, "warm": statistics.median(warm),
                "processor": statistics.median(processor),
                "changed": statistics.median(changed), "alone": statistics.median(alone),
                "touched": touched, "size": size}


def report(arguments, results):
    lines = [
        "# What the store saves", "",
        f"{datetime.date.today()}, made with `bench/cache.py`: {arguments.units} generated units "
        f"that share {SHARED_HEADERS} headers, on a machine of {os.cpu_count()} cores that others "
        "used at the same time. Wall time of the whole process in seconds; `cold` is `--no-cache` "
        "with warm precompiled headers, `first` the run that fills the store, `warm` one with "
        "nothing changed (and its processor time, which others on the machine do not add to), `touched` one over files with new times and the same content. `one "
        "changed` is the whole project with one edited unit, `alone` that unit by itself with "
        "`--no-cache`. Medians of "
        f"{arguments.rounds} rounds; `cold`, `first` and `touched` are run once.", "",
        "| headers | cold | first | warm | processor | cold / warm | touched | one changed | alone | "
        "store, MB |", "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"]
    for one in results:
        lines.append(
            f"| {one['headers']} | {one['cold']:.1f} | {one['first']:.1f} | {one['warm']:.2f} | "
            f"{one['processor']:.2f} | "
            f"{one['cold'] / one['warm']:.0f} | {one['touched']:.2f} | {one['changed']:.2f} | "
            f"{one['alone']:.2f} | {one['size'] / 1e6:.1f} |")
    lines += ["", "To be reached: `warm` below 0.3 s for 1,000 units, and `one changed` below "
                  "`alone` and 0.3 s."]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    here = pathlib.Path(__file__).resolve().parent
    parser.add_argument("--barlint", type=pathlib.Path, default=here.parent / "build" / "barlint")
    parser.add_argument("--units", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--headers", nargs="+", default=["builtin", "toolkit"])
    parser.add_argument("--out", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.barlint = arguments.barlint.resolve()
    text = report(arguments, [measure(arguments, headers) for headers in arguments.headers])
    if arguments.out:
        arguments.out.write_text(text)
    print(text)


if __name__ == "__main__":
    main()
