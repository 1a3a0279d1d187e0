// Places in the sources, and the source text around a cursor where libclang leaves a child out.
#include "frontend/lower.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool is_system_file(CXTranslationUnit tu, CXFile file)
{
    CXString name = clang_getTranslationUnitSpelling(tu);
    CXFile main = clang_getFile(tu, clang_getCString(name));
    clang_disposeString(name);
    return !(main && clang_File_isEqual(file, main)) &&
           clang_Location_isInSystemHeader(clang_getLocationForOffset(tu, file, 0));
}

uint32_t file_number(struct lowering *u, CXFile file, CXSourceLocation inside)
{
    if (!file)
        return 0;
    ptrdiff_t known = hmgeti(u->file_of, file);
    if (known >= 0)
        return u->file_of[known].value;
    const char *path = take_string(&u->unit->arena, clang_getFileName(file));
    uint32_t number = 0;
    for (ptrdiff_t i = 1; i < arrlen(u->unit->file) && !number; ++i)
        if (strcmp(u->unit->file[i].path, path) == 0)
            number = (uint32_t)i;
    if (!number) {
        // To find the start of a file, libclang goes through all places of a precompiled header.
        arrput(u->unit->file,
               ((struct ir_file){.path = path,
                                 .is_system = clang_Location_isInSystemHeader(inside) != 0}));
        number = (uint32_t)arrlenu(u->unit->file) - 1;
    }
    hmput(u->file_of, file, number);
    return number;
}

// Whether what stands at the place was written by a macro, as its body or as an argument of it.
static bool is_in_macro(CXSourceLocation location)
{
    CXFile file = NULL, spelled_file = NULL;
    unsigned offset = 0, spelled_offset = 0;
    clang_getExpansionLocation(location, &file, NULL, NULL, &offset);
    clang_getSpellingLocation(location, &spelled_file, NULL, NULL, &spelled_offset);
    return offset != spelled_offset || !clang_File_isEqual(file, spelled_file);
}

// libclang goes back to the start of the line for each column that it is asked for, and a line may
// be as long as a file: on the line asked for last, columns follow from offsets.
static void place_of(struct lowering *u, CXSourceLocation location, CXFile *out_file,
                     unsigned *out_line, unsigned *out_column)
{
    unsigned offset;
    clang_getExpansionLocation(location, out_file, out_line, NULL, &offset);
    if (*out_file && *out_file == u->last_place.file && *out_line == u->last_place.line) {
        *out_column = u->last_place.column + offset - u->last_place.offset;
        return;
    }
    clang_getExpansionLocation(location, NULL, NULL, out_column, NULL);
    u->last_place.file = *out_file;
    u->last_place.line = *out_line;
    u->last_place.column = *out_column;
    u->last_place.offset = offset;
}

struct ir_loc loc_of(struct lowering *u, CXCursor cursor)
{
    CXSourceRange range = clang_getCursorExtent(cursor);
    struct ir_loc loc = {0};
    if (clang_Range_isNull(range))
        return loc;
    CXFile file = NULL, end_file = NULL;
    unsigned line, column, end_line, end_column;
    CXSourceLocation start = clang_getRangeStart(range);
    place_of(u, start, &file, &line, &column);
    place_of(u, clang_getRangeEnd(range), &end_file, &end_line, &end_column);
    if (!file || line == 0)
        return loc;
    CXSourceLocation end = clang_getRangeEnd(range);
    uint32_t in_macro = is_in_macro(start) || is_in_macro(end);
    loc = (struct ir_loc){file_number(u, file, start), line, column, line, column, in_macro};
    if (end_file && clang_File_isEqual(file, end_file) &&
        (end_line > line || (end_line == line && end_column >= column))) {
        loc.end_line = end_line;
        loc.end_column = end_column;
    }
    return loc;
}

bool is_system_location(CXCursor cursor)
{
    return clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)) != 0;
}

// What the disk holds of a file; NULL when it cannot be read.
static const char *read_file(struct arena *arena, const char *path, size_t *out_length)
{
    enum { LARGEST = 64 * 1024 * 1024 };
    FILE *file = fopen(path, "rbe");
    if (!file)
        return NULL;
    char *text = NULL;
    struct stat status;
    if (fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode) && status.st_size < LARGEST) {
        size_t size = (size_t)status.st_size;
        text = arena_alloc(arena, size + 1);
        *out_length = fread(text, 1, size, file);
        text[*out_length] = '\0';
    }
    fclose(file);
    return text;
}

const char *text_of_file(struct lowering *u, const char *path)
{
    size_t length;
    return read_file(&u->arena, path, &length);
}

// The text of a file as clang saw it, with a zero byte behind it. To find a file, libclang goes
// through all places of a precompiled header; so with one, what only the disk holds is read there.
static const char *contents_of(struct lowering *u, CXFile file, size_t *out_length)
{
    const char *text = NULL;
    if (u->job->pch && u->job->unsaved_count == 0) {
        const char *path = take_string(&u->arena, clang_getFileName(file));
        bool is_changed = false;
        for (ptrdiff_t i = 0; i < arrlen(u->unsaved); ++i)
            is_changed |= strcmp(u->unsaved[i].path, path) == 0;
        text = is_changed ? NULL : read_file(&u->arena, path, out_length);
    }
    return text ? text : clang_getFileContents(u->tu, file, out_length);
}

