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

#include "shadow.h"
#include "sites.h"

#define BARLINT_RT_DEVICES 64
#define BARLINT_RT_LOOK_MS 10 // how often reports are looked for while the program runs
// For so long a program that ends waits for what its devices still do: no hang goes untold as long.
#ifndef BARLINT_RT_LAST_MS
#define BARLINT_RT_LAST_MS 12000
#endif

// What one device tells. Each has a table of its own: which entry a cause has, a device decides by itself.
struct barlint_rt_told {
    struct barlint_rt_report *reports; // host memory that the device writes to
    struct barlint_rt_name *names;     // the same: files that are named by reports
    bool registered;                   // it is known to CUDA
    uint64_t cause[BARLINT_RT_REPORTS];    // of a report, when the device was asked; 0: not known
    uint64_t happened[BARLINT_RT_REPORTS]; // how often, by what it said last
    uint64_t said[BARLINT_RT_REPORTS]; // how often it had happened, on all devices, when it was printed;
                                       // 0: not yet
};
#define BARLINT_RT_SAID_BY_ANOTHER UINT64_MAX // the same of another device was printed

// What is known of the running program.
struct barlint_rt_program {
    struct barlint_rt_module *modules;
    struct barlint_rt_told *told[BARLINT_RT_DEVICES];   // NULL: nothing has been launched there
    struct barlint_rt_state *state[BARLINT_RT_DEVICES]; // in the device's memory
    uint32_t set_up[BARLINT_RT_DEVICES];                // modules that know it
    uint32_t module_count;
    bool global_shadows;                      // a unit has its shadows in global memory
    bool has_shadows[BARLINT_RT_DEVICES];     // and there they are
    bool unchecked[BARLINT_RT_DEVICES];       // it could not be set up
    bool off;
    pid_t process;             // that has made it: others are copies, in which nothing runs
    pthread_mutex_t set_up_by; // of what devices and modules know: one thread at a time
    pthread_mutex_t lock;      // of what follows, of the list `told` and of what `said` holds
    pthread_cond_t ends;
    pthread_t printer; // prints reports as they come
    bool prints, is_over;
    uint64_t objects_lost, reports_lost; // for want of room: operations, kinds of mistakes
};

inline struct barlint_rt_program *barlint_rt_this_program(void)
{
    static struct barlint_rt_program program; // all zero, which is a free mutex, too
    return &program;
}

inline long barlint_rt_setting(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text && *text ? strtol(text, 0, 10) : otherwise;
}

// A unit announces itself, before main. Modules that come later (a library that is loaded) are set
// up at the next launch. Without a lock: who loads a library holds the loader's, and CUDA, which loads
// libraries of its own while a device is set up, may wait for that.
inline void barlint_rt_register(struct barlint_rt_module *m)
{
    struct barlint_rt_program *program = barlint_rt_this_program();
    m->next = __atomic_load_n(&program->modules, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&program->modules, &m->next, m, true, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED)) {
    }
    __atomic_add_fetch(&program->module_count, 1u, __ATOMIC_RELEASE);
}

// ---- reading reports ----

inline const struct barlint_rt_module *barlint_rt_module_of(uint64_t site)
{
    for (const struct barlint_rt_module *m = barlint_rt_this_program()->modules; m; m = m->next) {
        if (m->number == (uint32_t)(site >> 32)) {
            return m;
        }
    }
    return 0;
}

// The place in the source, NULL when it is not known.
inline const struct barlint_rt_site *barlint_rt_site_of(uint64_t site)
{
    const struct barlint_rt_module *module = barlint_rt_module_of(site);
    return module && (uint32_t)site < module->site_count ? &module->sites[(uint32_t)site] : 0;
}

