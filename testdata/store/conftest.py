"""A project to be analysed again and again, over a store of its own."""
import json
import os
import re
import subprocess

import pytest

from conftest import BARLINT, run_barlint

HEADER = """#pragma once
#ifndef WIDTH
#define WIDTH 16
#endif
__device__ inline bool is_low(int thread) { return thread < WIDTH; }
"""
UNIT = """#include "shared.cuh"
__global__ void kernel_{number}(int *p) {{
    if (is_low(threadIdx.x))
        __syncthreads();
    p[threadIdx.x] = 1;
}}
void launch_{number}(int *p) {{ kernel_{number}<<<1, 32>>>(p); }}
"""


class Project:
    """Units that share a header, and the ways to run barlint over them."""

    def __init__(self, folder, units=4):
        self.folder = folder / "project"
        self.cache = folder / "cache"
        self.environment = {**os.environ, "BARLINT_CACHE_DIR": str(self.cache)}
        self.options = ["--headers=builtin"]
        (self.folder / "inc").mkdir(parents=True)
        (self.folder / "late").mkdir()
        self.write("inc/shared.cuh", HEADER)
        for number in range(units):
            self.write(f"unit_{number}.cu", UNIT.format(number=number))
        self.commands(*[f"unit_{number}.cu" for number in range(units)])

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def commands(self, *files, more=""):
        self.write("compile_commands.json", json.dumps(
            [{"directory": str(self.folder), "file": file,
              "command": f"nvcc -I. -Ilate -Iinc -std=c++17 -arch=sm_90 {more} -c {file}"}
             for file in files]))

    def start(self, *arguments, environment=None, **more):
        command = [str(BARLINT), "check", "--format=json", *self.options, *arguments]
        return subprocess.Popen(command, cwd=self.folder, env=environment or self.environment,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)

    def run(self, *arguments, environment=None, **more):
        """(status, standard output, standard error)"""
        process = self.start(*arguments, environment=environment, **more)
        output, errors = process.communicate(timeout=300)
        return process.returncode, output, errors

    def cold(self, *arguments, environment=None):
        return self.run("--no-cache", *arguments, environment=environment)[:2]

    def found(self, *arguments, environment=None):
        """How many units came from the store; what was said must be what a cold run says."""
        status, output, errors = self.run("--stats", *arguments, environment=environment)
        assert (status, output) == self.cold(*arguments, environment=environment)
        return self.numbers(errors)[0]

    @staticmethod
    def numbers(errors):
        """How many units came from the store, and how many kernels of the others."""
        line = next(line for line in errors.splitlines() if line.startswith("files:"))
        return tuple(map(int, re.search(r"; (\d+) units? from the store, (\d+) kernels? of",
                                        line).groups()))

    def kernels(self, *arguments):
        """The same of kernels: with what is said compared."""
        status, output, errors = self.run("--stats", *arguments)
        assert (status, output) == self.cold(*arguments)
        return self.numbers(errors)[1]

    def database(self):
        files = list((self.cache / "store").glob("*.sqlite"))
        assert len(files) == 1
        return files[0]


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path)
