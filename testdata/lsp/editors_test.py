"""Real editors, run without a screen, with the set-up that their pages in editors/ show: what they
received, what a quick fix made of the file, what hover says."""
import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

from conftest import BARLINT, ROOT, run_barlint

BEFORE = ROOT / "testdata" / "fixes" / "before" / "block_sync_after_init.cu"
AFTER = ROOT / "testdata" / "fixes" / "after" / "block_sync_after_init.cu"
MESSAGE = "no barrier makes that known to other threads before they use it"

NEOVIM = """
local function wait(what, test)
  if not vim.wait(60000, test, 20) then error("waited in vain for " .. what) end
end
local seen = {}
vim.cmd("edit case.cu")
local buffer = vim.api.nvim_get_current_buf()
wait("diagnostics", function() return #vim.diagnostic.get(buffer) > 0 end)
seen.diagnostics = vim.diagnostic.get(buffer)
local function ask(method, line, character)
  local place = { line = line, character = character }
  return vim.lsp.buf_request_sync(buffer, method, {
    textDocument = vim.lsp.util.make_text_document_params(buffer), position = place,
    range = { start = place, ["end"] = place }, context = { diagnostics = {} },
  }, 60000)
end
for _, answer in pairs(ask("textDocument/hover", 10, 8)) do
  seen.hover = answer.result.contents.value
end
for _, answer in pairs(ask("textDocument/codeAction", 8, 10)) do
  seen.action = answer.result[1].title
  vim.lsp.util.apply_workspace_edit(answer.result[1].edit, "utf-16")
end
wait("the fixed file's diagnostics", function() return #vim.diagnostic.get(buffer) == 0 end)
vim.cmd("write")
-- Typing a mistake brings a finding.
vim.api.nvim_buf_set_lines(buffer, 12, 12, false, { '    asm volatile("bar.sync 16;");' })
wait("a new finding", function() return #vim.diagnostic.get(buffer) > 0 end)
seen.typed = vim.diagnostic.get(buffer)[1].code or vim.diagnostic.get(buffer)[1].message
local file = io.open("seen.json", "w")
file:write(vim.json.encode(seen))
file:close()
vim.cmd("quitall!")
"""

EMACS = """
(defun test-wait (what test)
  (let ((tries 3000))
    (while (and (not (funcall test)) (> tries 0))
      (setq tries (1- tries))
      (accept-process-output nil 0.02))
    (when (= tries 0) (error "waited in vain for %s" what))))
(setq eglot-sync-connect t)
(find-file "case.cu")
;; What an Emacs with a screen does by itself after a command and when nobody types.
(run-hooks 'post-command-hook)
(flymake-mode 1)
(defun test-found () (flymake-start) (flymake-diagnostics))
(test-wait "diagnostics" #'test-found)
(let* ((found (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))
       (server (eglot--current-server-or-lose))
       (place (lambda (line column) (list :line line :character column)))
       (document (eglot--TextDocumentIdentifier))
       (hover (jsonrpc-request server :textDocument/hover
                               (list :textDocument document
                                     :position (funcall place 10 8))))
       (actions (jsonrpc-request server :textDocument/codeAction
                                 (list :textDocument document
                                       :range (list :start (funcall place 8 10)
                                                    :end (funcall place 8 10))
                                       :context (list :diagnostics []))))
       (fix (aref actions 0)))
  (eglot--apply-workspace-edit (plist-get fix :edit))
  (eglot--signal-textDocument/didChange)
  (test-wait "the fixed file's diagnostics" (lambda () (not (test-found))))
  (save-buffer)
  (with-temp-file "seen.json"
    (insert (json-encode (list :diagnostics (vconcat found)
                               :hover (plist-get (plist-get hover :contents) :value)
                               :action (plist-get fix :title)))))
  (eglot-shutdown server)
  (kill-emacs 0))
"""


def snippet(page, language):
    (code,) = re.findall(rf"```{language}\n(.*?)```", (ROOT / "editors" / page).read_text(), re.S)
    return code


