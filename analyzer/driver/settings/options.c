#include "driver/settings/options.h"

#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/vec.h"
#include "report/report.h"

enum {
    KEY_HEADERS = 256,
    KEY_CUDA_PATH,
    KEY_ARCH,
    KEY_CACHE_DIR,
    KEY_NO_CACHE,
    KEY_FORMAT,
    KEY_FAIL_ON,
    KEY_PEDANTIC,
    KEY_ACCEPT_NEW,
    KEY_BASELINE,
    KEY_DIFF_BASE,
    KEY_EXCLUDE,
    KEY_FORCE_EXCLUDE,
    KEY_SHOW_SUPPRESSED,
    KEY_STAGED,
    KEY_STATS,
    KEY_STDIN_FILENAME,
    KEY_STDIO,
    KEY_STRICT_BASELINE,
    KEY_RULE,
    KEY_DISABLE,
    KEY_COLOR,
    KEY_TIMEOUT,
    KEY_MEMORY_LIMIT,
    KEY_CONFIG,
    KEY_JSON,
    KEY_IR,
    KEY_BARRIERS,
    KEY_OPERATIONS,
    KEY_TIMES,
    KEY_SCHEDULE,
    KEY_SHARD,
    KEY_SHAPE,
    KEY_SVG,
    KEY_DIFF,
    KEY_FIX,
    KEY_UNSAFE_FIXES,
};

enum {
    CHECK = 1u << COMMAND_CHECK,
    BASELINE = 1u << COMMAND_BASELINE,
    INDEX = 1u << COMMAND_INDEX,
    ANALYSE = CHECK | BASELINE,
    JUDGE = ANALYSE | 1u << COMMAND_LSP,
    MERGE = 1u << COMMAND_MERGE,
    REPORTS = CHECK | MERGE,
    CONFIG = 1u << COMMAND_CONFIG,
    STORE = 1u << COMMAND_QUERY | 1u << COMMAND_REPORT | INDEX,
    UNITS = JUDGE | INDEX | 1u << COMMAND_TRANSLATE | 1u << COMMAND_DOCTOR | 1u << COMMAND_DUMP,
    TABLES = 1u << COMMAND_EXPLAIN | 1u << COMMAND_RULES,
};

