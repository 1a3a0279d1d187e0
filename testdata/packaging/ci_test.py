"""The recipes of docs/ci.md: they are YAML of the right shape, and their commands run here, over the
example, with the wheel."""
import json
import re
import shutil

import pytest
import yaml
from conftest import ROOT, run_barlint
from packages import BARE, make_environment, run, wheel  # noqa: F401

RECIPES = {text.split("\n")[0].lstrip("# "): yaml.load(text, Loader=yaml.BaseLoader)
           for text in re.findall(r"^```yaml\n(.*?)^```$", (ROOT / "docs" / "ci.md").read_text(),
                                  re.M | re.S)}
GITHUB, SHARDS, GITLAB = (RECIPES[name] for name in (
    ".github/workflows/barlint.yml", ".github/workflows/barlint-shards.yml", ".gitlab-ci.yml"))


class Runner:
    """A machine of a CI with a checkout of the example, which has three errors."""

    def __init__(self, folder, wheel):
        self.folder = folder / "checkout"
        shutil.copytree(ROOT / "testdata" / "example", self.folder)
        (self.folder / "compile_commands.json").unlink()
        tools = make_environment(folder / "env")
        self.environment = {**BARE, "PATH": f"{tools}:{BARE['PATH']}", "BARLINT_WHEEL": str(wheel),
                            "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
                            "BARLINT_CACHE_DIR": str(folder / "cache")}

    def run(self, command, check=(0,), **values):
        for name, value in values.items():
            command = command.replace("${{ matrix.%s }}" % name, value)
        assert "${{" not in command, command
        return run("bash", "-e", "-c", command, cwd=self.folder, env=self.environment, check=check)

    def run_steps(self, steps, last=(0,), **values):
        """All `run:` lines; the last one ends with one of the statuses. Returns what that said."""
        commands = [step["run"] for step in steps if "run" in step]
        for command in commands[:-1]:
            self.run(command, **values)
        return self.run(commands[-1], last, **values).stdout


@pytest.fixture
def runner(tmp_path, wheel):
    return Runner(tmp_path, wheel)


def test_all_recipes_are_known():
    assert len(RECIPES) == 3
    for workflow in (GITHUB, SHARDS):
        assert set(workflow) == {"name", "on", "permissions", "env", "jobs"}
        assert workflow["permissions"]["security-events"] == "write", "SARIF cannot be uploaded"
        for job in workflow["jobs"].values():
            assert job["steps"][0]["uses"].startswith("actions/checkout@")
            for step in job["steps"]:
                assert len({"run", "uses"} & set(step)) == 1


def check_github(runner, steps, said):
    assert said.count("::error ") == 3 and "file=src/stage_copy.cu" in said
    upload, = [step for step in steps if "upload-sarif" in step.get("uses", "")]
    assert upload["if"] == "${{ !cancelled() }}", "findings end the step before it"
    sarif = json.loads((runner.folder / upload["with"]["sarif_file"]).read_text())
    assert len(sarif["runs"][0]["results"]) == 3
    summary = runner.environment["GITHUB_STEP_SUMMARY"]
    assert "tx-size-align" in open(summary).read()


def test_github(runner):
    steps = GITHUB["jobs"]["barlint"]["steps"]
    check_github(runner, steps, runner.run_steps(steps, (1,)))


def test_github_in_shards(runner):
    shard, merge = SHARDS["jobs"]["shard"], SHARDS["jobs"]["merge"]
    assert merge["needs"] == "shard"
    shards = shard["strategy"]["matrix"]["shard"]
    for number in shards:
        runner.run_steps(shard["steps"], shard=number)
        upload = shard["steps"][-1]["with"]
        assert (runner.folder / upload["path"].replace("${{ matrix.shard }}", number)).exists()
    assert f"/{len(shards)} " in shard["steps"][-2]["run"], "as many shards as the matrix has"
    check_github(runner, merge["steps"], runner.run_steps(merge["steps"], (1,)))


def test_gitlab(runner):
    job = GITLAB["barlint"]
    said = runner.run_steps([{"run": line} for line in job["script"]], (1,))
    assert "[tx-size-align]" in said
    assert job["artifacts"]["when"] == "always", "findings end the job"
    report = json.loads((runner.folder / job["artifacts"]["reports"]["codequality"]).read_text())
    assert len(report) == 3 and report[0]["location"]["path"].startswith("src/")


def test_options_in_the_text_exist():
    """What the text tells beside the recipes."""
    program = run_barlint("check", "--help", check=(0,)).stdout
    text = re.sub(r"^```yaml.*?^```$", "", (ROOT / "docs" / "ci.md").read_text(), flags=re.M | re.S)
    options = set(re.findall(r"`(--[a-z-]+)", text))
    assert options and not [option for option in options
                            if not re.search(rf"{option}\b", program)]
