"""The host side of runtime_check: several threads that launch, a library that is loaded meanwhile, a
device that is reset, a copy that fork() makes, and a kernel that runs as the program ends. A stand-in for CUDA's runtime, whose devices'
memory is the process's, says what reaches it."""
import hashlib
import json
import os
import re
import subprocess
import time

import pytest

from conftest import ROOT

INCLUDE = ROOT / "include" / "barlint" / "runtime_check"
# What host.h uses of CUDA's header.
API = r"""#pragma once
#include <stddef.h>
typedef int cudaError_t;
enum { cudaSuccess, cudaErrorInvalidValue, cudaErrorNotReady = 600 };
enum { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2, cudaMemcpyDefault = 4 };
enum { cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2, cudaHostRegisterPortable = 1,
       cudaHostRegisterMapped = 2, cudaDevAttrMultiProcessorCount = 16,
       cudaDevAttrMaxSharedMemoryPerBlockOptin = 97 };
enum cudaStreamCaptureMode { cudaStreamCaptureModeRelaxed = 2 };
typedef struct stream *cudaStream_t;
typedef struct event *cudaEvent_t;
#define cudaStreamLegacy ((cudaStream_t)1)
struct cudaFuncAttributes { size_t sharedSizeBytes; };
extern "C" {
cudaError_t cudaGetDevice(int *), cudaSetDevice(int), cudaMalloc(void **, size_t), cudaFree(void *);
cudaError_t cudaDeviceGetAttribute(int *, int, int), cudaFuncGetAttributes(cudaFuncAttributes *, const void *);
cudaError_t cudaMemsetAsync(void *, int, size_t, cudaStream_t);
cudaError_t cudaMemcpyAsync(void *, const void *, size_t, int, cudaStream_t);
cudaError_t cudaMemcpyToSymbolAsync(const void *, const void *, size_t, size_t, int, cudaStream_t);
cudaError_t cudaMemcpyFromSymbolAsync(void *, const void *, size_t, size_t, int, cudaStream_t);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *, unsigned), cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamSynchronize(cudaStream_t), cudaEventCreateWithFlags(cudaEvent_t *, unsigned);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t), cudaEventQuery(cudaEvent_t);
cudaError_t cudaEventDestroy(cudaEvent_t), cudaHostRegister(void *, size_t, unsigned);
cudaError_t cudaHostUnregister(void *), cudaHostGetDevicePointer(void **, void *, unsigned);
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *);
cudaError_t cudaGetLastError(void);
const char *cudaGetErrorString(cudaError_t);
}
"""
PROGRAM = r"""
#include <cuda_runtime_api.h>
#include "host.h"
#include <sys/wait.h>
#include <algorithm>
#include <set>
#include <thread>
#include <vector>

// ---- the stand-in ----

enum { DEVICES = 2, WORDS = 1 + BARLINT_RT_PASSED / 64 };
static thread_local int current;
static int states_made, waits, last_error;
static bool runs_for_ever;
static size_t room[DEVICES] = {SIZE_MAX, SIZE_MAX}; // how much memory a device has left
static std::set<void *> host_memory; // that is known
static void (*meanwhile)(); // what another thread does while a device is set up
// Of one unit: its variable on each device.
static unsigned long long variable[DEVICES][WORDS];
static std::vector<std::pair<char *, size_t>> memory[DEVICES];

cudaError_t cudaGetDevice(int *d) { *d = current; return 0; }
static bool in_use[DEVICES];
cudaError_t cudaSetDevice(int d) { in_use[d] = true; current = d; return d < DEVICES ? 0 : 1; }
cudaError_t cudaMalloc(void **p, size_t size)
{
    usleep(2000);
    if (size > room[current])
        return last_error = 2;
    room[current] -= size;
    states_made += size == BARLINT_RT_OWN_PAGE;
    *p = calloc(1, size);
    memory[current].push_back({(char *)*p, size});
    return 0;
}
cudaError_t cudaFree(void *p)
{
    for (auto &one : memory[current])
        if (one.first == p) {
            room[current] += one.second;
            free(p);
            one = memory[current].back();
            memory[current].pop_back();
            return 0;
        }
    return 1;
}
cudaError_t cudaDeviceGetAttribute(int *value, int, int) { *value = 1; return 0; }
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *, const void *) { return 1; }
cudaError_t cudaMemsetAsync(void *p, int v, size_t n, cudaStream_t) { memset(p, v, n); return 0; }
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, int, cudaStream_t)
{
    memcpy(to, from, n);
    return 0;
}
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t n, size_t at, int,
                                    cudaStream_t)
{
    memcpy((symbol == variable ? (char *)variable[current] : (char *)symbol) + at, from, n);
    return 0;
}
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *, size_t n, size_t at, int, cudaStream_t)
{
    memcpy(to, (char *)variable[current] + at, n);
    return 0;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *, unsigned) { return 0; }
cudaError_t cudaStreamDestroy(cudaStream_t) { return 0; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return 0; }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *, unsigned) { return 0; }
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return 0; }
cudaError_t cudaEventQuery(cudaEvent_t)
{
    waits++;
    return runs_for_ever ? last_error = cudaErrorNotReady : cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t) { return 0; }
cudaError_t cudaHostRegister(void *p, size_t, unsigned)
{
    bool again = !host_memory.insert(p).second;
    if (meanwhile)
        std::thread(meanwhile).join();
    return again;
}
cudaError_t cudaHostUnregister(void *p) { return !host_memory.erase(p); }
cudaError_t cudaHostGetDevicePointer(void **p, void *from, unsigned)
{
    *p = from;
    return !host_memory.count(from);
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *) { return 0; }
cudaError_t cudaGetLastError(void)
{
    int error = last_error;
    last_error = 0;
    return error;
}
const char *cudaGetErrorString(cudaError_t) { return "an error"; }

static void reset()
{
    barlint_rt_forget_device();
    for (auto &one : memory[current])
        memset(one.first, 0xee, one.second);
    memory[current].clear();
    memset(variable[current], 0, sizeof variable[current]);
}

// ---- a unit ----

static const barlint_rt_site sites[] = {{"a.cu", 3, 1, "k", "bar.sync", 0}, {"a.cu", 4, 1, "k", "bar.sync", 0}};
static barlint_rt_module unit = {variable, 7, sites, 2, 0, 0};

// Of one that comes with a library.
static unsigned long long late_variable[WORDS];
static barlint_rt_module late = {late_variable, 8, sites, 2, 0, 0};

// Passes place `place`, and breaks a rule there `times` times. `address`: of the file's name, or 0.
static void kernel(unsigned place, unsigned times, uint64_t address = 0, const char *file = "",
                   int violation = BARLINT_SYNC_DIVERGENT)
{
    barlint_rt_prepare();
    unsigned long long *own = variable[current];
    auto *state = (barlint_rt_state *)own[0];
    if (!state) {
        fputs("nothing is checked\n", stderr);
        return;
    }
    own[1] |= 1ull << place;
    for (; times > 0; times--) {
        unsigned at = 0; // both have the same first entry
        while (state->report_key[at] && state->report_key[at] != place + 1 + address)
            at++;
        barlint_rt_report *r = &state->reports[at];
        state->report_count[at]++;
        if (state->report_key[at])
            continue;
        state->report_key[at] = place + 1 + address;
        r->violation = violation;
        r->count = 1;
        r->site = address ? 1ull << 63 | (uint64_t)place << 47 | address : 7ull << 32 | place;
        if (address) {
            unsigned name = 0; // as which name an entry holds, each device decides by itself
            while (state->name_of[name] && state->name_of[name] != address)
                name++;
            state->name_of[name] = address;
            strcpy(state->names[name].text, file);
            state->names[name].address = address;
        }
        __sync_synchronize();
        r->ready = 1;
    }
}

int main(int, char **argument)
{
    const std::string what = argument[1];
    barlint_rt_register(&unit);
    if (what == "threads") {
        std::vector<std::thread> all;
        for (int i = 0; i < 8; i++)
            all.emplace_back([i] { cudaSetDevice(i % DEVICES), kernel(0, 0); });
        for (std::thread &one : all)
            one.join();
        printf("%d states\n", states_made);
    } else if (what == "loads") {
        meanwhile = [] { barlint_rt_register(&late); };
        kernel(0, 0);
        barlint_rt_prepare();
        printf("%d states, %s\n", states_made, late_variable[0] ? "known" : "not known");
    } else if (what == "beyond") { // what the program writes goes over the state's end
        kernel(0, 3);
        auto *state = (barlint_rt_state *)(uintptr_t)variable[0][0];
        state->reports_lost = state->last_mark = 0x60c860ac60d260b1;
    } else if (what == "reset") {
        kernel(0, 3);
        reset();
        kernel(1, 2);
        kernel(0, 1);
        reset();
    } else if (what == "devices") { // the first entry of each device is of another place
        kernel(0, 3);
        usleep(100000); // reports come meanwhile
        cudaSetDevice(1);
        kernel(1, 2);
        kernel(0, 4);
        usleep(100000);
    } else if (what == "names") {
        kernel(3, 1, 0xabc0, "one.cu");
        kernel(3, 1, 0xdef0, "other.cu");
        cudaSetDevice(1);
        kernel(3, 1, 0xdec0, "other.cu");
        kernel(4, 1, 0xdec0, "other.cu");
        kernel(4, 2, 0xacc0, "other.cu"); // of another unit that includes it
    } else if (what == "second") {
        cudaSetDevice(1);
        kernel(1, 1);
    } else if (what == "worker") {
        atexit([] { printf("%d %d, current %d\n", in_use[0], in_use[1], current); });
        std::thread([] { cudaSetDevice(1), kernel(1, 1), kernel(1, 1); }).join();
    } else if (what == "full") {
        room[1] = 65 * sizeof(barlint_rt_records); // nearly
        cudaSetDevice(1);
        kernel(0, 1);
        printf("%d, %zu pieces of memory\n", cudaGetLastError(), memory[1].size());
        barlint_rt_register(&late);
        kernel(0, 1);
        cudaSetDevice(0);
        kernel(1, 1);
    } else if (what == "reset-one") { // the other one goes on
        kernel(0, 1);
        cudaSetDevice(1);
        kernel(1, 1);
        reset();
        cudaSetDevice(0);
        kernel(1, 2);
        cudaSetDevice(1);
        kernel(1, 1);
    } else if (what == "many") {
        static barlint_rt_site places[1000];
        static barlint_rt_module larger = {variable, 9, places, 1000, 0, 0};
        std::fill(places, places + 1000, sites[0]);
        barlint_rt_register(&larger);
        kernel(0, 1);
    } else if (what == "ends") { // a barrier goes on without threads that have ended
        static const barlint_rt_site barriers[] = {{"a.cu", 3, 1, "k", "bar.sync", 0, 0},
                                                   {"a.cu", 4, 1, "k", "bar.sync", 0, BARLINT_RT_PERHAPS_BYPASSED},
                                                   {"a.cu", 5, 1, "k", "bar.sync", 0, BARLINT_RT_BYPASSED}};
        unit.sites = barriers;
        unit.site_count = 3;
        for (unsigned place = 0; place < 3; place++)
            kernel(place, 1, 0, "", BARLINT_EXIT_BEFORE_SYNC);
    } else if (what == "fork") {
        kernel(0, 1);
        int status = 0;
        pid_t child = fork();
        if (child == 0)
            exit(5);
        waitpid(child, &status, 0);
        printf("the copy ended with %d\n", WEXITSTATUS(status));
    } else {
        kernel(0, 1);
        runs_for_ever = true;
    }
    return 0;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    folder = tmp_path_factory.mktemp("host")
    (folder / "cuda_runtime_api.h").write_text(API)
    (folder / "main.cpp").write_text("#include <string>\n" + PROGRAM)
    result = subprocess.run(["c++", "-std=c++17", "-w", "-DBARLINT_RT_LAST_MS=300", f"-I{folder}",
                             f"-I{INCLUDE}", "-o", "program", "main.cpp", "-pthread"], cwd=folder,
                            capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return folder / "program"


def run(program, what, tmp_path):
    lines = tmp_path / "run.json"
    result = subprocess.run([program, what], capture_output=True, text=True, check=False, timeout=20,
                            env={**os.environ, "BARLINT_RT_JSON": str(lines)})
    assert result.returncode == 0, result.stderr
    said = [json.loads(line) for line in lines.read_text().splitlines()] if lines.exists() else []
    return result.stdout, result.stderr, said


def test_threads_that_launch_at_the_same_time(program, tmp_path):
    out, said, _ = run(program, "threads", tmp_path)
    assert (out, said) == ("2 states\n", "")


def test_a_library_that_is_loaded_while_a_device_is_set_up(program, tmp_path):
    """Its thread has the loader's lock, which CUDA may need for that: it waits for nobody."""
    out, said, _ = run(program, "loads", tmp_path)
    assert (out, said) == ("1 states, known\n", "")


