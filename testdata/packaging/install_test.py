"""What `cmake --install` and the Debian package put on a machine, and that it runs from there."""
import os
import re
import shutil

import pytest
from conftest import BUILD, ROOT
from packages import BARE, run

EXAMPLE = ROOT / "testdata" / "example"
WRONG = EXAMPLE / "src" / "stage_copy.cu"


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    folder = tmp_path_factory.mktemp("installed") / "usr"
    run("cmake", "--install", BUILD, "--prefix", folder)
    return folder


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """The .deb and, unpacked, what is in it."""
    folder = tmp_path_factory.mktemp("deb")
    run("cpack", "--config", BUILD.resolve() / "CPackConfig.cmake", "-B", folder, cwd=BUILD)
    deb, = folder.glob("*.deb")
    run("dpkg", "-x", deb, folder / "root")
    return deb, folder / "root" / "usr"


def check_example(program):
    said = run(program, "check", "--headers=builtin", "-p", EXAMPLE, env=BARE, cwd="/", check=(1,))
    assert "[tx-size-align]" in said.stdout and "3 errors in 2 files" in said.stdout
    own = run(program, "translate", "--headers=builtin", WRONG, env=BARE, cwd="/").stdout
    assert str(program.parent.parent / "share" / "barlint" / "include") in own


# --- cmake --install -----------------------------------------------------------------------------


def test_the_installed_program_uses_what_is_installed(prefix):
    check_example(prefix / "bin" / "barlint")


@pytest.fixture(scope="module")
def lint(prefix, tmp_path_factory):
    """The program lint.c, compiled as pkg-config says."""
    program = tmp_path_factory.mktemp("lint") / "lint"
    path, = prefix.rglob("barlint.pc")
    flags = run("pkg-config", "--cflags", "--libs", "barlint",
                env={**os.environ, "PKG_CONFIG_PATH": str(path.parent)}).stdout.split()
    assert all(str(prefix) in flag for flag in flags if flag[:2] in ("-I", "-L"))
    run("gcc", "-std=c17", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
        ROOT / "testdata" / "packaging" / "lint.c", "-o", program, *flags,
        f"-Wl,-rpath,{path.parent.parent}")
    return program


def test_c_api_lints_a_file(lint):
    said = run(lint, WRONG, EXAMPLE / "src" / "tile_ring.cu", env=BARE, cwd="/").stdout.splitlines()
    assert re.fullmatch(rf"{WRONG}:16:9: error certain tx-size-align \([1-9] notes, .+\)", said[0])
    assert re.fullmatch(r"[1-9]\d+ bytes of JSON", said[1])
    assert re.fullmatch(r"[1-9]\d+ bytes of JSON", said[2]), "the second file is right"
    assert re.fullmatch(r"version [0-9.]+", said[3]) and len(said) == 4


def test_c_api_lints_a_text(lint, tmp_path):
    text = "__global__ void k(float *p)\n{\n    if (threadIdx.x < 64)\n        __syncthreads();\n" \
           "    p[threadIdx.x] = 0;\n}\nvoid run(float *p) { k<<<1, 128>>>(p); }\n"
    said = run(lint, "-", env=BARE, cwd=tmp_path, input=text).stdout.splitlines()
    assert said[0].startswith(f"{tmp_path}/stdin.cu:4:9: error certain sync-divergent (")
    said = run(lint, "-", env=BARE, cwd=tmp_path, input=text.replace("< 64", "< 128")).stdout
    assert "sync-divergent" not in said and "error" not in said


def test_c_api_tells_what_went_wrong(lint, tmp_path):
    (tmp_path / ".barlint.yaml").write_text("rules: {no-such-rule: off}\n")
    said = run(lint, "missing.cu", env=BARE, cwd="/").stdout.splitlines()
    assert said[0].startswith("error: ") and "missing.cu" in said[0]
    (tmp_path / "k.cu").write_text("int x;\n")
    said = run(lint, tmp_path / "k.cu", env=BARE, cwd="/").stdout.splitlines()
    assert "no-such-rule" in said[0] and said[1] == "0 bytes of JSON"


def test_c_api_is_all_that_the_library_exports(prefix):
    library, = prefix.rglob("libbarlint.so")
    exported = set(re.findall(r" T (\w+)", run("nm", "-D", "--defined-only", library).stdout))
    header = (ROOT / "include" / "barlint" / "barlint.h").read_text()
    assert exported == set(re.findall(r"^BARLINT_API [^(]*?(\w+)\(", header, re.M))


def test_header_is_cxx_too(prefix, tmp_path):
    (tmp_path / "use.cc").write_text("#include <barlint/barlint.h>\nint main() "
                                     "{ return barlint_version() == nullptr; }\n")
    run("g++", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only",
        f"-I{prefix / 'include'}", tmp_path / "use.cc")


# --- The Debian package --------------------------------------------------------------------------


def test_package_lists_what_it_should(package):
    deb, _ = package
    listing = run("dpkg", "-c", deb).stdout
    for path in ("bin/barlint", "share/man/man1/barlint.1", "share/barlint/include/barlint/prelude.h",
                 "share/bash-completion/completions/barlint", "share/zsh/site-functions/_barlint",
                 "share/fish/vendor_completions.d/barlint.fish", "include/barlint/barlint.h",
                 "share/barlint/runtime_check/hooks.cu"):
        assert f" ./usr/{path}\n" in listing, path
    assert re.search(r" \./usr/lib/\S*libbarlint\.so\.0 -> libbarlint\.so\.0", listing)
    assert re.search(r" \./usr/lib/\S*pkgconfig/barlint\.pc\n", listing)
    assert str(ROOT) not in listing


def test_package_depends_on_what_it_needs(package):
    deb, _ = package
    control = run("dpkg-deb", "-f", deb).stdout
    depends = re.search(r"^Depends: (.*)", control, re.M).group(1)
    for name in ("libclang1-22", "libclang-common-22-dev", "libc6", "libjansson4", "libyaml-0-2",
                 "libxml2", "libsqlite3-0", "libxxhash0"):
        assert re.search(rf"(^|, ){name}( |,|$)", depends), f"{name}: {depends}"
    version = re.search(r"project\(barlint VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    assert f"\nVersion: {version.group(1)}\n" in control


def test_package_runs_where_it_is_unpacked(package):
    _, root = package
    check_example(root / "bin" / "barlint")
    assert "RUNPATH" not in run("readelf", "-d", root / "bin" / "barlint").stdout
    if shutil.which("mandoc"):
        run("mandoc", "-Tlint", "-Werror", root / "share" / "man" / "man1" / "barlint.1")
