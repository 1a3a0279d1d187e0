#!/usr/bin/env python3
"""How many of the mistakes that a mechanical change makes of correct code barlint reports.

    bench/mutate.py [--barlint build/barlint] [--sample COUNT] [--seed TEXT] [--survivors FILE]
                    [--table FILE] [--compiler ARGUMENTS] [-j JOBS] [FILE...]

Of every good_*.cu below testdata/rules (or of the files given) mutants are derived on the source:
one change each, of those that bench/mutators.py lists. barlint runs over all of them with its own
headers and default settings. A mutant counts as reported when barlint has any finding in it, as
reported as expected when one of the findings is of a rule that is about that mistake. For advice on
speed, which --pedantic alone shows, it counts what the original has not got. One that does not
parse is left out. Some mutants are not wrong: bench/mutation.json names them, each with the
reason. Some are wrong only because threads race on data: they are named there too and have a line
of their own.

Needs tree-sitter and tree-sitter-cuda (PyPI).
"""
import argparse
import collections
import datetime
import hashlib
import importlib.metadata
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

import mutators

ROOT = pathlib.Path(__file__).resolve().parent.parent
NOTES = ROOT / "bench" / "mutation.json"
BATCH = 400
# What a note may say of a mutant.
VERDICTS = {
    "equivalent": "as correct as the original",
    "race": "threads race on data; no barrier is misused",
}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--barlint", type=pathlib.Path, default=ROOT / "build" / "barlint")
    parser.add_argument("--operator", action="append", help="only this one; may be given again")
    parser.add_argument("--sample", type=int, metavar="COUNT",
                        help="that many mutants alone, as many of each operator")
    parser.add_argument("--seed", default="", metavar="TEXT", help="another sample than without one")
    parser.add_argument("--keep", type=pathlib.Path, help="leave the mutants in this folder")
    parser.add_argument("--survivors", type=pathlib.Path,
                        help="write the mutants that nothing was reported of, as JSON lines")
    parser.add_argument("--table", type=pathlib.Path, help="write the tables to this file")
    parser.add_argument("--compiler", default="", metavar="ARGUMENTS",
                        help="compiler arguments; {folder} is where the original lies, which says for "
                        "a mutant too what it includes")
    parser.add_argument("-j", "--jobs", type=int, default=1)
    return parser.parse_args()


def name_of(path):
    """How notes name a file: relative to the repository where it lies within."""
    path = path.resolve()
    return str(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path)


def arch_of(path):
    """The target that the first line names, as in the cases."""
    with path.open() as source:
        first = source.readline()
    return first.removeprefix("// arch:").strip() if first.startswith("// arch:") else None


def lint(arguments, originals, *options):
    """Path -> how often each rule is reported there, and the paths that could not be read to the end.

    Of each path `originals` says what it was made of."""
    groups = collections.defaultdict(list)
    for path, original in originals.items():
        given = shlex.split(arguments.compiler.format(folder=original.resolve().parent))
        groups[arch_of(path), tuple(given)].append(path)
    rules, broken = collections.defaultdict(collections.Counter), set()
    for (arch, given), group in groups.items():
        command = [str(arguments.barlint), "check", f"-j{arguments.jobs}", "--headers=builtin",
                   "--format=json", "--quiet", "--no-cache", *options,
                   *([f"--arch={arch}"] if arch else []), *map(str, group), "--", *given]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode not in (0, 1, 3):
            sys.exit(f"{arguments.barlint} ended with status {result.returncode}: "
                     f"{result.stderr[-2000:]}")
        document = json.loads(result.stdout)
        for finding in document["findings"]:
            rules[pathlib.Path(finding["file"]).resolve()][finding["rule"]] += 1
        broken |= {pathlib.Path(entry["file"]).resolve() for entry in document["files"]
                   if entry["status"] not in ("ok", "cached")}
    return rules, broken


def derive(files, operators):
    """All mutants, each with its key, made unique by the number among equals."""
    mutants = []
    for path in files:
        seen = collections.Counter()
        for mutant in mutators.mutants_of(path.read_bytes()):
            if operators and mutant.operator not in operators:
                continue
            line = " ".join(mutant.line.split())
            seen[mutant.operator, line] += 1
            mutant.original = path
            mutant.key = (name_of(path), mutant.operator, line, seen[mutant.operator, line])
            mutants.append(mutant)
    return mutants


