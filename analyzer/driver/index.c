// `barlint query` and `barlint index`: what the store knows.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "base/vec.h"
#include "driver/answers.h"
#include "driver/driver.h"
#include "driver/reuse/kept.h"
#include "frontend/command/file.h"
#include "report/finding.h"

// --- query ---------------------------------------------------------------------------------------

static const char *shown_cell(const struct answers *table, size_t at)
{
    return table->cell[at] ? table->cell[at] : "";
}

static void print_table(const struct answers *table)
{
    size_t cells = arrlenu(table->cell);
    for (size_t at = 0; at < cells; ++at) {
        size_t column = at % table->columns, width = 0;
        bool last = column + 1 == table->columns;
        for (size_t k = column; !last && k < cells; k += table->columns) {
            size_t length = strlen(shown_cell(table, k));
            width = length > width ? length : width;
        }
        printf(table->is_number[at] && !last ? "%*s%s" : "%-*s%s", (int)width,
               shown_cell(table, at), last ? "\n" : "  ");
    }
}

static void print_rows_as_json(const struct answers *table)
{
    json_t *rows = json_array();
    size_t columns = table->columns;
    for (size_t at = columns; at < arrlenu(table->cell); at += columns) {
        json_t *row = json_object();
        for (size_t i = 0; i < columns; ++i) {
            const char *text = table->cell[at + i];
            json_t *value =
                text && table->is_number[at + i] ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;
            if (!value)
                value = text ? finding_json_text(text) : json_null();
            json_object_set_new(row, table->cell[i], value);
        }
        json_array_append_new(rows, row);
    }
    json_dumpf(rows, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(rows);
}

int command_query(struct options *options)
{
    struct error error = {0};
    if (arrlen(options->path) != 1) {
        error_set(&error, ERROR_USAGE,
                  "'barlint query' takes one SELECT, such as \"SELECT * FROM kernels\"");
        return driver_fail(&error);
    }
    struct answers table;
    answers_init(&table);
    char *path = answers_store(&table.arena, &error);
    int status = EXIT_CLEAN;
    if (!path || !answers_ask(&table, path, options->path[0], &error))
        status = driver_fail(&error);
    else if (answers_as_json(options))
        print_rows_as_json(&table);
    else if (table.columns)
        print_table(&table);
    answers_release(&table);
    return status;
}

// --- index ---------------------------------------------------------------------------------------

static int print_numbers(const struct options *options, const char *path,
                         const struct store_numbers *numbers)
{
    if (answers_as_json(options)) {
        json_t *json =
            json_pack("{s:o, s:I, s:I, s:I, s:I, s:I}", "path", finding_json_text(path), "bytes",
                      (json_int_t)numbers->bytes, "units", (json_int_t)numbers->current, "results",
                      (json_int_t)numbers->results, "files", (json_int_t)numbers->files, "runs",
                      (json_int_t)numbers->runs);
        json_dumpf(json, stdout, JSON_INDENT(2));
        putchar('\n');
        json_decref(json);
        return EXIT_CLEAN;
    }
    printf("store:    %s\nsize:     %.1f MB\nunits:    %llu\nresults:  %llu\nfiles:    %llu\n"
           "runs:     %llu\n",
           path, (double)numbers->bytes / 1e6, (unsigned long long)numbers->current,
           (unsigned long long)numbers->results, (unsigned long long)numbers->files,
           (unsigned long long)numbers->runs);
    return EXIT_CLEAN;
}

static int look_after(const struct options *options, bool collects)
{
    struct arena arena;
    arena_init(&arena);
    struct error error = {0};
    char *path = answers_store(&arena, &error);
    struct store_numbers numbers = {0};
    int status = EXIT_CLEAN;
    if (path && access(path, F_OK) == 0) {
        struct store *store = store_open(path);
        uint64_t gone =
            collects ? store_collect(store, KEPT_DAYS, (uint64_t)KEPT_MEGABYTES << 20) : 0;
        numbers = store_count(store);
        if (store_problem(store))
            error_set(&error, ERROR_ENVIRONMENT, "%s", store_problem(store));
        else if (collects && !options->quiet)
            fprintf(stderr, "%llu result%s removed\n", (unsigned long long)gone,
                    gone == 1 ? "" : "s");
        store_close(store);
    }
    if (error.kind != ERROR_NONE)
        status = driver_fail(&error);
    else
        print_numbers(options, path, &numbers);
    arena_release(&arena);
    return status;
}

int command_index(struct options *options)
{
    const char *what = arrlen(options->path) ? options->path[0] : "";
    if (strcmp(what, "build") == 0) {
        arrdel(options->path, 0);
        options->only_index = options->fail_on_nothing = true;
        return command_check(options);
    }
    if (arrlen(options->path) == 1 && strcmp(what, "stats") == 0)
        return look_after(options, false);
    if (arrlen(options->path) == 1 && strcmp(what, "gc") == 0)
        return look_after(options, true);
    struct error error = {0};
    error_set(&error, ERROR_USAGE, "'barlint index' is followed by build, stats or gc");
    return driver_fail(&error);
}
