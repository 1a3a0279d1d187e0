"""What the tests of the reports share: a project with findings, and names that hurt."""
import os
import subprocess

import pytest

from conftest import run_barlint

WRONG = """\
__device__ void warp_sync(int id)
{
    asm volatile("bar.sync %0, 32;" ::"r"(id) : "memory");
}

__global__ void scale(float *rows)
{
    warp_sync(threadIdx.x / 32);
    rows[threadIdx.x] *= 2.0f;
}

void run(float *rows)
{
    scale<<<1, 1024>>>(rows);
}
"""
RIGHT = WRONG.replace("1024", "512")
# Two roles, of which one is late: its notes name both.
ROLES = """\
__global__ void halves(float *rows)
{
    if (threadIdx.x < 64)
        asm volatile("bar.sync 1, 128;" ::: "memory");
    rows[threadIdx.x] *= 2.0f;
}

void run(float *rows)
{
    halves<<<1, 128>>>(rows);
}
"""
# File names with what some format or shell gives a meaning.
NASTY = ["two words.cu", "100%, a:b;c.cu", "new\nline.cu", "quo\"te'<&>]]>.cu", "::error::x.cu",
         "tab\tand\x01.cu", "漢字é.cu", os.fsdecode(b"latin\xe9.cu"), "--help.cu", "#a?b=c.cu"]


def check(folder, *arguments, **more):
    return run_barlint("check", "--headers=builtin", *arguments, cwd=folder, **more)


def git(folder, *arguments):
    return subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@example.com",
                           "-c", "init.defaultBranch=main", "-c", "commit.gpgsign=false",
                           *arguments], cwd=folder, check=True, capture_output=True).stdout


@pytest.fixture
def project(tmp_path):
    (tmp_path / "wrong.cu").write_text(WRONG)
    (tmp_path / "right.cu").write_text(RIGHT)
    return tmp_path


@pytest.fixture
def nasty(tmp_path):
    """A project of nothing but bad names, and with bytes that are no UTF-8 and CR LF in a source."""
    for name in NASTY:
        (tmp_path / name).write_text(WRONG)
    (tmp_path / "bytes.cu").write_bytes(
        WRONG.replace("    warp_sync(", "    /* \x01 -- é ]]> */ warp_sync(")
        .replace("\n", "\r\n").encode("latin-1"))
    return tmp_path
