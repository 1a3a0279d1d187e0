#!/usr/bin/env python3
"""What barlint makes of public repositories: does every file parse, is every barrier listed?

    bench/corpus.py --corpus DIR --out DIR [--only NAME] [--every N] [-j N] [--write FILE]

DIR of --corpus has one folder a repository, named as in corpus.json beside this file, which says
how each is compiled, and of how many files every how many-th is taken. For each file with a
barrier, in itself or in a header of the repository that it includes (`direct`: in itself),
`barlint dump --operations --json` runs in a process of its own; what a text search finds in the
user's files of the unit is held against the operations listed. A site that is not listed is
explained by what became of the code around it, or counts as missed. Writes one JSON a repository
and tables over all.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import resource
import shlex
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time

import makefile
from textsearch import Source, expand_macros

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = (".cu",)
HEADERS = {".cuh", ".h", ".hpp", ".hh", ".inl", ".inc"}
PYTHON = sysconfig.get_paths()["include"]
CAP = 6  # lines an operation may stretch over and still count as standing on each

_texts = {}


def source_of(path):
    if path not in _texts:
        try:
            text = pathlib.Path(path).read_text(errors="replace")
        except OSError:
            text = ""
        _texts[path] = Source(text)
    return _texts[path]


# --- Which files ---------------------------------------------------------------------------------

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)


class Includes:
    """What the files of a repository include of it, by text."""

    def __init__(self, root, flags_of):
        self.root, self.flags_of = root, flags_of
        self._of, self._folders = {}, {}

    def of(self, path):
        """Files that a file includes."""
        if path not in self._of:
            names = set(INCLUDE.findall(path.read_text(errors="replace")))
            self._of[path] = {pathlib.Path(os.path.normpath(found)) for name in names
                              if (found := self._find(path, name))}
        return self._of[path]

    def _find(self, path, name):
        folders = self._folders.get(path.parent)
        if folders is None:
            named = [pathlib.Path(flag[2:]) for flag in self.flags_of(path)
                     if flag.startswith("-I")]
            folders = self._folders[path.parent] = [
                path.parent, *(one for one in named if self.root in one.parents), self.root]
        return next((place / name for place in folders if (place / name).is_file()), None)

    def reaches_barrier(self, path):
        """Whether the file or one that it includes, however far away, has a site."""
        seen, queue = {path}, [path]
        for one in queue:
            if source_of(str(one)).sites:
                return True
            queue += self.of(one) - seen
            seen.update(queue)
        return False


def find_units(root, repository, flags_of, also=None):
    """Files that use a barrier, or have a match of `also` themselves, and are compiled on their
    own, and how many others include."""
    sources = tuple(repository.get("sources", SOURCES))
    kinds = sources + (tuple(HEADERS) if repository.get("headers") else ())
    under = [root / folder for folder in repository.get("under", ["."])]
    files = sorted({path for folder in under for path in folder.rglob("*")
                    if path.name.endswith(kinds) and path.is_file()})
    leave = repository.get("leave_out", {})
    files = [path for path in files
             if not any(part in str(path.relative_to(root)) for part in leave)]
    includes = Includes(root, flags_of)
    included = set()
    for path in root.rglob("*"):
        if path.suffix in {".cu", ".cpp"} | HEADERS and path.is_file():
            included |= {one for one in includes.of(path) if one.name.endswith(sources)}
    alone = [path for path in files if path not in included]
    def uses(path):
        source = source_of(str(path))
        return (source.sites or (also and also.search(source.code)) or
                (not repository.get("direct") and includes.reaches_barrier(path)))
    return [path for path in alone if uses(path)], len(files) - len(alone)


# --- One unit ------------------------------------------------------------------------------------


def run(command, timeout, memory):
    """Exit status (or 'timeout'), stdout, stderr, processor seconds, peak memory in MB."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (int(timeout), int(timeout) + 5))
        os.setsid()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.monotonic()
        child = subprocess.Popen(command, stdout=out, stderr=err, stdin=subprocess.DEVNULL,
                                 preexec_fn=limit)
        status = None
        while status is None:
            pid, code, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                status = os.waitstatus_to_exitcode(code)
            elif time.monotonic() - start > 20 * timeout:
                os.killpg(child.pid, 9)
                _, code, usage = os.wait4(child.pid, 0)
                status = "timeout"
            else:
                time.sleep(0.02)
        child.returncode = 0
        seconds = usage.ru_utime + usage.ru_stime
        out.seek(0)
        err.seek(0)
        return (status, out.read().decode(errors="replace"), err.read().decode(errors="replace"),
                seconds, usage.ru_maxrss / 1024)


