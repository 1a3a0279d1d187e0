#!/usr/bin/env python3
"""What barlint says of mutants against what happens on a GPU.

    bench/gpu_mutants.py derive --out build/gpu/mutants [--count 240]
    bench/gpu_mutants.py build --from build/gpu/mutants --out build/gpu/mutants-built
    bench/gpu_mutants.py run --from build/gpu/mutants-built --out build/gpu-results
    bench/gpu_mutants.py table build/gpu-results/mutants.json [--explained bench/gpu_mutants.json]

`derive` takes the mutants of bench/mutate.py whose host function can be called, those with the
smallest hashes of their keys first, no more of an operator than of any other until that has no more,
and asks barlint about each. `build` makes two programs of each mutant and of the correct file that it
was made from, with nvcc and with `barlint nvcc`. A program fills the memory that the host function is
given with small numbers and prints a sum over what is there at the end, so that a result that differs
from the original's shows. Needs tree-sitter and tree-sitter-cuda (PyPI) to derive, nothing to build
and to run. `run` writes as it goes: what a run that is killed has seen is there, `table` counts the
rest as not run, and `run --after` goes on from there.
"""
import argparse
import collections
import concurrent.futures
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import gpu

SECONDS_BETWEEN = 10 # what has been seen so far is written as often

SUM = """
    unsigned long long sum = 0;
    for (void *at : memories()) {
        std::vector<unsigned char> bytes(%d);
        cudaMemcpy(bytes.data(), at, bytes.size(), cudaMemcpyDeviceToHost);
        for (unsigned char byte : bytes)
            sum = sum * 1099511628211ull + byte;
    }
    std::printf("sum %%llx\\n", sum);
"""


def program_of(source, name):
    """A whole program of a source with a host function, which is called with what the case of that
    name is; None when it cannot be made."""
    text = gpu.with_main({"source": source, "name": name})
    if text is None:
        return None
    text = text.replace("template <class T, class Element> T *memory_of(int input)",
                        "static std::vector<void *> &memories()\n{\n"
                        "    static std::vector<void *> all;\n    return all;\n}\n\n"
                        "template <class T, class Element> T *memory_of(int input)")
    text = text.replace("    return static_cast<T *>(memory);",
                        "    memories().push_back(memory);\n    return static_cast<T *>(memory);")
    return text.replace("    return first != cudaSuccess;",
                        SUM % gpu.BYTES + "    return first != cudaSuccess;")


# --- Deriving ------------------------------------------------------------------------------------


def derive(arguments):
    import mutate
    files = [path for path in sorted((gpu.ROOT / "testdata" / "rules").glob("*/good_*.cu"))
             if path.parent.name != "unused-suppression" and gpu.host_call(path.read_text())]
    mutants = mutate.sample(mutate.derive(files, None), arguments.count, "")
    notes = mutate.read_notes()
    arguments.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        os.environ.setdefault("BARLINT_CACHE_DIR", str(pathlib.Path(scratch, "cache")))
        mutate.judge(mutants, arguments, arguments.out)
    cases = [{"name": f"{number:05}", "original": mutant.key[0], "operator": mutant.operator,
              "key": list(mutant.key), "line": mutant.number, "change": mutant.change,
              "static": mutant.outcome, "rules": mutant.rules, "note": notes.get(mutant.key)}
             for number, mutant in enumerate(mutants) if mutant.outcome != "discarded"]
    (arguments.out / "cases.json").write_text(json.dumps(cases, indent=1) + "\n")
    print(collections.Counter(case["static"] for case in cases))


# --- Building and running ------------------------------------------------------------------------


def compile_mutant(source, name, compiler, path, folder):
    text = program_of(source, name)
    if text is None:
        return "its host function cannot be called"
    program = folder / f"{path.parent.name}-{path.name}.cu"
    program.write_text(text)
    return gpu.compile_program(compiler, program, path)


def case_of_original(path):
    """As bench/gpu.py names the case."""
    return path.removeprefix("testdata/rules/").removesuffix(".cu").replace("/", ".")


def name_of_original(path):
    return "good." + case_of_original(path)


