// The host side of runtime_check: gives the device library its memory, and says what it found. It
// is compiled into the host code of each instrumented unit, so that a build changes nothing but its
// compiler; the linker keeps one copy. C++11, the CUDA runtime and the C library only.
//
// Environment:
//   BARLINT_RT_LOG=FILE      where reports go as text; default: standard error
//   BARLINT_RT_JSON=FILE     reports as JSON, one object a line
//   BARLINT_RT_CONTINUE=1    go on after a fault instead of ending the block's threads
//   BARLINT_RT_PEDANTIC=1    tell also what may be right
//   BARLINT_RT_FATAL=N       exit status of the program when something was reported
//   BARLINT_RT_STUCK_MS=N    how long copies on their way are waited for (default 500)
//   BARLINT_RT_OFF=1         check nothing
//   BARLINT_RT_SHADOW=global where modules that the driver loads were built so, too
#ifndef BARLINT_RUNTIME_CHECK_HOST_H
#define BARLINT_RUNTIME_CHECK_HOST_H

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <unistd.h>

#include <cuda_runtime_api.h>

#include "told.h"

#define BARLINT_RT_LOOK_MS 10 // how often reports are looked for while the program runs
// For so long a program that ends waits for what its devices still do: no hang goes untold as long.
#ifndef BARLINT_RT_LAST_MS
#define BARLINT_RT_LAST_MS 12000
#endif

BARLINT_RT_HOST_SIDE {

// ---- what devices have told when they are asked ----

// Waits until the current device has done what it was given, but for streams that wait for none
// (cudaStreamNonBlocking). A kernel that runs for ever is not waited for: it ends with the program.
inline void barlint_rt_await_device(void)
{
    cudaEvent_t over;
    if (cudaEventCreateWithFlags(&over, cudaEventDisableTiming) != cudaSuccess) {
        return;
    }
    bool runs = cudaEventRecord(over, cudaStreamLegacy) == cudaSuccess;
    for (int ms = 0; runs && ms < BARLINT_RT_LAST_MS; ms++) {
        struct timespec pause = {0, 1000000l};
        runs = cudaEventQuery(over) == cudaErrorNotReady;
        if (runs) {
            (void)cudaGetLastError(); // which that has become
            runs = nanosleep(&pause, 0) == 0;
        }
    }
    (void)cudaEventDestroy(over);
}

// Which places of a module have been passed on the current device.
inline void barlint_rt_fetch_passed(struct barlint_rt_module *m, cudaStream_t stream)
{
    uint32_t here[BARLINT_RT_PASSED / 32];
    if (!m->state_symbol || m->site_count == 0 ||
        cudaMemcpyFromSymbolAsync(here, m->state_symbol, sizeof here, 8,
                                  cudaMemcpyDeviceToHost, stream) != cudaSuccess ||
        cudaStreamSynchronize(stream) != cudaSuccess) {
        return;
    }
    if (!m->passed) {
        m->passed = (uint32_t *)calloc(BARLINT_RT_PASSED / 32, sizeof *m->passed);
    }
    for (uint32_t i = 0; i < BARLINT_RT_PASSED / 32 && m->passed; i++) {
        m->passed[i] |= here[i];
    }
}

// Copies the exact counts from the current device `d`, and which places have been passed there, as far
// as it still answers.
inline void barlint_rt_fetch(struct barlint_rt_program *program, int d)
{
    struct barlint_rt_state state;
    cudaStream_t stream;
    barlint_rt_await_device();
    if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess) {
        return;
    }
    if (cudaMemcpyAsync(&state, program->state[d], sizeof state, cudaMemcpyDeviceToHost, stream) ==
            cudaSuccess &&
        cudaStreamSynchronize(stream) == cudaSuccess) {
        bool sound = state.first_mark == BARLINT_RT_STATE_MARK &&
                     state.last_mark == BARLINT_RT_STATE_MARK;
        program->is_overwritten = program->is_overwritten || !sound;
        struct barlint_rt_told *told = program->told[d];
        for (uint32_t i = 0; i < BARLINT_RT_REPORTS && sound; i++) {
            told->happened[i] += state.report_count[i];
            told->cause[i] = told->cause[i] ? told->cause[i] : state.report_key[i];
        }
        program->objects_lost += sound ? state.objects_lost : 0;
        program->reports_lost += sound ? state.reports_lost : 0;
        for (struct barlint_rt_module *m = program->modules; m; m = m->next) {
            barlint_rt_fetch_passed(m, stream);
        }
    }
    (void)cudaStreamDestroy(stream);
}

