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


def test_pages_say_what_is_tested():
    for page in (ROOT / "editors").glob("*.md"):
        for name in re.findall(r"`(testdata/[^`]+)`", page.read_text()):
            assert (ROOT / name).exists(), f"{page.name} names {name}"
    assert {page.stem for page in pathlib.Path(ROOT / "editors").glob("*.md")} == {
        "neovim", "emacs", "vscode"}