def sample(mutants, count, seed):
    """As many of each operator, by the hash of what names them."""
    by_operator = collections.defaultdict(list)
    for mutant in mutants:
        mutant.hash = hashlib.sha256((seed + repr(mutant.key)).encode()).hexdigest()
        by_operator[mutant.operator].append(mutant)
    for found in by_operator.values():
        found.sort(key=lambda mutant: mutant.hash)
    chosen = []
    while len(chosen) < count and any(by_operator.values()):
        for operator in sorted(by_operator):
            if by_operator[operator] and len(chosen) < count:
                chosen.append(by_operator[operator].pop(0))
    return chosen


def judge(mutants, arguments, folder):
    """Fills in the outcome of each mutant: discarded, expected, other or silent."""
    originals = {mutant.original: mutant.original for mutant in mutants}
    folder = folder.resolve()  # a report names files from where it was asked
    advice = lint(arguments, originals, "--pedantic")[0] if mutants else {}
    for start in range(0, len(mutants), BATCH):
        batch = {}
        for number, mutant in enumerate(mutants[start:start + BATCH], start):
            path = folder / f"{number:05}.cu"
            path.write_bytes(mutant.text)
            batch[path] = mutant
        rules, broken = lint(arguments, {path: mutant.original for path, mutant in batch.items()})
        for path, mutant in batch.items():
            mutant.rules = sorted(rules[path])
            if path in broken:
                mutant.outcome = "discarded"
            elif not mutant.rules:
                mutant.outcome = "silent"
            elif mutators.OPERATORS[mutant.operator].expected & set(mutant.rules):
                mutant.outcome = "expected"
            else:
                mutant.outcome = "other"
        silent = {path: mutant.original for path, mutant in batch.items()
                  if mutant.outcome == "silent"}
        advised = lint(arguments, silent, "--pedantic")[0]
        for path in silent:
            mutant = batch[path]
            added = (advised[path] - advice[mutant.original]).keys()
            mutant.pedantic = sorted(added)
            operator = mutators.OPERATORS[mutant.operator]
            if operator.pedantic and added & operator.expected:
                mutant.outcome, mutant.rules = "expected", sorted(added)
        print(f"{min(start + BATCH, len(mutants))} of {len(mutants)}", file=sys.stderr)


def read_notes():
    notes = {}
    for note in json.loads(NOTES.read_text()) if NOTES.exists() else []:
        assert note["verdict"] in VERDICTS and note["reason"], note
        for file, operator, line, ordinal in note["mutants"]:
            key = (file, operator, line, ordinal)
            assert key not in notes, key
            notes[key] = note["verdict"]
    return notes


def count(mutants, notes):
    """Rows of the table: label -> counter of outcomes."""
    rows = collections.defaultdict(collections.Counter)
    for mutant in mutants:
        verdict = notes.get(mutant.key)
        row = rows["data races only" if verdict == "race" else mutant.operator]
        row["mutants"] += 1
        if mutant.outcome == "silent" and verdict == "equivalent":
            row["equivalent"] += 1
        else:
            row[mutant.outcome] += 1
            row["pedantic"] += bool(mutant.pedantic) and mutant.outcome == "silent"
    return rows


