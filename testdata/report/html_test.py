"""The page for browsers: what is in it, that nothing else can get in, and what Chromium makes of it."""
import html.parser
import json
import shutil
import struct
import subprocess

import pytest

from report_project import NASTY, ROLES, WRONG, check, nasty, project  # noqa: F401

HANG = """\
__global__ void swap(float *rows)
{
    if (threadIdx.x < 32) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        asm volatile("bar.arrive 2, 64;" ::: "memory");
    } else {
        asm volatile("bar.sync 2, 64;" ::: "memory");
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    }
    rows[threadIdx.x] *= 2.0f;
}

void run(float *rows)
{
    swap<<<1, 64>>>(rows);
}
"""


class Page(html.parser.HTMLParser):
    """Elements with their attributes, and the text of each."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open, self.unclosed = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        element = {"tag": tag, "text": "", **dict(attributes)}
        self.elements.append(element)
        if tag not in ("meta", "input", "br"):
            self.open.append(element)

    def handle_startendtag(self, tag, attributes):
        self.elements.append({"tag": tag, "text": "", **dict(attributes)})

    def handle_endtag(self, tag):
        if self.open and self.open[-1]["tag"] == tag:
            self.open.pop()
        else:
            self.unclosed.append(tag)

    def handle_data(self, data):
        for element in self.open:
            element["text"] += data

    def all(self, tag, **attributes):
        return [one for one in self.elements if one["tag"] == tag
                and all(one.get(key.rstrip("_")) == value for key, value in attributes.items())]


def page_of(folder, *arguments, status=(0, 1, 3)):
    result = check(folder, "-q", "--format=html", "-o", "report.html", *arguments)
    assert result.returncode in status and result.stdout == ""
    return (folder / "report.html").read_text()


def test_what_is_in_it(project):
    (project / "hang.cu").write_text(HANG)
    page = Page(page_of(project, "wrong.cu", "hang.cu", "right.cu", "missing.cu"))
    assert page.open == [] and page.unclosed == []
    assert [one["text"] for one in page.all("h2")][:2] == ["hang.cu", "wrong.cu"]
    findings = page.all("article")
    assert {one["data-rule"] for one in findings} >= {"named-id-range", "named-order-cycle"}
    finding, = page.all("article", **{"data-rule": "named-id-range"})
    assert finding["data-level"] == "error" and "warp_sync(threadIdx.x / 32);" in finding["text"]
    assert "is launched here" in finding["text"] and "block (1024, 1, 1)" in finding["text"]
    assert "warp_sync(threadIdx.x / 32)" in [one["text"] for one in page.all("mark")]
    assert "missing.cu" in page.all("table")[0]["text"]
    # The rule that a finding names is explained in the page.
    targets = {one["href"] for one in page.all("a")}
    assert targets <= {f"#{one['id']}" for one in page.all("section") if "id" in one}


def test_schedules_are_drawn(project):
    (project / "hang.cu").write_text(HANG)
    page = Page(page_of(project, "hang.cu"))
    drawings = page.all("svg")
    assert len(drawings) == len(page.all("article")) > 0
    # Lanes for the roles, and the hang.
    assert "warp 0" in drawings[0]["text"] and "warp 1" in drawings[0]["text"]
    assert "nobody can go on" in drawings[0]["text"] and "HANGS: barrier" in drawings[0]["text"]


def test_other_formats_do_not_pay_for_drawings(project):
    (project / "hang.cu").write_text(HANG)
    for _ in range(2):
        assert "svg" not in check(project, "--format=json", "hang.cu").stdout
        # What a run without drawings has found out is not enough for the page.
        assert len(Page(page_of(project, "hang.cu")).all("svg")) > 0


def test_the_run_that_shows_the_finding_is_drawn(project):
    """A kernel that goes wrong in two ways, of which each run shows one."""
    body = HANG.replace("float *rows)\n{", "float *rows, int n)\n{\n    if (n > 0) {", 1).replace(
        "    rows[threadIdx.x] *= 2.0f;", """    } else {
        __shared__ cuda::barrier<cuda::thread_scope_block> bar;
        if (threadIdx.x == 0)
            init(&bar, 32);
        __syncthreads();
        bar.arrive_and_wait();
    }
    rows[threadIdx.x] *= 2.0f;""").replace("(float *rows)", "(float *rows, int n)").replace(
        "(rows);", "(rows, n);")
    (project / "two.cu").write_text("#include <cuda/barrier>\n" + body)
    drawn = {}
    for article in page_of(project, "two.cu").split("<article ")[1:]:
        rule = article.partition('data-rule="')[2].partition('"')[0]
        drawn[rule] = Page("<" + article.partition("</article>")[0]).all("svg")[0]["text"]
    assert "HANGS: barrier" in drawn["named-order-cycle"]
    assert "init bar" in drawn["init-count-mismatch"] and "!!" in drawn["init-count-mismatch"]
    assert "HANGS: barrier" not in drawn["init-count-mismatch"]


def test_a_clean_run(project):
    page = Page(page_of(project, "right.cu", status=(0, )))
    assert page.all("article") == [] and page.all("form") == []
    assert "nothing found in 1 file" in page.all("header")[0]["text"]


def test_nothing_gets_in_or_out(nasty):
    (nasty / "script.cu").write_text(
        "// <script>alert(1)</script>\n" + WRONG.replace(
            "/ 32);", "/ 32); // </pre><img src=x onerror=alert(1)> & \"quoted\" </article>"))
    text = page_of(nasty, ".")
    page = Page(text)
    assert page.open == [] and page.unclosed == []
    assert len(page.all("script")) == 1 and "src" not in page.all("script")[0]
    for element in page.elements:
        assert element["tag"] not in ("img", "link", "iframe", "object", "embed", "base")
        assert element.get("href", "#").startswith("#")
        assert not any(name.startswith("on") for name in element)
    policy, = [one["content"] for one in page.all("meta") if "http-equiv" in one]
    assert "default-src 'none'" in policy
    assert len(page.all("article")) == len(NASTY) + 2
    assert {one["data-file"] for one in page.all("article")} >= {"two words.cu", "::error::x.cu"}
    assert '</pre><img src=x onerror=alert(1)> & "quoted" </article>' in \
        page.all("article", **{"data-file": "script.cu"})[0]["text"]


# --- In a browser --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    """Runs headless Chromium over a page; skips where there is none or where it cannot run."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if not program:
        pytest.skip("chromium is not installed")
    profile = tmp_path_factory.mktemp("profile")

    def run(page, *arguments):
        return subprocess.run([program, "--headless", "--no-sandbox", "--disable-gpu",
                               "--hide-scrollbars", f"--user-data-dir={profile}", *arguments,
                               page.as_uri()], capture_output=True, text=True, timeout=120)

    blank = profile / "blank.html"
    blank.write_text("<p>here</p>")
    if "here" not in run(blank, "--dump-dom").stdout:
        pytest.skip("chromium does not run here")
    return run


