/* A user of the C API: lints the files named on the command line; `-` reads one from standard
 * input, under the name stdin.cu. Prints what it was told of each. */
#include <barlint/barlint.h>
#include <barlint/semantics/mbarrier.h>

#include <stdio.h>
#include <string.h>

static const char *const level[] = {"note", "warning", "error"};

static void print_finding(const struct barlint_finding *finding)
{
    printf("%s:%u:%u: %s %s %s (%zu notes, %s)\n", finding->place.file, finding->place.line,
           finding->place.column, level[finding->level], finding->certain ? "certain" : "possible",
           finding->rule, finding->note_count, finding->function);
    for (size_t i = 0; i < finding->note_count; ++i)
        if (!finding->note[i].place.file || !finding->note[i].message[0])
            puts("an empty note");
}

int main(int argc, char **argv)
{
    static char text[100000];
    for (int i = 1; i < argc; ++i) {
        static const char *const argument[] = {"-std=c++17", "-arch=sm_90"};
        struct barlint_job job = {.file = argv[i], .builtin_headers = 1};
        if (strcmp(argv[i], "-") == 0) {
            job.file = "stdin.cu";
            job.text = text;
            job.length = fread(text, 1, sizeof text, stdin);
            job.argument = argument;
            job.argument_count = 2;
        }
        struct barlint_result *result = barlint_check(&job);
        if (barlint_error(result))
            printf("error: %s\n", barlint_error(result));
        for (size_t k = 0; k < barlint_finding_count(result); ++k)
            print_finding(barlint_finding(result, k));
        if (barlint_finding(result, barlint_finding_count(result)))
            puts("one too many");
        printf("%zu bytes of JSON\n", strlen(barlint_json(result)));
        barlint_free(result);
    }
    barlint_free(NULL);
    printf("version %s\n", barlint_version());
    return 0;
}
