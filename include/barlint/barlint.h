/* barlint as a library: analyse a file and read what was found. Plain C that C++ takes too.
 *
 *     struct barlint_job job = {.file = "kernel.cu"};
 *     struct barlint_result *result = barlint_check(&job);
 *     if (barlint_error(result))
 *         ...
 *     for (size_t i = 0; i < barlint_finding_count(result); ++i)
 *         puts(barlint_finding(result, i)->message);
 *     barlint_free(result);
 *
 * An analysis runs in processes of its own, so that a crash or an endless loop costs one file. The
 * caller waits for them: while barlint_check() runs, SIGINT, SIGTERM and SIGHUP are handled by it,
 * and nothing else may wait for every child process. It is called by one thread at a time.
 */
#ifndef BARLINT_BARLINT_H
#define BARLINT_BARLINT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BARLINT_API __attribute__((visibility("default")))

/* What to analyse. Zeroed members have defaults; everything is read during the call only. */
struct barlint_job {
    const char *file; /* a CUDA source or header, absolute or seen from the current folder */
    const char *text; /* read instead of the file's content, which need not exist; or NULL */
    size_t length;    /* of the text, in bytes */
    /* Options of nvcc or clang. NULL: those of the compile database found for the file, or
     * defaults. */
    const char *const *argument;
    size_t argument_count;
    const char *database; /* the folder of compile_commands.json; NULL: searched for */
    double timeout;       /* seconds; 0: 300 */
    int pedantic;         /* weakly supported findings too */
    int builtin_headers;  /* barlint's own declarations of CUDA, even when there is a toolkit */
};

enum barlint_level { BARLINT_NOTE, BARLINT_WARNING, BARLINT_ERROR };

/* Lines and columns start at 1 and columns count bytes; 0 where unknown. */
struct barlint_location {
    const char *file; /* absolute */
    unsigned line, column, end_line, end_column;
};

/* A step of the path to a finding. */
struct barlint_note {
    struct barlint_location place;
    const char *message;
};

struct barlint_finding {
    const char *rule; /* "init-missing" */
    enum barlint_level level;
    int certain; /* wrong in every execution that reaches it; else under an assumption */
    struct barlint_location place;
    const char *message;
    const char *function;    /* that holds the place, with template arguments */
    const char *fingerprint; /* 16 hexadecimal digits that survive edits elsewhere in the file */
    const struct barlint_note *note;
    size_t note_count;
};

struct barlint_result;

/* Analyses. Never NULL, whatever the outcome; the caller gives it to barlint_free(). */
BARLINT_API struct barlint_result *barlint_check(const struct barlint_job *job);
BARLINT_API void barlint_free(struct barlint_result *result); /* NULL is allowed */

/* Why there is no analysis, or why it is one of a part: one line without a full stop. NULL when all
 * went well. Findings may stand beside it. */
BARLINT_API const char *barlint_error(const struct barlint_result *result);

/* What was found, by place; as `barlint check` shows it, with suppressions and configuration
 * applied. Everything belongs to the result. */
BARLINT_API size_t barlint_finding_count(const struct barlint_result *result);
/* NULL from the count on. */
BARLINT_API const struct barlint_finding *barlint_finding(const struct barlint_result *result,
                                                          size_t index);

/* The document of `barlint check --format=json`; "" when there was no analysis. */
BARLINT_API const char *barlint_json(const struct barlint_result *result);

/* "0.1.0" */
BARLINT_API const char *barlint_version(void);

#ifdef __cplusplus
}
#endif

#endif