const struct option_row option_table[] = {
    {"accept-new", KEY_ACCEPT_NEW, NULL, "take new findings into the baseline too", BASELINE},
    {"arch", KEY_ARCH, "ARCH", "analyse for ARCH (sm_90a), or for 'all' the command names", UNITS},
    {"barriers", KEY_BARRIERS, NULL, "list the barrier operations", 1u << COMMAND_DUMP},
    {"baseline", KEY_BASELINE, "FILE", "leave out the findings that this baseline lists", ANALYSE},
    {"build-path", 'p', "DIR", "the folder of compile_commands.json", UNITS},
    {"cache-dir", KEY_CACHE_DIR, "DIR",
     "keep results of earlier runs in DIR; the default is $BARLINT_CACHE_DIR or ~/.cache/barlint",
     ANALYSE | STORE | MERGE},
    {"color", KEY_COLOR, "WHEN", "auto, always or never", REPORTS},
    {"config", KEY_CONFIG, "FILE", "read FILE instead of the nearest .barlint.yaml",
     JUDGE | CONFIG | 1u << COMMAND_DUMP},
    {"cuda-path", KEY_CUDA_PATH, "DIR", "the CUDA toolkit to take headers from", UNITS},
    {"diff", KEY_DIFF, NULL, "print what --fix would change, as a unified diff, and change nothing",
     CHECK},
    {"diff-base", KEY_DIFF_BASE, "COMMIT",
     "show findings only of which some step stands on a line changed since COMMIT", CHECK},
    {"disable", KEY_DISABLE, "RULE", "leave out a rule; may be given again", JUDGE},
    {"exclude", KEY_EXCLUDE, "PATTERN",
     "leave out files found in folders and databases, with a pattern as in .gitignore; may be "
     "given "
     "again",
     JUDGE},
    {"fail-on", KEY_FAIL_ON, "LEVEL",
     "exit with 1 for findings from this level on: error, warning (the default), note or never",
     REPORTS},
    {"fix", KEY_FIX, NULL, "apply the safe fixes to the files, and report what is left", CHECK},
    {"force-exclude", KEY_FORCE_EXCLUDE, NULL, "leave out excluded files even when they are named",
     CHECK},
    {"format", KEY_FORMAT, "FORMAT",
     "text (the default), concise, json, jsonl, sarif, github, gitlab, junit, checkstyle, rdjson, "
     "rdjsonl or html; may be given again, with --output for the others",
     REPORTS | STORE},
    {"headers", KEY_HEADERS, "MODE",
     "CUDA headers: auto (the default), toolkit, or builtin, barlint's own declarations", UNITS},
    {"ir", KEY_IR, NULL, "print the intermediate representation", 1u << COMMAND_DUMP},
    {"jobs", 'j', "N", "analyse N units at once; the default is one for each processor",
     JUDGE | INDEX | MERGE},
    {"json", KEY_JSON, NULL, "print JSON",
     TABLES | REPORTS | CONFIG | STORE | 1u << COMMAND_TRANSLATE | 1u << COMMAND_DUMP},
    {"memory-limit", KEY_MEMORY_LIMIT, "SIZE",
     "give up on a unit that needs more (default 8G); 0 for no limit", JUDGE},
    {"no-cache", KEY_NO_CACHE, NULL, "analyse every unit anew, and keep no results",
     ANALYSE | MERGE},
    {"operations", KEY_OPERATIONS, NULL, "list what the sources have, without running kernels",
     1u << COMMAND_DUMP},
    {"output", 'o', "[FORMAT:]FILE",
     "write the findings to FILE, in FORMAT where one is named; may be given again", REPORTS},
    {"pedantic", KEY_PEDANTIC, NULL, "show weakly supported findings too", JUDGE},
    {"quiet", 'q', NULL, "print findings and nothing else", ANALYSE | INDEX | MERGE},
    {"rule", KEY_RULE, "RULE", "run this rule only; may be given again", JUDGE},
    {"schedule", KEY_SCHEDULE, "KERNEL", "draw what the roles of a kernel do, side by side",
     1u << COMMAND_DUMP},
    {"shape", KEY_SHAPE, "N", "of several launch shapes, draw the schedule of the N-th",
     1u << COMMAND_DUMP},
    {"shard", KEY_SHARD, "I/N",
     "analyse the I-th of N shares of the files; 'barlint merge' joins the shards' JSON", CHECK},
    {"show-suppressed", KEY_SHOW_SUPPRESSED, NULL,
     "tell of suppressed findings too where the format has a place for them (json, sarif)", CHECK},
    {"staged", KEY_STAGED, NULL,
     "check what the next commit would hold: the index's content, and the lines it changes", CHECK},
    {"stats", KEY_STATS, NULL, "say what was analysed and what could not be followed", REPORTS},
    {"stdin-filename", KEY_STDIN_FILENAME, "FILE",
     "with the path '-': what standard input holds is FILE's content (default stdin.cu)", CHECK},
    {"stdio", KEY_STDIO, NULL, "what editors say that know other ways too; there is no other here",
     1u << COMMAND_LSP},
    {"strict-baseline", KEY_STRICT_BASELINE, NULL,
     "exit with 2 when the baseline lists what is not found any more", CHECK},
    {"svg", KEY_SVG, "FILE", "draw the schedule into FILE too, as SVG", 1u << COMMAND_DUMP},
    {"timeout", KEY_TIMEOUT, "SECONDS",
     "give up on a unit that takes longer (default 300); 0 for no limit", JUDGE},
    {"times", KEY_TIMES, NULL, "print what the analysis of each kernel takes, as JSON",
     1u << COMMAND_DUMP},
    {"unsafe-fixes", KEY_UNSAFE_FIXES, NULL,
     "with --fix or --diff: the fixes that want a second look too", CHECK},
    {NULL, 0, NULL, NULL, 0},
};