def build(arguments):
    folder = getattr(arguments, "from").resolve()
    cases = json.loads((folder / "cases.json").read_text())
    sources = {case["name"]: (str(folder / f"{case['name']}.cu"), case_of_original(case["original"]))
               for case in cases}
    sources.update({name_of_original(case["original"]):
                    (str(gpu.ROOT / case["original"]), case_of_original(case["original"]))
                    for case in cases})
    compilers = {"plain": [arguments.nvcc], "checked": [str(arguments.barlint_nvcc)]}
    os.environ.setdefault("BARLINT_NVCC", arguments.nvcc)
    for kind in compilers:
        (arguments.out / kind).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary, \
            concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        futures = {(name, kind): pool.submit(compile_mutant, source, called, compiler,
                                             arguments.out / kind / name, pathlib.Path(temporary))
                   for name, (source, called) in sources.items()
                   for kind, compiler in compilers.items()}
        errors = {f"{name} {kind}": future.result() for (name, kind), future in futures.items()}
    errors = {name: error for name, error in errors.items() if error}
    (arguments.out / "cases.json").write_text(json.dumps(cases, indent=1) + "\n")
    (arguments.out / "errors.json").write_text(json.dumps(errors, indent=1) + "\n")
    print(f"{len(cases)} mutants of {len(sources) - len(cases)} files, {len(errors)} not built")


def sum_of(output):
    found = re.search(r"^sum (\w+)$", output or "", re.M)
    return found.group(1) if found else None


def observe(name, arguments):
    folder = getattr(arguments, "from")
    result = {}
    for kind in ("plain", "checked"):
        binary = folder / kind / name
        if not binary.exists():
            return None
        if kind == "plain":
            result[kind] = gpu.run_plain(binary, arguments.limit)
        else:
            case = {"accepted": [], "source": "", "lines": []}
            result[kind] = gpu.run_checked(case, binary, arguments.limit)
            result[kind]["reports"] = [
                {key: report.get(key)
                 for key in ("rule", "kind", "level", "pedantic", "at", "threads")}
                for report in result[kind]["reports"]]
        result[kind]["sum"] = sum_of(result[kind]["output"])
    return result


def write(record, out):
    """As a whole: a run that is killed leaves the one before."""
    fresh = out / "mutants.json.new"
    fresh.write_text(json.dumps(record, indent=1) + "\n")
    fresh.replace(out / "mutants.json")


def seen_before(record):
    """What need not run again: all that came to its end in an earlier run."""
    return {name: result for name, result in json.loads(record.read_text())["seen"].items()
            if result and "hangs" not in (result["plain"]["outcome"], result["checked"]["outcome"])}


def run(arguments):
    folder = getattr(arguments, "from")
    cases = json.loads((folder / "cases.json").read_text())
    names = [case["name"] for case in cases] + \
        sorted({name_of_original(case["original"]) for case in cases})
    device = gpu.capture("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader")
    record = {"date": str(datetime.date.today()), "device": device, "cases": cases,
              "seen": seen_before(arguments.after) if arguments.after else {}}
    arguments.out.mkdir(parents=True, exist_ok=True)
    written = 0.0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        futures = {pool.submit(observe, name, arguments): name for name in names
                   if name not in record["seen"]}
        for future in concurrent.futures.as_completed(futures):
            record["seen"][futures[future]] = future.result()
            if time.monotonic() > written + SECONDS_BETWEEN:
                write(record, arguments.out)
                written = time.monotonic()
    write(record, arguments.out)
    print(table(record, {}))


# --- The table -----------------------------------------------------------------------------------

BEHAVIOURS = ("report", "note when asked", "hang", "error", "wrong result", "nothing")


def outcome(result):
    """How the program went; one that was ended after it had printed its sum had only its own end left."""
    if result["outcome"] == "hangs" and result["sum"]:
        return gpu.outcome_of(0, result["output"].replace("cudaSuccess", ""))
    return result["outcome"]


def rules_of(result, asked):
    """The rules that are reported by default, or also when asked (BARLINT_RT_PEDANTIC)."""
    return {report["rule"] for report in result["checked"]["reports"]
            if asked or not report["pedantic"]}


