"""A small client of the Language Server Protocol: what the tests say to `barlint lsp`."""
import json
import os
import pathlib
import queue
import subprocess
import threading
import time

from conftest import BARLINT

PATIENCE = 60  # seconds that any answer may take on a busy machine


def frame(message):
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def position(line, character):
    return {"line": line, "character": character}


def span(line, start, end_line=None, end=None):
    return {"start": position(line, start),
            "end": position(line if end_line is None else end_line, start if end is None else end)}


class Client:
    """One server. Answers are kept by id, notifications and requests of the server in order."""

    def __init__(self, *arguments, cwd=None):
        self.process = subprocess.Popen([str(BARLINT), "lsp", "--headers=builtin", *arguments],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, cwd=cwd)
        self.incoming = queue.Queue()
        self.kept = []
        self.last_id = 0
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                pipe.close()
            except OSError:
                pass

    def _read(self):
        stream = self.process.stdout
        while True:
            length = None
            for line in iter(stream.readline, b"\r\n"):
                if not line:
                    self.incoming.put(None)
                    return
                name, _, value = line.partition(b":")
                assert name == b"Content-Length", line
                length = int(value)
            self.incoming.put(json.loads(stream.read(length)))

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        self.write(frame({"jsonrpc": "2.0", **message}))

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def request(self, method, params):
        """Sends a request; its id."""
        self.last_id += 1
        self.send({"id": self.last_id, "method": method, "params": params})
        return self.last_id

    def wait_for(self, wanted, patience=PATIENCE):
        """The first message, kept or new, that `wanted` takes."""
        for message in self.kept:
            if wanted(message):
                self.kept.remove(message)
                return message
        end = time.monotonic() + patience
        while True:
            message = self.incoming.get(timeout=max(end - time.monotonic(), 0.001))
            assert message is not None, "the server is gone"
            if "method" in message and "id" in message:
                self.send({"id": message["id"], "result": None})
            if wanted(message):
                return message
            self.kept.append(message)

    def answer(self, request, patience=PATIENCE):
        return self.wait_for(lambda m: m.get("id") == request and "method" not in m, patience)

    def ask(self, method, params):
        """The result of a request."""
        answer = self.answer(self.request(method, params))
        assert "error" not in answer, answer
        return answer["result"]

    def error_of(self, method, params):
        return self.answer(self.request(method, params))["error"]["code"]

    # --- The life of a document ---

    def initialize(self, *roots, capabilities=None):
        folders = [{"uri": pathlib.Path(root).as_uri(), "name": str(root)} for root in roots]
        result = self.ask("initialize", {"processId": os.getpid(), "rootUri": None,
                                         "capabilities": capabilities or {},
                                         "workspaceFolders": folders})
        self.notify("initialized", {})
        return result["capabilities"]

    def open(self, path, text=None, language="cuda", version=1):
        path = pathlib.Path(path)
        text = path.read_text() if text is None else text
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": path.as_uri(), "languageId": language, "version": version, "text": text}})
        return path.as_uri()

    def change(self, uri, version, *changes):
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": [{"text": change} if isinstance(change, str) else
                               {"range": change[0], "text": change[1]} for change in changes]})

    def close(self, uri):
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def diagnostics(self, uri, version=None):
        """The next diagnostics that are published of a document."""
        def wanted(message):
            params = message.get("params") or {}
            return (message.get("method") == "textDocument/publishDiagnostics" and
                    params["uri"] == uri and version in (None, params.get("version")))
        return self.wait_for(wanted)["params"]["diagnostics"]

    def actions(self, uri, where, **context):
        return self.ask("textDocument/codeAction", {
            "textDocument": {"uri": uri}, "range": where,
            "context": {"diagnostics": [], **context}})

    def hover(self, uri, line, character):
        return self.ask("textDocument/hover", {"textDocument": {"uri": uri},
                                               "position": position(line, character)})

    def shut_down(self):
        """The exit status after a polite end."""
        self.ask("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(timeout=PATIENCE)


def offset(text, place, encoding="utf-16"):
    """The index in `text` of a position."""
    lines = text.split("\n")
    before = sum(len(line) + 1 for line in lines[:place["line"]])
    line, units = lines[place["line"]], 0
    for index, letter in enumerate(line):
        if units >= place["character"]:
            return before + index
        units += len(letter.encode(encoding + ("-le" if encoding == "utf-16" else ""))) // (
            2 if encoding == "utf-16" else 1)
    return before + len(line)


def apply_edits(text, edits, encoding="utf-16"):
    """The text with a list of TextEdit made."""
    for edit in sorted(edits, key=lambda e: offset(text, e["range"]["start"], encoding),
                       reverse=True):
        start = offset(text, edit["range"]["start"], encoding)
        end = offset(text, edit["range"]["end"], encoding)
        text = text[:start] + edit["newText"] + text[end:]
    return text