// A place that was given as line and file name, which came with the report.
inline bool barlint_rt_by_name(uint64_t site, const char **out_file, uint32_t *out_line)
{
    const struct barlint_rt_program *program = barlint_rt_this_program();
    *out_line = (uint32_t)(site >> 47) & 0xffffu;
    // All devices of a process share one space of addresses.
    for (uint32_t i = 0; (site >> 63) && i < BARLINT_RT_DEVICES * BARLINT_RT_NAMES; i++) {
        const struct barlint_rt_told *told = program->told[i / BARLINT_RT_NAMES];
        const struct barlint_rt_name *name = told ? &told->names[i % BARLINT_RT_NAMES] : 0;
        if (name && *(const volatile uint64_t *)&name->address == (site & BARLINT_RT_NAME_MASK)) {
            *out_file = name->text;
            return true;
        }
    }
    return false;
}

inline void barlint_rt_print_site(FILE *out, uint64_t site)
{
    const struct barlint_rt_module *module = barlint_rt_module_of(site);
    const struct barlint_rt_site *s = barlint_rt_site_of(site);
    const char *file;
    uint32_t line;
    if (barlint_rt_by_name(site, &file, &line)) {
        fprintf(out, "%s:%u", file, line);
        return;
    }
    if (!s) {
        fputs(site ? "an unknown place" : "its beginning", out);
        return;
    }
    fprintf(out, "%s:%u:%u", s->file, s->line, s->column);
    for (uint32_t at = s->inlined_at; at != 0; at = module->sites[at - 1].inlined_at) {
        fprintf(out, ", called at %s:%u", module->sites[at - 1].file, module->sites[at - 1].line);
    }
}

// Prints the numbers of the threads in `lanes`, a mask for each warp, as ranges.
inline void barlint_rt_print_threads(FILE *out, const uint32_t lanes[])
{
    const char *between = "";
    for (uint32_t t = 0; t < BARLINT_RT_WARPS * BARLINT_WARP_SIZE; t++) {
        if (!(lanes[t / 32u] >> t % 32u & 1u)) {
            continue;
        }
        uint32_t last = t;
        while (last + 1u < BARLINT_RT_WARPS * BARLINT_WARP_SIZE &&
               (lanes[(last + 1u) / 32u] >> (last + 1u) % 32u & 1u)) {
            last++;
        }
        fprintf(out, last > t ? "%s%u-%u" : "%s%u", between, t, last);
        between = ", ";
        t = last;
    }
}

inline const char *barlint_rt_subject_name(uint32_t subject)
{
    return subject == BARLINT_RT_MBARRIER          ? "mbarrier"
           : subject == BARLINT_RT_NAMED           ? "named barrier"
           : subject == BARLINT_RT_WARP_MASK       ? "warp"
           : subject == BARLINT_RT_CLUSTER_BARRIER ? "cluster barrier"
           : subject == BARLINT_RT_GRID_BARRIER    ? "grid barrier"
                                                   : "";
}

inline void barlint_rt_print_subject(FILE *out, const struct barlint_rt_report *r)
{
    if (r->subject == BARLINT_RT_MBARRIER) {
        fprintf(out, "  mbarrier at shared address 0x%x", r->number);
        if (r->made_at) {
            fputs(", initialised at ", out);
            barlint_rt_print_site(out, r->made_at);
        }
        fprintf(out, "\n  in phase %u: %u of %u arrivals to come", r->phase, r->pending,
                r->expected);
        if (r->tx != 0) {
            fprintf(out, ", %d bytes announced and not arrived", r->tx);
        }
        fputc('\n', out);
    } else if (r->subject == BARLINT_RT_NAMED) {
        fprintf(out, "  named barrier %u, generation %u: %u threads have come", r->number, r->phase,
                r->pending);
        if (r->expected != 0) {
            fprintf(out, " of %u", r->expected);
        }
        if (r->made_at && r->made_at != r->site) {
            fputs(", the first at ", out);
            barlint_rt_print_site(out, r->made_at);
        }
        fputc('\n', out);
    } else if (r->subject == BARLINT_RT_WARP_MASK) {
        fprintf(out, "  mask 0x%x\n", r->number);
    } else if (r->subject == BARLINT_RT_GRID_BARRIER) {
        fprintf(out, "  barrier of the grid: %u of %u blocks have come, the others have ended\n",
                r->expected - r->pending, r->expected);
    }
}

