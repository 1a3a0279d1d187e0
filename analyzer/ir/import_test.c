// Importing functions of one unit into another, told by the text form.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "ir/ir.h"

static void read_text(struct ir_unit *unit, const char *text)
{
    struct error error = {0};
    if (!ir_read_unit(unit, text, strlen(text), &error) || !ir_verify_unit(unit, &error))
        fail_msg("%s", error.text);
}

static ir_function_id find(const struct ir_unit *unit, const char *key)
{
    for (ptrdiff_t i = 0; i < arrlen(unit->function); ++i) {
        if (strcmp(unit->function[i].key, key) == 0)
            return (ir_function_id)i;
    }
    fail_msg("there is no function '%s'", key);
    return IR_NONE;
}

// Imports the function of that key; `want` is the text of the result.
static void check(const char *into_text, const char *from_text, const char *key, const char *want)
{
    struct ir_unit into, from;
    struct error error = {0};
    read_text(&into, into_text);
    read_text(&from, from_text);
    ir_function_id function = find(&from, key);
    ir_unit_import(&into, &from, &function, 1);
    ir_unit_release(&from); // nothing of it is used any more
    if (!ir_verify_unit(&into, &error))
        fail_msg("%s", error.text);
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    ir_print_unit(out, &into);
    fclose(out);
    assert_string_equal(text, want);
    free(text);
    ir_unit_release(&into);
}

static const char library[] = "unit \"sm_90\"\n"
                              "file 1 \"b.cu\"\n"
                              "type %node = record \"node\" size 16 align 8 {\n"
                              "  +0 ptr %node \"next\"\n"
                              "  +8 u64 \"word\"\n"
                              "}\n"
                              "global @state : u64 shared align 8 owner @f at 1:3:5\n"
                              "func @f key \"_Z1fP4node\" device (%n : ptr %node) at 1:2:1 {\n"
                              "b0:\n"
                              "  v0 = global @state : ptr u64 at 1:4:1\n"
                              "  call @g at 1:5:1\n"
                              "  call @far at 1:6:1\n"
                              "  ret\n"
                              "}\n"
                              "func @g key \"_ZL1gv\" device internal () at 1:1:1 {\n"
                              "b0:\n"
                              "  call @f.1 at 1:1:9\n"
                              "  ret\n"
                              "}\n"
                              "func @far key \"_Z3farv\" device ()\n"
                              "func @f.1 \"f\" key \"_Z1fv\" device () at 1:7:1 {\n"
                              "b0:\n"
                              "  ret\n"
                              "}\n"
                              "func @unused device () at 1:9:1 {\n"
                              "b0:\n"
                              "  ret\n"
                              "}\n";

static void declared_function_gets_its_body(void **state)
{
    (void)state;
    check("unit \"sm_90\"\n"
          "file 1 \"a.cu\"\n"
          "func @k kernel () at 1:1:1 {\n"
          "b0:\n"
          "  v0 = const 0 : u64\n"
          "  call @f v0 at 1:2:1\n"
          "  ret\n"
          "}\n"
          "func @f key \"_Z1fP4node\" device ()\n"
          "func @g key \"_ZL1gv\" device internal () at 1:4:1 {\n"
          "b0:\n"
          "  exit\n"
          "}\n",
          library, "_Z1fP4node",
          "unit \"sm_90\"\n"
          "file 1 \"a.cu\"\n"
          "file 2 \"b.cu\"\n"
          "type %node = record \"node\" size 16 align 8 {\n"
          "  +0 ptr %node \"next\"\n"
          "  +8 u64 \"word\"\n"
          "}\n"
          "global @state : u64 shared align 8 owner @f at 2:3:5\n"
          "func @k kernel () at 1:1:1 {\n"
          "b0:\n"
          "  v0 = const 0 : u64\n"
          "  call @f v0 at 1:2:1\n"
          "  ret\n"
          "}\n"
          "func @f key \"_Z1fP4node\" device (%n : ptr %node) at 2:2:1 {\n"
          "b0:\n"
          "  v0 = global @state : ptr u64 at 2:4:1\n"
          "  call @g.2 at 2:5:1\n"
          "  call @far at 2:6:1\n"
          "  ret\n"
          "}\n"
          // The static function of another unit is another function.
          "func @g key \"_ZL1gv\" device internal () at 1:4:1 {\n"
          "b0:\n"
          "  exit\n"
          "}\n"
          "func @g.2 \"g\" key \"_ZL1gv\" device internal () at 2:1:1 {\n"
          "b0:\n"
          "  call @f.2 at 2:1:9\n"
          "  ret\n"
          "}\n"
          "func @far key \"_Z3farv\" device ()\n"
          "func @f.2 \"f\" key \"_Z1fv\" device () at 2:7:1 {\n"
          "b0:\n"
          "  ret\n"
          "}\n");
}

static void what_is_there_is_used(void **state)
{
    (void)state;
    check("unit \"sm_90\"\n"
          "file 1 \"b.cu\"\n"
          "type %node = record \"node\" size 16 align 8 {\n"
          "  +0 ptr %node \"next\"\n"
          "  +8 u64 \"word\"\n"
          "}\n"
          "global @flag : u32 global align 4 at 1:1:1\n"
          "func @f key \"_Z1fv\" device () at 1:8:1 {\n"
          "b0:\n"
          "  exit\n"
          "}\n",
          "unit \"sm_90\"\n"
          "file 1 \"other.h\"\n"
          "file 2 \"b.cu\"\n"
          "type %node = record \"node\" size 16 align 8 {\n"
          "  +0 ptr %node \"next\"\n"
          "  +8 u64 \"word\"\n"
          "}\n"
          "global @flag : u32 global align 4 at 1:7:1\n"
          "func @h device (%n : ptr %node) at 2:3:1 {\n"
          "b0:\n"
          "  v0 = global @flag : ptr u32\n"
          "  call @f\n"
          "  ret\n"
          "}\n"
          "func @f key \"_Z1fv\" device () at 2:9:1 {\n"
          "b0:\n"
          "  ret\n"
          "}\n",
          "h",
          "unit \"sm_90\"\n"
          "file 1 \"b.cu\"\n"
          "type %node = record \"node\" size 16 align 8 {\n"
          "  +0 ptr %node \"next\"\n"
          "  +8 u64 \"word\"\n"
          "}\n"
          "global @flag : u32 global align 4 at 1:1:1\n"
          "func @f key \"_Z1fv\" device () at 1:8:1 {\n"
          "b0:\n"
          "  exit\n"
          "}\n"
          "func @h device (%n : ptr %node) at 1:3:1 {\n"
          "b0:\n"
          "  v0 = global @flag : ptr u32\n"
          "  call @f\n"
          "  ret\n"
          "}\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(declared_function_gets_its_body),
        cmocka_unit_test(what_is_there_is_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
