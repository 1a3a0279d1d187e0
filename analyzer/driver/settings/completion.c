// `barlint completion SHELL`: what a shell needs to complete barlint's words, made from the tables
// of commands and options.
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/vec.h"
#include "driver/driver.h"

static void put_words(const char *const *words)
{
    for (size_t i = 0; words && words[i]; ++i)
        printf("%s%s", i ? " " : "", words[i]);
}

// The words that may follow a command itself; NULL where these are paths.
static const char *const *command_words(enum command_id command)
{
    static const char *const baseline[] = {"create", "update", "prune", "show", NULL};
    static const char *const config[] = {"show", "schema", NULL};
    static const char *const completion[] = {"bash", "zsh", "fish", NULL};
    switch (command) {
    case COMMAND_EXPLAIN:
        return rule_words();
    case COMMAND_BASELINE:
        return baseline;
    case COMMAND_CONFIG:
        return config;
    case COMMAND_COMPLETION:
        return completion;
    default:
        return NULL;
    }
}

static bool takes(const struct option_row *row, enum command_id command)
{
    return row->commands & 1u << command;
}

static bool is_shown(enum command_id command)
{
    return !command_table[command].is_hidden;
}

// --- bash ----------------------------------------------------------------------------------------

static void print_bash_command(enum command_id command)
{
    printf("    %s)\n        options='--help", command_table[command].name);
    for (const struct option_row *row = option_table; row->name; ++row) {
        if (takes(row, command))
            printf(" --%s%s", row->name, row->argument ? "=" : "");
    }
    fputs("'\n        words='", stdout);
    put_words(command_words(command));
    fputs("'\n        ;;\n", stdout);
}

static void print_bash(void)
{
    fputs("# bash completion of barlint\n"
          "_barlint()\n"
          "{\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local command=check options= words= first=${COMP_WORDS[1]}\n"
          "    # The shell takes --option=value apart.\n"
          "    if [[ $cur == = ]]; then\n"
          "        cur=\n"
          "    elif [[ $prev == = ]]; then\n"
          "        prev=${COMP_WORDS[COMP_CWORD-2]}\n"
          "    fi\n"
          "    case $first in\n"
          "    ",
          stdout);
    for (int i = 0; i < COMMAND_COUNT_; ++i)
        printf("%s%s", i ? "|" : "", command_table[i].name);
    fputs(") ((COMP_CWORD > 1)) && command=$first ;;\n"
          "    esac\n"
          "    case $command in\n",
          stdout);
    for (int i = 0; i < COMMAND_COUNT_; ++i) {
        if (is_shown((enum command_id)i))
            print_bash_command((enum command_id)i);
    }
    fputs("    esac\n"
          "    case $prev in\n",
          stdout);
    for (const struct option_row *row = option_table; row->name; ++row) {
        const char *const *words = option_words(row->name);
        if (!row->argument)
            continue;
        printf("    --%s) ", row->name);
        if (words) {
            fputs("COMPREPLY=($(compgen -W '", stdout);
            put_words(words);
            fputs("' -- \"$cur\")); ", stdout);
        }
        fputs("return ;;\n", stdout);
    }
    fputs("    esac\n"
          "    if [[ $cur == -* ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
          "        [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n"
          "        return\n"
          "    fi\n"
          "    ((COMP_CWORD == 1)) && words='",
          stdout);
    for (int i = 0; i < COMMAND_COUNT_; ++i) {
        if (is_shown((enum command_id)i))
            printf("%s%s", i ? " " : "", command_table[i].name);
    }
    fputs("'\n"
          "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
          "}\n"
          "complete -o default -o bashdefault -F _barlint barlint\n",
          stdout);
}

// --- zsh -----------------------------------------------------------------------------------------