def test_a_state_that_the_program_has_written_over(program, tmp_path):
    """What it says from then on is not repeated."""
    _, said, _ = run(program, "beyond", tmp_path)
    assert "has written over the memory of the checks" in said
    assert "are not listed" not in said


def test_a_device_that_is_reset(program, tmp_path):
    """It is checked afterwards, too, and what was known of it is told."""
    _, said, lines = run(program, "reset", tmp_path)
    assert "nothing is checked" not in said
    assert [line["passed"] for line in lines if line["kind"] == "place"] == [True, True]
    counts = {line["at"]["line"]: line["count"] for line in lines if line["kind"] == "event"}
    assert counts == {3: 4, 4: 2}
    assert re.search(r"a.cu:3:1: 4 times in all", said)


def test_threads_that_had_ended_before_a_barrier(program, tmp_path):
    """The place says whether they have gone past it, or may have left by a return, which is right."""
    _, said, lines = run(program, "ends", tmp_path)
    assert said.count("they have gone past it") == said.count("they may have gone past it") == 1
    assert said.count("note: ") == sum(line["level"] == "note" for line in events(lines))
    assert [(line["at"]["line"], line["rule"], line["level"], line["pedantic"])
            for line in events(lines)] == [(3, "exit-before-sync", "note", False),
                                           (4, "sync-divergent", "note", False),
                                           (5, "sync-divergent", "error", False)]