def failure(status, error):
    if status in ("timeout", -24):  # SIGXCPU
        return "timeout"
    if isinstance(status, int) and status < 0:
        return f"killed by signal {-status}"
    lines = error.strip().splitlines()
    return lines[-1][-300:] if lines else f"exit status {status}"


def examine(arguments, root, path, flags):
    command = [arguments.barlint, "dump", "--operations", "--json", *arguments.option, str(path),
               "--", *flags]
    status, out, error, seconds, memory = run(command, arguments.timeout, arguments.memory << 30)
    result = {"file": str(path.relative_to(root)), "seconds": round(seconds, 2),
              "memory": round(memory), "status": "failed", "reason": ""}
    unit = None
    if status == 0:
        try:
            unit = json.loads(out)[0]
        except (ValueError, IndexError):
            pass
    if unit is None:
        result["reason"] = failure(status, error)
        return result, None
    result["status"] = unit["status"]
    result["reason"] = unit["reason"].replace(str(root), "")
    result["missing"] = "is not found" in unit["reason"]
    result["counts"] = unit["counts"]
    result["unknown"] = unit["unknown"]
    result["errors"] = collections.Counter(
        one["text"] for one in unit["diagnostics"] if not one["harmless"]).most_common(20)
    return result, unit


# --- The comparison ------------------------------------------------------------------------------


def listed_lines(unit):
    lines = set()
    for function in unit["functions"]:
        for one in function["operations"] + function["calls"]:
            last = one["end_line"]
            if last - one["line"] > CAP and "." not in one.get("spelling", ""):
                last = one["line"]
            lines.update((one["file"], line) for line in range(one["line"], last + 1))
    return lines


def enclosing(outline, line):
    """The innermost function of the file around a line."""
    found = None
    for one in outline:
        if one["line"] <= line <= one["end_line"] and (not found or one["line"] >= found["line"]):
            found = one
    return found


def opaque_lines(unit):
    return {(one["file"], one["line"]): one["reason"]
            for function in unit["functions"] for one in function["opaque"]}


def last_name(callee):
    """`wait` of `ns::ring<int, a::b>::wait<1>`."""
    plain = callee
    while (shorter := re.sub(r"<[^<>]*>", "", plain)) != plain:
        plain = shorter
    return plain.split("::")[-1]


def idle_lines(unit):
    """(file, line, name) of calls of functions that have no barrier."""
    return {(one["file"], one["line"], last_name(one["callee"]))
            for function in unit["functions"] for one in function["idle_calls"]}


def explain(source, outline, partial, skipped, line, opaque, is_library, missing):
    if any(begin <= line <= end for begin, end in skipped):
        return "left out by #if"
    function = enclosing(outline, line)
    if not function and not outline and is_library:
        return "library header, not reached"
    if source.in_target_macro(line):
        return "in NV_IF_TARGET, which is read as empty"
    if not function and missing:
        return "in a macro of a missing header"
    if not function:
        return "missed: outside every function"
    if not function["device"]:
        return "host code"
    fate = function["fate"]
    if fate == "unreached":
        return "template without an instance" if function["template"] else "function not reached"
    if fate in ("known", "cut"):
        return "body stands in the model" if fate == "known" else "missed: cut"
    if source.is_discardable(line, function["line"]):
        return "discarded by if constexpr"
    if opaque and function["template"]:
        return "depends on a template parameter"
    if any(function["line"] <= error <= function["end_line"] for error in partial):
        return "missed: parse error in the function"
    return f"missed: {fate}"


RANK = ["listed", "missed"]


def better(old, new):
    """A site is listed where any unit lists it, and missed before it is explained."""
    def rank(verdict):
        word = verdict.split(":")[0]
        return RANK.index(word) if word in RANK else len(RANK)
    return new if old is None or rank(new) < rank(old) else old


def flags_for(repository, path):
    """Flags of the variant whose name stands in the path come last."""
    more = [flags for word, flags in repository.get("variants", {}).items() if word in path]
    return " ".join([repository["flags"], *more[:1]])


def flags_of(repository, root, corpus):
    """A function from a file of the repository to its flags."""
    def of(path):
        variant = flags_for(repository, str(path.relative_to(root)))
        made = makefile.nearest(path.parent, root) if repository.get("makefile") else None
        return [flag.format(root=root, corpus=corpus, dir=path.parent, python=PYTHON)
                for flag in shlex.split(variant)] + (makefile.flags(made) if made else [])
    return of


