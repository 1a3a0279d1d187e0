#!/usr/bin/env python3
"""What runtime_check and synccheck report of wrong and right kernels, on a machine with a GPU.

    bench/gpu.py build --out build/gpu [--set planted,rules] [--cases DIR] [--kinds KINDS] [--only REGEX]
    bench/gpu.py run --from build/gpu --out DIR [--jobs N] [--skip synccheck,plain]

Two sets of cases: `planted`, the programs of runtime_check/planted, each also as its corrected twin
(-DCORRECT); and `rules`, bad_*.cu and good_*.cu of testdata/rules, each with a main that calls its
host function on memory filled with numbers, with four inputs (INPUTS) one after the other, as what
is wrong may show with some data only; bench/gpu.json names what some cases are called with instead,
that are made for certain sizes or go wrong with certain data only. Every case is built by nvcc, by `barlint nvcc`, and by nvcc with
<barlint/runtime_check.cuh> before it (where it has no inline assembly, which that does not see), and
run plainly, under `compute-sanitizer --tool synccheck`, and checked both ways, each with a time limit.

A wrong case counts as reported when one of the reports is of the rule it is for, or of one that
bench/gpu.json names as the same mistake seen at run time. Right cases are to be silent and to print
what the plain program prints.

`build` needs nvcc and build/barlint-nvcc (cmake --build build --target barlint-nvcc), no GPU.
`run` writes DIR/gpu.json with everything and DIR/gpu.md, the table.
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

ROOT = pathlib.Path(__file__).resolve().parent.parent
NOTES = json.loads((ROOT / "bench" / "gpu.json").read_text())
ARCH = ["-gencode", "arch=compute_90a,code=sm_90a", "-std=c++17", "-w"]
LIMITS = {"plain": 5, "synccheck": 12, "checked": 10}
SETS = ("planted", "rules")
# How a case is built: by nvcc, by `barlint nvcc`, by nvcc with one include.
KINDS = ("plain", "checked", "included")
WAYS = {"checked": "barlint nvcc", "included": "one include"}
BYTES = 16 << 20
LATE = "not begun in time" # of a case that is left out
# What the cases of the rules are called with: memory as an expression of the element's number, and
# numbers by the parameter's name. The data are alike enough for all lanes, differ from lane to lane,
# and differ from warp to warp. No number below 0 is put into memory of unsigned ones.
INPUTS = (
    {"memory": "i % 7 + 1", "": 4, "blocks": 8, "n": 1000, "mode": 1, "width": 64, "count": 64,
     "threads": 128, "limit": 2},
    {"memory": "i % 7", "": 9, "blocks": 3, "n": 77, "mode": 0, "width": 32, "count": 0,
     "threads": 64},
    {"memory": "i / 32 % 3 * 1000", "": 33, "blocks": 16, "n": 4000, "mode": 2, "width": 128,
     "count": 200, "threads": 256, "tiles": 1000, "rows": 300},
    # Nothing to do, entries that stand for none, and whole rows of them.
    {"memory": "i % 4 == 1 || i / 64 % 3 == 1 ? -1 : i % 7", "": 1, "blocks": 2, "n": 0, "mode": 3,
     "width": 64, "count": 12, "threads": 128, "tiles": 12, "pages": 12, "most": 12, "columns": 2048,
     "rounds": 0, "iterations": 0},
)

# --- Cases ---------------------------------------------------------------------------------------


def expectations(text, marker):
    """Line -> rules expected there, from `// expect: a` and lines with the marker alone. A statement
    that goes on over several lines is one place."""
    lines = {}
    source = text.splitlines()
    for number, line in enumerate(source, 1):
        found = re.search(r"//\s*expect:\s*([a-z|, -]+)", line)
        if marker and marker in line:
            lines[number] = []
        elif found and not marker:
            rules = re.findall(r"[a-z][a-z-]+", found.group(1))
            lines[number] = rules
            rest = number
            while rest < len(source) and not re.search(r"[;{}]\s*(//.*)?$", source[rest - 1]):
                rest += 1
                lines[rest] = rules
    return lines


def has_assembly(text):
    return re.search(r"\basm\b|__asm__", re.sub(r"//.*", "", text)) is not None


def planted_cases():
    for path in sorted((ROOT / "runtime_check" / "planted").glob("*.cu")):
        text = path.read_text()
        first = text.splitlines()[0]
        rules = first.removeprefix("// expect:").strip().split("|")
        lines = sorted(expectations(text, "// reported here"))
        base = {"set": "planted", "source": str(path.relative_to(ROOT)), "rules": rules,
                "can_include": not has_assembly(text), "lines": lines, "accepted": rules,
                "not_decidable": {}}
        yield {**base, "name": f"{path.stem}.bad", "wrong": True, "flags": []}
        yield {**base, "name": f"{path.stem}.good", "wrong": False, "flags": ["-DCORRECT"]}


def undecidable(name, way):
    """Why a case cannot be told at run time that way; None when it can be."""
    for notes in (NOTES["not_at_run_time"], NOTES[f"not_by_{way}"]):
        reason = notes.get(name) or notes.get(name.split(".")[0])
        if reason:
            return reason
    return None


def rule_cases(folder):
    for path in sorted(folder.glob("*/*.cu")):
        text = path.read_text()
        rule = path.parent.name
        wrong = path.name.startswith("bad_")
        lines = expectations(text, None)
        rules = sorted({rule for names in lines.values() for rule in names}) or [rule]
        accepted = sorted({also for name in rules for also in NOTES["also"].get(name, [])} |
                          set(rules))
        yield {"set": "rules", "source": os.path.relpath(path, ROOT), "rules": rules,
               "accepted": accepted, "lines": sorted(lines), "wrong": wrong, "flags": [],
               "can_include": not has_assembly(text),
               "not_decidable": {way: reason for way in WAYS
                                 if (reason := undecidable(f"{rule}.{path.stem}", way))},
               "name": f"{rule}.{path.stem}"}


def inputs_of(name):
    """What a case is called with: INPUTS, but for what bench/gpu.json says of it."""
    own = {word: value for word, value in NOTES["inputs"].get(name, {}).items() if word != "why"}
    return [{**given, **{word: value[number % len(value)] if isinstance(value, list) else value
                         for word, value in own.items()}} for number, given in enumerate(INPUTS)]


def host_call(text, inputs=INPUTS):
    """C++ statements that call a case's host function; None when it has none that can be called."""
    found = re.findall(r"^\s*(?:void|int|cudaError_t)\s+((?:run|launch)\w*)\(([^)]*)\)\s*\n?\{", text,
                       re.M)
    if not found:
        return None
    name, parameters = found[-1]
    arguments = []
    for parameter in filter(None, map(str.strip, parameters.split(","))):
        pointer = re.match(r"(.*\*)\s*(?:__restrict__\s*)?(\w+)$", " ".join(parameter.split()))
        if pointer:
            element = pointer.group(1).replace("const", "").replace("*", "").strip()
            kind = "float" if "float" in element else "int"
            arguments.append(f"({pointer.group(1)})memory_of<{kind}, {element}>(input)")
        elif "&" in parameter:
            return None
        elif parameter.startswith("bool"):
            arguments.append("input != 1")
        elif parameter.startswith("cudaStream_t"):
            arguments.append("0")
        else:
            word = parameter.split()[-1]
            numbers = ", ".join(str(given.get(word, given[""])) for given in inputs)
            arguments.append(f"of(input, {numbers})")
    return f"{name}({', '.join(arguments)});"