// From each device that has been set up, which is the thread's current one in turn.
inline void *barlint_rt_fetch_each(void *given)
{
    struct barlint_rt_program *program = (struct barlint_rt_program *)given;
    for (int d = 0; d < BARLINT_RT_DEVICES; d++) {
        if (program->state[d] && cudaSetDevice(d) == cudaSuccess) {
            barlint_rt_fetch(program, d);
        }
    }
    return 0;
}

inline void barlint_rt_fetch_all(struct barlint_rt_program *program)
{
    int now = 0;
    pthread_t other;
    if (cudaGetDevice(&now) != cudaSuccess) {
        return;
    }
    // To go back to a device that is not in use would make a context there: another thread asks then.
    bool in_use = now < BARLINT_RT_DEVICES && program->state[now];
    if (!in_use && pthread_create(&other, 0, barlint_rt_fetch_each, program) == 0) {
        pthread_join(other, 0);
    } else {
        (void)barlint_rt_fetch_each(program);
        (void)cudaSetDevice(now);
    }
    for (uint32_t i = 0; i < BARLINT_RT_DEVICES * BARLINT_RT_REPORTS; i++) {
        struct barlint_rt_told *told = program->told[i / BARLINT_RT_REPORTS];
        uint32_t at = i % BARLINT_RT_REPORTS;
        if (told && told->happened[at] > told->reports[at].count) {
            told->reports[at].count = told->happened[at];
        }
    }
}

// Prints reports as they come: a program that is killed, or hangs, has said what was found.
inline void *barlint_rt_print_reports(void *given)
{
    struct barlint_rt_program *program = (struct barlint_rt_program *)given;
    pthread_mutex_lock(&program->lock);
    while (!program->is_over) {
        barlint_rt_print_new(program, false);
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += BARLINT_RT_LOOK_MS * 1000000l;
        until.tv_sec += until.tv_nsec / 1000000000l;
        until.tv_nsec %= 1000000000l;
        pthread_cond_timedwait(&program->ends, &program->lock, &until);
    }
    pthread_mutex_unlock(&program->lock);
    return 0;
}

// At the program's end: the last reports and the exit status asked for.
inline void barlint_rt_finish(void)
{
    struct barlint_rt_program *program = barlint_rt_this_program();
    if (program->process != getpid()) {
        return; // of a copy that fork() made the printer is not there either
    }
    pthread_mutex_lock(&program->lock);
    program->is_over = true;
    pthread_cond_signal(&program->ends);
    pthread_mutex_unlock(&program->lock);
    if (program->prints) {
        pthread_join(program->printer, 0);
    }
    barlint_rt_fetch_all(program);
    uint32_t found = barlint_rt_print_new(program, true);
    barlint_rt_json_places(program);
    if (program->is_overwritten) {
        fprintf(stderr, "barlint: the program has written over the memory of the checks, which say what "
                        "they like from then on: look for an access out of bounds\n");
    }
    if (program->objects_lost > 0) {
        fprintf(stderr, "barlint: %llu operations were not checked: their block has more than %u "
                        "mbarriers\n",
                (unsigned long long)program->objects_lost, BARLINT_RT_OBJECTS);
    }
    if (program->reports_lost > 0) {
        fprintf(stderr, "barlint: %llu mistakes are not listed: there are more than %u kinds\n",
                (unsigned long long)program->reports_lost, (unsigned)BARLINT_RT_REPORTS);
    }
    long fatal = barlint_rt_setting("BARLINT_RT_FATAL", 0);
    if (found > 0 && fatal != 0) {
        fflush(0);
        _Exit((int)fatal);
    }
}

