// Runs a fuzz target over kept inputs without libFuzzer: every file named on the command line,
// and every file in a folder named there. Used by the ordinary test run, so that an input which
// once broke something stays fixed.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_count;

static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 1;
    }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    uint8_t *data = malloc(size > 0 ? (size_t)size : 1);
    size_t got = size > 0 ? fread(data, 1, (size_t)size, file) : 0;
    fclose(file);
    LLVMFuzzerTestOneInput(data, got);
    free(data);
    ++replay_count;
    return 0;
}

static int replay_folder(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder) {
        perror(path);
        return 1;
    }
    int failed = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        failed |= replay_file(name);
    }
    closedir(folder);
    return failed;
}

int main(int argc, char **argv)
{
    int failed = 0;
    for (int i = 1; i < argc; ++i) {
        struct stat info;
        if (stat(argv[i], &info) == 0 && S_ISDIR(info.st_mode))
            failed |= replay_folder(argv[i]);
        else
            failed |= replay_file(argv[i]);
    }
    if (replay_count == 0) {
        fprintf(stderr, "no input was replayed\n");
        return 1;
    }
    printf("%d inputs replayed\n", replay_count);
    return failed;
}