def with_main(case):
    """A whole program of a case of the rules; None when it cannot be made."""
    path = ROOT / case["source"]
    inputs = inputs_of(case["name"])
    call = host_call(path.read_text(), inputs)
    if call is None:
        return None
    values = ", ".join(f"double({given['memory']})" for given in inputs)
    # Numbers that are none are for cases that have nothing to say of their data.
    odd = str("memory" not in NOTES["inputs"].get(case["name"], {})).lower()
    return f"""#include "{path}"
#include <algorithm>
#include <cstdio>
#include <limits>
#include <type_traits>
#include <vector>

// As much of an Element's as there is room for: one that is more than numbers has to be made.
template <class T, class Element> T *memory_of(int input)
{{
    static_assert(std::is_copy_assignable<Element>::value, "not to be filled with numbers");
    std::vector<T> host({BYTES} / sizeof(T));
    for (int i = 0; i < static_cast<int>(host.size()); ++i) {{
        const double values[] = {{{values}}};
        host[i] = static_cast<T>(std::is_unsigned<T>::value ? std::max(values[input], 0.0)
                                                            : values[input]);
        if ({odd} && std::is_floating_point<T>::value && input == 1 && i % 41 == 40)
            host[i] = std::numeric_limits<T>::quiet_NaN();
        if ({odd} && std::is_floating_point<T>::value && input == 3 && i / 32 % 3 == 2)
            host[i] = std::numeric_limits<T>::infinity();
    }}
    void *memory = nullptr;
    cudaMalloc(&memory, {BYTES});
    cudaMemcpy(memory, host.data(), {BYTES}, cudaMemcpyHostToDevice);
    return static_cast<T *>(memory);
}}

template <class... Numbers> int of(int input, Numbers... numbers)
{{
    const int given[] = {{numbers...}};
    return given[input];
}}

int main()
{{
    cudaError_t first = cudaSuccess;
    for (int input = 0; input < {len(INPUTS)}; ++input) {{
        {call}
        cudaError_t error = cudaDeviceSynchronize(), launched = cudaGetLastError();
        error = error == cudaSuccess ? launched : error;
        first = first == cudaSuccess ? error : first;
    }}
    std::printf("%s\\n", cudaGetErrorName(first));
    return first != cudaSuccess;
}}
"""