def ask(chromium, folder, program):
    """Opens a copy of the page that runs the program, too, and hands back its result."""
    text = (folder / "report.html").read_text()
    copy = folder / "asked.html"
    copy.write_text(text.replace("</body>", "<script>document.title = JSON.stringify((() => {"
                                 + program + "})())</script></body>"))
    dom = Page(chromium(copy, "--dump-dom").stdout)
    return json.loads(dom.all("title")[0]["text"])


@pytest.fixture
def busy(project):
    (project / "hang.cu").write_text(HANG)
    (project / "sub dir").mkdir()
    (project / "sub dir" / "a.cu").write_text(WRONG)
    (project / "b.cu").write_text(WRONG)
    (project / ".barlint.yaml").write_text(
        "per-file: [{files: b.cu, rules: {named-id-range: note}}]\n")
    page_of(project, ".")
    return project


def test_filters(busy, chromium):
    shown = "[...document.querySelectorAll('.b-finding:not([hidden])')].map(f => f.dataset.file)"
    everything = ask(chromium, busy, f"return {shown}")
    assert sorted(set(everything)) == ["b.cu", "hang.cu", "sub dir/a.cu", "wrong.cu"]
    assert ask(chromium, busy, "form.rule.value = 'named-id-range'; apply();"
               f"return {shown}") == ["b.cu", "sub dir/a.cu", "wrong.cu"]
    assert ask(chromium, busy, "form.querySelector('[value=error]').checked = false; apply();"
               f"return {shown}") == ["b.cu"]
    assert ask(chromium, busy, "form.search.value = 'SUB a.cu'; apply();"
               f"return {shown}") == ["sub dir/a.cu"]
    # A file without a finding to show goes, and the count says it.
    assert ask(chromium, busy, "form.search.value = 'sub'; apply(); return ["
               "[...document.querySelectorAll('.b-file:not([hidden]) h2')].map(h => h.textContent),"
               "form.querySelector('output').textContent]") == [
                   ["sub dir/a.cu"], f"1 of {len(everything)} shown"]


def test_keyboard(busy, chromium):
    press = ("const press = key => document.activeElement.dispatchEvent("
             "new KeyboardEvent('keydown', {key, bubbles: true}));"
             "const at = () => document.activeElement.dataset.file || document.activeElement.name;")
    assert ask(chromium, busy, press + "press('j'); const one = at(); press('j'); press('k');"
               "const back = at(); press('/'); return [one, back, at()]") == [
                   "b.cu", "b.cu", "search"]


@pytest.mark.parametrize("scheme, dark", [("0", True), ("1", False)])
def test_light_and_dark(busy, chromium, scheme, dark):
    copy = busy / "scheme.html"
    copy.write_text((busy / "report.html").read_text().replace(
        "</body>", "<script>document.title = JSON.stringify(["
        "getComputedStyle(document.body).backgroundColor,"
        "getComputedStyle(document.querySelector('.b-drawing svg')).backgroundColor,"
        "document.querySelector('.b-drawing svg').getBoundingClientRect().width,"
        "document.documentElement.scrollWidth - innerWidth])</script></body>"))
    dom = Page(chromium(copy, "--dump-dom", "--window-size=480,900",
                        f"--blink-settings=preferredColorScheme={scheme}").stdout)
    page, drawing, width, beyond = json.loads(dom.all("title")[0]["text"])
    assert page == drawing == ("rgb(13, 17, 23)" if dark else "rgb(255, 255, 255)")
    assert width > 100
    assert beyond <= 0  # nothing makes a narrow page scroll sideways


def test_screenshot(busy, chromium, tmp_path):
    picture = tmp_path / "report.png"
    chromium(busy / "report.html", f"--screenshot={picture}", "--window-size=1280,1600")
    data = picture.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (1280, 1600)
    assert len(data) > 50000  # an empty page has a tenth of that
