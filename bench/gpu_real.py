#!/usr/bin/env python3
"""Barrier-heavy public programs through `barlint nvcc`: unchanged results, no alarm, how much slower.

    bench/gpu_real.py build --corpus DIR --out build/gpu/real [--programs FILE] [--only REGEX]
    bench/gpu_real.py run --from build/gpu/real --out DIR [--programs FILE] [--jobs N]

`bench/real/programs.json`, or another such file, lists the programs: where their source lies in a
checkout of their repository (CORPUS/cuda-samples and so on), with which flags and arguments they
are built and run, and what they print when their result is right; where that is not said, they have
to print what the plain program prints, but for lines about time. Each is built twice, by nvcc and
by `barlint nvcc`; `build` needs no GPU, and the binaries carry their runtime with them.

`run` needs a GPU and nothing else. What is compared is the time of the kernels as the GPU measures
it (bench/real/kernel_time.cpp). It writes DIR/real.json and DIR/real.md.
"""
import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINDS = ("plain", "checked")
# What a line about time says.
TIMED = re.compile(r"tim(e|ing)|sec|elapsed|[GM]i?B|flop|bandwidth|throughput|rate|speed|perf|"
                   r"\b[mun]?s\b", re.IGNORECASE)


def table_of(arguments):
    return json.loads(arguments.programs.read_text())


def chosen(arguments):
    return [program for program in table_of(arguments)["programs"]
            if not arguments.only or re.search(arguments.only, program["name"])]


def binary_of(folder, kind, program):
    """Programs that differ in their arguments alone share one."""
    key = program["source"] + " ".join(program.get("flags", []))
    return folder / kind / re.sub(r"\W+", "_", key).strip("_")


# --- Building ------------------------------------------------------------------------------------


def compile_program(program, compiler, flags, path, corpus):
    """Returns an error's text, or None."""
    repository = corpus / program["repository"]
    base = ROOT if program.get("own") or not program["repository"] else repository
    sources = [base / program["source"], *(repository / name for name in program.get("more", []))]
    include = [f"-I{repository / name}" for name in program.get("include", [])]
    result = subprocess.run([*compiler, *flags, *include, *program.get("flags", []), "-o",
                             str(path), *map(str, sources)], capture_output=True, text=True,
                            env={**os.environ, **program.get("environment", {})}, check=False)
    if result.returncode or "is built without checks" in result.stderr:
        return result.stdout + result.stderr
    subprocess.run(["strip", str(path)], check=False)
    return None


def build_timer(out, toolkit):
    """Made beside the programs, with the library it needs; one that is there is kept."""
    if (out / "libkernel_time.so").exists():
        return
    library = max((toolkit / "lib").glob("libcupti.so*"), key=lambda path: len(path.name))
    shutil.copy(library.resolve(), out / library.name)
    subprocess.run(["g++", "-O2", "-fPIC", "-shared", f"-I{toolkit}/include", "-o",
                    str(out / "libkernel_time.so"), str(ROOT / "bench/real/kernel_time.cpp"),
                    str(out / library.name), "-Wl,-rpath,$ORIGIN"], check=True)


def build(arguments):
    toolkit = pathlib.Path(shutil.which(arguments.nvcc) or arguments.nvcc).resolve().parent.parent
    compilers = {"plain": [arguments.nvcc], "checked": [str(arguments.barlint_nvcc)]}
    os.environ["BARLINT_NVCC"] = arguments.nvcc
    for kind in KINDS:
        (arguments.out / kind).mkdir(parents=True, exist_ok=True)
    build_timer(arguments.out, toolkit)
    work = {binary_of(arguments.out, kind, program): (program, compilers[kind])
            for program in chosen(arguments) for kind in KINDS}
    flags, failed = table_of(arguments)["flags"], 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        futures = {path: pool.submit(compile_program, program, compiler, flags, path,
                                     arguments.corpus)
                   for path, (program, compiler) in work.items()}
        for path, future in futures.items():
            if future.result():
                failed += 1
                print(f"{path.parent.name}/{path.name}: {future.result()}", file=sys.stderr)
    print(f"{len(work)} programs, {failed} not built")
    return failed != 0


# --- Running -------------------------------------------------------------------------------------


def execute(program, path, timer, limit):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        environment = {**os.environ, "CUDA_INJECTION64_PATH": str(timer),
                       "KERNEL_TIME": str(folder / "times"), "BARLINT_RT_LOG": str(folder / "text"),
                       "BARLINT_RT_JSON": str(folder / "reports")}
        begun = time.monotonic()
        try:
            done = subprocess.run([str(path.resolve()), *program.get("arguments", [])], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder,
                                  env=environment, timeout=limit, errors="replace", check=False)
            status, output = done.returncode, done.stdout
        except subprocess.TimeoutExpired as late:
            status, output = None, (late.stdout or b"").decode(errors="replace")
        lines = {kind: (folder / kind).read_text().splitlines() if (folder / kind).exists() else []
                 for kind in ("times", "reports")}
        return {"status": status, "seconds": round(time.monotonic() - begun, 2),
                "right": status == 0 and bool(re.search(program.get("right", ""), output)),
                "said": None if "right" in program else
                [line for line in output.replace(str(path.resolve()), "").splitlines()
                 if not TIMED.search(line)],
                "kernels": json.loads("".join(lines["times"]) or "{}"),
                "reports": [json.loads(line) for line in lines["reports"] if '"rule"' in line],
                "output": output[-1500:]}