def all_cases(arguments):
    cases = []
    if "planted" in arguments.set:
        cases += planted_cases()
    if "rules" in arguments.set:
        cases += rule_cases(arguments.cases)
    # What the comments of a source suppress, only the analyzer reads.
    cases = [case for case in cases if not case["name"].startswith("unused-suppression.")]
    cases = [case for case in cases if not arguments.only or re.search(arguments.only, case["name"])]
    if arguments.decidable:
        cases = [case for case in cases if not case["wrong"] or
                 any(kind not in case["not_decidable"] for kind in arguments.kinds)]
    if arguments.per_rule:
        kept, seen = [], {}
        for case in cases:
            key = (case["name"].split(".")[0], case["wrong"])
            seen[key] = seen.get(key, 0) + 1
            if case["set"] == "planted" or seen[key] <= arguments.per_rule:
                kept.append(case)
        cases = kept
    return cases


# --- Building ------------------------------------------------------------------------------------


def compile_program(compiler, source, path, flags=()):
    """Builds one program. Returns an error's text, or None."""
    result = subprocess.run([*compiler, *ARCH, "-cudart", "shared", *flags, "-o", str(path),
                             str(source)], capture_output=True, text=True, check=False)
    if result.returncode != 0 or "is built without checks" in result.stderr:
        return (result.stderr + result.stdout).strip()[-2000:]
    subprocess.run(["strip", str(path)], check=False)
    return None


def compile_case(case, compiler, path, folder):
    source = ROOT / case["source"]
    text = with_main(case) if case["set"] == "rules" else f'#include "{source}"\n'
    if text is None:
        return "its host function cannot be called"
    included = path.parent.name == "included"
    if case["set"] == "rules" or included:
        source = folder / f"{case['name']}.{path.parent.name}.cu"
        source.write_text("#include <barlint/runtime_check.cuh>\n" * included + text)
    return compile_program(compiler, source, path, case["flags"])


