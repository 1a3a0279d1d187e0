#!/usr/bin/env python3
"""How long the analysis of a kernel takes, and how that compares to parsing its file.

    bench/engine.py --barlint build/barlint --corpus DIR [--only NAME] [--every N] [--out FILE]

Runs `barlint dump --times` over bench/engine/ring.cu and over files of the repositories in
corpus.json (DIR has one folder a repository; `--every 4` takes a quarter of the files that
bench/corpus.py takes). All times are processor time (user and system) of the process, as the
machine is shared; `analysis` is all that comes after lowering: the search for launches, every
kernel under every launch shape, the rules.
"""
import argparse
import collections
import datetime
import json
import pathlib
import shlex
import statistics
import subprocess
import sys

import corpus as public
import makefile

HERE = pathlib.Path(__file__).resolve().parent
RING = HERE / "engine" / "ring.cu"
RING_FLAGS = ["-x", "cu", "-std=c++17", "-arch=sm_90a"]
MODES = ("toolkit", "builtin")
Unit = collections.namedtuple("Unit", "repository file parse lower analysis kernels")


def times(arguments, path, flags, mode):
    """One parsed answer of `barlint dump --times`, or None for what cannot be parsed."""
    command = [arguments.barlint, "dump", "--times", f"--headers={mode}", str(path), "--", *flags]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, errors="replace",
                             timeout=arguments.timeout)
        return json.loads(ran.stdout)[0]
    except (subprocess.TimeoutExpired, ValueError, IndexError):
        return None


def measure(arguments, path, flags, mode):
    """The median of several rounds for small files; a warm precompiled header in all of them."""
    one = times(arguments, path, flags, mode)
    rounds = [one]
    while one and one["parse"] + one["analysis"] < 2 and len(rounds) < arguments.rounds:
        rounds.append(times(arguments, path, flags, mode))
    rounds = [one for one in rounds if one]
    return sorted(rounds, key=lambda one: one["analysis"])[len(rounds) // 2] if rounds else None


# --- The ring ------------------------------------------------------------------------------------


def ring_table(arguments):
    lines = ["| headers | parse, ms | analysis, ms | runs | operations |",
             "|---|---:|---:|---:|---:|"]
    for mode in MODES:
        one = measure(arguments, RING, RING_FLAGS, mode)
        kernel = one["kernels"][0]
        lines.append(f"| {mode} | {1000 * one['parse']:.0f} | {1000 * one['analysis']:.1f} | "
                     f"{kernel['runs']} | {kernel['operations']} |")
    return lines


# --- The corpora ---------------------------------------------------------------------------------


def units_of(arguments, name, repository):
    corpus = pathlib.Path(arguments.corpus).resolve()
    root = corpus / repository.get("folder", name.split("/")[1])
    if not root.is_dir():
        print(f"{name}: not there", file=sys.stderr)
        return

    def flags_of(path):
        variant = public.flags_for(repository, str(path.relative_to(root)))
        made = makefile.nearest(path.parent, root) if repository.get("makefile") else None
        return [flag.format(root=root, corpus=corpus, dir=path.parent, python=public.PYTHON)
                for flag in shlex.split(variant)] + (makefile.flags(made) if made else [])

    found, _ = public.find_units(root, repository, flags_of)
    every = repository.get("every", 1) * arguments.every
    for path in found[every // 2::every]:
        one = measure(arguments, path, flags_of(path), "toolkit")
        if not one or one["status"] == "failed":
            print(f"{path}: failed", file=sys.stderr)
            continue
        unit = Unit(name, str(path.relative_to(root)), one["parse"], one["lower"],
                    one["analysis"], one["kernels"])
        if arguments.verbose:
            print(f"{unit.file}: {unit.parse:.3f} + {unit.lower:.3f} s, analysis "
                  f"{unit.analysis:.3f} s", file=sys.stderr, flush=True)
        yield unit


def spread(values):
    """Median, 90th of a hundred, greatest."""
    ordered = sorted(values) or [0]
    return statistics.median(ordered), ordered[int(0.9 * (len(ordered) - 1))], ordered[-1]


def milliseconds(values):
    return " | ".join(f"{1000 * value:.1f}" for value in values)


def kernels_table(units):
    lines = ["| repository | units | kernels | median, ms | 90 % below, ms | greatest, ms |",
             "|---|---:|---:|---:|---:|---:|"]
    names = list(dict.fromkeys(unit.repository for unit in units))
    for name in [*names, None]:
        mine = [unit for unit in units if name in (None, unit.repository)]
        seconds = [kernel["seconds"] for unit in mine for kernel in unit.kernels]
        lines.append(f"| {name or 'all'} | {len(mine)} | {len(seconds)} | "
                     f"{milliseconds(spread(seconds))} |")
    return lines


def ratio(unit):
    return unit.analysis / unit.parse


def ratios_table(units, most):
    worst = sorted(units, key=ratio, reverse=True)[:most]
    lines = ["| repository | file | kernels | parse, s | lowering, s | analysis, s | ratio |",
             "|---|---|---:|---:|---:|---:|---:|"]
    lines += [f"| {unit.repository} | {unit.file} | {len(unit.kernels)} | {unit.parse:.2f} | "
              f"{unit.lower:.2f} | {unit.analysis:.2f} | {ratio(unit):.2f} |" for unit in worst]
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--barlint", default=str(HERE.parent / "build" / "barlint"))
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--only", help="repositories whose name has this in it")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--timeout", type=int, default=600)
    parser.add_argument("--out")
    parser.add_argument("-v", "--verbose", action="store_true")
    arguments = parser.parse_args()
    repositories = json.loads((HERE / "corpus.json").read_text())
    units = [unit for name, repository in repositories.items()
             if not arguments.only or arguments.only in name
             for unit in units_of(arguments, name, repository)]
    over = [unit for unit in units if ratio(unit) > 2]
    cut = sum(kernel["cut_short"] > 0 for unit in units for kernel in unit.kernels)
    kernels = sum(len(unit.kernels) for unit in units)
    text = [f"{datetime.date.today()}; processor time; medians of {arguments.rounds} rounds for "
            "files that take less than 2 s, one round for others; precompiled headers warm", "",
            "## A ring of four stages, 1,024 threads, three roles", "", *ring_table(arguments), "",
            "## Kernels of public repositories, toolkit headers", "", *kernels_table(units), "",
            f"Of {kernels} kernels, {cut} were walked only as far as the budget reaches.", "",
            "## Units", "",
            f"Of {len(units)} units, {len(over)} take more than twice as long to analyse as to "
            f"parse. Median ratio {statistics.median(map(ratio, units or [Unit('', '', 1, 0, 0, [])])):.3f}. "
            "The greatest:", "", *ratios_table(units, 15), ""]
    if arguments.out:
        pathlib.Path(arguments.out).write_text("\n".join(text))
    else:
        print("\n".join(text))


if __name__ == "__main__":
    main()