def run_editor(folder, *command):
    """Runs an editor in a folder with the case; what it says it has seen."""
    shutil.copy(BEFORE, folder / "case.cu")
    (folder / ".barlint.yaml").write_text("headers: builtin\n")
    environment = {**os.environ, "PATH": f"{BARLINT.resolve().parent}:{os.environ['PATH']}",
                   "HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config"),
                   "XDG_DATA_HOME": str(folder / "data"), "XDG_STATE_HOME": str(folder / "state")}
    result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True,
                            stdin=subprocess.DEVNULL, timeout=180)
    seen = folder / "seen.json"
    assert seen.exists(), result.stdout + result.stderr
    return json.loads(seen.read_text())


def check(folder, seen, messages):
    (message,) = messages
    assert MESSAGE in message
    assert "expected count 128" in seen["hover"]
    assert seen["action"] == "insert __syncthreads() behind the initialisation"
    assert (folder / "case.cu").read_text() == AFTER.read_text()


def test_neovim(barlint, tmp_path):
    if not shutil.which("nvim"):
        pytest.skip("Neovim is not installed: its client is not tested")
    (tmp_path / "init.lua").write_text(snippet("neovim.md", "lua"))
    (tmp_path / "test.lua").write_text(
        f"local good, why = pcall(function()\n{NEOVIM}\nend)\n"
        "if not good then io.stderr:write(why) vim.cmd('cquit') end\n")
    seen = run_editor(tmp_path, "nvim", "--headless", "-u", "init.lua", "-i", "NONE", "-n",
                      "-c", "luafile test.lua")
    check(tmp_path, seen, [one["message"] for one in seen["diagnostics"]])
    (one,) = seen["diagnostics"]
    assert (one["lnum"], one["col"], one["source"]) == (8, 8, "barlint")
    assert len(one["user_data"]["lsp"]["relatedInformation"]) >= 5
    assert "named-id-range" in seen["typed"] or "16" in seen["typed"]


def has_eglot():
    return shutil.which("emacs") and subprocess.run(
        ["emacs", "--batch", "--eval", "(progn (package-initialize) (require 'eglot))"],
        capture_output=True, check=False).returncode == 0


def test_emacs(barlint, tmp_path):
    if not has_eglot():
        pytest.skip("Emacs with eglot is not installed: its client is not tested")
    (tmp_path / "init.el").write_text("(package-initialize)\n" + snippet("emacs.md", "elisp"))
    (tmp_path / "test.el").write_text(EMACS)
    seen = run_editor(tmp_path, "emacs", "--batch", "--no-splash", "-l", "init.el", "-l",
                      "test.el")
    check(tmp_path, seen, seen["diagnostics"])


def test_the_problem_matcher_of_vscode_reads_what_check_prints(tmp_path):
    tasks = json.loads(snippet("vscode.md", "json"))
    (task,) = tasks["tasks"]
    words = task["command"].split()
    assert words[0] == "barlint"
    shutil.copy(BEFORE, tmp_path / "case.cu")
    out = run_barlint(*words[1:], "--headers=builtin", "case.cu", cwd=tmp_path, check=(1,)).stdout
    pattern = task["problemMatcher"]["pattern"]
    (line,) = out.splitlines()
    found = re.match(pattern["regexp"], line)
    assert found, line
    assert [found.group(pattern[key]) for key in ("file", "line", "severity", "code")] == [
        "case.cu", "9", "error", "init-no-sync"]


