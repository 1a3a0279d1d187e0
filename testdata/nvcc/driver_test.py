"""Launches and modules of the driver's API in programs of `barlint nvcc`: a stand-in for libcuda says
what reaches it."""
import os
import re
import subprocess

import pytest

from conftest import ROOT

HEADER = ROOT / "include" / "barlint" / "runtime_check" / "driver.h"
HOST = ROOT / "testdata" / "nvcc" / "host.h"
# The module's memory is that of the process: its state and its table of places.
DRIVER = r"""
#include <stdio.h>
#include <string.h>
#include <unistd.h>
extern int current_device;
unsigned long long state[2], *state_at[] = {state, state + 1};
static char places[] = "7\t2\t1\n12\t5\t0\t4\t/a file.cu\tkernel(int)\tbar.sync\n";
int cuLaunchKernel(void *f) { printf("real launch, state %llx\n", state[current_device]); return 0; }
int cuLaunchKernelEx(const void *c) { puts("real launch with a configuration"); return 0; }
int cuGraphLaunch(void *g, void *s) { puts("real graph"); return 0; }
int cuModuleLoadData(void **module, const void *image)
{
    *module = (void *)image;
    return strcmp(image, "broken") == 0 ? 200 : 0;
}
int cuLibraryLoadData(void **library, const void *image) { *library = (void *)image; return 0; }
int cuLibraryUnload(void *library) { puts("unloaded"); state[0] = state[1] = 0; return 0; }
static int global_of(unsigned long long *at, size_t *size, void *module, const char *name)
{
    int checked = strcmp(module, "checked") == 0, is_state = strcmp(name, STATE_AT) == 0;
    *at = (unsigned long long)(is_state ? (void *)&state_at[current_device] : (void *)places);
    *size = is_state ? 8 : sizeof places - 1;
    return checked ? 0 : 500;
}
int cuModuleGetGlobal_v2(unsigned long long *at, size_t *size, void *module, const char *name)
{ return global_of(at, size, module, name); }
int cuLibraryGetGlobal(unsigned long long *at, size_t *size, void *module, const char *name)
{ usleep(20000); return global_of(at, size, module, name); }
"""
# A unit of `barlint nvcc`, and one of another compiler that uses the driver.
UNIT = (f'#include "{HOST}"\n#include "driver.h"\n'
        '__attribute__((weak)) void reset_here() { barlint_rt_forget_device(); }\n')
MAIN = r"""
#include <cstdio>
#include <thread>
#include <vector>
extern "C" {
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
                   void **, void **);
int cuGraphLaunch(void *, void *);
int cuModuleLoadData(void **, const void *);
int cuLibraryLoadData(void **, const void *, void *, void **, unsigned, void *, void **, unsigned);
int cuLibraryUnload(void *);
extern unsigned long long state[];
}
extern int fails;
extern int current_device;
void reset_here();
static void launch_on(int device)
{
    current_device = device;
    cuLaunchKernel(0, 1, 1, 1, 32, 1, 1, 0, 0, 0, 0);
}
int main(int, char **argument)
{
    void *module;
    setvbuf(stdout, nullptr, _IONBF, 0);
    if (argument[1][0] == 'd') { // on two devices, and once more from the beginning
        for (int i = 0; i < 2; i++) {
            cuLibraryLoadData(&module, "checked", 0, 0, 0, 0, 0, 0);
            for (int device : {0, 1, 1, 0})
                launch_on(device);
            cuLibraryUnload(module);
            launch_on(0);
        }
        return 0;
    } else if (argument[1][0] == 'r') { // the state lies where it lay before the reset
        cuLibraryLoadData(&module, "checked", 0, 0, 0, 0, 0, 0);
        fails = 1;
        for (int i = 0; i < 2; i++)
            launch_on(0);
        reset_here();
        state[0] = 0;
        launch_on(0);
        return 0;
    } else if (argument[1][0] == 'l') {
        cuLibraryLoadData(&module, "checked", 0, 0, 0, 0, 0, 0);
    } else {
        std::printf("loaded: %d\n", cuModuleLoadData(&module, argument[1]));
        cuModuleLoadData(&module, argument[1]);
    }
    std::vector<std::thread> threads(argument[2] ? 6 : 0);
    for (std::thread &one : threads)
        one = std::thread([] { cuLaunchKernel(0, 1, 1, 1, 32, 1, 1, 0, 0, 0, 0); });
    for (std::thread &one : threads)
        one.join();
    cuLaunchKernel(0, 1, 1, 1, 32, 1, 1, 0, 0, 0, 0);
    cuGraphLaunch(0, 0);
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    folder = tmp_path_factory.mktemp("driver")
    driver = "#include <sites.h>\n#define STATE_AT BARLINT_RT_STATE_AT\n" + DRIVER
    for name, text in (("cuda.c", driver), ("unit.cpp", UNIT), ("again.cpp", UNIT), ("main.cpp", MAIN)):
        (folder / name).write_text(text)
    for command in (["cc", "-shared", "-fPIC", "-w", f"-I{HEADER.parent}", "-o", "libcuda.so.1",
                     "cuda.c"],
                    ["c++", "-w", "-rdynamic", f"-I{HEADER.parent}", "-o", "program", "main.cpp", "unit.cpp",
                     "again.cpp", "libcuda.so.1", "-ldl", "-pthread"]):
        result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr
    return folder / "program"


def run(program, *arguments):
    result = subprocess.run([program, *arguments], capture_output=True, text=True, check=False,
                            timeout=20, env={**os.environ, "LD_LIBRARY_PATH": str(program.parent)})
    assert result.returncode == 0, result.stderr
    return result.stdout, result.stderr


def test_a_checked_module_gets_its_state_and_tells_its_places(program):
    out, said = run(program, "checked")
    assert out == "loaded: 0\nreal launch, state 1234\nreal graph\n"
    assert "module of 3 places" in said
    assert "2: /a file.cu:12:5 bar.sync in kernel(int), 0" in said
    assert said.count("launch\n") == 4 # prepared before each load's adoption, the launch, the graph


def test_a_library_is_seen_to_at_the_launch(program):
    out, said = run(program, "library")
    assert "real launch, state 1234" in out
    assert "module of 3 places" in said


def test_a_library_has_a_state_on_each_device(program):
    """Its places are told once; one that is unloaded is forgotten, and may come back."""
    out, said = run(program, "devices")
    of_one_life = [f"real launch, state {state}" for state in ("1234", "1235", "1235", "1234")]
    assert out.splitlines() == [*of_one_life, "unloaded", "real launch, state 0"] * 2
    assert said.count("module of 3 places") == 1


def test_a_library_whose_device_fails_once_and_is_reset(program):
    out, said = run(program, "reset")
    assert out.splitlines() == [f"real launch, state {state}" for state in ("0", "1234", "1234")]
    assert said.count("module of 3 places") == 1 and "is not checked" not in said


def test_threads_that_launch_wait_for_the_library(program):
    out, said = run(program, "library", "threads")
    assert out.count("real launch, state 1234") == 7 and "state 0" not in out
    assert said.count("module of 3 places") == 1


def test_of_other_modules_it_is_said_once_that_nothing_is_checked(program):
    out, said = run(program, "foreign")
    assert "real launch, state 0" in out
    assert len(re.findall("is not checked", said)) == 1


def test_errors_are_the_drivers(program):
    out, said = run(program, "broken")
    assert out.startswith("loaded: 200\n")
    assert "places" not in said and "not checked" not in said
