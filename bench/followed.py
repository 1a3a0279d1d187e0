#!/usr/bin/env python3
"""Which kernels that are split into roles barlint follows to their end.

    bench/followed.py [--barlint build/barlint] --corpus DIR [--out bench/followed.md] REPO:FILE...

For every kernel of the files that uses mbarriers: its roles, its barriers, the ways through it that
were walked, and how a run of it ends ("complete": every thread comes to its end). The flags of a
repository are those of bench/corpus.json.
"""
import argparse
import collections
import datetime
import json
import pathlib
import re
import shlex
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
Kernel = collections.namedtuple("Kernel", "repository file name roles barriers walked ending")


def run(command):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=900)


def flags_of(entry, root, folder, corpus):
    names = {"root": root, "dir": folder, "corpus": corpus, "python": sys.prefix + "/include"}
    return shlex.split(entry["flags"].format(**names))


def kernels_of(text):
    """The kernels of `dump --barriers` with mbarriers: name, names of barriers, ways walked."""
    for part in re.split(r"^kernel ", text, flags=re.M)[1:]:
        name, _, rest = part.partition("\n")
        barriers = set(re.findall(r"mbarrier-\w+ of '([^']+)'", rest))
        walked = re.findall(r"(\d+) runs, (\d+) operations(, cut short)?", rest)
        if barriers and walked:
            runs = sum(int(way[0]) for way in walked)
            yield name, barriers, f"{runs}{', not all' if any(way[2] for way in walked) else ''}"


def ending_of(text):
    words = " ".join(text.split())
    if "every thread comes to its end" in words:
        return "complete"
    if "it was not followed to its end" in words:
        return "cut short"
    return "stuck" if "nobody can go on" in words else "not drawn"


def roles_of(text):
    """Lanes of a drawn schedule."""
    for line in text.splitlines():
        if line.lstrip().startswith("line |"):
            return line.count("|")
    return 0


def followed(barlint, repository, path, flags):
    listing = run([barlint, "dump", "--barriers", str(path), "--", *flags])
    for name, barriers, walked in kernels_of(listing.stdout):
        drawn = run([barlint, "dump", f"--schedule={name}", str(path), "--", *flags]).stdout
        yield Kernel(repository, path.name, name, roles_of(drawn), len(barriers), walked,
                     ending_of(drawn))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--barlint", default=str(ROOT / "build" / "barlint"))
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--out", default=str(ROOT / "bench" / "followed.md"))
    parser.add_argument("file", nargs="+")
    arguments = parser.parse_args()
    entries = json.loads((ROOT / "bench" / "corpus.json").read_text())
    rows = []
    for one in arguments.file:
        repository, _, name = one.partition(":")
        entry = next(value for key, value in entries.items() if key.endswith("/" + repository))
        root = pathlib.Path(arguments.corpus) / repository
        path = root / name
        started = time.monotonic()
        found = list(followed(arguments.barlint, repository, path,
                              flags_of(entry, root, path.parent, arguments.corpus)))
        print(f"{one}: {len(found)} kernels, {time.monotonic() - started:.0f} s", flush=True)
        rows += found
    complete = [row for row in rows if row.ending == "complete" and row.roles > 1]
    lines = ["# Kernels with roles that are followed", "",
             f"Measured {datetime.date.today()} with `bench/followed.py`. {len(complete)} of "
             f"{len(rows)} kernels that use mbarriers have several roles and a run that is "
             "complete: every thread comes to its end. `ways` counts runs over all launch shapes; "
             "'not all' says that the budget ended the walk before every way was tried.", "",
             "| repository | file | kernel | roles | mbarriers | ways | ends |",
             "|---|---|---|---|---|---|---|"]
    for row in rows:
        short = row.name if len(row.name) <= 70 else row.name[:67] + "..."
        lines.append(f"| {row.repository} | {row.file} | `{short}` | {row.roles} | "
                     f"{row.barriers} | {row.walked} | {row.ending} |")
    pathlib.Path(arguments.out).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
