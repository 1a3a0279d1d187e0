#!/usr/bin/env python3
"""Stands for nvcc where there is none: says the steps of a build as nvcc does, and what it was
asked. Its tools are the words `cicc`, `ptxas` and so on of this same file.

The PTX that `cicc` makes is FAKE_PTX; `ptxas` refuses what contains FAKE_REFUSED.
"""
import os
import pathlib
import shutil
import sys

ME = pathlib.Path(sys.argv[0])


def after(words, option):
    return words[words.index(option) + 1]


def tool(name, words):
    if name == "cicc":
        shutil.copy(os.environ["FAKE_PTX"], after(words, "-o"))
    elif name == "ptxas":
        text = pathlib.Path(words[0]).read_text()
        if os.environ.get("FAKE_REFUSED", "\0") in text:
            print("ptxas error: refused", file=sys.stderr)
            return 255
        pathlib.Path(after(words, "-o")).write_text(text)
    elif name == "cudafe++":
        pathlib.Path(after(words, "--gen_c_file_name")).write_text("// host code\n")
    elif name == "gcc" and "-E" in words and ("bad" in words[-1] or "own" in words[-1]):
        print(f"a note\n{words[-1]}:1: error", file=sys.stderr)
        return 7
    elif name == "gcc" and "-c" in words:
        pathlib.Path(after(words, "-o")).write_text(
            f"{words}\n" + pathlib.Path(words[words.index("-c") + 1]).read_text())
    return 0


def dry_run(words):
    source = next(word for word in words if word.endswith(".cu"))
    output = after(words, "-o")
    stem = f"{os.environ['TMPDIR']}/tmpxft_1_{pathlib.Path(source).stem}"
    out = [f"CICC_PATH={ME.parent}", f"PATH={ME.parent}:{os.environ['PATH']}", "_SPACE_= ",
           f'gcc -E -x c++ "{source}"',
           f'cudafe++ --orig_src_path_name "/src/{source}" --gen_c_file_name "{stem}.cudafe1.cpp" '
           f'--module_id_file_name "{stem}.module_id" "{stem}.cpp4.ii"',
           f'"$CICC_PATH/cicc" --orig_src_path_name "/src/{source}" -arch compute_90a '
           f'--module_id_file_name "{stem}.module_id" "{stem}.ii" -o "{stem}.ptx"',
           f'ptxas "{stem}.ptx" -o "{stem}.cubin"',
           f"rm {stem}.fatbin",
           f'cp "{stem}.cubin" "{output}.cubin"',
           f'gcc -c "{stem}.cudafe1.cpp" -o "{output}"']
    print("nvcc warning : a warning", file=sys.stderr)
    for line in out:
        print("#$ " + line, file=sys.stderr)
    return 0


def nvcc(words):
    if "--broken" in words:
        print("nvcc fatal : broken", file=sys.stderr)
        return 3
    if "--dryrun" in words and any(word.endswith(".cu") for word in words):
        return dry_run(words)
    if "-rdc=true" in words and "-ptx" in words:
        shutil.copy(os.environ["FAKE_HOOKS"], after(words, "-o"))
        return 0
    if "bad.cu" in words:
        return tool("gcc", ["-E", "bad.cu"])
    if "own.cu" in words: # compiles without barlint's headers alone
        return 0
    print("nvcc was run:", words, os.environ.get("TMPDIR"))
    return 5 if "--version" not in words else 0


sys.exit(nvcc(sys.argv[1:]) if ME.name == "nvcc" else tool(ME.name, sys.argv[1:]))