def milliseconds(result, besides):
    """Of the kernels together, but for those that are only there to check the others."""
    return sum(nanoseconds for name, (_, nanoseconds) in result["kernels"].items()
               if not besides or not re.search(besides, name)) / 1e6


def ratio(plain, checked):
    return f"{checked / plain:.2f}" if plain and checked else "–"


def row(result):
    plain, checked = result["plain"], result["checked"]
    alarms = [report["rule"] for report in checked["reports"] if report["level"] != "note"]
    state = ("the plain program fails" if not plain["right"]
             else "killed" if checked["status"] is None
             else "wrong result" if not checked["right"] or checked["said"] != plain["said"]
             else "same result")
    times = [milliseconds(kind, result["besides"]) for kind in (plain, checked)]
    return (f"| {result['name']} | {times[0]:.3f} | {times[1]:.3f} | {ratio(*times)} | {state} | "
            f"{', '.join(sorted(set(alarms))) or 'none'} |")


def kernel_rows(result):
    """One row for each kernel, for a program that is no more than its kernels."""
    for name, (launches, nanoseconds) in result["plain"]["kernels"].items():
        after = result["checked"]["kernels"].get(name, [0, 0])[1]
        yield (f"| {name} | {nanoseconds / 1e6 / launches:.4f} | {after / 1e6 / launches:.4f} | "
               f"{ratio(nanoseconds, after)} |")


def compare(program, folder, limit):
    """None where one of the two has not been built."""
    paths = {kind: binary_of(folder, kind, program) for kind in KINDS}
    if not all(path.exists() for path in paths.values()):
        return None
    timer = (folder / "libkernel_time.so").resolve()
    return {"name": program["name"], "repository": program["repository"],
            "besides": program.get("besides"),
            **{kind: execute(program, path, timer, limit) for kind, path in paths.items()}}


def run(arguments):
    folder = getattr(arguments, "from")
    arguments.out.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = []
        for result in pool.map(lambda program: compare(program, folder, arguments.limit),
                               chosen(arguments)):
            if result:
                results.append(result)
                print(row(result), flush=True)
    device = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version",
                             "--format=csv,noheader"], capture_output=True, text=True, check=False)
    record = {"date": datetime.date.today().isoformat(), "device": device.stdout.strip(),
              "programs": results}
    (arguments.out / "real.json").write_text(json.dumps(record, indent=1) + "\n")
    lines = [f"Measured {record['date']} on {record['device']}. Made by `bench/gpu_real.py`.", "",
             "| program | plain, ms | checked, ms | times | | alarms |",
             "| --- | --- | --- | --- | --- | --- |"]
    lines += [row(result) for result in results if result["repository"]]
    for result in results:
        if not result["repository"]:
            lines += ["", f"Kernels of `{result['name']}`, a launch of each:", "",
                      "| kernel | plain, ms | checked, ms | times |", "| --- | --- | --- | --- |",
                      *kernel_rows(result)]
    (arguments.out / "real.md").write_text("\n".join(lines) + "\n")
    print((arguments.out / "real.md").read_text())
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("build", help="build the programs; needs no GPU")
    one.add_argument("--corpus", type=pathlib.Path, required=True,
                     help="folder with a checkout of each repository")
    one.add_argument("--out", type=pathlib.Path, required=True)
    one.add_argument("--nvcc", default="/usr/local/cuda/bin/nvcc")
    one.add_argument("--barlint-nvcc", type=pathlib.Path, default=ROOT / "build" / "barlint-nvcc")
    one.add_argument("--jobs", type=int, default=os.cpu_count())
    two = commands.add_parser("run", help="run them; needs a GPU")
    two.add_argument("--from", type=pathlib.Path, required=True)
    two.add_argument("--out", type=pathlib.Path, required=True)
    two.add_argument("--limit", type=float, default=30, metavar="SECONDS")
    two.add_argument("--jobs", type=int, default=1, help="so many at a time, for rough times")
    for command in (one, two):
        command.add_argument("--programs", type=pathlib.Path, metavar="FILE",
                             default=ROOT / "bench" / "real" / "programs.json")
        command.add_argument("--only", metavar="REGEX", help="programs whose name matches")
    arguments = parser.parse_args()
    return build(arguments) if arguments.command == "build" else run(arguments)


if __name__ == "__main__":
    sys.exit(main())