// The places of a report, those of several warps that are the same joined.
inline void barlint_rt_print_places(FILE *out, const struct barlint_rt_report *r)
{
    bool done[BARLINT_RT_PLACES] = {};
    for (uint32_t i = 0; i < r->places; i++) {
        if (done[i]) {
            continue;
        }
        const struct barlint_rt_place *p = &r->place[i];
        uint32_t lanes[BARLINT_RT_WARPS] = {};
        for (uint32_t k = i; k < r->places; k++) {
            const struct barlint_rt_place *q = &r->place[k];
            if (q->site == p->site && q->activity == p->activity && q->number == p->number &&
                q->phase == p->phase) {
                lanes[q->warp] |= q->lanes;
                done[k] = true;
            }
        }
        fputs("    threads ", out);
        barlint_rt_print_threads(out, lanes);
        fputs(p->activity == BARLINT_RT_EXITED  ? " have ended"
              : p->activity == BARLINT_RT_WAITS ? " wait"
                                                : " were last seen",
              out);
        if (p->site || p->activity != BARLINT_RT_EXITED) { // else it is forgotten where
            fputs(" at ", out);
            barlint_rt_print_site(out, p->site);
        }
        if (p->activity == BARLINT_RT_WAITS && p->subject == BARLINT_RT_MBARRIER) {
            fprintf(out, " for phase %u of the mbarrier at 0x%x", p->phase, p->number);
        } else if (p->activity == BARLINT_RT_WAITS && p->subject == BARLINT_RT_NAMED) {
            fprintf(out, " for named barrier %u", p->number);
        }
        fputc('\n', out);
    }
}

// What works on the hardware we know, and the analyzer tells with --pedantic or as a note only.
inline bool barlint_rt_is_note(const struct barlint_rt_report *r)
{
    return r->kind == BARLINT_RT_NOTE || r->kind == BARLINT_RT_HINT ||
           (r->kind == BARLINT_RT_EVENT &&
            (r->violation == BARLINT_EXIT_BEFORE_SYNC || r->violation == BARLINT_SYNC_TWO_SITES ||
             (r->violation == BARLINT_INIT_INVAL_MID_PHASE && r->tx == 0)));
}

// Devices that have told of the same, a bit for each, and how often it has happened on all of them.
struct barlint_rt_tellers {
    uint64_t devices, count;
};

// Is it the same mistake, or the same note, at the same place? As barlint_rt_report_entry() asks.
inline bool barlint_rt_same_cause(const struct barlint_rt_report *one,
                                  const struct barlint_rt_report *other)
{
    bool notes = one->kind == BARLINT_RT_NOTE || one->kind == BARLINT_RT_HINT ||
                 other->kind == BARLINT_RT_NOTE || other->kind == BARLINT_RT_HINT;
    return one->violation == other->violation && one->site == other->site &&
           (!notes || one->kind == other->kind);
}

// The entry of a device for what `r` tells; BARLINT_RT_REPORTS where it has not told of it.
inline uint32_t barlint_rt_entry_of(const struct barlint_rt_told *told,
                                    const struct barlint_rt_report *r)
{
    for (uint32_t i = 0; i < BARLINT_RT_REPORTS; i++) {
        if (*(const volatile uint32_t *)&told->reports[i].ready &&
            barlint_rt_same_cause(&told->reports[i], r)) {
            return i;
        }
    }
    return BARLINT_RT_REPORTS;
}

inline struct barlint_rt_tellers barlint_rt_tellers_of(const struct barlint_rt_program *program,
                                                       const struct barlint_rt_report *r)
{
    struct barlint_rt_tellers tellers = {0, 0};
    for (int d = 0; d < BARLINT_RT_DEVICES; d++) {
        uint32_t at = program->told[d] ? barlint_rt_entry_of(program->told[d], r) : BARLINT_RT_REPORTS;
        if (at < BARLINT_RT_REPORTS) {
            tellers.devices |= 1ull << d;
            tellers.count += program->told[d]->reports[at].count;
        }
    }
    return tellers;
}