// ---- setting up ----

inline bool barlint_rt_complain(const char *what, cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "barlint: nothing is checked on this device: %s: %s\n", what,
                cudaGetErrorString(error));
        (void)cudaGetLastError(); // the program, which may ask after its launch, has made no mistake
    }
    return error == cudaSuccess;
}

#define BARLINT_RT_REPORT_BYTES                                                                    \
    ((BARLINT_RT_REPORTS * sizeof(struct barlint_rt_report) + 4095u) & ~(size_t)4095u)
#define BARLINT_RT_NAME_BYTES                                                                      \
    ((BARLINT_RT_NAMES * sizeof(struct barlint_rt_name) + 4095u) & ~(size_t)4095u)

// Starts whoever prints reports.
inline void barlint_rt_begin_printing(struct barlint_rt_program *program)
{
    program->process = getpid();
    pthread_mutex_init(&program->lock, 0);
    pthread_cond_init(&program->ends, 0);
    program->prints =
        pthread_create(&program->printer, 0, barlint_rt_print_reports, program) == 0;
    atexit(barlint_rt_finish);
}

// Makes the memory for what the current device `d` tells. Returns false when there is none.
inline bool barlint_rt_make_told(struct barlint_rt_program *program, int d)
{
    size_t bytes = BARLINT_RT_REPORT_BYTES + BARLINT_RT_NAME_BYTES;
    struct barlint_rt_told *told = program->told[d];
    void *memory = told ? (void *)told->reports : aligned_alloc(4096, bytes);
    if (memory && !told) {
        memset(memory, 0, bytes);
    }
    if (!memory || !barlint_rt_complain("reports", cudaHostRegister(memory, bytes,
                                                                    cudaHostRegisterPortable |
                                                                        cudaHostRegisterMapped))) {
        if (!told) {
            free(memory);
        }
        return false;
    }
    if (told) { // once more, after the device was reset
        told->registered = true;
        return true;
    }
    told = (struct barlint_rt_told *)calloc(1, sizeof *told);
    if (!told) {
        return false; // the memory is the device's now
    }
    told->reports = (struct barlint_rt_report *)memory;
    told->names = (struct barlint_rt_name *)((char *)memory + BARLINT_RT_REPORT_BYTES);
    told->registered = true;
    if (program->process == 0) {
        barlint_rt_begin_printing(program);
    }
    pthread_mutex_lock(&program->lock);
    program->told[d] = told;
    pthread_mutex_unlock(&program->lock);
    return true;
}

// A device that cannot be set up is not to lack what the checks had got of its memory.
inline void barlint_rt_give_back(void *memory)
{
    if (memory && cudaFree(memory) != cudaSuccess) {
        (void)cudaGetLastError();
    }
}

