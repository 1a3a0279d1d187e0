// What devices tell, and how it is said: as text and as JSON. Part of the host side; nothing here asks CUDA.
#ifndef BARLINT_RUNTIME_CHECK_TOLD_H
#define BARLINT_RUNTIME_CHECK_TOLD_H

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include "shadow.h"
#include "sites.h"

BARLINT_RT_HOST_SIDE {

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
#define BARLINT_RT_SAID_BY_ANOTHER UINT64_MAX // the same was printed: of another device or unit

// What is known of the running program.
struct barlint_rt_program {
    struct barlint_rt_module *modules;
    struct barlint_rt_told *told[BARLINT_RT_DEVICES];   // NULL: nothing has been launched there
    struct barlint_rt_state *state[BARLINT_RT_DEVICES]; // in the device's memory
    uint32_t set_up[BARLINT_RT_DEVICES];                // modules that know it
    uint32_t resets[BARLINT_RT_DEVICES];                // of the device, by the program
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
    bool is_overwritten;                 // a state was, by the program
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

// How sure it is that something is wrong.
enum barlint_rt_weight {
    BARLINT_RT_MAY_BE_RIGHT, // told with BARLINT_RT_PEDANTIC only
    BARLINT_RT_MAY_BE_WRONG, // a note
    BARLINT_RT_IS_WRONG,
};

// A barrier of the whole block went on without threads that had ended.
inline bool barlint_rt_went_without(const struct barlint_rt_report *r)
{
    return r->kind == BARLINT_RT_EVENT && r->violation == BARLINT_EXIT_BEFORE_SYNC;
}

// Whether they have gone past it, and have not left by a return: BARLINT_RT_BYPASSED,
// BARLINT_RT_PERHAPS_BYPASSED, or 0 where nothing says so.
inline uint32_t barlint_rt_went_past(const struct barlint_rt_report *r)
{
    const struct barlint_rt_site *s = barlint_rt_site_of(r->site);
    return s && barlint_rt_went_without(r) ? s->bypassed : 0;
}

// The hardware waits for no thread that has ended, and much correct code relies on it.
inline enum barlint_rt_weight barlint_rt_weight_of(const struct barlint_rt_report *r)
{
    bool sure = !barlint_rt_went_without(r) || barlint_rt_went_past(r) == BARLINT_RT_BYPASSED;
    return r->kind == BARLINT_RT_NOTE            ? BARLINT_RT_MAY_BE_RIGHT
           : r->kind == BARLINT_RT_HINT || !sure ? BARLINT_RT_MAY_BE_WRONG
                                                 : BARLINT_RT_IS_WRONG;
}

// What it is called: threads that have gone past a barrier are no matter of when they ended.
inline enum barlint_violation barlint_rt_violation_of(const struct barlint_rt_report *r)
{
    return barlint_rt_went_past(r) ? BARLINT_SYNC_DIVERGENT : (enum barlint_violation)r->violation;
}

// Devices that have told of the same, a bit for each, and how often it has happened on all of them.
struct barlint_rt_tellers {
    uint64_t devices, count;
};

// Is it the same place? A file's name has another address on each device, and in each unit.
inline bool barlint_rt_same_place(uint64_t one, uint64_t other)
{
    const char *file, *other_file;
    uint32_t line, other_line;
    return one == other || (barlint_rt_by_name(one, &file, &line) &&
                            barlint_rt_by_name(other, &other_file, &other_line) &&
                            line == other_line && strcmp(file, other_file) == 0);
}

// Is it the same mistake, or the same note, at the same place? As barlint_rt_report_entry() asks.
inline bool barlint_rt_same_cause(const struct barlint_rt_report *one,
                                  const struct barlint_rt_report *other)
{
    bool notes = one->kind == BARLINT_RT_NOTE || one->kind == BARLINT_RT_HINT ||
                 other->kind == BARLINT_RT_NOTE || other->kind == BARLINT_RT_HINT;
    return one->violation == other->violation && (!notes || one->kind == other->kind) &&
           barlint_rt_same_place(one->site, other->site);
}

// Does entry `at` of a device tell of the same as `r`?
inline bool barlint_rt_tells(const struct barlint_rt_told *told, uint32_t at,
                             const struct barlint_rt_report *r)
{
    return *(const volatile uint32_t *)&told->reports[at].ready &&
           barlint_rt_same_cause(&told->reports[at], r);
}

inline struct barlint_rt_tellers barlint_rt_tellers_of(const struct barlint_rt_program *program,
                                                       const struct barlint_rt_report *r)
{
    struct barlint_rt_tellers tellers = {0, 0};
    for (uint32_t i = 0; i < BARLINT_RT_DEVICES * BARLINT_RT_REPORTS; i++) {
        uint32_t d = i / BARLINT_RT_REPORTS, at = i % BARLINT_RT_REPORTS;
        if (program->told[d] && barlint_rt_tells(program->told[d], at, r)) {
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
    enum barlint_violation v = barlint_rt_violation_of(r);
    fputs("barlint: ", out);
    barlint_rt_print_site(out, r->site);
    fprintf(out, ": %s%s [%s]\n",
            r->kind == BARLINT_RT_HANG                       ? "the block hangs: "
            : barlint_rt_weight_of(r) != BARLINT_RT_IS_WRONG ? "note: "
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
    if (v != r->violation) {
        fprintf(out, "  it goes on without threads that have ended: they %s gone past it\n",
                barlint_rt_weight_of(r) == BARLINT_RT_IS_WRONG ? "have" : "may have");
    }
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
    fprintf(out, " [%s]\n", barlint_violation_rule(barlint_rt_violation_of(r)));
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
    enum barlint_violation v = barlint_rt_violation_of(r);
    fprintf(out, "{\"rule\":\"%s\",\"reason\":\"%s\",\"kind\":\"%s\",\"level\":\"%s\","
                 "\"pedantic\":%s,\"count\":%llu,\"message\":",
            barlint_violation_rule(v), barlint_violation_name(v),
            r->kind == BARLINT_RT_HANG ? "hang" : "event",
            barlint_rt_weight_of(r) != BARLINT_RT_IS_WRONG ? "note" : "error",
            barlint_rt_weight_of(r) == BARLINT_RT_MAY_BE_RIGHT ? "true" : "false",
            (unsigned long long)tellers.count);
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

// What is found at one time, where it goes: the file that a variable of the environment names, or
// `otherwise`.
inline void barlint_rt_write(const char *variable, FILE *otherwise, const char *text, size_t size)
{
    const char *path = getenv(variable);
    int file = path && *path ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666) : -1;
    if (file < 0) {
        (void)(otherwise && fwrite(text, 1, size, otherwise));
        return;
    }
    // All at once: of programs that write to one file, as one for each GPU does, lines stay whole.
    for (size_t at = 0; at < size;) {
        ssize_t wrote = write(file, text + at, size - at);
        if (wrote == 0 || (wrote < 0 && errno != EINTR)) {
            break;
        }
        at += wrote < 0 ? 0 : (size_t)wrote;
    }
    close(file);
}

// It is gathered in memory, opened when there is something.
struct barlint_rt_output {
    FILE *out;
    char *text;
    size_t size;
};

struct barlint_rt_outputs {
    struct barlint_rt_output text, json;
};

// NULL when there is no memory.
inline FILE *barlint_rt_open_output(struct barlint_rt_output *output)
{
    output->out = output->out ? output->out : open_memstream(&output->text, &output->size);
    return output->out;
}

inline FILE *barlint_rt_open_json(struct barlint_rt_output *output)
{
    const char *lines = getenv("BARLINT_RT_JSON");
    return lines && *lines ? barlint_rt_open_output(output) : 0;
}

inline void barlint_rt_close_output(struct barlint_rt_output *output, const char *variable,
                                    FILE *otherwise)
{
    if (output->out && fclose(output->out) == 0) {
        barlint_rt_write(variable, otherwise, output->text, output->size);
        free(output->text);
    }
}

inline void barlint_rt_close_outputs(struct barlint_rt_outputs *out)
{
    barlint_rt_close_output(&out->text, "BARLINT_RT_LOG", stderr);
    barlint_rt_close_output(&out->json, "BARLINT_RT_JSON", 0);
}

// Which places of the modules have been passed, for `barlint report`: one object a line.
inline void barlint_rt_json_places(const struct barlint_rt_program *program)
{
    struct barlint_rt_output output = {0, 0, 0};
    FILE *out = barlint_rt_open_json(&output);
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
    barlint_rt_close_output(&output, "BARLINT_RT_JSON", 0);
}

// Has what `r` tells been printed, of another device or of another unit's name of the file?
inline bool barlint_rt_is_said(const struct barlint_rt_program *program,
                               const struct barlint_rt_report *r)
{
    for (uint32_t i = 0; i < BARLINT_RT_DEVICES * BARLINT_RT_REPORTS; i++) {
        const struct barlint_rt_told *told = program->told[i / BARLINT_RT_REPORTS];
        uint32_t at = i % BARLINT_RT_REPORTS;
        if (told && told->said[at] != 0 && barlint_rt_tells(told, at, r)) {
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
        found += barlint_rt_weight_of(r) == BARLINT_RT_IS_WRONG;
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
        FILE *text = barlint_rt_open_output(&out->text), *json = barlint_rt_open_json(&out->json);
        if (fresh) {
            barlint_rt_print_report(text ? text : stderr, r, device);
        } else {
            barlint_rt_print_count(text ? text : stderr, r, tellers);
        }
        if (json) {
            barlint_rt_json_report(json, r, device, tellers);
        }
    }
    return found;
}

// Prints what is new; at the program's `last` look also how often the rest has happened since it was
// printed. What several devices tell is printed once. Returns how many reports there are. The lock is
// held.
inline uint32_t barlint_rt_print_new(struct barlint_rt_program *program, bool last)
{
    struct barlint_rt_outputs out = {{0, 0, 0}, {0, 0, 0}};
    uint32_t found = 0;
    for (int d = 0; d < BARLINT_RT_DEVICES; d++) {
        found += program->told[d] ? barlint_rt_print_new_of(program, d, last, &out) : 0;
    }
    barlint_rt_close_outputs(&out);
    return found;
}

} // namespace

#endif
