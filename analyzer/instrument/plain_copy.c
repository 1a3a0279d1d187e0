#include "instrument/plain_copy.h"

#include <stdlib.h>

#include "base/vec.h"
#include "instrument/groups.h"
#include "instrument/spared.h"

bool plain_copy_shares(const char *text, const struct item *item)
{
    return item->kind == ITEM_DECLARATION && (items_is_directive(text, item->begin, ".shared") ||
                                              items_is_directive(text, item->begin, ".local"));
}

typedef bool declares(const char *text, const struct item *item);

// Declares what the body, which begins there, does of a kind. What a block within it declares for
// itself, as inline assembly does, stays there: another may declare the same name.
static void write_declarations(struct pass *pass, size_t begin, declares *is_one)
{
    struct items items;
    items_init(&items, pass->text, pass->length);
    items.at = begin;
    items.depth = 1;
    struct item item;
    while (items.depth && (item = items_next(&items)).kind != ITEM_END)
        if (items.depth == 1 && is_one(pass->text, &item))
            fprintf(pass->stream, "\n\t%.*s", (int)(item.end - item.begin),
                    pass->text + item.begin);
}

static bool is_register(const char *text, const struct item *item)
{
    return item->kind == ITEM_DECLARATION && items_is_directive(text, item->begin, ".reg");
}

// Does a thread of the block leave as it begins? It does where %bl_leave says so.
static void write_leaving(struct pass *pass, size_t begin)
{
    fputs("\n\t.reg .pred %bl_leave;\n\tsetp.ne.u32 %bl_leave, 0, 0;\n\t{", pass->stream);
    write_declarations(pass, begin, is_register);
    fprintf(pass->stream, "\n%s\t}\n\tbar.red.or.pred %%bl_leave, 0, %%bl_leave;\n",
            pass->condition.leave);
}

// Do all threads of the block load the same? Nobody asks where some of them leave.
static void write_agreeing(struct pass *pass, size_t begin)
{
    const struct agree_load *loads = pass->condition.agreed;
    uint32_t label = pass->labels++;
    fputs("\n\t.reg .pred %bl_agree;\n\tsetp.ne.u32 %bl_agree, 0, 0;\n", pass->stream);
    if (pass->condition.leave)
        fprintf(pass->stream, "\t@%%bl_leave bra $L__barlint_%u;\n", label);
    fputs("\t{", pass->stream);
    write_declarations(pass, begin, is_register);
    fputs("\n", pass->stream);
    for (ptrdiff_t i = 0; i < arrlen(loads); ++i)
        fputs(loads[i].text, pass->stream);
    fputs("\t}\n", pass->stream);
    agree_ask(pass->stream, loads);
    fprintf(pass->stream, "$L__barlint_%u:\n", label);
}

// Goes to the copy without hooks if the launch is such that nothing can go wrong.
static void write_condition(struct pass *pass, size_t begin)
{
    const struct uniform_condition *condition = &pass->condition;
    if (condition->agreed)
        agree_declare(pass->stream, condition->agreed);
    fputs("\n{ // barlint: can anything go wrong?", pass->stream);
    if (condition->leave)
        write_leaving(pass, begin);
    if (condition->agreed)
        write_agreeing(pass, begin);
    fputs("\n\t.reg .b32 %bl_x, %bl_y, %bl_z;\n\t.reg .pred %bl_p;\n"
          "\tmov.u32 %bl_x, %ntid.x;\n\tmov.u32 %bl_y, %ntid.y;\n\tmov.u32 %bl_z, %ntid.z;\n"
          "\tmul.lo.u32 %bl_y, %bl_y, %bl_z;\n\tmul.lo.u32 %bl_x, %bl_x, %bl_y;\n",
          pass->stream);
    fprintf(pass->stream, "\tsetp.le.u32 %%bl_p, %%bl_y, %d;\n", condition->in_line ? 1 : 1024);
    if (condition->threads)
        fprintf(pass->stream, "\tsetp.eq.and.u32 %%bl_p, %%bl_x, %u, %%bl_p;\n",
                condition->threads);
    if (condition->multiple)
        fprintf(pass->stream,
                "\tand.b32 %%bl_y, %%bl_x, %u;\n\tsetp.eq.and.u32 %%bl_p, %%bl_y, 0, %%bl_p;\n",
                condition->multiple - 1);
    if (condition->most)
        fprintf(pass->stream, "\tsetp.le.and.u32 %%bl_p, %%bl_x, %u, %%bl_p;\n", condition->most);
    if (condition->leave)
        fputs("\tnot.pred %bl_leave, %bl_leave;\n\tand.pred %bl_p, %bl_p, %bl_leave;\n",
              pass->stream);
    if (condition->agreed)
        fputs("\tand.pred %bl_p, %bl_p, %bl_agree;\n", pass->stream);
    fprintf(pass->stream, "\t@%%bl_p bra $L__barlint_%u;\n}", pass->plain);
}

void plain_copy_begin(struct pass *pass, size_t begin, uint64_t site)
{
    pass->plain = pass->labels++;
    write_declarations(pass, begin, plain_copy_shares); // once, for both
    if (pass->condition.is_needed)
        write_condition(pass, begin);
    if (pass->repeat.blocks || pass->repeat.launches)
        spared_ask(pass->stream, &pass->repeat, pass->plain, site);
    fputs("\n{", pass->stream);
}

static void write_plain_instruction(struct pass *pass, const struct mark *mark)
{
    struct instruction instruction;
    if (mark->instead) {
        pass_copy(pass, mark->item.begin);
        fputs(mark->instead, pass->stream);
        pass->copied = mark->item.end;
        return;
    }
    if (!instruction_parse(&pass->scratch, pass->text + mark->item.begin,
                           mark->item.end - mark->item.begin, &instruction))
        return;
    char *block = NULL;
    if (mark->is_dropped) {
        pass_drop(pass, &mark->item, instruction.mnemonic);
    } else if (pass_rewrite(pass, &mark->item, &instruction, mark->site, true, &block) ==
               REWRITE_DONE) {
        pass_write(pass, &mark->item, &instruction, block, mark->site, mark->passed);
    } else if (!pass_is_end(&instruction)) {
        free(block);
        size_t size = 0;
        FILE *stream = open_memstream(&block, &size);
        if (!stream)
            return;
        instruction_write(&instruction, stream);
        fclose(stream);
        pass_write(pass, &mark->item, &instruction, block, mark->site, mark->passed);
    }
    free(block);
}

void plain_copy_end(struct pass *pass, size_t end)
{
    pass_copy(pass, end);
    fprintf(pass->stream,
            "}\n$L__barlint_%u:\n{ // barlint: no hooks\n\t.reg .b32 %%bl_told, %%bl_polls;\n"
            "\tmov.b32 %%bl_polls, 0;\n",
            pass->plain);
    passed_begin(pass->stream, &pass->passed);
    if (pass->has_groups)
        groups_declare(pass->stream);
    pass->copied = pass->body;
    for (ptrdiff_t i = 0; i < arrlen(pass->mark); ++i) {
        const struct mark *mark = &pass->mark[i];
        if (mark->item.kind == ITEM_INSTRUCTION) {
            write_plain_instruction(pass, mark);
        } else {
            pass_copy(pass, mark->item.begin);
            pass->copied = mark->item.end;
        }
    }
    pass_copy(pass, end);
    fputs("}\n", pass->stream);
    arrsetlen(pass->mark, 0);
    pass->has_copy = false;
}
