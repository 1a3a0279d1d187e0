"""The wheel gives a program that needs nothing of the machine it was built on."""
import json
import re
import zipfile

import pytest
from conftest import ROOT
from packages import BARE, make_environment, run, wheel  # noqa: F401


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory):
    tools = make_environment(tmp_path_factory.mktemp("installed") / "env")
    run(tools / "pip", "install", "--quiet", "--no-index", "--no-deps",
        "--disable-pip-version-check", wheel)
    return tools.parent


def test_wheel_is_one_for_every_python(wheel):
    version = re.search(r"project\(barlint VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    assert wheel.name.startswith(f"barlint-{version.group(1)}-py3-none-linux_")
    names = zipfile.ZipFile(wheel).namelist()
    assert not [name for name in names if name.endswith(".py")], "something stands before the program"
    # PyPI's limit for a file.
    assert wheel.stat().st_size < 100 * 1000 * 1000


def test_libraries_come_from_the_environment(environment):
    """All but the C library: what the loader finds lies in the environment."""
    program = environment / "bin" / "barlint"
    listing = run("ldd", program, env=BARE).stdout
    assert "not found" not in listing
    for name, path in re.findall(r"^\s*(\S+) => (\S+)", listing, re.M):
        if not re.match(r"lib(c|m|dl|rt|pthread|resolv|util)\.so|ld-linux", name):
            assert path.startswith(str(environment)), f"{name} comes from {path}"


def test_licences_come_along(environment):
    """Debian says of each library what its licence is."""
    licences = {path.name for path in (environment / "lib" / "barlint" / "licences").iterdir()}
    assert {"libclang1-22", "libllvm22", "libxml2", "libsqlite3-0", "libjansson4"} <= licences


def test_the_example_is_checked(environment):
    program = environment / "bin" / "barlint"
    result = run(program, "check", "--json", "--quiet", "-p", ROOT / "testdata" / "example",
                 "--headers=builtin", env=BARE, cwd="/", check=(1,))
    found = {(finding["file"].rpartition("/")[2], finding["line"], finding["rule"])
             for finding in json.loads(result.stdout)["findings"]}
    expected = (ROOT / "testdata" / "example" / "expected.txt").read_text()
    assert found == {(file, int(line), rule)
                     for file, line, rule in re.findall(r"^(\S+):(\d+) (\S+)", expected, re.M)}
    translated = run(program, "translate", ROOT / "testdata" / "example" / "src" / "tile_ring.cu",
                     env=BARE, cwd="/").stdout
    assert f"-resource-dir={environment}/" in translated
    assert str(ROOT / "include") not in translated