def family_table(mutants, notes):
    """How much is reported by the family of the mistake, and by that of the correct case."""
    wrong, reported = collections.Counter(), collections.Counter()  # by way, family, and if a race
    for mutant in mutants:
        verdict, silent = notes.get(mutant.key), mutant.outcome == "silent"
        if mutant.outcome == "discarded" or (silent and verdict == "equivalent"):
            continue
        case = pathlib.Path(mutant.key[0]).parent.name.split("-")[0]
        for way in (("operator", mutators.FAMILY_OF[mutant.operator]), ("case", case)):
            wrong[way, verdict == "race"] += 1
            reported[way, verdict == "race"] += not silent
    lines = ["| family | by operator: mutants | reported | data races too | "
             "by case: mutants | reported | data races too |",
             "| --- |" + " ---: |" * 6]
    for family in mutators.FAMILIES:
        cells = []
        for way in (("operator", family), ("case", family)):
            cells += [str(wrong[way, False]), share(reported[way, False], wrong[way, False]),
                      share(reported[way, False] + reported[way, True],
                            wrong[way, False] + wrong[way, True])]
        lines.append(f"| {family} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def share(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else ""


def table(rows):
    columns = ("mutants", "discarded", "equivalent", "expected", "other", "silent", "pedantic")
    lines = ["| operator | mutants | does not parse | equivalent | reported as expected | "
             "reported as another rule | not reported | (of these with --pedantic) | reported |",
             "| --- |" + " ---: |" * 8]

    def add(label, row):
        wrong = row["expected"] + row["other"] + row["silent"]
        lines.append(f"| {label} | " + " | ".join(str(row[name]) for name in columns) +
                     f" | {share(wrong - row['silent'], wrong)} |")

    races = rows.pop("data races only", None)
    total = collections.Counter()
    for operator in mutators.OPERATORS:
        if operator in rows:
            add(operator, rows[operator])
            total.update(rows[operator])
    add("**all**", total)
    if races:
        add("data races only", races)
        add("**all, data races too**", total + races)
    return "\n".join(lines) + "\n"


def not_reported(mutants, notes):
    """The silent mutants that no note explains, by file."""
    found = collections.defaultdict(collections.Counter)
    for mutant in mutants:
        if mutant.outcome == "silent" and mutant.key not in notes:
            found[mutant.key[0]][mutant.operator] += 1
    lines = []
    for file, operators in sorted(found.items()):
        counts = ", ".join(f"{name} {number}" if number > 1 else name
                           for name, number in sorted(operators.items()))
        lines.append(f"- `{file.removeprefix('testdata/rules/')}`: {counts}")
    return "\n".join(lines) + "\n"


def document(rows, mutants, notes, files, barlint, derived):
    version = subprocess.run([str(barlint), "version"], capture_output=True, text=True,
                             check=True).stdout.splitlines()[0]
    commit = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"],
                            capture_output=True, text=True, check=False).stdout.strip()
    sampled = f" --sample {len(mutants)}" if len(mutants) < derived else ""
    operators = "\n".join(f"- `{name}`: {operator.what}"
                          for name, operator in mutators.OPERATORS.items())
    return (f"# Mutation measure\n\n{datetime.date.today()}, {version}, commit {commit}, "
            f"tree-sitter-cuda {importlib.metadata.version('tree-sitter-cuda')}, "
            f"{files} correct files, {len(mutants)} of their {derived} mutants, `--headers=builtin`, "
            f"default settings. Made by `bench/mutate.py{sampled} --table bench/mutation.md`.\n\n"
            f"{table(rows)}\n"
            "*Equivalent*: `mutation.json` has the reason of each. Most were read in the source; guards "
            "and early exits were sorted by the threads that `barlint dump` lists at their place, so "
            "that a wrong listing would hide a miss. "
            "*Data races only*: the change leaves every barrier used as it should be, but threads "
            "read data that others may not have written yet; only mutants that nothing is reported "
            "of were sorted so.\n\n"
            "By the family of the mistake, and by that of the case it is made in:\n\n"
            f"{family_table(mutants, notes)}\n"
            f"What the operators do:\n\n{operators}\n\n"
            f"Neither reported nor explained by a note:\n\n{not_reported(mutants, notes)}")


def main():
    arguments = parse_arguments()
    # The cases of suppressions hold mistakes on purpose; of some, something wrong is known to be told.
    files = [file.resolve() for file in arguments.files] or sorted(
        path for path in (ROOT / "testdata" / "rules").glob("*/good_*.cu")
        if path.parent.name != "unused-suppression" and "// xfail:" not in path.read_text())
    rules, broken = lint(arguments, {file: file for file in files})
    if rules or broken:
        sys.exit("not silent on the original: " + ", ".join(sorted(map(str, set(rules) | broken))))
    mutants = derive(files, arguments.operator)
    derived, keys = len(mutants), {mutant.key for mutant in mutants}
    if arguments.sample:
        mutants = sample(mutants, arguments.sample, arguments.seed)
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.keep or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        os.environ.setdefault("BARLINT_CACHE_DIR", str(pathlib.Path(scratch, "cache")))
        judge(mutants, arguments, folder)
    notes = read_notes()
    if not arguments.files and not arguments.operator:
        for key in notes.keys() - keys:
            print("a note about a mutant that is no more:", *key, file=sys.stderr)
    for mutant in mutants:
        if mutant.outcome in ("expected", "other") and notes.get(mutant.key) == "equivalent":
            print("reported though equivalent:", *mutant.key, *mutant.rules, file=sys.stderr)
    if arguments.survivors:
        with arguments.survivors.open("w") as out:
            for number, mutant in enumerate(mutants):
                if mutant.outcome == "silent" and mutant.key not in notes:
                    out.write(json.dumps({
                        "number": number, "file": mutant.key[0], "operator": mutant.key[1],
                        "line": mutant.key[2], "ordinal": mutant.key[3],
                        "at": mutant.number, "pedantic": mutant.pedantic,
                        "change": mutant.change}) + "\n")
    rows = count(mutants, notes)
    if arguments.table:
        arguments.table.write_text(document(dict(rows), mutants, notes, len(files),
                                           arguments.barlint, derived))
    print(table(rows), family_table(mutants, notes), sep="\n", end="")


if __name__ == "__main__":
    main()
