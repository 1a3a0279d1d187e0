#!/usr/bin/env python3
"""How long barlint takes for one file, side by side with clang and nvcc on the same file.

    bench/frontend.py [--barlint build/barlint] [--rounds 7] [--corpus DIR] [--json FILE] [FILE...]

Every round runs each way once on each file, one after the other, so that a busy moment of the
machine meets all of them. Reported are medians over the rounds of processor time (user and system,
all processes of the command), time by the clock and peak memory of the largest process. Without
FILE the set below is measured, and of public sources in the folder DIR (see corpus.py) those that
are there. The last table is about many files in one run.
"""
import argparse
import collections
import datetime
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CASES = ROOT / "testdata" / "rules"
EXAMPLE = ROOT / "testdata" / "example"
FLAGS = ["-std=c++17", "-arch=sm_90a", f"-I{EXAMPLE / 'include'}"]

# What each file uses, which is what decides how long it takes.
FILES = {
    CASES / "sync-divergent" / "good_tree_reduction.cu": "__syncthreads",
    EXAMPLE / "src" / "row_groups.cu": "named barriers",
    EXAMPLE / "src" / "tile_ring.cu": "inline PTX in a class",
    CASES / "arrive-over" / "good_fire_and_forget.cu": "barrier primitives",
    CASES / "sync-divergent-loop" / "good_persistent_blocks.cu": "cooperative groups",
    CASES / "init-reinit-live" / "good_first_tile_only.cu": "cuda::ptx",
    EXAMPLE / "src" / "block_sum.cu": "cuda::barrier",
    CASES / "phase-scope" / "good_cluster_scope.cu": "cooperative groups, cuda::ptx",
    CASES / "phase-wait-remote" / "good_mapped_to_itself.cu": "cooperative groups, cuda::barrier",
}

# Whole programs of public repositories, below the corpus's folder.
PROGRAMS = {
    "llm.c/dev/cuda/softmax_forward.cu": "llm.c, softmax",
    "llm.c/dev/cuda/layernorm_forward.cu": "llm.c, layernorm",
    "cuda-samples/Samples/0_Introduction/simpleAWBarrier/simpleAWBarrier.cu":
        "cuda-samples, simpleAWBarrier",
}
CORPUS_FOLDERS = ["cuda-samples/Common"]

Run = collections.namedtuple("Run", "cpu wall memory frontend analysis")


def measure(command, environment=None):
    """Runs a command to its end, which must be a good one."""
    with tempfile.TemporaryFile("w+") as words:
        started = time.monotonic()
        process = subprocess.Popen(command, stdout=words, stderr=words, cwd=ROOT,
                                   env={**os.environ, **(environment or {})})
        _, status, used = os.wait4(process.pid, 0)
        wall = time.monotonic() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        words.seek(0)
        text = words.read()
    if process.returncode not in (0, 1) or "could not be analysed" in text:
        sys.exit(f"{' '.join(command)} ended with {process.returncode}:\n{text}")
    told = re.search(r"time: ([\d.]+) s parsing, ([\d.]+) s lowering, ([\d.]+) s analysing", text)
    parse, lower, analysis = map(float, told.groups()) if told else (0, 0, 0)
    return Run(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024, parse + lower, analysis)


class Ways:
    """The commands that are compared. Each leaves the caches as it found them."""

    def __init__(self, arguments, folder):
        self.barlint = arguments.barlint
        self.clang, self.nvcc = arguments.clang, arguments.nvcc
        self.folder = pathlib.Path(folder)
        self.warm = {"BARLINT_CACHE_DIR": str(self.folder / "warm")}
        self.object = str(self.folder / "object.o")
        self.arguments = {}

    def check(self, path, headers, environment):
        return measure([self.barlint, "check", "--stats", f"--headers={headers}", str(path), "--",
                        *FLAGS], environment)

    def prepare(self, path):
        """Fills the cache: a file that is alone has its headers precompiled the second time."""
        for headers in ("toolkit", "builtin"):
            for _ in range(2):
                self.check(path, headers, self.warm)
        told = subprocess.run([self.barlint, "translate", "--json", "--headers=toolkit", str(path),
                               "--", *FLAGS], capture_output=True, text=True, check=True, cwd=ROOT)
        self.arguments[path] = json.loads(told.stdout)[0]["arguments"]

    def fresh(self, path, headers):
        with tempfile.TemporaryDirectory(dir=self.folder) as cache:
            return self.check(path, headers, {"BARLINT_CACHE_DIR": cache})

    def run_cold(self, path):
        return self.fresh(path, "toolkit")

    def run_warm(self, path):
        return self.check(path, "toolkit", self.warm)

    def run_builtin_cold(self, path):
        return self.fresh(path, "builtin")

    def run_builtin(self, path):
        return self.check(path, "builtin", self.warm)

    def run_clang(self, path):
        return measure([self.clang, "-fsyntax-only", *self.arguments[path], str(path)])

    def run_nvcc(self, path):
        return measure([self.nvcc, "-c", *FLAGS, str(path), "-o", self.object])

    def all(self):
        ways = {
            "clang": self.run_clang,
            "toolkit, empty cache": self.run_cold,
            "toolkit": self.run_warm,
            "built-in, empty cache": self.run_builtin_cold,
            "built-in": self.run_builtin,
        }
        if self.nvcc:
            ways["nvcc -c"] = self.run_nvcc
        return ways


def median(runs, field):
    return statistics.median(getattr(run, field) for run in runs)


def measure_files(ways, files, rounds):
    """File -> way -> runs."""
    for path in files:
        ways.prepare(path)
    results = {path: {name: [] for name in ways.all()} for path in files}
    for number in range(rounds):
        for path in files:
            for name, run in ways.all().items():
                results[path][name].append(run(path))
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
    return results


