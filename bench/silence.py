#!/usr/bin/env python3
"""What barlint reports on public repositories, and whether it is true.

    bench/silence.py --corpus DIR [--only NAME] [--every N] [--from K | --again] [--file PART]
                     [--table FILE]

DIR of --corpus has one folder a repository, named as in corpus.json, which says how each is
compiled. Every file with a barrier, in itself or in a header of the repository that it includes, or
with an operation of a warp is checked with barlint's defaults; of a share, every N-th from the K-th
on. The state of each file and its findings go to silence.json beside this script, where files of
earlier runs stay until they are run again or --fresh drops those of the repository. What is new and
what is gone is printed.

A verdict is a person's: it is written into silence.json as "verdict" of a finding, begins with
"true", "arguable" or "false", and stays with the finding while its fingerprint does. --table renews what stands
between the marks of a markdown file; alone, without --corpus, it runs nothing.
"""
import argparse
import collections
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import corpus as measured

HERE = pathlib.Path(__file__).resolve().parent
WARP = re.compile(r"\b__(?:shfl|all|any|ballot|match|reduce|uni)\w*_sync\s*\(|\bcooperative_groups\b")
CHUNK = 8  # files of one command line: what they share is parsed once


def head():
    """The commit of this working tree."""
    return subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=HERE, capture_output=True,
                          text=True, check=False).stdout.strip()


def check(arguments, files, flags):
    """What barlint says of files with one command; None where it says nothing that can be read."""
    command = [arguments.barlint, "check", "--format=json", "-j", str(arguments.jobs),
               f"--timeout={arguments.timeout}", *arguments.option, *map(str, files), "--", *flags]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    try:
        return json.loads(done.stdout)
    except ValueError:
        print(f"  {done.stderr.strip()[-300:]}", file=sys.stderr)
        return None


def plain(text, root, corpus):
    """Without the folders of this machine."""
    text = text.replace(f"{root}/", "").replace(f"{corpus}/", "")
    return re.sub(r"(?<![\w.>])/(?:\w[\w.+-]*/)+", "", text)


def key(finding):
    return finding["rule"], finding["file"], finding["fingerprint"]


def read(document, root, corpus):
    """Units and findings of a report, as silence.json has them."""
    units = {plain(one["file"], root, corpus): {"status": one["status"],
                                                "reason": plain(one["reason"], root, corpus)}
             for one in document["files"]}
    findings = [{"rule": one["rule"], "certainty": one["certainty"],
                 "file": plain(one["file"], root, corpus), "line": one["line"],
                 "message": plain(one["message"], root, corpus),
                 "fingerprint": one["fingerprint"]} for one in document["findings"]]
    return units, findings


def groups(files, flags_of):
    """Files with one command, so many at a time."""
    alike = collections.defaultdict(list)
    for path in files:
        alike[tuple(flags_of(path))].append(path)
    for flags, paths in alike.items():
        for at in range(0, len(paths), CHUNK):
            yield paths[at:at + CHUNK], list(flags)


def found_in(units):
    """Every finding once, with the units that showed it."""
    found = {}
    for name, unit in units.items():
        for one in unit.get("findings", []):
            found.setdefault(key(one), (one, []))[1].append(name)
    return found


def keep_verdicts(old, new):
    known = {known_key: one["verdict"] for known_key, (one, _) in found_in(old).items()
             if "verdict" in one}
    for unit in new.values():
        for one in unit.get("findings", []):
            if key(one) in known:
                one["verdict"] = known[key(one)]


def run_repository(arguments, name, repository, before):
    """The repository's part of silence.json; None where its folder is not there."""
    corpus = pathlib.Path(arguments.corpus).resolve()
    root = corpus / repository.get("folder", name.split("/")[1])
    if not root.is_dir():
        print(f"{name}: not there", file=sys.stderr)
        return None
    flags_of = measured.flags_of(repository, root, corpus)
    found, _ = measured.find_units(root, repository, flags_of, WARP)
    taken = found[arguments.start::arguments.every]
    if arguments.again:
        taken = [path for path in found if str(path.relative_to(root)) in before.get("units", {})]
    if arguments.file:
        taken = [path for path in taken if arguments.file in str(path)]
    units = {} if arguments.fresh else dict(before.get("units", {}))
    commit = head()
    started, until = time.monotonic(), arguments.minutes * 60
    for paths, flags in groups(taken, flags_of):
        if time.monotonic() - started > until:
            print(f"{name}: the time is over", file=sys.stderr)
            break
        # A finding belongs to a unit, so each is asked for alone where several show some.
        start = time.monotonic()
        document = check(arguments, paths, flags)
        parts = [document] if document and (len(paths) == 1 or not document["findings"]) else \
            [check(arguments, [path], flags) for path in paths]
        for part in filter(None, parts):
            states, findings = read(part, root, corpus)
            for state in states.values():
                state["at"] = commit
            units.update(states)
            if findings:
                units[next(iter(states))]["findings"] = findings
        print(f"  {time.monotonic() - start:.0f} s for {len(paths)} files from "
              f"{paths[0].relative_to(root)} on", file=sys.stderr, flush=True)
    keep_verdicts(before.get("units", {}), units)
    return {"commit": repository["commit"], "found": len(found),
            "units": dict(sorted(units.items()))}