static const char *const header_words[] = {"auto", "toolkit", "builtin", NULL};
static const char *const color_words[] = {"auto", "always", "never", NULL};
static const char *const level_words[] = {"note", "warning", "error", "never", NULL};

static const struct {
    const char *option;
    const char *const *words;
} choices[] = {
    {"headers", header_words},
    {"color", color_words},
    {"fail-on", level_words},
};

static const char *const *format_words(void)
{
    static const char *words[16];
    for (size_t i = 0; report_formats[i].name; ++i)
        words[i] = report_formats[i].name;
    return words;
}

const char *const *option_choices(const char *name)
{
    if (strcmp(name, "format") == 0)
        return format_words();
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; ++i) {
        if (strcmp(choices[i].option, name) == 0)
            return choices[i].words;
    }
    return NULL;
}

const char *const *rule_words(void)
{
    static const char **words; // stb_ds array, made once
    for (size_t i = 0; !words || arrlast(words); ++i)
        arrput(words, rule_registry[i] ? rule_registry[i]->id : NULL);
    return words;
}

const char *const *option_words(const char *name)
{
    bool takes_rule = strcmp(name, "rule") == 0 || strcmp(name, "disable") == 0;
    return takes_rule ? rule_words() : option_choices(name);
}

void options_init(struct options *options)
{
    *options = (struct options){
        .fail_on = RULE_WARNING,
        .timeout = 300,
        .memory_limit = UINT64_C(8) << 30,
    };
}

void options_release(struct options *options)
{
    arrfree(options->format);
    arrfree(options->output);
    arrfree(options->only);
    arrfree(options->disabled);
    arrfree(options->exclude);
    arrfree(options->path);
    arrfree(options->compiler_argument);
    arrfree(options->content);
}

struct parse {
    struct options *options;
    struct error *error;
    bool failed;
};

static bool fail(struct parse *parse)
{
    parse->failed = true;
    return false;
}

// The index of `word` among the choices of the option.
static bool read_choice(struct parse *parse, const char *option, const char *word, int *out)
{
    const char *const *words = option_choices(option);
    char list[256] = "";
    struct nearest nearest;
    nearest_init(&nearest, word);
    for (int i = 0; words[i]; ++i) {
        if (strcmp(words[i], word) == 0) {
            *out = i;
            return true;
        }
        nearest_offer(&nearest, words[i]);
        strcat(list, i == 0 ? "" : words[i + 1] ? ", " : " or ");
        strcat(list, words[i]);
    }
    error_set(parse->error, ERROR_USAGE, "--%s cannot be '%s': it is %s%s%s%s", option, word, list,
              nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
              nearest.best ? "'?" : "");
    return fail(parse);
}

static bool read_number(struct parse *parse, const char *option, const char *word, long highest,
                        unsigned *out)
{
    char *end;
    errno = 0;
    long number = strtol(word, &end, 10);
    if (errno || end == word || *end || number < 1 || number > highest) {
        error_set(parse->error, ERROR_USAGE, "--%s takes a number from 1 to %ld, not '%s'", option,
                  highest, word);
        return fail(parse);
    }
    *out = (unsigned)number;
    return true;
}

static bool read_shard(struct parse *parse, const char *word)
{
    int used = 0;
    unsigned index, count;
    bool good = strspn(word, "0123456789/") == strlen(word) &&
                sscanf(word, "%4u/%4u%n", &index, &count, &used) == 2 && !word[used];
    if (!good || index < 1 || index > count || count > SHARDS_MOST) {
        error_set(parse->error, ERROR_USAGE,
                  "--shard takes which of how many, such as 2/4, up to %d; not '%s'", SHARDS_MOST,
                  word);
        return fail(parse);
    }
    parse->options->shard_index = index;
    parse->options->shard_count = count;
    return true;
}

