// `barlint man`: the manual page, made from the tables of commands, options and formats.
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "driver/driver.h"
#include "report/report.h"

// Text for roff: a hyphen of an option is no hyphenation, and no line begins a request.
static void put(const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", stdout);
    for (; *text; ++text) {
        if (*text == '-')
            fputs("\\-", stdout);
        else if (*text == '\\')
            fputs("\\e", stdout);
        else
            putchar(*text);
    }
}

static void print_commands(void)
{
    puts(".SH COMMANDS");
    for (int i = 0; i < COMMAND_COUNT_; ++i) {
        const struct command_row *command = &command_table[i];
        if (command->is_hidden)
            continue;
        printf(".TP\n.BI \"barlint %s \" \"", command->name);
        put(command->arguments);
        puts("\"");
        put(command->summary);
        putchar('\n');
    }
}

// An option that some commands alone take names them.
static void print_takers(const struct option_row *row)
{
    const char *between = " (";
    if (row->commands & 1u << COMMAND_CHECK)
        return;
    for (int i = 0; i < COMMAND_COUNT_; ++i) {
        if (row->commands & 1u << i) {
            printf("%s%s", between, command_table[i].name);
            between = ", ";
        }
    }
    putchar(')');
}

static void print_options(void)
{
    puts(".SH OPTIONS\n"
         "The options are those of\n.BR check ;\n"
         "where others take them alone, their names follow.");
    for (const struct option_row *row = option_table; row->name; ++row) {
        fputs(".TP\n.BR ", stdout);
        if (row->letter)
            printf("\\-%c \", \" ", row->letter);
        fputs("\\-\\-", stdout);
        put(row->name);
        if (row->argument) {
            fputs(" =\\fI", stdout);
            put(row->argument);
            fputs("\\fR", stdout);
        }
        putchar('\n');
        put(row->help);
        print_takers(row);
        putchar('\n');
    }
}

static void print_formats(void)
{
    puts(".SH FORMATS");
    for (const struct report_format *format = report_formats; format->name; ++format) {
        printf(".TP\n.B %s\n", format->name);
        put(format->help);
        putchar('\n');
    }
}

int command_man(struct options *options)
{
    (void)options;
    printf(".TH BARLINT 1 \"\" \"barlint %s\" \"User Commands\"\n", BARLINT_VERSION);
    puts(".SH NAME\n"
         "barlint \\- find misused barriers in CUDA sources\n"
         ".SH SYNOPSIS\n"
         ".B barlint\n"
         "[\\fICOMMAND\\fR] [\\fIOPTION\\fR...] [\\fIPATH\\fR...] [\\-\\- \\fICOMPILER "
         "ARGUMENTS\\fR]\n"
         ".SH DESCRIPTION\n"
         "barlint reads CUDA C++ sources and says where a barrier is misused. Without a path it\n"
         "checks every CUDA file of the compile database found in the current folder or above.\n"
         "The default command is\n"
         ".BR check .");
    print_commands();
    print_options();
    print_formats();
    puts(".SH EXIT STATUS\n"
         ".TP\n.B 0\nnothing found at or above\n.B \\-\\-fail\\-on\n"
         ".TP\n.B 1\nfindings\n"
         ".TP\n.B 2\nwrong usage or configuration, or a stale baseline under\n"
         ".B \\-\\-strict\\-baseline\n"
         ".TP\n.B 3\nsome file could not be analysed\n"
         ".TP\n.B 4\ninternal error\n"
         ".SH FILES\n"
         ".TP\n.I .barlint.yaml\nthe configuration: the nearest one from a file's folder upwards\n"
         ".TP\n.I barlint\\-baseline.json\nknown findings, where\n.B barlint baseline create\n"
         "puts them by default\n"
         ".SH ENVIRONMENT\n"
         ".TP\n.BR NO_COLOR \", \" CLICOLOR_FORCE\nforbid and force colours;\n"
         ".B \\-\\-color\ngoes before both\n"
         ".TP\n.B CUDA_PATH\na CUDA toolkit to take headers from\n"
         ".TP\n.B GITHUB_STEP_SUMMARY\nwhere the format\n.B github\nappends a table");
    return EXIT_CLEAN;
}