def measure_batches(ways, files, rounds):
    """Jobs -> state of the cache -> runs of all files together."""
    results = {}
    for jobs in (1, 2, 4, 8):
        if jobs > (os.cpu_count() or 1):
            break
        results[jobs] = {"empty cache": [], "warm": []}
        for _ in range(rounds):
            with tempfile.TemporaryDirectory(dir=ways.folder) as cache:
                for state in results[jobs]:
                    results[jobs][state].append(measure(
                        [ways.barlint, "check", "--stats", "--headers=toolkit", f"-j{jobs}",
                         *map(str, files), "--", *FLAGS], {"BARLINT_CACHE_DIR": cache}))
    return results


# --- Tables --------------------------------------------------------------------------------------


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def print_times(results, field, title):
    names = list(next(iter(results.values())))
    print(f"\n{title}\n")
    row("file", *(f"{name}" for name in names))
    row("---", *("---:" for _ in names))
    for path, runs in results.items():
        base = median(runs["clang"], field)
        row(FILES.get(path, path.name),
            *(f"{median(runs[name], field) * 1000:.0f}" +
              (f" ({median(runs[name], field) / base:.3f})" if name != "clang" else "")
              for name in names))
    sums = {name: sum(median(runs[name], field) for runs in results.values()) for name in names}
    row("all", *(f"{sums[name] * 1000:.0f}" +
                 (f" ({sums[name] / sums['clang']:.3f})" if name != "clang" else "")
                 for name in names))


def print_parts(results):
    print("\nOf that, in milliseconds by the clock: parsing and lowering, and analysing\n")
    names = ["toolkit", "built-in"]
    row("file", *(f"{name}: {part}" for name in names for part in ("front end", "analysis")))
    row("---", *("---:" for _ in range(4)))
    for path, runs in results.items():
        row(FILES.get(path, path.name),
            *(f"{median(runs[name], part) * 1000:.0f}" for name in names
              for part in ("frontend", "analysis")))


def print_memory(results):
    names = list(next(iter(results.values())))
    print("\nPeak memory of one process, MB\n")
    row("file", *names)
    row("---", *("---:" for _ in names))
    for path, runs in results.items():
        row(FILES.get(path, path.name), *(f"{median(runs[name], 'memory'):.0f}" for name in names))


def print_batches(batches, count):
    print(f"\nAll {count} files in one run, toolkit headers\n")
    row("workers", "cache", "processor time, s", "by the clock, s", "peak memory, MB")
    row("---:", "---", "---:", "---:", "---:")
    for jobs, states in batches.items():
        for state, runs in states.items():
            row(jobs, state, f"{median(runs, 'cpu'):.2f}", f"{median(runs, 'wall'):.2f}",
                f"{median(runs, 'memory'):.0f}")


def first_line(command):
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    return (told.stdout.strip().splitlines() or ["?"])[0]


def last_word_of(command, word):
    """The last word of the line of a command's output that has the word."""
    told = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return next((line.split()[-1] for line in told.splitlines() if word in line), "?")


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return "unknown"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--barlint", default=str(ROOT / "build" / "barlint"))
    parser.add_argument("--clang", default="clang-22")
    parser.add_argument("--nvcc", default=shutil.which("nvcc"))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--corpus", type=pathlib.Path, help="folder of public repositories")
    parser.add_argument("--json", type=pathlib.Path, help="write every measurement to a file")
    parser.add_argument("--batch", type=int, default=3, help="rounds of the runs over all files")
    parser.add_argument("file", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.barlint = str(pathlib.Path(arguments.barlint).resolve())
    files = [path.resolve() for path in arguments.file] or list(FILES)
    if arguments.corpus:
        corpus = arguments.corpus.resolve()
        FLAGS.extend(f"-I{corpus / folder}" for folder in CORPUS_FOLDERS)
        programs = {corpus / path: name for path, name in PROGRAMS.items()
                    if (corpus / path).is_file()}
        FILES.update(programs)
        files += [path for path in programs if path not in files]
    with tempfile.TemporaryDirectory() as folder:
        ways = Ways(arguments, folder)
        results = measure_files(ways, files, arguments.rounds)
        batches = measure_batches(ways, files, arguments.batch)
        kept = sorted((ways.folder / "warm" / "pch").glob("*.pch"))
        sizes = ", ".join(f"{path.stat().st_size / 1e6:.0f} MB" for path in kept)
    versions = [first_line([arguments.barlint, "version"]),
                first_line([arguments.clang, "--version"])]
    if arguments.nvcc:
        versions.append("nvcc " + last_word_of([arguments.nvcc, "--version"], "release"))
    print(f"{datetime.date.today()}; {os.cpu_count()} processors, {processor()}; "
          f"{'; '.join(versions)}; {arguments.rounds} rounds, medians")
    print(f"precompiled headers kept: {sizes}")
    print_times(results, "cpu", "Processor time, milliseconds (ratio to clang)")
    print_times(results, "wall", "Time by the clock, milliseconds (ratio to clang)")
    print_parts(results)
    print_memory(results)
    print_batches(batches, len(files))
    if arguments.json:
        arguments.json.write_text(json.dumps({
            "files": {str(path): {name: [run._asdict() for run in runs]
                                  for name, runs in ways_of.items()}
                      for path, ways_of in results.items()},
            "batches": {jobs: {state: [run._asdict() for run in runs]
                               for state, runs in states.items()}
                        for jobs, states in batches.items()}}, indent=1) + "\n")


if __name__ == "__main__":
    main()