// Makes the state of the current device `d`; NULL when there is no memory for it.
inline struct barlint_rt_state *barlint_rt_make_state(struct barlint_rt_program *program, int d,
                                                      cudaStream_t stream)
{
    bool registered = program->told[d] && program->told[d]->registered;
    if (!registered && !barlint_rt_make_told(program, d)) {
        return 0;
    }
    const struct barlint_rt_told *told = program->told[d];
    struct barlint_rt_state state;
    memset(&state, 0, sizeof state);
    state.first_mark = state.last_mark = BARLINT_RT_STATE_MARK;
    int processors = 0;
    if (!barlint_rt_complain("attributes",
                             cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount,
                                                    d))) {
        return 0;
    }
    state.record_count = (uint32_t)processors * BARLINT_RT_SM_WARPS;
    state.cluster_count = 4096;
    state.options = (barlint_rt_setting("BARLINT_RT_CONTINUE", 0) ? BARLINT_RT_CONTINUE : 0u) |
                    (barlint_rt_setting("BARLINT_RT_PEDANTIC", 0) ? BARLINT_RT_PEDANTIC : 0u) |
                    (barlint_rt_setting("BARLINT_RT_EVERY_BLOCK", 0) ? BARLINT_RT_EVERY_BLOCK : 0u);
    state.stuck_ms = (uint32_t)barlint_rt_setting("BARLINT_RT_STUCK_MS", 500);
    for (uint32_t i = 0; i < BARLINT_RT_REPORTS; i++) { // no other mistake takes their entries
        if (told->cause[i] && told->reports[i].ready) {
            state.report_key[i] = told->cause[i];
            state.report_ready[i] = 1;
        }
    }
    for (uint32_t i = 0; i < BARLINT_RT_NAMES; i++) {
        state.name_of[i] = told->names[i].address;
    }
    static_assert(sizeof state <= BARLINT_RT_OWN_PAGE, "it has a page of its own");
    void *reports, *records = 0, *clusters = 0, *memory = 0;
    size_t cluster_bytes = state.cluster_count * sizeof(struct barlint_rt_cluster);
    if (barlint_rt_complain("reports", cudaHostGetDevicePointer(&reports, told->reports, 0)) &&
        barlint_rt_complain("memory", cudaMalloc(&records, state.record_count *
                                                               sizeof *state.records)) &&
        barlint_rt_complain("memory", cudaMalloc(&clusters, cluster_bytes)) &&
        barlint_rt_complain("memory", cudaMemsetAsync(clusters, 0, cluster_bytes, stream)) &&
        barlint_rt_complain("memory", cudaMalloc(&memory, BARLINT_RT_OWN_PAGE))) {
        state.reports = (struct barlint_rt_report *)reports;
        state.names = (struct barlint_rt_name *)((char *)reports + BARLINT_RT_REPORT_BYTES);
        state.records = (struct barlint_rt_records *)records;
        state.clusters = (struct barlint_rt_cluster *)clusters;
        if (barlint_rt_complain("memory", cudaMemcpyAsync(memory, &state, sizeof state,
                                                          cudaMemcpyHostToDevice, stream)) &&
            barlint_rt_complain("memory", cudaStreamSynchronize(stream))) {
            return (struct barlint_rt_state *)memory;
        }
    }
    barlint_rt_give_back(records);
    barlint_rt_give_back(clusters);
    barlint_rt_give_back(memory);
    return 0;
}

// Makes shadows in the memory of the current device, for as many blocks as it has places for warps, and
// enters them in its state. Returns false where there is no memory.
inline bool barlint_rt_make_shadows(struct barlint_rt_state *device, cudaStream_t stream)
{
    struct barlint_rt_state state;
    void *shadows = 0, *taken = 0;
    if (!barlint_rt_complain("shadows", cudaMemcpyAsync(&state, device, sizeof state,
                                                        cudaMemcpyDeviceToHost, stream)) ||
        !barlint_rt_complain("shadows", cudaStreamSynchronize(stream))) {
        return false;
    }
    size_t bytes = state.record_count * sizeof *state.shadow_taken;
    if (!barlint_rt_complain("shadows",
                             cudaMalloc(&shadows, state.record_count * sizeof *state.shadows)) ||
        !barlint_rt_complain("shadows", cudaMalloc(&taken, bytes)) ||
        !barlint_rt_complain("shadows", cudaMemsetAsync(taken, 0, bytes, stream))) {
        barlint_rt_give_back(shadows);
        barlint_rt_give_back(taken);
        return false;
    }
    state.shadows = (struct barlint_rt_block *)shadows;
    state.shadow_taken = (uint32_t *)taken;
    size_t from = offsetof(struct barlint_rt_state, shadows);
    size_t to = offsetof(struct barlint_rt_state, shadow_taken) + sizeof state.shadow_taken;
    return barlint_rt_complain("shadows", cudaMemcpyAsync((char *)device + from,
                                                          (char *)&state + from, to - from,
                                                          cudaMemcpyHostToDevice, stream)) &&
           barlint_rt_complain("shadows", cudaStreamSynchronize(stream));
}

