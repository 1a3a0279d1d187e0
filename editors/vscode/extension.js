// Starts `barlint lsp` for the CUDA files of a window and ends it with the window; everything else
// (diagnostics, fixes, hover, watching files) is what vscode-languageclient does with any server.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function start() {
  const settings = vscode.workspace.getConfiguration("barlint");
  const server = {
    command: settings.get("path"),
    args: ["lsp", ...settings.get("arguments")],
  };
  client = new LanguageClient("barlint", "barlint", server, {
    documentSelector: [
      { scheme: "file", language: "cuda-cpp" },
      { scheme: "file", language: "cuda" },
      { scheme: "file", pattern: "**/*.{cu,cuh}" },
    ],
  });
  try {
    await client.start();
  } catch (problem) {
    client = undefined;
    vscode.window.showErrorMessage(
      `barlint cannot be started as '${server.command}': ${problem.message}. ` +
        "Install it, or set 'barlint.path'.");
  }
}

async function stop() {
  const old = client;
  client = undefined;
  if (old) await old.stop();
}

async function restart() {
  await stop();
  await start();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("barlint.restart", restart),
    vscode.workspace.onDidChangeConfiguration((change) =>
      change.affectsConfiguration("barlint") ? restart() : undefined));
  await start();
}

module.exports = { activate, deactivate: stop };