// Is it worth saying which device something is told of?
inline bool barlint_rt_names_device(int device)
{
    const struct barlint_rt_program *program = barlint_rt_this_program();
    bool others = device != 0;
    for (int d = 1; d < BARLINT_RT_DEVICES; d++) {
        others = others || program->told[d];
    }
    return others;
}

inline void barlint_rt_print_report(FILE *out, const struct barlint_rt_report *r, int device)
{
    enum barlint_violation v = (enum barlint_violation)r->violation;
    fputs("barlint: ", out);
    barlint_rt_print_site(out, r->site);
    fprintf(out, ": %s%s [%s]\n",
            r->kind == BARLINT_RT_HANG ? "the block hangs: "
            : barlint_rt_is_note(r)    ? "note: "
                                       : "",
            barlint_violation_contract(v), barlint_violation_rule(v));
    const struct barlint_rt_site *s = barlint_rt_site_of(r->site);
    fprintf(out, "  in %s, block (%u, %u, %u), threads ", s && s->function ? s->function : "a kernel",
            r->block[0], r->block[1], r->block[2]);
    barlint_rt_print_threads(out, r->lanes);
    fprintf(out, " of %u x %u x %u", r->block_dim[0], r->block_dim[1], r->block_dim[2]);
    if (barlint_rt_names_device(device)) {
        fprintf(out, ", on device %d", device);
    }
    fputc('\n', out);
    barlint_rt_print_subject(out, r);
    barlint_rt_print_places(out, r);
}

// That it has happened again since it was printed.
inline void barlint_rt_print_count(FILE *out, const struct barlint_rt_report *r,
                                   struct barlint_rt_tellers tellers)
{
    fputs("barlint: ", out);
    barlint_rt_print_site(out, r->site);
    fprintf(out, ": %llu times in all", (unsigned long long)tellers.count);
    const char *before = ", on devices ";
    for (int d = 0; d < BARLINT_RT_DEVICES; d++) {
        if ((tellers.devices & (tellers.devices - 1u)) != 0 && (tellers.devices >> d & 1u)) {
            fprintf(out, "%s%d", before, d);
            before = ", ";
        }
    }
    fprintf(out, " [%s]\n", barlint_violation_rule((enum barlint_violation)r->violation));
}

inline void barlint_rt_json_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            fprintf(out, "\\%c", c);
        } else if (c < 0x20) {
            fprintf(out, "\\u%04x", c);
        } else {
            fputc(c, out);
        }
    }
    fputc('"', out);
}

inline void barlint_rt_json_site(FILE *out, const char *name, uint64_t site)
{
    const struct barlint_rt_site *s = barlint_rt_site_of(site);
    const char *file;
    uint32_t line;
    if (barlint_rt_by_name(site, &file, &line)) {
        fprintf(out, ",\"%s\":{\"file\":", name);
        barlint_rt_json_string(out, file);
        fprintf(out, ",\"line\":%u}", line);
    }
    if (!s) {
        return;
    }
    fprintf(out, ",\"%s\":{\"file\":", name);
    barlint_rt_json_string(out, s->file);
    fprintf(out, ",\"line\":%u,\"column\":%u,\"inlined_at\":[", s->line, s->column);
    const struct barlint_rt_module *module = barlint_rt_module_of(site);
    for (uint32_t at = s->inlined_at; at != 0; at = module->sites[at - 1].inlined_at) {
        fputs(at == s->inlined_at ? "{\"file\":" : ",{\"file\":", out);
        barlint_rt_json_string(out, module->sites[at - 1].file);
        fprintf(out, ",\"line\":%u}", module->sites[at - 1].line);
    }
    fputs("]}", out);
}