def tell_changes(name, before, after):
    old, new = found_in(before.get("units", {})), found_in(after["units"])
    for one_key, (one, _) in new.items():
        if one_key not in old:
            print(f"new  {name}: {one['file']}:{one['line']}: {one['rule']} {one['certainty']}: "
                  f"{one['message']}")
    for one_key, (one, _) in old.items():
        if one_key not in new:
            print(f"gone {name}: {one['file']}:{one['line']}: {one['rule']}")


# --- The tables ----------------------------------------------------------------------------------


def verdict_of(one):
    return one.get("verdict", "not judged")


def short(reason):
    """The kind of a reason: units that differ only in names are one line."""
    return re.sub(r"'[^']*'", "'...'", re.sub(r"\b[\w.+-]+:\d+(:\d+)?: ", "", reason))[:110]


def tables(document):
    rows, lines, states = [], [], collections.Counter()
    for name, part in sorted(document["repositories"].items()):
        kinds = collections.Counter(unit["status"] for unit in part["units"].values())
        found = found_in(part["units"])
        verdicts = collections.Counter(verdict_of(one).split()[0].rstrip(":,") for one, _ in found.values())
        now = sum(unit.get("at") == document["commit"] for unit in part["units"].values())
        rows.append([name, part["commit"][:12], part["found"], len(part["units"]), now, kinds["ok"],
                     kinds["partial"], kinds["failed"], len(found), verdicts["true"],
                     verdicts["arguable"], verdicts["false"], verdicts["not"]])
        lines += [f"- {name} `{one['file']}:{one['line']}` {one['rule']} ({one['certainty']}): "
                  f"{verdict_of(one)}" for one, _ in
                  sorted(found.values(), key=lambda pair: (pair[0]["file"], pair[0]["line"]))]
        states.update((name, unit["status"], short(unit["reason"]))
                      for unit in part["units"].values() if unit["status"] != "ok")
    rows.append(["all", ""] + [sum(row[at] for row in rows) for at in range(2, 13)])
    return "\n".join(
        [f"{document['date']}, commit {document['commit']}.", "",
         measured.markdown(["repository", "commit", "files", "checked", "at this commit", "ok",
                            "partial", "failed", "findings", "true", "arguable", "false",
                            "not judged"],
                           rows), "",
         "Every finding and its verdict:", "", *lines, "",
         "Files that were not read or not followed in full:", "",
         *(f"- {name}: {status}, {count} files: {reason}" if count > 1 else
           f"- {name}: {status}, 1 file: {reason}"
           for (name, status, reason), count in sorted(states.items()))])


def renew(path, text):
    """Puts the text between the marks."""
    begin, end = "<!-- made by silence.py -->\n", "<!-- end -->"
    old = path.read_text()
    head, rest = old.split(begin, 1)
    path.write_text(head + begin + "\n" + text + "\n\n" + end + rest.split(end, 1)[1])


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus")
    parser.add_argument("--only", action="append", help="part of a repository's name")
    parser.add_argument("--every", type=int, default=1, help="take every so-many-th file")
    parser.add_argument("--from", type=int, default=0, dest="start", help="the first file taken")
    parser.add_argument("--again", action="store_true", help="take the files of silence.json")
    parser.add_argument("--file", help="only those taken whose path has this part")
    parser.add_argument("--minutes", type=float, default=1e9, help="time for one repository")
    parser.add_argument("--fresh", action="store_true", help="forget the repository's files first")
    parser.add_argument("--results", default=HERE / "silence.json", type=pathlib.Path)
    parser.add_argument("--table", type=pathlib.Path)
    parser.add_argument("--barlint", default="build/barlint")
    parser.add_argument("--option", action="append", default=[], help="passed on to barlint")
    parser.add_argument("--timeout", type=int, default=300)
    parser.add_argument("-j", dest="jobs", type=int, default=1)
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    document = {"repositories": {}}
    if arguments.results.is_file():
        document = json.loads(arguments.results.read_text())
    if arguments.corpus:
        for name, repository in json.loads((HERE / "corpus.json").read_text()).items():
            if arguments.only and not any(part in name for part in arguments.only):
                continue
            before = document["repositories"].get(name, {})
            after = run_repository(arguments, name, repository, before)
            if not after:
                continue
            tell_changes(name, before, after)
            document["repositories"][name] = after
            document["date"] = datetime.date.today().isoformat()
            document["commit"] = head()
            whole = arguments.results.with_suffix(".part")
            whole.write_text(json.dumps(document, indent=1, sort_keys=True) + "\n")
            os.replace(whole, arguments.results)
    if arguments.table:
        renew(arguments.table, tables(document))


if __name__ == "__main__":
    main()
