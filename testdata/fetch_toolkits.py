#!/usr/bin/env python3
"""Fetches the headers of one CUDA toolkit of each major version from NVIDIA's wheels on PyPI, and a
compiler where there is none.

usage: fetch_toolkits.py FOLDER

Each lands in FOLDER/cuda-VERSION with an `include` folder as a toolkit has one. What is there
already is kept. A version that cannot be fetched is said so and left out: the tests that want it
are then skipped. Nothing but headers and the version file is unpacked.

Without nvcc on PATH nor in /usr/local/cuda, FOLDER/nvcc-VERSION becomes a toolkit that compiles.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

TOOLKITS = {
    "11.8": ["nvidia-cuda-runtime-cu11==11.8.89", "nvidia-cuda-nvcc-cu11==11.8.89",
             "nvidia-cuda-cccl-cu11==11.8.89.post1", "nvidia-curand-cu11==10.3.0.86"],
    "12.9": ["nvidia-cuda-runtime-cu12==12.9.79", "nvidia-cuda-nvcc-cu12==12.9.86",
             "nvidia-cuda-cccl-cu12==12.9.27", "nvidia-curand-cu12==10.3.10.19"],
    "13.0": ["nvidia-cuda-runtime==13.0.88", "nvidia-cuda-crt==13.0.88",
             "nvidia-cuda-cccl==13.0.85", "nvidia-curand==10.4.0.35"],
}

COMPILER = ("13.0", ["nvidia-cuda-nvcc==13.0.88", "nvidia-nvvm==13.0.88", "nvidia-cuda-crt==13.0.88",
                     "nvidia-cuda-runtime==13.0.88", "nvidia-cuda-cccl==13.0.85"])


def unpack_all(wheel, folder):
    """Puts what the wheel has for its toolkit (nvidia/cu13) into folder; programs can be run."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            parts = pathlib.PurePosixPath(name).parts
            if name.endswith("/") or len(parts) < 3 or parts[0] != "nvidia":
                continue
            target = folder.joinpath(*parts[2:])
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(archive.read(name))
            if target.parent.name == "bin":
                target.chmod(0o755)


def unpack(wheel, folder):
    """Puts what lies in an `include` folder of the wheel into folder/include."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            parts = pathlib.PurePosixPath(name).parts
            if name.endswith("/") or "include" not in parts or parts[0] != "nvidia":
                continue
            target = folder.joinpath(*parts[parts.index("include"):])
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(archive.read(name))


def fetch(version, packages, root, kind="cuda", witness="include/cuda_runtime.h", take=unpack):
    folder = root / f"{kind}-{version}"
    if (folder / witness).exists():
        return True
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
                   "--disable-pip-version-check", "--only-binary=:all:", "--dest", scratch, *packages]
        result = subprocess.run(command, capture_output=True, text=True, timeout=900)
        if result.returncode != 0:
            reason = (result.stderr.strip().splitlines() or ["pip failed"])[-1]
            print(f"CUDA {version} cannot be fetched, its tests are skipped: {reason}")
            return False
        part = root / f".part-{kind}-{version}"
        shutil.rmtree(part, ignore_errors=True)
        for wheel in pathlib.Path(scratch).glob("*.whl"):
            take(wheel, part)
        shutil.rmtree(folder, ignore_errors=True)
        part.rename(folder)
    print(f"CUDA {version}: {'headers' if kind == 'cuda' else 'compiler'} in {folder}")
    return True


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.splitlines()[2])
    root = pathlib.Path(sys.argv[1])
    root.mkdir(parents=True, exist_ok=True)
    jobs = [(version, packages, root) for version, packages in TOOLKITS.items()]
    if not shutil.which("nvcc") and not pathlib.Path("/usr/local/cuda/bin/nvcc").exists():
        jobs.append((*COMPILER, root, "nvcc", "bin/nvcc", unpack_all))
    for job in jobs:
        try:
            fetch(*job)
        except (OSError, subprocess.TimeoutExpired, zipfile.BadZipFile) as error:
            print(f"CUDA {job[0]} cannot be fetched, its tests are skipped: {error}")


if __name__ == "__main__":
    main()
