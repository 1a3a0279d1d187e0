#!/usr/bin/env python3
"""What the pre-commit hook costs on five files, side by side with a check of one file.

    bench/hook.py [--barlint build/barlint] [--rounds N] [--out bench/hook.md]

Wall time of whole processes, in turn on the same machine, without a toolkit (--headers=builtin) and
without results of earlier runs (--no-cache) but where `kept` says so.
"""
import argparse
import datetime
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
OPTIONS = ["--force-exclude", "--headers=builtin"]


def take(words, folder):
    start = time.monotonic()
    result = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return time.monotonic() - start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--barlint", type=pathlib.Path, default=ROOT / "build" / "barlint")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    barlint = str(options.barlint.resolve())
    files = sorted((ROOT / "testdata" / "rules").glob("*-*/good_*.cu"))
    # Five that differ: every n-th of all cases of correct code.
    files = files[:: max(1, len(files) // 5)][:5]
    runs = {"one file": [], "five files": [], "five files, staged": [], "five files, kept": []}
    with tempfile.TemporaryDirectory() as folder:
        os.environ["BARLINT_CACHE_DIR"] = f"{folder}/cache"
        git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.com"]
        subprocess.run([*git, "init", "-q"], cwd=folder, check=True)
        names = [f"kernel_{number}.cu" for number in range(len(files))]
        for name, file in zip(names, files):
            (pathlib.Path(folder) / name).write_text(file.read_text())
        subprocess.run([*git, "add", *names], cwd=folder, check=True)
        command = [barlint, "check", *OPTIONS]
        for _ in range(options.rounds):
            runs["one file"].append(take([*command, "--no-cache", names[0]], folder))
            runs["five files"].append(take([*command, "--no-cache", *names], folder))
            runs["five files, staged"].append(
                take([*command, "--no-cache", "--staged", *names], folder))
            runs["five files, kept"].append(take([*command, *names], folder))
    rows = [f"| {name} | {statistics.median(times):.3f} | {min(times):.3f} | {max(times):.3f} |"
            for name, times in runs.items()]
    text = "\n".join([
        "# What the hook costs", "",
        f"{datetime.date.today()}, made with `bench/hook.py`: seconds of wall time of the whole "
        f"process over {options.rounds} rounds, in turn, with barlint's own headers, on a machine "
        f"of {os.cpu_count()} processors that others used at the same time. `kept` uses the results "
        "of earlier runs, the others are `--no-cache`; pre-commit itself comes on top.", "",
        "| check of | median | best | worst |", "|---|---:|---:|---:|", *rows, "",
        "To be reached: five files below 0.5 s.", ""])
    print(text)
    if options.out:
        options.out.write_text(text)


if __name__ == "__main__":
    main()