static bool read_timeout(struct parse *parse, const char *word)
{
    char *end;
    double seconds = strtod(word, &end);
    if (end == word || *end || !isfinite(seconds) || seconds < 0 || seconds > 1e6) {
        error_set(parse->error, ERROR_USAGE, "--timeout takes a number of seconds, not '%s'", word);
        return fail(parse);
    }
    parse->options->timeout = seconds;
    return true;
}

static bool read_size(struct parse *parse, const char *word)
{
    static const char units[] = "KMGT";
    char *end;
    double size = strtod(word, &end);
    const char *unit = *end ? strchr(units, *end & ~0x20) : NULL;
    if (unit && end > word) {
        size *= (double)(UINT64_C(1) << (10 * (unit - units + 1)));
        ++end;
    }
    if (end == word || *end || !isfinite(size) || size < 0 || size > 1e15) {
        error_set(parse->error, ERROR_USAGE,
                  "--memory-limit takes a size such as 512M or 4G, not '%s'", word);
        return fail(parse);
    }
    parse->options->memory_limit = (uint64_t)size;
    return true;
}

// A comma list of rule ids; whether they exist is checked by the caller, who knows the rules.
static void read_rules(const char ***list, char *word)
{
    char *state = NULL;
    for (char *id = strtok_r(word, ", ", &state); id; id = strtok_r(NULL, ", ", &state))
        arrput(*list, id);
}

static void read_option(struct parse *parse, int key, char *word)
{
    struct options *options = parse->options;
    int choice = 0;
    switch (key) {
    case 'p':
        options->database = word;
        break;
    case 'j':
        read_number(parse, "jobs", word, 1024, &options->jobs);
        break;
    case 'o':
        arrput(options->output, word);
        break;
    case 'q':
        options->quiet = true;
        break;
    case KEY_ACCEPT_NEW:
        options->accept_new = true;
        break;
    case KEY_ARCH:
        options->arch = word;
        break;
    case KEY_BARRIERS:
        options->barriers = true;
        break;
    case KEY_BASELINE:
        options->baseline = word;
        break;
    case KEY_CACHE_DIR:
        options->cache_dir = word;
        break;
    case KEY_COLOR:
        if (read_choice(parse, "color", word, &choice))
            options->color = (enum color_choice)choice;
        break;
    case KEY_CONFIG:
        options->config = word;
        break;
    case KEY_CUDA_PATH:
        options->cuda_path = word;
        break;
    case KEY_DIFF:
        options->diff = true;
        break;
    case KEY_DIFF_BASE:
        options->diff_base = word;
        break;
    case KEY_DISABLE:
        read_rules(&options->disabled, word);
        break;
    case KEY_EXCLUDE:
        arrput(options->exclude, word);
        break;
    case KEY_FAIL_ON:
        if (read_choice(parse, "fail-on", word, &choice)) {
            options->fail_on_nothing = level_words[choice + 1] == NULL;
            if (!options->fail_on_nothing)
                options->fail_on = (enum rule_level)choice;
        }
        break;
    case KEY_FIX:
        options->fix = true;
        break;
    case KEY_FORCE_EXCLUDE:
        options->force_exclude = true;
        break;
    case KEY_FORMAT:
        if (read_choice(parse, "format", word, &choice))
            arrput(options->format, report_formats[choice].name);
        break;
    case KEY_HEADERS:
        if (read_choice(parse, "headers", word, &choice)) {
            options->headers = (enum header_mode)choice;
            options->headers_given = true;
        }
        break;
    case KEY_IR:
        options->ir = true;
        break;
    case KEY_JSON:
        options->json = true;
        break;
    case KEY_MEMORY_LIMIT:
        read_size(parse, word);
        break;
    case KEY_NO_CACHE:
        options->no_cache = true;
        break;
    case KEY_OPERATIONS:
        options->operations = true;
        break;
    case KEY_TIMES:
        options->times = true;
        break;
    case KEY_PEDANTIC:
        options->pedantic = true;
        break;
    case KEY_RULE:
        read_rules(&options->only, word);
        break;
    case KEY_SCHEDULE:
        options->schedule = word;
        break;
    case KEY_SHAPE:
        read_number(parse, "shape", word, 1000, &options->shape);
        break;
    case KEY_SHARD:
        read_shard(parse, word);
        break;
    case KEY_SHOW_SUPPRESSED:
        options->show_suppressed = true;
        break;
    case KEY_STAGED:
        options->staged = true;
        break;
    case KEY_STATS:
        options->stats = true;
        break;
    case KEY_STDIN_FILENAME:
        options->stdin_file = word;
        break;
    case KEY_STRICT_BASELINE:
        options->strict_baseline = true;
        break;
    case KEY_SVG:
        options->svg = word;
        break;
    case KEY_UNSAFE_FIXES:
        options->unsafe_fixes = true;
        break;
    case KEY_TIMEOUT:
        read_timeout(parse, word);
        break;
    }
}