inline void barlint_rt_json_devices(FILE *out, int device, uint64_t devices)
{
    fprintf(out, ",\"device\":%d,\"devices\":", device);
    const char *before = "[";
    for (int d = 0; d < BARLINT_RT_DEVICES; d++) {
        if (devices >> d & 1u) {
            fprintf(out, "%s%d", before, d);
            before = ",";
        }
    }
    fputc(']', out);
}

inline void barlint_rt_json_report(FILE *out, const struct barlint_rt_report *r, int device,
                                   struct barlint_rt_tellers tellers)
{
    enum barlint_violation v = (enum barlint_violation)r->violation;
    fprintf(out, "{\"rule\":\"%s\",\"reason\":\"%s\",\"kind\":\"%s\",\"level\":\"%s\","
                 "\"pedantic\":%s,\"count\":%llu,\"message\":",
            barlint_violation_rule(v), barlint_violation_name(v),
            r->kind == BARLINT_RT_HANG ? "hang" : "event",
            barlint_rt_is_note(r) ? "note" : "error",
            r->kind == BARLINT_RT_NOTE ? "true" : "false", (unsigned long long)tellers.count);
    barlint_rt_json_string(out, barlint_violation_contract(v));
    barlint_rt_json_site(out, "at", r->site);
    barlint_rt_json_site(out, r->subject == BARLINT_RT_NAMED ? "begun_at" : "initialised_at",
                         r->made_at);
    const struct barlint_rt_site *s = barlint_rt_site_of(r->site);
    if (s && s->function) {
        fputs(",\"function\":", out);
        barlint_rt_json_string(out, s->function);
    }
    barlint_rt_json_devices(out, device, tellers.devices);
    fprintf(out, ",\"block\":[%u,%u,%u],\"threads\":\"", r->block[0], r->block[1], r->block[2]);
    barlint_rt_print_threads(out, r->lanes);
    fprintf(out, "\",\"subject\":\"%s\",\"number\":%u,\"phase\":%u,\"expected\":%u,\"pending\":%u,"
                 "\"tx\":%d,\"places\":[",
            barlint_rt_subject_name(r->subject), r->number, r->phase, r->expected, r->pending,
            r->tx);
    for (uint32_t i = 0; i < r->places; i++) {
        const struct barlint_rt_place *p = &r->place[i];
        uint32_t lanes[BARLINT_RT_WARPS] = {};
        lanes[p->warp] = p->lanes;
        fprintf(out, "%s{\"threads\":\"", i ? "," : "");
        barlint_rt_print_threads(out, lanes);
        fprintf(out, "\",\"state\":\"%s\",\"waits_for\":\"%s\"",
                p->activity == BARLINT_RT_EXITED  ? "exited"
                : p->activity == BARLINT_RT_WAITS ? "waits"
                                                  : "elsewhere",
                barlint_rt_subject_name(p->subject));
        barlint_rt_json_site(out, "at", p->site);
        fputc('}', out);
    }
    fputs("]}\n", out);
}

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
        runs = cudaEventQuery(over) == cudaErrorNotReady && nanosleep(&pause, 0) == 0;
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
        struct barlint_rt_told *told = program->told[d];
        for (uint32_t i = 0; i < BARLINT_RT_REPORTS; i++) {
            told->happened[i] += state.report_count[i];
            told->cause[i] = told->cause[i] ? told->cause[i] : state.report_key[i];
        }
        program->objects_lost += state.objects_lost;
        program->reports_lost += state.reports_lost;
        for (struct barlint_rt_module *m = program->modules; m; m = m->next) {
            barlint_rt_fetch_passed(m, stream);
        }
    }
    (void)cudaStreamDestroy(stream);
}