def behaviour(case, seen):
    """What is to be seen of a mutant on the GPU; None when it was not built or its original is bad."""
    mine, original = seen.get(case["name"]), seen.get(name_of_original(case["original"]))
    if not mine or not original or outcome(original["plain"]) != "passes":
        return None
    if rules_of(mine, False) - rules_of(original, False):
        return "report"
    if rules_of(mine, True) - rules_of(original, True):
        return "note when asked"
    outcomes = {outcome(mine["plain"]), outcome(mine["checked"])}
    if "hangs" in outcomes:
        return "hang"
    if outcomes != {"passes"}:
        return "error"
    different = mine["plain"]["sum"] != original["plain"]["sum"] or \
        mine["checked"]["sum"] != original["checked"]["sum"]
    return "wrong result" if different else "nothing"


def static_verdict(case):
    if case["static"] in ("expected", "other"):
        return "reported"
    return {"equivalent": "not reported, equivalent", "race": "not reported, race on data only",
            None: "not reported"}[case["note"]]


def table(record, explained):
    rows = collections.defaultdict(collections.Counter)
    left = 0
    for case in record["cases"]:
        observed = behaviour(case, record["seen"])
        left += observed is None
        if observed:
            rows[static_verdict(case)][observed] += 1
    lines = ["| barlint says | " + " | ".join(BEHAVIOURS) + " | all |",
             "| --- |" + " ---: |" * (len(BEHAVIOURS) + 1)]
    for verdict, counts in sorted(rows.items()):
        lines.append(f"| {verdict} | " + " | ".join(str(counts[name]) for name in BEHAVIOURS) +
                     f" | {sum(counts.values())} |")
    lines.append(f"\n{left} more do not run as programs, or their originals do not.")
    return "\n".join(lines) + "\n" + disagreements(record, explained)


def disagreements(record, explained):
    """Lines on the mutants where both differ, by the rule that either names."""
    groups = collections.defaultdict(list)
    for case in record["cases"]:
        observed, verdict = behaviour(case, record["seen"]), static_verdict(case)
        said = verdict == "reported"
        if observed is None or said == (observed != "nothing") or \
                (verdict == "not reported, race on data only" and observed == "wrong result"):
            continue
        rules = case["rules"] if said else record["seen"][case["name"]]["checked"]["rules"]
        groups[verdict, observed, rules[0] if rules else case["operator"]].append(case)
    lines = ["\n| barlint says | on the GPU | rule or operator | mutants | why |",
             "| --- | --- | --- | ---: | --- |"]
    for (verdict, observed, rule), cases in sorted(groups.items()):
        why = explained.get(f"{verdict}: {observed}: {rule}") or explained.get(f"{observed}: {rule}") \
            or explained.get(rule, "")
        lines.append(f"| {verdict} | {observed} | {rule} | {len(cases)} | {why} |")
    return "\n".join(lines) + "\n"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("derive")
    one.add_argument("--out", type=pathlib.Path, required=True)
    one.add_argument("--count", type=int, default=240)
    one.add_argument("--barlint", type=pathlib.Path, default=gpu.ROOT / "build" / "barlint")
    one.add_argument("-j", "--jobs", type=int, default=1)
    one.set_defaults(compiler="")  # as the cases are, with their own first lines
    two = commands.add_parser("build")
    two.add_argument("--from", type=pathlib.Path, required=True)
    two.add_argument("--out", type=pathlib.Path, required=True)
    two.add_argument("--nvcc", default="/usr/local/cuda/bin/nvcc")
    two.add_argument("--barlint-nvcc", type=pathlib.Path,
                     default=gpu.ROOT / "build" / "barlint-nvcc")
    two.add_argument("--jobs", type=int, default=os.cpu_count())
    three = commands.add_parser("run")
    three.add_argument("--from", type=pathlib.Path, required=True)
    three.add_argument("--out", type=pathlib.Path, required=True)
    three.add_argument("--limit", type=float, default=6, metavar="SECONDS")
    three.add_argument("--jobs", type=int, default=8)
    three.add_argument("--after", type=pathlib.Path, metavar="RECORD",
                       help="go on after that run: what it has not seen, or has ended, runs")
    four = commands.add_parser("table")
    four.add_argument("record", type=pathlib.Path)
    four.add_argument("--explained", type=pathlib.Path)
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    if arguments.command == "table":
        explained = json.loads(arguments.explained.read_text()) if arguments.explained else {}
        print(table(json.loads(arguments.record.read_text()), explained), end="")
        return
    {"derive": derive, "build": build, "run": run}[arguments.command](arguments)


if __name__ == "__main__":
    sys.exit(main())
