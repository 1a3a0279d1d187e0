#include "frontend/command/option_table.h"

#include <ctype.h>
#include <string.h>

#include "frontend/command/shlex.h"

#define VALUE (FORM_SEPARATE | FORM_EQUALS)
#define LIST (FORM_SEPARATE | FORM_EQUALS | FORM_LIST)
#define OPTION(name, alias, form, action, detail, since, until, reason)                            \
    {name, alias, form, OPTION_##action, detail, since, until, reason},

static const struct option_row nvcc_rows[] = {
#include "frontend/command/nvcc_options.def"
};

static const struct option_row host_rows[] = {
#include "frontend/command/host_options.def"
};

#undef OPTION

const struct option_table nvcc_options = {nvcc_rows, sizeof nvcc_rows / sizeof *nvcc_rows};
const struct option_table host_options = {host_rows, sizeof host_rows / sizeof *host_rows};

enum match_kind { MATCH_NONE, MATCH_JOINED, MATCH_EQUALS, MATCH_EXACT };

// How `word` fits the spelling `name` of a row.
static enum match_kind match_spelling(const struct option_row *row, const char *name,
                                      const char *word)
{
    // Every spelling has two characters at least; most differ from the word in these.
    if (name[0] != word[0] || name[0] == '\0' || name[1] != word[1]) {
        return MATCH_NONE;
    }
    size_t length = strlen(name);
    if (strncmp(word, name, length) != 0) {
        return MATCH_NONE;
    }
    const char *rest = word + length;
    if (*rest == '\0') {
        // An option that takes its value only behind '=' is another option without it.
        return row->form == FORM_FLAG || (row->form & (FORM_SEPARATE | FORM_JOINED)) ? MATCH_EXACT
                                                                                     : MATCH_NONE;
    }
    if (*rest == '=' && (row->form & FORM_EQUALS)) {
        return MATCH_EQUALS;
    }
    if (row->form & FORM_JOINED) {
        // Only one-dash options glue a value to their name.
        return MATCH_JOINED;
    }
    if ((row->form & FORM_DIGITS) && isdigit((unsigned char)*rest)) {
        return MATCH_JOINED;
    }
    return MATCH_NONE;
}

static void use_value(struct arena *arena, struct option_use *use, const char *value)
{
    if (use->row->form & FORM_LIST) {
        struct word_list list = shlex_split_list(arena, value);
        use->value = list.word;
        use->value_count = list.count;
        return;
    }
    use->value = arena_array(arena, char *, 2);
    use->value[0] = arena_strdup(arena, value);
    use->value_count = 1;
}

bool option_match(struct arena *arena, const struct option_table *table, char *const *argv,
                  size_t count, struct option_use *out_use)
{
    struct option_use use = {.words = 1};
    enum match_kind best = MATCH_NONE;
    for (size_t i = 0; i < table->count; i++) {
        const struct option_row *row = &table->row[i];
        const char *names[2] = {row->name, row->alias};
        for (size_t n = 0; n < 2; n++) {
            enum match_kind kind = match_spelling(row, names[n], argv[0]);
            bool longer = kind == best && use.spelling && strlen(names[n]) > strlen(use.spelling);
            if (kind > best || (kind != MATCH_NONE && longer)) {
                best = kind;
                use.row = row;
                use.spelling = names[n];
            }
        }
    }
    if (best == MATCH_NONE) {
        return false;
    }
    const char *rest = argv[0] + strlen(use.spelling);
    if (best == MATCH_EQUALS) {
        use_value(arena, &use, rest + 1);
    } else if (best == MATCH_JOINED) {
        use_value(arena, &use, rest);
    } else if (use.row->form & FORM_SEPARATE) {
        if (count > 1) {
            use_value(arena, &use, argv[1]);
            use.words = 2;
        } else {
            use.value_lacks = true;
        }
    }
    *out_use = use;
    return true;
}