# Stand-ins for the modules that Visual Studio Code gives an extension: settings, commands, and a client
# that starts the server it is told of and says what came of it.
VSCODE = """
const seen = { errors: [], commands: {}, listeners: [] };
const settings = { path: process.env.SERVER, arguments: ["--headers=builtin"] };
module.exports = {
  seen,
  workspace: {
    getConfiguration: () => ({ get: (name) => settings[name] }),
    onDidChangeConfiguration: (listener) => seen.listeners.push(listener),
  },
  window: { showErrorMessage: (text) => seen.errors.push(text) },
  commands: { registerCommand: (name, run) => { seen.commands[name] = run; return {}; } },
};
"""
CLIENT = """
const { spawn } = require("child_process");
class LanguageClient {
  constructor(id, name, server, client) { Object.assign(this, { server, client }); }
  send(message) {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.process.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\\r\\n\\r\\n${body}`);
  }
  start() {
    return new Promise((resolve, reject) => {
      this.process = spawn(this.server.command, this.server.args);
      this.process.on("error", reject);
      this.process.stdout.once("data", (data) => {
        LanguageClient.answers.push(JSON.parse(data.toString().split("\\r\\n\\r\\n")[1]));
        LanguageClient.options.push(this.client);
        resolve();
      });
      this.send({ id: 1, method: "initialize", params: { capabilities: {} } });
    });
  }
  stop() {
    return new Promise((resolve) => {
      this.process.on("exit", (code) => { LanguageClient.ends.push(code); resolve(); });
      this.send({ id: 2, method: "shutdown" });
      this.send({ method: "exit" });
    });
  }
}
Object.assign(LanguageClient, { answers: [], options: [], ends: [] });
module.exports = { LanguageClient };
"""
EXTENSION = """
const { seen } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const extension = require(process.env.EXTENSION);
(async () => {
  await extension.activate({ subscriptions: [] });
  if (LanguageClient.answers.length > 0) {
    await seen.commands["barlint.restart"]();
    await seen.listeners[0]({ affectsConfiguration: () => false });
    await extension.deactivate();
  }
  console.log(JSON.stringify({ errors: seen.errors, commands: Object.keys(seen.commands),
                               ...LanguageClient }));
})();
"""


def run_extension(tmp_path, server):
    modules = tmp_path / "node_modules"
    (modules / "vscode-languageclient").mkdir(parents=True, exist_ok=True)
    (modules / "vscode.js").write_text(VSCODE)
    (modules / "vscode-languageclient" / "node.js").write_text(CLIENT)
    (tmp_path / "run.js").write_text(EXTENSION)
    result = subprocess.run(["node", "run.js"], cwd=tmp_path, capture_output=True, text=True, timeout=120,
                            env={**os.environ, "NODE_PATH": str(modules), "SERVER": str(server),
                                 "EXTENSION": str(ROOT / "editors" / "vscode" / "extension.js")})
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_vscode_extension(barlint, tmp_path):
    if not shutil.which("node"):
        pytest.skip("Node.js is not installed: the extension is not tested")
    seen = run_extension(tmp_path, BARLINT.resolve())
    assert seen["errors"] == [] and seen["ends"] == [0, 0], "started, restarted, ended"
    assert [answer["result"]["serverInfo"]["name"] for answer in seen["answers"]] == ["barlint"] * 2
    manifest = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text())
    assert seen["commands"] == [one["command"] for one in manifest["contributes"]["commands"]]
    assert set(manifest["contributes"]["configuration"]["properties"]) == {
        f"barlint.{name}" for name in re.findall(
            r'settings.get\("(\w+)"\)', (ROOT / "editors" / "vscode" / "extension.js").read_text())}
    languages = {one["language"] for one in seen["options"][0]["documentSelector"] if "language" in one}
    assert {f"onLanguage:{name}" for name in languages} < set(manifest["activationEvents"])
    assert manifest["version"] in run_barlint("version").stdout


def test_vscode_extension_without_the_program(tmp_path):
    if not shutil.which("node"):
        pytest.skip("Node.js is not installed: the extension is not tested")
    (said,) = run_extension(tmp_path, tmp_path / "nowhere")["errors"]
    assert "nowhere" in said and "barlint.path" in said


def test_pages_say_what_is_tested():
    for page in (ROOT / "editors").glob("*.md"):
        for name in re.findall(r"`(testdata/[^`]+)`", page.read_text()):
            assert (ROOT / name).exists(), f"{page.name} names {name}"
    assert {page.stem for page in pathlib.Path(ROOT / "editors").glob("*.md")} == {
        "neovim", "emacs", "vscode"}