// The modules of the current device `d` learn where its state is.
inline void barlint_rt_set_up(struct barlint_rt_program *program, int d, cudaStream_t stream)
{
    if (!program->state[d]) {
        program->state[d] = barlint_rt_make_state(program, d, stream);
        program->unchecked[d] = !program->state[d];
    }
    if (!program->unchecked[d] && program->global_shadows && !program->has_shadows[d]) {
        program->has_shadows[d] = barlint_rt_make_shadows(program->state[d], stream);
        program->unchecked[d] = !program->has_shadows[d];
    }
    unsigned long long address = (unsigned long long)(uintptr_t)program->state[d];
    for (struct barlint_rt_module *m = program->modules; m && !program->unchecked[d]; m = m->next) {
        if (m->state_symbol) { // those that the driver loaded have theirs
            (void)barlint_rt_complain("a module",
                                      cudaMemcpyToSymbolAsync(m->state_symbol, &address,
                                                              sizeof address, 0,
                                                              cudaMemcpyHostToDevice, stream));
        }
    }
    (void)barlint_rt_complain("a module", cudaStreamSynchronize(stream));
}

// A thread that may be capturing a stream into a graph does something on a stream of its own, which is in
// order with no other. Returns false, with nothing to step back from, where there is none.
struct barlint_rt_aside {
    cudaStream_t stream;
    cudaStreamCaptureMode mode;
};

inline bool barlint_rt_step_aside(struct barlint_rt_aside *aside)
{
    aside->mode = cudaStreamCaptureModeRelaxed;
    (void)cudaThreadExchangeStreamCaptureMode(&aside->mode);
    bool done = barlint_rt_complain(
        "a stream", cudaStreamCreateWithFlags(&aside->stream, cudaStreamNonBlocking));
    if (!done) {
        (void)cudaThreadExchangeStreamCaptureMode(&aside->mode);
    }
    return done;
}

inline void barlint_rt_step_back(struct barlint_rt_aside *aside)
{
    (void)cudaStreamDestroy(aside->stream);
    (void)cudaThreadExchangeStreamCaptureMode(&aside->mode);
}

// Copies between host and device, whichever of them `to` is of.
inline bool barlint_rt_copy_aside(struct barlint_rt_aside *aside, void *to, const void *from,
                                  size_t bytes)
{
    bool done =
        cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, aside->stream) == cudaSuccess &&
        cudaStreamSynchronize(aside->stream) == cudaSuccess;
    if (!done) {
        (void)cudaGetLastError(); // the program has made no mistake
    }
    return done;
}

inline void barlint_rt_prepare_device(struct barlint_rt_program *program, int device)
{
    // Those that come meanwhile are set up at the next launch.
    uint32_t count = __atomic_load_n(&program->module_count, __ATOMIC_ACQUIRE);
    const char *shadow = getenv("BARLINT_RT_SHADOW");
    program->global_shadows = program->global_shadows || (shadow && !strcmp(shadow, "global"));
    program->off = barlint_rt_setting("BARLINT_RT_OFF", 0) != 0;
    if (program->off || program->unchecked[device]) {
        return;
    }
    struct barlint_rt_aside aside;
    if (barlint_rt_step_aside(&aside)) {
        barlint_rt_set_up(program, device, aside.stream);
        barlint_rt_step_back(&aside);
    }
    __atomic_store_n(&program->set_up[device], count, __ATOMIC_RELEASE);
}

