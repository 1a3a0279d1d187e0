#include "driver/unit/operations.h"

#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "base/vec.h"
#include "report/finding.h"

static bool operation_at(const struct parsed *parsed, const struct ir_function *function,
                         ir_value value, struct model_op *out)
{
    uint16_t code = function->op[value].code;
    return (code == IR_CALL || code == IR_PTX) &&
           model_match(parsed->model, &parsed->ir, function, value, out) &&
           model_is_barrier(out->kind);
}

static const char *path_of(const struct parsed *parsed, const struct ir_loc *loc)
{
    return parsed->ir.file[loc->file < arrlenu(parsed->ir.file) ? loc->file : 0].path;
}

// --- Text ----------------------------------------------------------------------------------------

void operations_print(const struct parsed *parsed)
{
    for (ptrdiff_t i = 0; i < arrlen(parsed->ir.function); ++i) {
        const struct ir_function *function = &parsed->ir.function[i];
        bool headed = false;
        for (ptrdiff_t k = 0; k < arrlen(function->op); ++k) {
            struct model_op model;
            if (!operation_at(parsed, function, (ir_value)k, &model))
                continue;
            if (!headed)
                printf("%s %s%s\n", function->flags & IR_FN_KERNEL ? "kernel" : "function",
                       function->name,
                       function->flags & IR_FN_PATTERN ? " (a template nothing instantiates)" : "");
            headed = true;
            const struct ir_loc *loc = &function->op[k].loc;
            printf("  %s:%u:%u: %s, %s\n", path_name(path_of(parsed, loc)), loc->line, loc->column,
                   model_kind_name(model.kind), model.spelling);
        }
    }
}

// --- JSON ----------------------------------------------------------------------------------------

static bool has_operation(const struct parsed *parsed, const struct ir_function *function)
{
    struct model_op model;
    for (ptrdiff_t k = 0; k < arrlen(function->op); ++k) {
        if (operation_at(parsed, function, (ir_value)k, &model))
            return true;
    }
    return false;
}

// An opaque operation in device code that a barrier operation may hide in.
static bool may_hide(const struct ir_function *function, const struct ir_op *op)
{
    return op->code == IR_OPAQUE && op->flags & IR_MAY_BARRIER &&
           function->flags & (IR_FN_KERNEL | IR_FN_DEVICE);
}

static bool hides_some(const struct ir_function *function)
{
    for (ptrdiff_t k = 0; k < arrlen(function->op); ++k) {
        if (may_hide(function, &function->op[k]))
            return true;
    }
    return false;
}

static bool calls_marked(const struct ir_function *function, const bool *mark)
{
    for (ptrdiff_t k = 0; k < arrlen(function->op); ++k) {
        if (function->op[k].code == IR_CALL && mark[function->op[k].imm])
            return true;
    }
    return false;
}

// Which functions have operations or call, over any number of calls, one that has.
static bool *mark_leading(const struct parsed *parsed)
{
    bool *mark = NULL; // stb_ds array
    size_t count = arrlenu(parsed->ir.function);
    arrsetlen(mark, count);
    for (size_t i = 0; i < count; ++i)
        mark[i] = has_operation(parsed, &parsed->ir.function[i]);
    for (bool changed = true; changed;) {
        changed = false;
        // Callees come behind their callers as a rule.
        for (size_t i = count; i-- > 0;) {
            if (!mark[i] && calls_marked(&parsed->ir.function[i], mark))
                mark[i] = changed = true;
        }
    }
    return mark;
}

static json_t *loc_to_json(const struct parsed *parsed, const struct ir_loc *loc)
{
    return json_pack("{s:o, s:I, s:I, s:I}", "file", finding_json_text(path_of(parsed, loc)),
                     "line", (json_int_t)loc->line, "column", (json_int_t)loc->column, "end_line",
                     (json_int_t)loc->end_line);
}

static json_t *function_to_json(const struct parsed *parsed, const struct ir_function *function,
                                const bool *leads)
{
    json_t *operations = json_array(), *calls = json_array(), *opaque = json_array();
    json_t *idle = json_array();
    for (ptrdiff_t k = 0; k < arrlen(function->op); ++k) {
        const struct ir_op *op = &function->op[k];
        struct model_op model;
        if (operation_at(parsed, function, (ir_value)k, &model)) {
            json_t *json = loc_to_json(parsed, &op->loc);
            json_object_set_new(json, "kind", json_string(model_kind_name(model.kind)));
            json_object_set_new(json, "spelling", finding_json_text(model.spelling));
            json_array_append_new(operations, json);
        } else if (op->code == IR_CALL && parsed->ir.function[op->imm].flags & IR_FN_BODY) {
            json_t *json = loc_to_json(parsed, &op->loc);
            json_object_set_new(json, "callee",
                                finding_json_text(parsed->ir.function[op->imm].name));
            json_array_append_new(leads[op->imm] ? calls : idle, json);
        } else if (may_hide(function, op)) {
            json_t *json = loc_to_json(parsed, &op->loc);
            json_object_set_new(json, "reason", finding_json_text(op->text));
            json_array_append_new(opaque, json);
        }
    }
    json_t *json = loc_to_json(parsed, &function->loc);
    uint32_t flags = function->flags;
    json_object_update_new(json, json_pack("{s:o, s:b, s:b, s:b, s:b, s:o, s:o, s:o, s:o}", "name",
                                           finding_json_text(function->name), "kernel",
                                           (flags & IR_FN_KERNEL) != 0, "device",
                                           (flags & IR_FN_DEVICE) != 0, "partial",
                                           (flags & IR_FN_PARTIAL) != 0, "pattern",
                                           (flags & IR_FN_PATTERN) != 0, "operations", operations,
                                           "calls", calls, "idle_calls", idle, "opaque", opaque));
    return json;
}