def build(arguments):
    cases = all_cases(arguments)
    compilers = {"plain": [arguments.nvcc], "checked": [str(arguments.barlint_nvcc)],
                 "included": [arguments.nvcc, "-I", str(ROOT / "include")]}
    compilers = {kind: compilers[kind] for kind in arguments.kinds}
    os.environ.setdefault("BARLINT_NVCC", arguments.nvcc)
    for kind in compilers:
        (arguments.out / kind).mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()

    def in_time(*case):
        late = arguments.within and time.monotonic() - begun > arguments.within
        return LATE if late else compile_case(*case)

    with tempfile.TemporaryDirectory() as temporary, \
            concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        folder = pathlib.Path(temporary)
        # The hooks are compiled once, by the first, and kept for the others.
        if cases and "checked" in compilers:
            compile_case(cases[0], compilers["checked"], folder / "first", folder)
        futures = {(case["name"], kind): pool.submit(in_time, case, compiler,
                                                     arguments.out / kind / case["name"], folder)
                   for case in cases for kind, compiler in compilers.items()
                   if kind != "included" or case["can_include"]}
        failed = 0
        for case in cases:
            case["build"] = {kind: futures[case["name"], kind].result() for kind in compilers
                             if (case["name"], kind) in futures}
        late = [case for case in cases if LATE in case["build"].values()]
        cases = [case for case in cases if case not in late]
        for case in cases:
            failed += any(case["build"].values())
            for kind, error in case["build"].items():
                if error:
                    print(f"{case['name']} ({kind}): {error.splitlines()[-1]}", file=sys.stderr)
    (arguments.out / "cases.json").write_text(json.dumps(cases, indent=1) + "\n")
    print(f"{len(cases)} cases, {failed} not built, {len(late)} left out for time, "
          f"{time.monotonic() - begun:.0f} s")
    return 0


# --- Running -------------------------------------------------------------------------------------


def execute(command, limit, **environment):
    """Status (None: killed at the limit), output and seconds."""
    begun = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               errors="replace", env={**os.environ, **environment},
                               start_new_session=True)
    try:
        output, _ = process.communicate(timeout=limit)
        status = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        output, _ = process.communicate()
        status = None
    return status, output, round(time.monotonic() - begun, 2)


def outcome_of(status, output):
    if status is None:
        return "hangs"
    error = re.search(r"cudaError\w+", output)
    return error.group(0) if error else "passes" if status == 0 else f"status {status}"


def run_plain(binary, limit):
    status, output, seconds = execute([str(binary)], limit)
    return {"outcome": outcome_of(status, output), "output": output[-500:], "seconds": seconds}


def run_synccheck(binary, sanitizer, limit):
    status, output, seconds = execute([sanitizer, "--tool", "synccheck", str(binary)], limit)
    said = sorted(set(re.findall(r"Barrier error detected\. ([^.\n]+)", output)))
    if not said and "Barrier error detected" in output:
        said = ["Barrier error"]
    return {"said": said, "hangs": status is None, "outcome": outcome_of(status, output),
            "seconds": seconds, "output": "" if said else output[-1000:]}


def lines_of(report, source):
    """The lines of the case's file that a report names: where it is, the calls it came through
    included, where the barrier was initialised or its generation begun, and, of a hang, where the
    threads are."""
    named = [report.get("at"), report.get("initialised_at"), report.get("begun_at"),
             *(place.get("at") for place in report.get("places", []))]
    chain = [place for at in named if at for place in (at, *at.get("inlined_at", []))]
    name = pathlib.Path(source).name
    return [place["line"] for place in chain if pathlib.Path(place.get("file", "")).name == name]


def run_checked(case, binary, limit):
    with tempfile.TemporaryDirectory() as folder:
        lines = pathlib.Path(folder) / "reports"
        text = pathlib.Path(folder) / "text" # so that the output is the program's own
        status, output, seconds = execute([str(binary)], limit, BARLINT_RT_JSON=str(lines),
                                          BARLINT_RT_LOG=str(text), BARLINT_RT_PEDANTIC="1")
        reports = [json.loads(line) for line in lines.read_text().splitlines()] \
            if lines.exists() else []
        reports = [report for report in reports if "rule" in report] # the rest tells of places
    right = [report for report in reports if report["rule"] in case["accepted"]]
    return {"outcome": outcome_of(status, output), "seconds": seconds,
            "rules": sorted({report["rule"] for report in reports}), "found": bool(right),
            "note": all(report["level"] == "note" for report in right),
            "asked": all(report["pedantic"] for report in right), # shown with BARLINT_RT_PEDANTIC alone
            "hang": any(report["kind"] == "hang" for report in right),
            "line_right": any(set(lines_of(report, case["source"])) & set(case["lines"])
                              for report in right),
            "output": output[-2000:], "reports": reports}