inline void barlint_rt_fetch_all(struct barlint_rt_program *program)
{
    int now = 0;
    if (cudaGetDevice(&now) != cudaSuccess) {
        return;
    }
    for (int d = 0; d < BARLINT_RT_DEVICES; d++) {
        if (program->state[d] && cudaSetDevice(d) == cudaSuccess) {
            barlint_rt_fetch(program, d);
        }
    }
    (void)cudaSetDevice(now);
    for (uint32_t i = 0; i < BARLINT_RT_DEVICES * BARLINT_RT_REPORTS; i++) {
        struct barlint_rt_told *told = program->told[i / BARLINT_RT_REPORTS];
        uint32_t at = i % BARLINT_RT_REPORTS;
        if (told && told->happened[at] > told->reports[at].count) {
            told->reports[at].count = told->happened[at];
        }
    }
}

// Which places of the modules have been passed, for `barlint report`: one object a line.
inline void barlint_rt_json_places(const struct barlint_rt_program *program)
{
    const char *lines = getenv("BARLINT_RT_JSON");
    FILE *out = lines && *lines ? fopen(lines, "a") : 0;
    for (const struct barlint_rt_module *m = program->modules; m && out; m = m->next) {
        uint32_t count = m->site_count < BARLINT_RT_PASSED ? m->site_count : BARLINT_RT_PASSED;
        for (uint32_t i = 0; i < count && m->passed; i++) {
            const char *instruction = m->sites[i].instruction;
            if (!*instruction || !strcmp(instruction, "ret") || !strcmp(instruction, "exit") ||
                !m->sites[i].line) { // where kernels begin and end
                continue;
            }
            fprintf(out, "{\"kind\":\"place\",\"passed\":%s",
                    m->passed[i / 32] >> i % 32 & 1u ? "true" : "false");
            barlint_rt_json_site(out, "at", (uint64_t)m->number << 32 | i);
            if (m->sites[i].function) {
                fputs(",\"function\":", out);
                barlint_rt_json_string(out, m->sites[i].function);
            }
            fputs("}\n", out);
        }
    }
    if (out) {
        fclose(out);
    }
}

// Where what is found goes, opened when there is something.
struct barlint_rt_outputs {
    FILE *text, *json;
};

inline void barlint_rt_open_outputs(struct barlint_rt_outputs *out)
{
    const char *log = getenv("BARLINT_RT_LOG"), *lines = getenv("BARLINT_RT_JSON");
    out->text = out->text ? out->text : log && *log ? fopen(log, "a") : stderr;
    out->text = out->text ? out->text : stderr;
    out->json = out->json ? out->json : lines && *lines ? fopen(lines, "a") : 0;
}

inline void barlint_rt_close_outputs(const struct barlint_rt_outputs *out)
{
    if (out->text && out->text != stderr) {
        fclose(out->text);
    }
    if (out->json) {
        fclose(out->json);
    }
}

// Has another device told of what `r` tells, and has that been printed?
inline bool barlint_rt_is_said(const struct barlint_rt_program *program,
                               const struct barlint_rt_report *r)
{
    for (int d = 0; d < BARLINT_RT_DEVICES; d++) {
        const struct barlint_rt_told *told = program->told[d];
        uint32_t at = told ? barlint_rt_entry_of(told, r) : BARLINT_RT_REPORTS;
        if (at < BARLINT_RT_REPORTS && told->said[at] != 0) {
            return true;
        }
    }
    return false;
}