def compare(root, unit):
    """(file, line, what) -> 'listed' or why not, over the user's files of the unit."""
    files = sorted({path for path in unit["read"]
                    if pathlib.Path(path).resolve().is_relative_to(root)})
    sources = {path: source_of(path) for path in files}
    listed = listed_lines(unit)
    outlines, skipped, partial = (collections.defaultdict(list) for _ in range(3))
    for one in unit["outline"]:
        outlines[one["file"]].append(one)
    for one in unit["skipped"]:
        skipped[one["file"]].append((one["line"], one["end_line"]))
    for one in unit["diagnostics"]:
        if not one["harmless"]:
            partial[one["file"]].append(one["line"])
    opaque, idle = opaque_lines(unit), idle_lines(unit)
    verdicts, used = {}, {}
    # Folders of headers that declare themselves a system's, of which there is no outline.
    library = {os.path.dirname(path) for path in files if sources[path].is_system_header}

    def judge(path, line, what):
        if (path, line) in listed:
            return "listed"
        if (path, line, re.split(r"[\s(]", what)[0]) in idle:
            return "calls a function without a barrier"
        return explain(sources[path], outlines[path], partial[path], skipped[path], line,
                       opaque.get((path, line)), os.path.dirname(path) in library,
                       "is not found" in unit["reason"])

    for path, source in sources.items():
        for line, what, macro in source.site_lines():
            if not macro:
                verdicts[path, line, what] = judge(path, line, what)
    for name in expand_macros(sources):
        for path, source in sources.items():
            for line in source.uses(name):
                verdicts[path, line, name] = judge(path, line, name)
                used[name] = better(used.get(name), verdicts[path, line, name])
    for path, source in sources.items():
        for line, what, macro in source.site_lines():
            if macro:
                verdicts[path, line, what] = ("listed" if used.get(macro) == "listed" else
                                              "macro without a use that counts")
    return {(str(pathlib.Path(path).resolve().relative_to(root)), line, what): verdict
            for (path, line, what), verdict in verdicts.items()}


# --- A repository --------------------------------------------------------------------------------


def examine_repository(arguments, name, repository):
    corpus = pathlib.Path(arguments.corpus).resolve()
    root = corpus / repository.get("folder", name.split("/")[1])
    if not root.is_dir():
        print(f"{name}: not there", file=sys.stderr)
        return None

    flags = flags_of(repository, root, corpus)
    found, fragments = find_units(root, repository, flags)
    every = arguments.every or repository.get("every", 1)
    units = found[::every]
    if arguments.file:
        units = [path for path in found if arguments.file in str(path)]
    results, sites = [], {}

    def one(path):
        result, unit = examine(arguments, root, path, flags(path))
        return result, compare(root, unit) if unit else {}

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for result, verdicts in pool.map(one, units):
            missed = [f"{path}:{line}: {what}: {verdict}"
                      for (path, line, what), verdict in verdicts.items()
                      if verdict.startswith("missed")]
            result["sites"] = len(verdicts)
            result["missed"] = missed[:50]
            results.append(result)
            for key, verdict in verdicts.items():
                sites[key] = better(sites.get(key), verdict)
            if arguments.verbose:
                print(f"  {result['file']}: {result['status']} {result['reason']} "
                      f"{result['seconds']} s {len(missed)} missed", file=sys.stderr, flush=True)
    return {"name": name, "commit": repository["commit"], "found": len(found),
            "fragments": fragments, "every": every, "units": results, "sites": [[*key, verdict] for key, verdict in sorted(sites.items())]}


# --- The tables ----------------------------------------------------------------------------------