// Text inside single quotes and, in _arguments, inside [..].
static void put_zsh(const char *text)
{
    for (; *text; ++text) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else if (strchr("[]:\\", *text))
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

static void print_zsh_option(const struct option_row *row)
{
    const char *const *words = option_words(row->name);
    printf(" \\\n            '*--%s%s[", row->name, row->argument ? "=" : "");
    put_zsh(row->help);
    putchar(']');
    if (row->argument) {
        putchar(':');
        put_zsh(row->argument);
        putchar(':');
        if (words) {
            putchar('(');
            put_words(words);
            putchar(')');
        } else {
            fputs("_files", stdout);
        }
    }
    putchar('\'');
}

static void print_zsh(void)
{
    fputs("#compdef barlint\n"
          "_barlint()\n"
          "{\n"
          "    local -a commands\n"
          "    commands=(\n",
          stdout);
    for (int i = 0; i < COMMAND_COUNT_; ++i) {
        if (!is_shown((enum command_id)i))
            continue;
        printf("        '%s:", command_table[i].name);
        put_zsh(command_table[i].summary);
        fputs("'\n", stdout);
    }
    fputs("    )\n"
          "    local command=check\n"
          "    if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then\n"
          "        _describe command commands\n"
          "        _files\n"
          "        return\n"
          "    fi\n"
          "    if ((${commands[(I)$words[2]:*]})); then\n"
          "        command=$words[2]\n"
          "        shift words\n"
          "        ((CURRENT--))\n"
          "    fi\n"
          "    case $command in\n",
          stdout);
    for (int i = 0; i < COMMAND_COUNT_; ++i) {
        enum command_id command = (enum command_id)i;
        if (!is_shown(command))
            continue;
        printf("    %s)\n        _arguments \\\n            '--help[list the options]'",
               command_table[i].name);
        for (const struct option_row *row = option_table; row->name; ++row) {
            if (takes(row, command))
                print_zsh_option(row);
        }
        const char *const *words = command_words(command);
        fputs(" \\\n            '*: :", stdout);
        if (words)
            putchar('(');
        put_words(words);
        fputs(words ? ")'\n" : "_files'\n", stdout);
        fputs("        ;;\n", stdout);
    }
    fputs("    esac\n"
          "}\n"
          "_barlint \"$@\"\n",
          stdout);
}

// --- fish ----------------------------------------------------------------------------------------

static void put_fish(const char *text)
{
    putchar('\'');
    for (; *text; ++text)
        printf(*text == '\'' || *text == '\\' ? "\\%c" : "%c", *text);
    putchar('\'');
}

static void print_fish_option(const struct option_row *row, const char *condition)
{
    const char *const *words = option_words(row->name);
    printf("complete -c barlint -n '%s' -l %s", condition, row->name);
    if (row->letter)
        printf(" -s %c", row->letter);
    if (words) {
        fputs(" -x -a '", stdout);
        put_words(words);
        putchar('\'');
    } else if (row->argument) {
        fputs(" -r", stdout);
    }
    fputs(" -d ", stdout);
    put_fish(row->help);
    putchar('\n');
}

static void print_fish(void)
{
    char others[512] = "not __fish_seen_subcommand_from";
    for (int i = 0; i < COMMAND_COUNT_; ++i) {
        if (i != COMMAND_CHECK) {
            strcat(others, " ");
            strcat(others, command_table[i].name);
        }
    }
    puts("# fish completion of barlint");
    for (int i = 0; i < COMMAND_COUNT_; ++i) {
        if (!is_shown((enum command_id)i))
            continue;
        printf("complete -c barlint -n __fish_use_subcommand -a %s -d ", command_table[i].name);
        put_fish(command_table[i].summary);
        putchar('\n');
    }
    for (int i = 0; i < COMMAND_COUNT_; ++i) {
        enum command_id command = (enum command_id)i;
        char seen[128];
        snprintf(seen, sizeof seen, "__fish_seen_subcommand_from %s", command_table[i].name);
        // Without a command the options are those of check.
        const char *condition = command == COMMAND_CHECK ? others : seen;
        for (const struct option_row *row = option_table; row->name; ++row) {
            if (takes(row, command))
                print_fish_option(row, condition);
        }
        if (command_words(command)) {
            printf("complete -c barlint -f -n '%s' -a '", seen);
            put_words(command_words(command));
            puts("'");
        }
    }
}

int command_completion(struct options *options)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
    const char *word = arrlen(options->path) == 1 ? options->path[0] : "";
    struct nearest nearest;
    nearest_init(&nearest, word);
    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; ++i) {
        nearest_offer(&nearest, shells[i].name);
        if (strcmp(shells[i].name, word) == 0) {
            shells[i].print();
            return EXIT_CLEAN;
        }
    }
    struct error error = {0};
    error_set(&error, ERROR_USAGE, "name a shell: bash, zsh or fish%s%s%s",
              nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
              nearest.best ? "'?" : "");
    return driver_fail(&error);
}