// Prints what is new of one device, as barlint_rt_print_new() does of all.
inline uint32_t barlint_rt_print_new_of(struct barlint_rt_program *program, int device, bool last,
                                        struct barlint_rt_outputs *out)
{
    struct barlint_rt_told *told = program->told[device];
    uint32_t found = 0;
    for (uint32_t i = 0; i < BARLINT_RT_REPORTS; i++) {
        const struct barlint_rt_report *r = &told->reports[i];
        if (*(const volatile uint32_t *)&r->ready == 0) {
            continue;
        }
        __sync_synchronize(); // the rest of it was written before
        found += !barlint_rt_is_note(r);
        bool fresh = told->said[i] == 0;
        if (fresh && barlint_rt_is_said(program, r)) {
            told->said[i] = BARLINT_RT_SAID_BY_ANOTHER;
        }
        if ((!fresh && !last) || told->said[i] == BARLINT_RT_SAID_BY_ANOTHER) {
            continue;
        }
        struct barlint_rt_tellers tellers = barlint_rt_tellers_of(program, r);
        if (!fresh && tellers.count <= told->said[i]) {
            continue;
        }
        told->said[i] = tellers.count ? tellers.count : 1;
        barlint_rt_open_outputs(out);
        if (fresh) {
            barlint_rt_print_report(out->text, r, device);
        } else {
            barlint_rt_print_count(out->text, r, tellers);
        }
        if (out->json) {
            barlint_rt_json_report(out->json, r, device, tellers);
        }
    }
    return found;
}

// Prints what is new; at the program's `last` look also how often the rest has happened since it was
// printed. What several devices tell is printed once. Returns how many reports there are. The lock is
// held.
inline uint32_t barlint_rt_print_new(struct barlint_rt_program *program, bool last)
{
    struct barlint_rt_outputs out = {0, 0};
    uint32_t found = 0;
    for (int d = 0; d < BARLINT_RT_DEVICES; d++) {
        found += program->told[d] ? barlint_rt_print_new_of(program, d, last, &out) : 0;
    }
    barlint_rt_close_outputs(&out);
    return found;
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
    void *reports, *records, *clusters, *memory;
    size_t cluster_bytes = state.cluster_count * sizeof(struct barlint_rt_cluster);
    if (!barlint_rt_complain("reports",
                             cudaHostGetDevicePointer(&reports, told->reports, 0)) ||
        !barlint_rt_complain("memory", cudaMalloc(&records, state.record_count *
                                                                sizeof *state.records)) ||
        !barlint_rt_complain("memory", cudaMalloc(&clusters, cluster_bytes)) ||
        !barlint_rt_complain("memory", cudaMemsetAsync(clusters, 0, cluster_bytes, stream)) ||
        !barlint_rt_complain("memory", cudaMalloc(&memory, sizeof state))) {
        return 0;
    }
    state.reports = (struct barlint_rt_report *)reports;
    state.names = (struct barlint_rt_name *)((char *)reports + BARLINT_RT_REPORT_BYTES);
    state.records = (struct barlint_rt_records *)records;
    state.clusters = (struct barlint_rt_cluster *)clusters;
    if (!barlint_rt_complain("memory", cudaMemcpyAsync(memory, &state, sizeof state,
                                                       cudaMemcpyHostToDevice, stream)) ||
        !barlint_rt_complain("memory", cudaStreamSynchronize(stream))) {
        return 0;
    }
    return (struct barlint_rt_state *)memory;
}

// Makes shadows in the memory of the current device, for as many blocks as it has places for warps, and
// enters them in its state. Returns false where there is no memory.
inline bool barlint_rt_make_shadows(struct barlint_rt_state *device, cudaStream_t stream)
{
    struct barlint_rt_state state;
    void *shadows, *taken;
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

// The launch may be one of a stream that is being captured into a graph, so what is done here is on a
// stream of its own, which is not in order with any.
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
    cudaStream_t stream;
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    (void)cudaThreadExchangeStreamCaptureMode(&mode);
    if (barlint_rt_complain("a stream",
                            cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking))) {
        barlint_rt_set_up(program, device, stream);
        (void)cudaStreamDestroy(stream);
    }
    (void)cudaThreadExchangeStreamCaptureMode(&mode);
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

// The state of the current device; 0: nothing is checked there.
inline unsigned long long barlint_rt_state_here(void)
{
    struct barlint_rt_program *program = barlint_rt_this_program();
    int device = 0;
    bool known = cudaGetDevice(&device) == cudaSuccess && device < BARLINT_RT_DEVICES;
    return known && !program->off && !program->unchecked[device]
               ? (unsigned long long)(uintptr_t)program->state[device]
               : 0;
}

#endif