def events(lines):
    return [line for line in lines if line["kind"] == "event"]


def test_two_devices(program, tmp_path):
    """Both have the same first entry, for another cause. What both tell is told once."""
    _, said, lines = run(program, "devices", tmp_path)
    assert said.count("a.cu:3:1: ") == 2 and said.count("a.cu:4:1: ") == 2
    assert re.findall(r"of 0 x 0 x 0(.*)", said) == ["", ", on device 1"]
    assert "a.cu:3:1: 7 times in all, on devices 0, 1 [" in said
    assert "a.cu:4:1: 2 times in all [" in said
    last = {line["at"]["line"]: line for line in events(lines)}
    assert (last[3]["count"], last[3]["device"], last[3]["devices"]) == (7, 0, [0, 1])
    assert (last[4]["count"], last[4]["device"], last[4]["devices"]) == (2, 1, [1])


def test_names_of_files_of_two_devices(program, tmp_path):
    """A name has another address on the other device, and in another unit: what both tell of a place is told
    once."""
    _, said, lines = run(program, "names", tmp_path)
    assert re.findall(r"([a-z]*.cu:\d): (?!\d)", said) == ["one.cu:3", "other.cu:3", "other.cu:4"]
    both = [line for line in events(lines) if line["devices"] == [0, 1]]
    assert [(line["at"], line["count"]) for line in both] == [({"file": "other.cu", "line": 3}, 2)]
    last = {line["at"]["line"]: line for line in events(lines)}
    assert (last[4]["count"], last[4]["devices"]) == (3, [1])