static json_t *functions_to_json(const struct parsed *parsed)
{
    bool *leads = mark_leading(parsed);
    json_t *list = json_array();
    for (ptrdiff_t i = 0; i < arrlen(parsed->ir.function); ++i) {
        const struct ir_function *function = &parsed->ir.function[i];
        if (function->flags & IR_FN_BODY && (leads[i] || hides_some(function)))
            json_array_append_new(list, function_to_json(parsed, &parsed->ir.function[i], leads));
    }
    arrfree(leads);
    return list;
}

static void count_in(json_t *counts, const char *key)
{
    json_t *known = json_object_get(counts, key);
    json_object_set_new(counts, key, json_integer(json_integer_value(known) + 1));
}

// Instructions and functions without a body that the model has no row for, in device code.
static json_t *unknown_to_json(const struct parsed *parsed)
{
    json_t *counts = json_object();
    for (ptrdiff_t i = 0; i < arrlen(parsed->ir.function); ++i) {
        const struct ir_function *function = &parsed->ir.function[i];
        if (!(function->flags & (IR_FN_KERNEL | IR_FN_DEVICE)))
            continue;
        for (ptrdiff_t k = 0; k < arrlen(function->op); ++k) {
            const struct ir_op *op = &function->op[k];
            struct model_op model;
            if ((op->code != IR_CALL && op->code != IR_PTX) ||
                model_match(parsed->model, &parsed->ir, function, (ir_value)k, &model))
                continue;
            if (op->code == IR_PTX)
                count_in(counts, op->text);
            else if (!(parsed->ir.function[op->imm].flags & IR_FN_BODY))
                count_in(counts, parsed->ir.function[op->imm].lookup);
        }
    }
    return counts;
}

static json_t *outline_to_json(const struct frontend_report *report)
{
    static const char *const fate[] = {
        [FRONTEND_LOWERED] = "lowered",
        [FRONTEND_PATTERN] = "pattern",
        [FRONTEND_INSTANTIATED] = "instantiated",
        [FRONTEND_KNOWN] = "known",
        [FRONTEND_CUT] = "cut",
        [FRONTEND_UNREACHED] = "unreached",
    };
    json_t *list = json_array();
    for (ptrdiff_t i = 0; i < arrlen(report->outline); ++i) {
        const struct frontend_outline *one = &report->outline[i];
        json_array_append_new(
            list, json_pack("{s:o, s:o, s:I, s:I, s:b, s:b, s:b, s:s}", "file",
                            finding_json_text(one->path), "name", finding_json_text(one->name),
                            "line", (json_int_t)one->line, "end_line", (json_int_t)one->end_line,
                            "template", one->is_template, "device", one->on_device, "host",
                            one->on_host, "fate", fate[one->fate]));
    }
    return list;
}

static json_t *skipped_to_json(const struct frontend_report *report)
{
    json_t *list = json_array();
    for (ptrdiff_t i = 0; i < arrlen(report->skipped); ++i) {
        const struct frontend_skipped *one = &report->skipped[i];
        json_array_append_new(
            list, json_pack("{s:o, s:I, s:I}", "file", finding_json_text(one->path), "line",
                            (json_int_t)one->line, "end_line", (json_int_t)one->end_line));
    }
    return list;
}

static json_t *diagnostics_to_json(const struct frontend_report *report)
{
    json_t *list = json_array();
    for (ptrdiff_t i = 0; i < arrlen(report->diagnostic); ++i) {
        const struct frontend_diagnostic *one = &report->diagnostic[i];
        if (one->severity < FRONTEND_ERROR)
            continue;
        json_array_append_new(
            list, json_pack("{s:o, s:I, s:I, s:o, s:b}", "file", finding_json_text(one->path),
                            "line", (json_int_t)one->line, "column", (json_int_t)one->column,
                            "text", finding_json_text(one->text), "harmless", one->is_harmless));
    }
    return list;
}

static json_t *counts_to_json(const struct frontend_report *report)
{
    json_t *opaque = json_object();
    for (ptrdiff_t i = 0; i < arrlen(report->opaque); ++i)
        json_object_set_new(opaque, report->opaque[i].reason,
                            json_integer((json_int_t)report->opaque[i].count));
    return json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:f, s:f}", "functions",
        (json_int_t)report->functions, "partial", (json_int_t)report->partial, "patterns",
        (json_int_t)report->patterns, "cut", (json_int_t)report->cut_functions, "known",
        (json_int_t)report->known_functions, "device_ops", (json_int_t)report->device_ops,
        "device_opaque", (json_int_t)report->device_opaque_ops, "opaque", opaque, "parse_seconds",
        report->parse_seconds, "lower_seconds", report->lower_seconds);
}

json_t *operations_to_json(const struct parsed *parsed)
{
    const struct frontend_report *report = &parsed->report;
    struct arena arena;
    arena_init(&arena);
    const char *reason = "";
    enum report_status status = parsed_status(parsed, &arena, &reason);
    json_t *files = json_array();
    for (ptrdiff_t i = 0; i < arrlen(report->file); ++i)
        json_array_append_new(files, finding_json_text(report->file[i].path));
    json_t *json =
        json_pack("{s:o, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "file",
                  finding_json_text(parsed->translation.file), "arch", parsed->ir.target, "status",
                  report_status_name(status), "reason", finding_json_text(reason), "diagnostics",
                  diagnostics_to_json(report), "counts", counts_to_json(report), "functions",
                  functions_to_json(parsed), "unknown", unknown_to_json(parsed), "outline",
                  outline_to_json(report), "skipped", skipped_to_json(report), "read", files);
    arena_release(&arena);
    return json;
}