def run_case(case, arguments):
    folder = getattr(arguments, "from")
    result = dict(case)
    if any(case["build"].values()):
        return result
    plain = folder / "plain" / case["name"]
    if "plain" not in arguments.skip:
        result["plain"] = run_plain(plain, arguments.limit_plain)
    if "synccheck" not in arguments.skip and case["set"] in arguments.synccheck_set:
        result["synccheck"] = run_synccheck(plain, arguments.sanitizer, arguments.limit_synccheck)
    for way in WAYS:
        if way not in case["build"] or way in arguments.skip:
            continue
        check = result[way] = run_checked(case, folder / way / case["name"], arguments.limit_checked)
        if not case["wrong"] and "plain" in result:
            check["same_output"] = (check["output"][-500:].strip() ==
                                    result["plain"]["output"].strip())
    return result


def capture(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        return ""


def run(arguments):
    folder = getattr(arguments, "from")
    cases = json.loads((folder / "cases.json").read_text())
    cases = [case for case in cases if not arguments.only or re.search(arguments.only, case["name"])]
    device = capture("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader")
    toolkit = pathlib.Path(arguments.sanitizer).parent.parent
    os.environ["LD_LIBRARY_PATH"] = ":".join(filter(None, [
        f"{toolkit}/lib64", "/usr/local/cuda/lib64", os.environ.get("LD_LIBRARY_PATH", "")]))
    arguments.out.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()

    def in_time(case):
        late = arguments.within and time.monotonic() - begun > arguments.within
        return None if late else run_case(case, arguments)

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = [result for result in pool.map(in_time, cases) if result]
    if len(results) < len(cases):
        print(f"{len(cases) - len(results)} of {len(cases)} cases were not run, for time")
    record = {"date": datetime.date.today().isoformat(), "device": device,
              "synccheck": (capture(arguments.sanitizer, "--version").splitlines() or [""])[-1],
              "seconds": round(time.monotonic() - begun), "cases": results}
    (arguments.out / "gpu.json").write_text(json.dumps(record, indent=1) + "\n")
    table = tables(record)
    (arguments.out / "gpu.md").write_text(table)
    print(table)
    return 0


# --- The table -----------------------------------------------------------------------------------


def synccheck_cell(result):
    check = result.get("synccheck")
    if not check:
        return "–"
    said = ", ".join(check["said"])
    if check["hangs"]:
        return f"{said}; hangs" if said else "hangs, nothing said"
    return said or "nothing"


def checked_cell(check):
    rules = ", ".join(check["rules"]) or "nothing"
    return f"{rules}; hangs" if check["outcome"] == "hangs" else rules


def alarms_in(check):
    """Whether there is a report that is more than a note."""
    return any(report["level"] != "note" for report in check["reports"])


def verdict(result, way):
    check = result[way]
    if result["wrong"]:
        if not check["found"]:
            return "not decidable" if way in result["not_decidable"] else "missed"
        place = "" if check["line_right"] else ", where it hangs" if check["hang"] else ", other line"
        said = "asked" if check["asked"] else "note" if check["note"] else "reported"
        return f"{said}{place}"
    if alarms_in(check):
        return "false alarm"
    return "silent" if check.get("same_output", True) else "silent, other output"


def counts(results, name, way):
    results = [result for result in results if way in result]
    wrong = [result for result in results if result["wrong"] and
             (result[way]["found"] or way not in result["not_decidable"])]
    right = [result for result in results if not result["wrong"]]
    verdicts = collections.Counter(verdict(result, way) for result in wrong)
    reported = len(wrong) - verdicts["missed"]
    notes, asked = (sum(count for said, count in verdicts.items() if said.startswith(begin))
                    for begin in ("note", "asked"))
    at_line = verdicts["reported"] + verdicts["note"] + verdicts["asked"]
    stuck = verdicts["reported, where it hangs"]
    hung = sum(result[way]["outcome"] == "hangs" for result in results)
    alarms = sum(alarms_in(result[way]) for result in right)
    slowest = max((result[way]["seconds"] for result in results), default=0)
    text = (f"{name}, {WAYS[way]}: {reported} of {len(wrong)} wrong programs that can be told are "
            f"({notes} as notes, {asked} more as notes with BARLINT_RT_PEDANTIC), {at_line} at the right line, {stuck} more as "
            f"hangs, at the wait; {alarms} of {len(right)} right ones reported; {hung} checked programs "
            f"hang, the slowest took {slowest:.1f} s.")
    seen = [result for result in wrong if "synccheck" in result]
    if seen and way == "checked":
        said = sum(bool(result["synccheck"]["said"]) for result in seen)
        false = sum(bool(result["synccheck"]["said"]) for result in right if "synccheck" in result)
        text += f" synccheck: {said} of {len(seen)}, and {false} of the right ones."
    return text


def tables(record):
    out = [f"Measured {record['date']} on {record['device'] or 'an unknown device'}; synccheck "
           f"{record['synccheck']}. Made by `bench/gpu.py`.", ""]
    for name in SETS:
        results = [case for case in record["cases"] if case["set"] == name]
        ways = [way for way in WAYS if any(way in result for result in results)]
        results = [result for result in results if any(way in result for way in ways)]
        if not results:
            continue
        out += [line for way in ways for line in (counts(results, name, way), "")]
        out += ["| case | expected | plain run | synccheck | " +
                " | ".join(f"{WAYS[way]} | | s" for way in ways) + " |",
                "| --- " * (4 + 3 * len(ways)) + "|"]
        for result in results:
            plain = result.get("plain", {}).get("outcome", "–")
            expected = ", ".join(result["rules"]) if result["wrong"] else "nothing"
            cells = [result["name"], expected, plain, synccheck_cell(result)]
            for way in ways:
                check = result.get(way)
                cells += [checked_cell(check), verdict(result, way),
                          f"{check['seconds']:.1f}"] if check else ["–", "–", "–"]
            out.append(f"| {' | '.join(cells)} |")
        out.append("")
    unbuilt = [case["name"] for case in record["cases"] if not any(way in case for way in WAYS)]
    if unbuilt:
        out += [f"Not built: {', '.join(unbuilt)}.", ""]
    return "\n".join(out)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("build", help="build the programs; needs no GPU")
    one.add_argument("--out", type=pathlib.Path, required=True)
    one.add_argument("--set", type=lambda text: text.split(","), default=list(SETS))
    one.add_argument("--cases", type=pathlib.Path, default=ROOT / "testdata" / "rules", metavar="DIR",
                     help="where the set of rules lies: DIR/RULE/bad_*.cu and good_*.cu")
    one.add_argument("--kinds", type=lambda text: text.split(","), default=list(KINDS),
                     help="of plain, checked and included")
    one.add_argument("--per-rule", type=int, default=0,
                     help="at most this many bad and as many good cases of each rule")
    one.add_argument("--decidable", action="store_true",
                     help="without the wrong ones that cannot be told at run time")
    one.add_argument("--nvcc", default="/usr/local/cuda/bin/nvcc")
    one.add_argument("--barlint-nvcc", type=pathlib.Path, default=ROOT / "build" / "barlint-nvcc")
    two = commands.add_parser("run", help="run them; needs a GPU")
    two.add_argument("--from", type=pathlib.Path, required=True)
    two.add_argument("--out", type=pathlib.Path, required=True)
    two.add_argument("--skip", type=lambda text: text.split(","), default=[],
                     help="of plain, synccheck, checked and included")
    two.add_argument("--synccheck-set", type=lambda text: text.split(","), default=["planted"])
    two.add_argument("--sanitizer", default="/usr/local/cuda/bin/compute-sanitizer")
    for kind, seconds in LIMITS.items():
        two.add_argument(f"--limit-{kind}", type=float, default=seconds, metavar="SECONDS")
    for command in (one, two):
        command.add_argument("--within", type=float, metavar="SECONDS",
                             help="begins no case later, and says how many it left out")
        command.add_argument("--only", metavar="REGEX", help="cases whose name matches")
    one.add_argument("--jobs", type=int, default=os.cpu_count())
    two.add_argument("--jobs", type=int, default=1,
                     help="programs at a time; more than one makes the seconds meaningless")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    return build(arguments) if arguments.command == "build" else run(arguments)


if __name__ == "__main__":
    sys.exit(main())