// Before a launch: the current device's modules know their state. Threads that launch at the same time
// wait for whoever sees to it.
inline void barlint_rt_prepare(void)
{
    struct barlint_rt_program *program = barlint_rt_this_program();
    int device = 0;
    if (program->off || cudaGetDevice(&device) != cudaSuccess || device >= BARLINT_RT_DEVICES ||
        program->unchecked[device] ||
        __atomic_load_n(&program->set_up[device], __ATOMIC_ACQUIRE) ==
            __atomic_load_n(&program->module_count, __ATOMIC_ACQUIRE)) {
        return;
    }
    pthread_mutex_lock(&program->set_up_by);
    if (!program->off && program->set_up[device] !=
                             __atomic_load_n(&program->module_count, __ATOMIC_ACQUIRE)) {
        barlint_rt_prepare_device(program, device);
    }
    pthread_mutex_unlock(&program->set_up_by);
}

// The current device is about to lose its memory (cudaDeviceReset): what it knows is kept, and the next
// launch sets it up anew.
inline void barlint_rt_forget_device(void)
{
    struct barlint_rt_program *program = barlint_rt_this_program();
    int device = 0;
    if (cudaGetDevice(&device) != cudaSuccess || device >= BARLINT_RT_DEVICES) {
        return;
    }
    pthread_mutex_lock(&program->set_up_by);
    if (program->state[device]) {
        barlint_rt_fetch(program, device);
        program->state[device] = 0;
        program->has_shadows[device] = false;
        program->set_up[device] = 0;
        ++program->resets[device];
        program->told[device]->registered =
            cudaHostUnregister(program->told[device]->reports) != cudaSuccess;
    }
    pthread_mutex_unlock(&program->set_up_by);
}

// A kernel cannot have as many bytes of dynamic shared memory as it asks for. Says so where it could
// without the checks.
inline void barlint_rt_tell_lack_of_room(const void *function, int bytes)
{
    struct cudaFuncAttributes has;
    int device = 0, most = 0;
    static bool said;
    if (said || cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) !=
            cudaSuccess ||
        cudaFuncGetAttributes(&has, function) != cudaSuccess || bytes > most ||
        has.sharedSizeBytes + (size_t)bytes <= (size_t)most) {
        return;
    }
    said = true;
    fprintf(stderr,
            "barlint: a kernel asks for %d bytes of shared memory beside %zu that it has with the "
            "checks, and a block has %d at most: build it with BARLINT_RT_SHADOW=global\n",
            bytes, has.sharedSizeBytes, most);
}

// The current device; -1: none that is followed.
inline int barlint_rt_device_here(void)
{
    int device = 0;
    return cudaGetDevice(&device) == cudaSuccess && device < BARLINT_RT_DEVICES ? device : -1;
}

// The state of the current device; 0: nothing is checked there.
inline unsigned long long barlint_rt_state_here(void)
{
    struct barlint_rt_program *program = barlint_rt_this_program();
    int device = barlint_rt_device_here();
    return device >= 0 && !program->off && !program->unchecked[device]
               ? (unsigned long long)(uintptr_t)program->state[device]
               : 0;
}

} // namespace

#if defined(__ELF__) && !defined(__CUDA_ARCH__) && !defined(BARLINT_RT_UNMARKED)
#define BARLINT_RT_VERSION BARLINT_RT_PASTED(BARLINT_RT_VERSIONS, BARLINT_RT_PASTED(_, BARLINT_RT_LAYOUT))
#define BARLINT_RT_VERSION_TEXT BARLINT_RT_QUOTED(BARLINT_RT_VERSION)
__asm__(".pushsection .rodata.barlint_rt, \"aG\", @progbits, "
        BARLINT_RT_QUOTED(BARLINT_RT_VERSIONS) ", comdat\n"
        ".globl " BARLINT_RT_VERSION_TEXT "\n"
        ".hidden " BARLINT_RT_VERSION_TEXT "\n" BARLINT_RT_VERSION_TEXT ":\n"
        ".byte 0\n"
        ".popsection\n");
extern "C" __attribute__((visibility("hidden"))) const char BARLINT_RT_VERSION;
static const char *const barlint_rt_version_of_unit __attribute__((used)) = &BARLINT_RT_VERSION;
#endif

#endif