static const struct file_text *file_text(struct lowering *u, CXFile file)
{
    if (u->last_text && u->last_file == file)
        return u->last_text;
    const struct file_text *found = NULL;
    for (ptrdiff_t i = 0; i < arrlen(u->text) && !found; ++i)
        if (u->text[i].file == file)
            found = &u->text[i];
    if (!found) {
        struct file_text entry = {.file = file};
        size_t length = 0;
        const char *text = contents_of(u, file, &length);
        entry.text = text ? text : "";
        entry.length = text ? length : 0;
        arrput(u->text, entry);
        found = &arrlast(u->text);
    }
    u->last_file = file;
    u->last_text = found;
    return found;
}

static const char *text_of_location(struct lowering *u, CXSourceLocation location,
                                    const char **begin)
{
    CXFile file = NULL;
    unsigned offset = 0;
    clang_getSpellingLocation(location, &file, NULL, NULL, &offset);
    if (begin)
        *begin = "";
    if (!file)
        return "";
    const struct file_text *text = file_text(u, file);
    if (offset > text->length)
        return "";
    if (begin)
        *begin = text->text;
    return text->text + offset;
}

const char *whole_text(struct lowering *u, CXFile file, size_t *size)
{
    const struct file_text *text = file_text(u, file);
    *size = text->length;
    return text->text;
}

const char *text_at(struct lowering *u, CXCursor cursor)
{
    CXSourceRange range = clang_getCursorExtent(cursor);
    if (clang_Range_isNull(range))
        return "";
    return text_of_location(u, clang_getRangeStart(range), NULL);
}

const char *text_of_use(struct lowering *u, CXCursor cursor)
{
    CXFile file = NULL;
    unsigned offset = 0;
    clang_getExpansionLocation(clang_getRangeStart(clang_getCursorExtent(cursor)), &file, NULL,
                               NULL, &offset);
    if (!file)
        return "";
    const struct file_text *text = file_text(u, file);
    return offset <= text->length ? text->text + offset : "";
}

const char *text_end(struct lowering *u, CXCursor cursor, const char **begin)
{
    *begin = "";
    CXSourceRange range = clang_getCursorExtent(cursor);
    if (clang_Range_isNull(range))
        return "";
    return text_of_location(u, clang_getRangeEnd(range), begin);
}

// Past a comment, a string or a character constant that starts here, or one character.
static const char *skip_one(const char *at)
{
    if (at[0] == '/' && at[1] == '/') {
        while (*at && *at != '\n')
            ++at;
        return at;
    }
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (*at == '"' || *at == '\'') {
        char quote = *at++;
        while (*at && *at != quote && *at != '\n')
            at += at[0] == '\\' && at[1] ? 2 : 1;
        return *at ? at + 1 : at;
    }
    return at + 1;
}

static bool is_blank(const char *at)
{
    return isspace((unsigned char)*at) || (at[0] == '\\' && (at[1] == '\n' || at[1] == '\r')) ||
           (at[0] == '/' && (at[1] == '/' || at[1] == '*'));
}

unsigned paren_parts(const char *text, bool is_empty[3])
{
    enum { SCAN_LIMIT = 20000 };
    const char *end = text + strnlen(text, SCAN_LIMIT);
    const char *at = text;
    while (at < end && *at != '(')
        at = skip_one(at);
    if (at >= end)
        return 0;
    ++at;
    unsigned parts = 1, depth = 0;
    is_empty[0] = is_empty[1] = is_empty[2] = true;
    for (; at < end; at = skip_one(at)) {
        if (depth == 0 && *at == ')')
            return parts;
        if (depth == 0 && *at == ';') {
            if (parts == 3)
                return 3;
            ++parts;
            continue;
        }
        if (strchr("([{", *at))
            ++depth;
        else if (strchr(")]}", *at) && depth > 0)
            --depth;
        if (!is_blank(at))
            is_empty[parts - 1] = false;
    }
    return 0;
}

bool text_has_word(const char *text, const char *word, const char *until)
{
    size_t length = strlen(word);
    for (const char *at = text; *at && !strchr(until, *at);) {
        if (strncmp(at, word, length) == 0 && !isalnum((unsigned char)at[length]) &&
            at[length] != '_')
            return true;
        if (isalnum((unsigned char)*at) || *at == '_')
            while (isalnum((unsigned char)*at) || *at == '_')
                ++at;
        else
            at = skip_one(at);
    }
    return false;
}

bool has_error_inside(struct lowering *u, CXCursor cursor)
{
    if (arrlen(u->error_at) == 0)
        return false;
    CXSourceRange range = clang_getCursorExtent(cursor);
    CXFile file = NULL;
    unsigned begin = 0, end = 0;
    clang_getExpansionLocation(clang_getRangeStart(range), &file, NULL, NULL, &begin);
    clang_getExpansionLocation(clang_getRangeEnd(range), NULL, NULL, NULL, &end);
    for (ptrdiff_t i = 0; file && i < arrlen(u->error_at); ++i)
        if (clang_File_isEqual(u->error_at[i].file, file) && u->error_at[i].offset >= begin &&
            u->error_at[i].offset <= end)
            return true;
    return false;
}
