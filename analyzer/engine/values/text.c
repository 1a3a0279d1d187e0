// Values as a reader of the sources would write them.
#include <inttypes.h>
#include <string.h>

#include "engine/values/value.h"

static const char *op_sign(uint16_t op)
{
    switch (op) {
    case IR_ADD:
        return "+";
    case IR_SUB:
        return "-";
    case IR_MUL:
        return "*";
    case IR_DIV:
        return "/";
    case IR_REM:
        return "%";
    case IR_SHL:
        return "<<";
    case IR_SHR:
        return ">>";
    case IR_AND:
        return "&";
    case IR_OR:
        return "|";
    case IR_XOR:
        return "^";
    case IR_EQ:
        return "==";
    case IR_NE:
        return "!=";
    case IR_LT:
        return "<";
    case IR_LE:
        return "<=";
    case IR_GT:
        return ">";
    case IR_GE:
        return ">=";
    default:
        return NULL;
    }
}

enum { DEEPEST = 5 }; // levels of an expression that are written

static const char *text_at(struct arena *arena, const struct node *node, int depth);

static const char *operand_text(struct arena *arena, const struct node *node, int depth)
{
    const char *text = text_at(arena, node, depth);
    return node->kind == NODE_LINEAR || (node->kind == NODE_EXPR && op_sign(node->expr.op))
               ? arena_printf(arena, "(%s)", text)
               : text;
}

static const char *linear_text(struct arena *arena, const struct node *node, int depth)
{
    const char *text = NULL;
    // Positive terms first: "n - 1", not "-1 + n".
    for (int pass = 0; pass < 2; ++pass) {
        for (uint32_t i = 0; i < node->linear.count; ++i) {
            const struct node_term *term = &node->linear.term[i];
            if ((term->factor < 0) != pass)
                continue;
            uint64_t size = term->factor < 0 ? -(uint64_t)term->factor : (uint64_t)term->factor;
            const char *name = operand_text(arena, term->atom, depth);
            if (size != 1)
                name = arena_printf(arena, "%" PRIu64 " * %s", size, name);
            if (!text)
                text = pass ? arena_printf(arena, "-%s", name) : name;
            else
                text = arena_printf(arena, "%s %s %s", text, pass ? "-" : "+", name);
        }
    }
    if (node->linear.base->kind == NODE_VECTOR)
        return arena_printf(arena, "%s + (a number of the thread)", text);
    int64_t base = node->linear.base->value;
    if (base == 0)
        return text;
    uint64_t size = base < 0 ? -(uint64_t)base : (uint64_t)base;
    return arena_printf(arena, "%s %s %" PRIu64, text, base < 0 ? "-" : "+", size);
}

// The name in the sources of what is not made of anything else; NULL for none, as "a computed
// value".
static const char *own_name(const struct node *node)
{
    const char *name = node->kind == NODE_ATOM ? node->atom.name : NULL;
    return name && !strchr(name, ' ') ? name : NULL;
}

// A word of memory, by the pointer that leads to it where that has a name in the sources.
static const char *word_text(struct arena *arena, const struct node *address)
{
    const char *name = own_name(node_base(address));
    return name ? arena_printf(arena, "%s[...]", name) : "a word of memory";
}

static const char *expr_text(struct arena *arena, const struct node *node, int depth)
{
    const struct node *a = node->expr.argument[0], *b = node->expr.argument[1];
    const char *sign = op_sign(node->expr.op);
    if (sign && a && b)
        return arena_printf(arena, "%s %s %s", operand_text(arena, a, depth), sign,
                            operand_text(arena, b, depth));
    switch (node->expr.op) {
    case NODE_OP_GT0:
        return arena_printf(arena, "%s > 0", text_at(arena, a, depth));
    case NODE_OP_EQ0:
        return arena_printf(arena, "%s == 0", text_at(arena, a, depth));
    case NODE_OP_NE0:
        return arena_printf(arena, "%s != 0", text_at(arena, a, depth));
    case NODE_OP_MERGE:
        return arena_printf(arena, "(%s ? %s : %s)", text_at(arena, a, depth),
                            text_at(arena, b, depth),
                            text_at(arena, node->expr.argument[2], depth));
    case IR_MIN:
    case IR_MAX:
        return arena_printf(arena, "%s(%s, %s)", node->expr.op == IR_MIN ? "min" : "max",
                            text_at(arena, a, depth), text_at(arena, b, depth));
    case IR_NOT:
        return arena_printf(arena, "!%s", operand_text(arena, a, depth));
    case NODE_OP_LOAD:
        return word_text(arena, a);
    case NODE_OP_LANE:
        return text_at(arena, a, depth);
    case IR_CONST: { // of a floating type, as the IR keeps it
        double number;
        memcpy(&number, &node->expr.number, sizeof number);
        return arena_printf(arena, "%g", number);
    }
    default:
        return "a computed value";
    }
}

static const char *text_at(struct arena *arena, const struct node *node, int depth)
{
    if (depth > DEEPEST)
        return "...";
    switch (node->kind) {
    case NODE_CONST:
        return arena_printf(arena, "%" PRId64, node->value);
    case NODE_VECTOR:
        return "a number of the thread";
    case NODE_ATOM:
        return node->atom.name ? node->atom.name : "an unknown value";
    case NODE_LINEAR:
        return linear_text(arena, node, depth + 1);
    case NODE_EXPR:
        return expr_text(arena, node, depth + 1);
    case NODE_ADDRESS:
        return "an address";
    default:
        return "a value that differs between threads";
    }
}

static bool has_name_at(const struct node *node, int depth)
{
    if (depth > DEEPEST)
        return false;
    bool has = own_name(node) != NULL;
    for (uint32_t i = 0; node->kind == NODE_LINEAR && i < node->linear.count; ++i)
        has |= has_name_at(node->linear.term[i].atom, depth + 1);
    if (node->kind != NODE_EXPR)
        return has;
    if (node->expr.op == NODE_OP_LOAD)
        return own_name(node_base(node->expr.argument[0])) != NULL;
    bool is_spelt =
        op_sign(node->expr.op) || node->expr.op == NODE_OP_GT0 || node->expr.op == NODE_OP_EQ0 ||
        node->expr.op == NODE_OP_NE0 || node->expr.op == NODE_OP_MERGE || node->expr.op == IR_MIN ||
        node->expr.op == IR_MAX || node->expr.op == IR_NOT || node->expr.op == NODE_OP_LANE;
    for (int i = 0; is_spelt && i < NODE_ARGUMENTS; ++i)
        has |= node->expr.argument[i] && has_name_at(node->expr.argument[i], depth + 1);
    return has;
}

// The value's text, and how many levels of it are left out for its length.
static const char *text_fitting(struct arena *arena, const struct node *node, int *out_left_out)
{
    enum { LONG = 160, LEAST = 2 }; // in bytes; levels that are written at least
    const char *text = text_at(arena, node, 0);
    for (*out_left_out = 0; strlen(text) > LONG && *out_left_out < DEEPEST - LEAST;)
        text = text_at(arena, node, ++*out_left_out);
    return text;
}

bool node_has_name(struct arena *arena, const struct node *node)
{
    int left_out;
    (void)text_fitting(arena, node, &left_out);
    return has_name_at(node, left_out);
}

const char *node_text(struct arena *arena, const struct node *node)
{
    int left_out;
    return text_fitting(arena, node, &left_out);
}
