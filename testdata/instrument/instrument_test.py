"""Instrumented PTX: each module here is instrumented as NAME.expected says, and ptxas takes it.

BARLINT_UPDATE=1 writes the expected files anew.
"""
import os
import pathlib
import re
import subprocess

import pytest

from conftest import BUILD, find_compiler

HERE = pathlib.Path(__file__).parent
MODULES = sorted(path for path in HERE.glob("*.ptx") if path.name != "hooks.ptx")
COMPILER = find_compiler()


def instrument(*arguments):
    return subprocess.run([BUILD / "barlint-instrument", *map(str, arguments)], check=True,
                          capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_golden(module):
    result = instrument(module)
    got = result.stdout + "\n" + instrument("--sites", module).stdout + result.stderr
    expected = module.with_suffix(".expected")
    if os.environ.get("BARLINT_UPDATE"):
        expected.write_text(got)
    assert got == expected.read_text()


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
@pytest.mark.parametrize("relocatable", [False, True], ids=["whole", "relocatable"])
def test_assembles(module, relocatable, tmp_path):
    if not COMPILER:
        pytest.skip("no ptxas on this machine")
    joined = tmp_path / "joined.ptx"
    joined.write_text(instrument(*["--relocatable"] * relocatable, module,
                                 HERE / "hooks.ptx").stdout)
    assert "// barlint: " in joined.read_text(), "nothing is instrumented when hooks are there"
    target = re.search(r"^\.target (\w+)", joined.read_text(), re.M).group(1)
    subprocess.run([COMPILER / "ptxas", f"-arch={target}", *(["-c"] if relocatable else []), joined,
                    "-o", tmp_path / "out.cubin"], check=True, timeout=60)


@pytest.mark.parametrize("size, refused", [(None, False), (999, True)])
def test_modules_of_different_versions_are_not_linked(size, refused, tmp_path):
    if not COMPILER:
        pytest.skip("no ptxas on this machine")
    one, other = (instrument("--relocatable", HERE / f"{name}.ptx", HERE / "hooks.ptx").stdout
                  for name in ("bypass", "rounds"))
    mark = "barlint_units_are_of_different_versions["
    assert mark in one
    if size:
        other = re.sub(re.escape(mark) + r"\d+", f"{mark}{size}", other)
    for name, text in (("one", one), ("other", other)):
        (tmp_path / f"{name}.ptx").write_text(text)
        subprocess.run([COMPILER / "ptxas", "-arch=sm_90a", "-c", f"{name}.ptx", "-o", f"{name}.cubin"],
                       cwd=tmp_path, check=True, timeout=60)
    result = subprocess.run([COMPILER / "nvlink", "-arch=sm_90a", "one.cubin", "other.cubin", "-o",
                             "all.cubin"], cwd=tmp_path, capture_output=True, text=True, check=False)
    said = result.stdout + result.stderr
    assert ("Size doesn't match for 'barlint_units_are_of_different_versions'" in said) == refused, said


def test_every_hook_is_called():
    """Each hook of the contract is called with as many arguments as it has, in some module."""
    header = (HERE.parents[1] / "include/barlint/runtime_check/hooks.h").read_text()
    hooks = {name: 0 if parameters == "void" else parameters.count(",") + 1 for name, parameters in
             re.findall(r"BARLINT_RT_HOOK \w+ (\w+)\(([^)]*)\)", header)}
    del hooks["barlint_rt_wait"]  # written out where it is needed
    assert len(hooks) > 8
    called = {}
    for module in MODULES:
        for name, arguments in re.findall(
                r"call\.uni (?:\(bl_r\), )?(barlint_rt_\w+)(?:, \(([^)]*)\))?;",
                instrument(module).stdout):
            called.setdefault(name, set()).add(arguments.count(",") + 1 if arguments else 0)
    assert called == {name: {count} for name, count in hooks.items()}


def test_only_what_needs_it_is_joined(tmp_path):
    """Without the module's variable, or without barriers, the module stays as it is."""
    block = (HERE / "block.ptx").read_text()
    plain = [block.replace("_ZL16barlint_rt_state", "something_else"),
             "\n".join(line for line in block.splitlines()
                       if not re.match(r"\t(?!\.reg|ret)", line)) + "\n"]
    for number, text in enumerate(plain):
        module = tmp_path / f"{number}.ptx"
        module.write_text(text)
        assert instrument(module, HERE / "hooks.ptx").stdout == text


def test_modules_that_share_hooks_link(tmp_path):
    if not COMPILER:
        pytest.skip("no nvlink on this machine")
    cubins = []
    for name in ("mbarrier", "waits", "guards"):
        joined = tmp_path / f"{name}.ptx"
        joined.write_text(instrument(HERE / f"{name}.ptx", HERE / "hooks.ptx").stdout)
        cubins.append(tmp_path / f"{name}.cubin")
        subprocess.run([COMPILER / "ptxas", "-arch=sm_90a", "-c", joined, "-o", cubins[-1]],
                       check=True, timeout=60)
    subprocess.run([COMPILER / "nvlink", "-arch=sm_90a", *cubins, "-o", tmp_path / "all.cubin"],
                   check=True, timeout=60)
