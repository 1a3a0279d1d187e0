// Which lines of which files a change touches: what `git diff -U0` says.
#ifndef BARLINT_REPORT_CHANGES_H
#define BARLINT_REPORT_CHANGES_H

#include "report/finding.h"

struct line_range {
    uint32_t first, last;
};

struct changed_file {
    const char *path;         // absolute
    struct line_range *range; // stb_ds array, in order
};

struct changes {
    struct arena arena;
    struct changed_file *file; // stb_ds array
    struct {
        char *key;
        ptrdiff_t value;
    } * index; // stb_ds: by path
};

void changes_init(struct changes *changes);
void changes_release(struct changes *changes);

// Adds what a patch says, as `git diff -U0 --src-prefix=a/ --dst-prefix=b/` writes it with paths
// relative to `root`. Where lines were taken away, the lines around the gap count as changed. Text
// that is no patch adds nothing. A zero byte must stand behind the text.
void changes_read_patch(struct changes *changes, const char *root, const char *text, size_t length);

// Adds a whole file: all of it is new.
void changes_add_file(struct changes *changes, const char *path);

// Whether the finding or a step of its path stands on a changed line.
bool changes_touch_finding(const struct changes *changes, const struct finding *finding);

#endif