def test_another_device_than_the_first(program, tmp_path):
    _, said, lines = run(program, "second", tmp_path)
    assert "on device 1" in said
    assert [line["device"] for line in events(lines)] == [1]


def test_a_device_that_only_another_thread_uses(program, tmp_path):
    """The first one, which nobody uses, gets no context as the program ends."""
    out, _, lines = run(program, "worker", tmp_path)
    assert out == "0 1, current 0\n"
    assert events(lines)[-1]["count"] == 2


def test_a_device_without_memory(program, tmp_path):
    """Nothing is checked there, which is said once, and the other one is checked. The program has its
    memory, and no error."""
    out, said, lines = run(program, "full", tmp_path)
    assert out == "0, 0 pieces of memory\n"
    assert said.count("nothing is checked on this device") == 1
    assert [(line["device"], line["at"]["line"]) for line in events(lines)] == [(0, 4)]


def test_one_of_two_devices_is_reset(program, tmp_path):
    _, said, lines = run(program, "reset-one", tmp_path)
    assert "nothing is checked" not in said
    last = {line["at"]["line"]: line["count"] for line in events(lines)}
    assert last == {3: 1, 4: 4}


def test_programs_that_write_to_one_file(program, tmp_path):
    """As one for each GPU does: lines stay whole."""
    lines = tmp_path / "run.json"
    env = {**os.environ, "BARLINT_RT_JSON": str(lines), "BARLINT_RT_LOG": str(tmp_path / "run.txt")}
    running = [subprocess.Popen([program, "many"], env=env) for _ in range(8)]
    assert [one.wait(timeout=20) for one in running] == [0] * 8
    said = [json.loads(line) for line in lines.read_text().splitlines()]
    assert sum(line["kind"] == "place" for line in said) == 8 * 1002
    text = (tmp_path / "run.txt").read_text().splitlines()
    assert sorted(text) == sorted(text[:len(text) // 8] * 8)


def test_a_copy_of_the_program_ends(program, tmp_path):
    out, said, _ = run(program, "fork", tmp_path)
    assert out.count("the copy ended with 5") == 1
    assert said.count("sync-divergent") == 1


def test_a_kernel_that_runs_for_ever_ends_with_the_program(program, tmp_path):
    begun = time.monotonic()
    _, said, lines = run(program, "endless", tmp_path)
    assert time.monotonic() - begun < 10
    assert said.count("sync-divergent") == 1
    assert [line["passed"] for line in lines if line["kind"] == "place"] == [True, False]


# What the structs were when BARLINT_RT_LAYOUT got the number: whoever changes them raises that, too.
LAYOUT = {5: "010e7639c7e4930a"}


def test_the_number_of_the_layout_is_raised_with_the_structs():
    structs = []
    for name in ("sites.h", "report.h", "shadow_block.h"):
        text = re.sub(r"//.*", "", (INCLUDE / name).read_text())
        structs += [" ".join(one.split()) for one in re.findall(r"^struct \w+ \{.*?^\}[^;]*;", text, re.S | re.M)]
    number = int(re.search(r"define BARLINT_RT_LAYOUT (\d+)", (INCLUDE / "sites.h").read_text())[1])
    assert len(structs) > 8
    assert {number: hashlib.sha256("\n".join(structs).encode()).hexdigest()[:16]} == LAYOUT


@pytest.mark.parametrize("layout, refused", [(None, False), (9, True)])
def test_units_of_different_versions_are_not_linked(program, tmp_path, layout, refused):
    (tmp_path / "one.cpp").write_text("#include <cuda_runtime_api.h>\n#include <host.h>\n")
    (tmp_path / "other.cpp").write_text("#include <cuda_runtime_api.h>\n#include <host.h>\n"
                                        "int main() { barlint_rt_print_site(stderr, 0); }\n")
    command = ["c++", "-std=c++17", "-w", f"-I{program.parent}", f"-I{INCLUDE}", "-c"]
    for name, more in (("one", []), ("other", [f"-DBARLINT_RT_LAYOUT={layout}"] * bool(layout))):
        subprocess.run([*command, *more, f"{name}.cpp"], cwd=tmp_path, check=True)
    result = subprocess.run(["c++", "-r", "-o", "all", "one.o", "other.o"], cwd=tmp_path,
                            capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr # the program's own link says it
    names = subprocess.run(["nm", "-u", "all"], cwd=tmp_path, capture_output=True, text=True,
                           check=True).stdout
    assert ("barlint_units_are_of_different_versions_9" in names) == refused