static error_t parse_key(int key, char *word, struct argp_state *state)
{
    struct parse *parse = state->input;
    if (key == ARGP_KEY_ARG) {
        arrput(parse->options->path, word);
        return 0;
    }
    for (const struct option_row *row = option_table; row->name; ++row) {
        if (row->key == key) {
            if (!parse->failed)
                read_option(parse, key, word);
            return 0;
        }
    }
    return ARGP_ERR_UNKNOWN;
}

// getopt only says that a long option is unknown; the nearest one is worth naming.
static bool check_names(enum command_id command, int count, char **words, struct error *error)
{
    for (int i = 0; i < count; ++i) {
        if (strncmp(words[i], "--", 2) != 0 || !words[i][2])
            continue;
        char name[64];
        size_t length = strcspn(words[i] + 2, "=");
        snprintf(name, sizeof name, "%.*s", (int)length, words[i] + 2);
        struct nearest nearest;
        nearest_init(&nearest, name);
        bool known = strcmp(name, "help") == 0 || strcmp(name, "usage") == 0;
        for (const struct option_row *row = option_table; row->name && !known; ++row) {
            if (!(row->commands & 1u << command))
                continue;
            known = strncmp(row->name, name, length) == 0;
            nearest_offer(&nearest, row->name);
        }
        if (!known && nearest.best)
            return error_set(error, ERROR_USAGE, "there is no option '--%s'; did you mean '--%s'?",
                             name, nearest.best);
        if (!known)
            return error_set(error, ERROR_USAGE,
                             "there is no option '--%s'; see 'barlint %s --help'", name,
                             command_table[command].name);
    }
    return true;
}

bool options_parse(struct options *options, enum command_id command, int count, char **words,
                   struct error *error)
{
    struct argp_option *rows = NULL; // stb_ds array
    for (const struct option_row *row = option_table; row->name; ++row) {
        if (!(row->commands & 1u << command))
            continue;
        struct argp_option option = {
            .name = row->name, .key = row->key, .arg = row->argument, .doc = row->help};
        arrput(rows, option);
    }
    arrput(rows, (struct argp_option){0});
    options->word = words;
    options->word_count = count;
    // What stands behind `--` is for the compiler.
    int own = 0;
    while (own < count && strcmp(words[own], "--") != 0)
        ++own;
    options->has_compiler_arguments = own < count;
    for (int i = own + 1; i < count; ++i)
        arrput(options->compiler_argument, words[i]);

    char name[64];
    snprintf(name, sizeof name, "barlint %s", command_table[command].name);
    char **argv = NULL; // stb_ds array
    arrput(argv, name);
    for (int i = 0; i < own; ++i)
        arrput(argv, words[i]);
    arrput(argv, NULL);
    struct parse parse = {options, error, false};
    struct argp argp = {
        rows, parse_key, command_table[command].arguments, command_table[command].summary, NULL,
        NULL, NULL};
    argp_err_exit_status = 2;
    bool good = check_names(command, own, words, error) &&
                argp_parse(&argp, own + 1, argv, 0, NULL, &parse) == 0 && !parse.failed;
    arrfree(argv);
    arrfree(rows);
    return good;
}