def markdown(columns, rows):
    lines = [columns, ["---"] + ["---:"] * (len(columns) - 1), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def share(part, whole):
    return f"{100 * part / whole:.2f} %" if whole else "-"


def state_of(unit):
    return "header missing" if unit.get("missing") else unit["status"]


def files_table(documents):
    columns = ["repository", "commit", "files", "taken", "ok", "partial", "header missing",
               "failed", "analysed", "CPU s", "median", "largest", "peak MB"]
    rows = []
    for document in documents:
        units = document["units"]
        states = collections.Counter(map(state_of, units))
        seconds = [unit["seconds"] for unit in units] or [0]
        analysed = states["ok"] + states["partial"]
        rows.append([document["name"], document["commit"][:12], document["found"], len(units),
                     states["ok"], states["partial"], states["header missing"], states["failed"],
                     share(analysed, len(units) - states["header missing"]),
                     f"{sum(seconds):.0f}", f"{statistics.median(seconds):.1f}",
                     f"{max(seconds):.1f}", max((unit["memory"] for unit in units), default=0)])
    total = [sum(row[at] for row in rows) for at in range(2, 8)]
    rows.append(["all", "", *total, share(total[2] + total[3], total[1] - total[4]),
                 sum(int(row[9]) for row in rows), "", "", ""])
    return markdown(columns, rows)


def sites_table(documents):
    verdicts = {document["name"]: collections.Counter(
        site[3].split(":")[0] for site in document["sites"]) for document in documents}
    verdicts["all"] = sum(verdicts.values(), collections.Counter())
    kinds = [kind for kind, _ in verdicts["all"].most_common() if kind not in RANK]
    return markdown(["repository", "sites", "listed", *kinds, "missed"],
                    [[name, sum(counts.values()), counts["listed"],
                      *(counts[kind] for kind in kinds), counts["missed"]]
                     for name, counts in verdicts.items()])


def opaque_table(documents):
    rows = []
    for document in documents:
        counts = [unit["counts"] for unit in document["units"] if "counts" in unit]
        operations = sum(one["device_ops"] for one in counts)
        opaque = sum(one["device_opaque"] for one in counts)
        reasons = collections.Counter()
        for one in counts:
            reasons.update(one["opaque"])
        rows.append([document["name"], operations, opaque, share(opaque, operations),
                     ", ".join(f"{reason} {count}" for reason, count in reasons.most_common(6))])
    return markdown(["repository", "device operations", "of them opaque", "share",
                     "most frequent reasons, those of patterns included"], rows)


def blemishes(documents):
    """Everything that is not ok: reason by reason, with the number of files and the cause."""
    lines = []
    repositories = json.loads((HERE / "corpus.json").read_text())

    def line_of(name, text):
        causes = repositories[name].get("causes", {})
        cause = next((f" ({cause})" for pattern, cause in causes.items()
                      if re.search(pattern, text)), "")
        lines.append(f"- {name}: {text}{cause}")

    for document in documents:
        reasons = collections.Counter((state_of(unit), unit["reason"].strip())
                                      for unit in document["units"] if unit["status"] != "ok")
        for (state, reason), count in sorted(reasons.items()):
            line_of(document["name"], f"{state}, {count} file{'s'[:count > 1]}: {reason}")
        for path, line, what, verdict in document["sites"]:
            if verdict.startswith("missed"):
                line_of(document["name"], f"{path}:{line}: `{what}`: {verdict}")
    return "\n".join(lines)


def taken(documents):
    return "\n".join(f"- {document['name']}: " + (
        "all" if document["every"] == 1 else f"the first of every {document['every']} in sorted order") for document in documents)


def report(documents):
    return f"""## Files

`files` use a barrier and are compiled on their own; `analysed` is the share of ok and partial among
those taken whose headers are there. Processor seconds and memory are those of
`barlint dump --operations`, headers precompiled where a file before had the same command.

{files_table(documents)}

Taken:

{taken(documents)}

## Barrier operations

A site is a place where a text search finds a call or an instruction of a barrier, in files of the
repository that the taken files read. It is counted once: as listed where one unit lists it.

{sites_table(documents)}

## Opaque operations

{opaque_table(documents)}

## What is not ok

{blemishes(documents)}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", required=True, help="folder of the checked-out repositories")
    parser.add_argument("--out", required=True, help="folder for the results")
    parser.add_argument("--barlint", default=str(HERE.parent / "build" / "barlint"))
    parser.add_argument("--only", action="append", help="repositories with this in their name")
    parser.add_argument("--file", help="files with this in their path")
    parser.add_argument("--every", type=int, help="take every N-th file, not corpus.json's share")
    parser.add_argument("--timeout", type=float, default=180,
                        help="processor seconds a unit; 20 times as many on the clock")
    parser.add_argument("--memory", type=int, default=12, help="GB of address space a process")
    parser.add_argument("--option", action="append", default=[], help="for barlint dump")
    parser.add_argument("--table", action="store_true", help="only the tables of earlier results")
    parser.add_argument("--write", type=pathlib.Path, help="the tables as a document")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    arguments = parser.parse_args()
    out = pathlib.Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    repositories = json.loads((HERE / "corpus.json").read_text())
    documents = []
    for name, repository in repositories.items():
        place = out / (name.replace("/", "+") + ".json")
        wanted = (any(word in name for word in arguments.only) if arguments.only else
                  not repository.get("silence_only"))
        if wanted and not arguments.table:
            document = examine_repository(arguments, name, repository)
            if document and not arguments.file:
                place.write_text(json.dumps(document, indent=1))
            if document:
                documents.append(document)
        elif arguments.table and place.exists():
            documents.append(json.loads(place.read_text()))
    print(report(documents))
    if arguments.write:
        head = arguments.write.read_text().partition("## Files")[0]
        arguments.write.write_text(head + report(documents))


if __name__ == "__main__":
    main()
