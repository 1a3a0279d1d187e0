#include "rules/again.h"

#include "base/vec.h"
#include "ir/cfg.h"

enum { MOST_DEPTH = 8, MOST_CALLS = 6, MOST_PLACES = 512, MOST_FOUND = 64 };

// A word: so many bytes behind what a pointer parameter of the kernel leads to, or a variable of
// the device. code: 0 where it is neither.
struct word {
    uint16_t code; // IR_PARAM or IR_GLOBAL
    int64_t root, offset;
};

// An operation that has to do with a word.
struct deed {
    const struct place *place;
    ir_value op;
    ir_block_id block;
    struct word word;
    uint64_t goal; // of a wait: stands for what the word is to reach
};

struct look {
    struct reading *reading;
    struct deed wait[MOST_FOUND], count[MOST_FOUND], change[MOST_FOUND];
    uint32_t waits, counts, changes, places;
    struct cfg *cfg; // by function, built where block_count is not 0
    bool lost;       // there is more than is followed
    bool all;        // operations are looked at, not just loops
};

static const struct ir_function *function_of(const struct look *look, const struct place *place)
{
    return parts_function(look->reading, *place);
}

static const struct cfg *cfg_of(struct look *look, ir_function_id id)
{
    if (!look->cfg[id].block_count)
        cfg_build(&look->cfg[id], &look->reading->result->unit->function[id], look->reading->arena);
    return &look->cfg[id];
}

// Follows the value through casts, variables that are stored once, and what callers give.
static const struct ir_op *resolve(const struct look *look, const struct place **place,
                                   ir_value value)
{
    const struct ir_op *op = NULL;
    for (int i = 0; i < MOST_DEPTH * 2; ++i) {
        const struct ir_function *function = function_of(look, *place);
        op = ir_op_at(function, value);
        const struct ir_op *from = op ? parts_source(function, op) : NULL;
        if (op && op->code == IR_CAST) {
            value = ir_operand(function, op, 0);
        } else if (op && op->code == IR_PARAM && (*place)->caller) {
            const struct ir_op *call =
                ir_op_at(function_of(look, (*place)->caller), (*place)->call);
            if (op->imm >= call->operand_count)
                return op;
            value = ir_operand(function_of(look, (*place)->caller), call, (uint32_t)op->imm);
            *place = (*place)->caller;
        } else if (from && from->code == IR_LOCAL) {
            uint32_t writer = parts_writer(look->reading, (*place)->id, from);
            if (!writer || function->op[writer - 1].code != IR_STORE ||
                parts_next_writer(look->reading, (*place)->id, writer))
                return op;
            value = ir_operand(function, &function->op[writer - 1], 1);
        } else {
            return op;
        }
    }
    return op;
}

static bool constant(const struct look *look, const struct place *place, ir_value value,
                     int64_t *out)
{
    const struct ir_op *op = resolve(look, &place, value);
    *out = op && op->code == IR_CONST ? op->imm : 0;
    return op && op->code == IR_CONST;
}

static struct word word_at(const struct look *look, const struct place *place, ir_value address)
{
    struct word word = {0};
    for (int i = 0; i < MOST_DEPTH; ++i) {
        const struct ir_op *op = resolve(look, &place, address);
        int64_t index = 1;
        if (!op || (op->code == IR_INDEX &&
                    !constant(look, place, ir_operand(function_of(look, place), op, 1), &index)))
            return word;
        if (op->code != IR_OFFSET && op->code != IR_INDEX) {
            if (op->code == IR_GLOBAL || op->code == IR_PARAM) {
                word.code = op->code;
                word.root = op->imm;
            }
            return word;
        }
        word.offset += index * op->imm;
        address = ir_operand(function_of(look, place), op, 0);
    }
    return word;
}

static bool is_same(struct word a, struct word b)
{
    return a.code && a.code == b.code && a.root == b.root && a.offset == b.offset;
}

// A number that stands for the value where it is made of constants and the number of blocks alone,
// and is the same each time; 0 for any other. `*blocks`: it is made of the latter.
static uint64_t fixed(const struct look *look, const struct place *place, ir_value value, int depth,
                      bool *blocks)
{
    const struct ir_op *op = resolve(look, &place, value);
    if (!op || depth > MOST_DEPTH)
        return 0;
    uint64_t hash = ((uint64_t)op->code + 1) * 0x9E3779B97F4A7C15u;
    if (op->code == IR_SPECIAL && op->imm >= IR_NCTAID_X && op->imm <= IR_NCTAID_Z)
        *blocks = true;
    else if (op->code != IR_CONST && op->code != IR_ADD && op->code != IR_SUB && op->code != IR_MUL)
        return 0;
    if (op->code == IR_CONST || op->code == IR_SPECIAL)
        return (hash ^ (uint64_t)op->imm) * 0xBF58476D1CE4E5B9u | 1;
    for (uint32_t i = 0; i < op->operand_count; ++i) {
        uint64_t part =
            fixed(look, place, ir_operand(function_of(look, place), op, i), depth + 1, blocks);
        if (!part)
            return 0;
        hash = (hash << 7 ^ hash >> 3 ^ part) * 0x94D049BB133111EBu | 1;
    }
    return hash;
}

static bool model_of(const struct look *look, const struct place *place, ir_value value,
                     struct model_op *out)
{
    const struct engine_result *result = look->reading->result;
    return model_match(result->model, result->unit, function_of(look, place), value, out);
}

// The word that the value is read from anew each time.
static struct word polled(const struct look *look, const struct place *place, ir_value value,
                          int depth)
{
    const struct place *at = place;
    const struct ir_op *op = resolve(look, &at, value);
    const struct ir_function *function = function_of(look, at);
    struct model_op model;
    if (!op)
        return (struct word){0};
    if (op->code == IR_LOAD && op->flags & (IR_VOLATILE | IR_ATOMIC))
        return word_at(look, at, ir_operand(function, op, 0));
    if (op->code != IR_CALL && op->code != IR_PTX)
        return (struct word){0};
    ir_value call = (ir_value)(op - function->op);
    if (model_of(look, at, call, &model))
        return model.kind == MODEL_ATOMIC && model.dst != IR_NONE ? word_at(look, at, model.dst)
                                                                  : (struct word){0};
    const struct ir_function *callee = &look->reading->result->unit->function[op->imm];
    if (op->code != IR_CALL || !(callee->flags & IR_FN_BODY) || depth > MOST_DEPTH)
        return (struct word){0};
    struct place inside = {(ir_function_id)op->imm, at->chain, at, call};
    for (ptrdiff_t b = 0; b < arrlen(callee->block); ++b) {
        const struct ir_op *end = ir_terminator(callee, (ir_block_id)b);
        if (end && end->code == IR_RET && end->operand_count)
            return polled(look, &inside, ir_operand(callee, end, 0), depth + 1);
    }
    return (struct word){0};
}

static void add(struct look *look, struct deed *list, uint32_t *count, struct deed deed)
{
    look->lost |= *count == MOST_FOUND;
    if (*count < MOST_FOUND)
        list[(*count)++] = deed;
}

// A loop that goes on until a word reaches such a number.
static void see_loop(struct look *look, const struct place *place, ir_block_id block)
{
    const struct ir_function *function = function_of(look, place);
    const struct ir_op *end = ir_terminator(function, block);
    if (!end || end->code != IR_CONDBR || cfg_of(look, place->id)->loop_of[block] == IR_NONE)
        return;
    const struct place *at = place;
    const struct ir_op *asked = resolve(look, &at, ir_operand(function, end, 0));
    if (!asked || asked->code < IR_EQ || asked->code > IR_GE || at != place)
        return;
    for (uint32_t i = 0; i < 2; ++i) {
        bool blocks = false;
        uint64_t goal = fixed(look, place, ir_operand(function, asked, 1 - i), 0, &blocks);
        struct word word = polled(look, place, ir_operand(function, asked, i), 0);
        if (goal && blocks && word.code)
            add(look, look->wait, &look->waits, (struct deed){place, IR_NONE, block, word, goal});
    }
}

// What the operation does to words: it counts one up, or changes it otherwise. Of what it is handed
// nobody knows more.
static void see_op(struct look *look, const struct place *place, ir_block_id block, ir_value value)
{
    const struct ir_function *function = function_of(look, place);
    const struct ir_op *op = ir_op_at(function, value);
    struct model_op model;
    int64_t step;
    struct deed deed = {.place = place, .op = value, .block = block};
    if (op->code == IR_STORE || op->code == IR_COPY || op->code == IR_ZERO) {
        deed.word = word_at(look, place, ir_operand(function, op, 0));
        if (deed.word.code)
            add(look, look->change, &look->changes, deed);
        return;
    }
    if (op->code != IR_CALL && op->code != IR_PTX)
        return;
    bool atomic = model_of(look, place, value, &model) && model.kind == MODEL_ATOMIC;
    if (atomic && model.value_op == MODEL_VALUE_ADD && model.dst != IR_NONE &&
        model.value != IR_NONE && constant(look, place, model.value, &step) && step >= 0) {
        deed.word = word_at(look, place, model.dst);
        if (deed.word.code && step > 0)
            add(look, look->count, &look->counts, deed);
        return;
    }
    for (uint32_t i = 0; i < op->operand_count; ++i) {
        deed.word = word_at(look, place, ir_operand(function, op, i));
        if (deed.word.code)
            add(look, look->change, &look->changes, deed);
    }
}

static void see(struct look *look, const struct place *place, int depth)
{
    const struct ir_unit *unit = look->reading->result->unit;
    const struct ir_function *function = function_of(look, place);
    const struct cfg *cfg = cfg_of(look, place->id);
    look->lost |= depth > MOST_CALLS || ++look->places > MOST_PLACES;
    for (uint32_t b = 0; b < cfg->order_count && !look->lost; ++b) {
        ir_block_id block = cfg->order[b];
        see_loop(look, place, block);
        for (ptrdiff_t i = 0; i < arrlen(function->block[block].op) && !look->lost; ++i) {
            ir_value value = function->block[block].op[i];
            const struct ir_op *op = ir_op_at(function, value);
            struct model_op model;
            if (op->code != IR_CALL && !look->all)
                continue;
            if (op->code != IR_CALL || !(unit->function[op->imm].flags & IR_FN_BODY) ||
                model_of(look, place, value, &model)) {
                look->lost |= op->code == IR_CALLI;
                if (look->all)
                    see_op(look, place, block, value);
                continue;
            }
            struct place *callee = arena_new(look->reading->arena, struct place);
            *callee = (struct place){(ir_function_id)op->imm, place->chain, place, value};
            see(look, callee, depth + 1);
        }
    }
}

static ir_block_id block_of(const struct ir_function *function, ir_value value)
{
    for (ptrdiff_t b = 0; b < arrlen(function->block); ++b) {
        for (ptrdiff_t i = 0; i < arrlen(function->block[b].op); ++i) {
            if (function->block[b].op[i] == value)
                return (ir_block_id)b;
        }
    }
    return IR_NONE;
}

// Whether the value is made of the numbers of the thread alone, and so the same each time.
static bool is_of_thread(const struct look *look, const struct place *place, ir_value value,
                         int depth)
{
    const struct ir_op *op = resolve(look, &place, value);
    const struct ir_function *function = function_of(look, place);
    const struct ir_op *from = op ? parts_source(function, op) : NULL;
    if (!op || depth > MOST_DEPTH)
        return false;
    if (from && from->code == IR_LOCAL) {
        uint32_t writer = parts_writer(look->reading, place->id, from);
        bool all = writer != 0;
        for (; writer && all; writer = parts_next_writer(look->reading, place->id, writer))
            all = function->op[writer - 1].code == IR_STORE &&
                  is_of_thread(look, place, ir_operand(function, &function->op[writer - 1], 1),
                               depth + 1);
        return all;
    }
    if (op->code == IR_SPECIAL)
        return op->imm <= IR_TID_Z || op->imm == IR_LANEID || op->imm == IR_WARPID;
    if (op->code != IR_CONST && (op->code < IR_ADD || op->code > IR_SELECT))
        return false;
    for (uint32_t i = 0; i < op->operand_count; ++i) {
        if (!is_of_thread(look, place, ir_operand(function, op, i), depth + 1))
            return false;
    }
    return true;
}

// Whether nothing but the numbers of threads decides that control comes to the block: of what
// decides within the loop, where one is given, or of what does not decide of `other` as well.
static bool is_free(struct look *look, const struct place *place, ir_block_id block, uint32_t loop,
                    ir_block_id other)
{
    const struct ir_function *function = function_of(look, place);
    const struct cfg *cfg = cfg_of(look, place->id);
    for (uint32_t b = 0; b < cfg->order_count; ++b) {
        ir_block_id at = cfg->order[b];
        const struct ir_op *end = ir_terminator(function, at);
        if (!end || (end->code != IR_CONDBR && end->code != IR_SWITCH) || at == block ||
            !cfg_dominates(cfg, at, block) || (loop != IR_NONE && !cfg_in_loop(cfg, loop, at)))
            continue;
        bool leads = end->code == IR_SWITCH && cfg_join(cfg, at) != block;
        for (uint32_t k = 0; end->code == IR_CONDBR && k < 2; ++k) {
            ir_block_id arm = end->target[k], beside = end->target[1 - k];
            bool leaves = loop != IR_NONE && !cfg_in_loop(cfg, loop, beside);
            leads |= arm != cfg_join(cfg, at) && cfg_dominates(cfg, arm, block) && !leaves &&
                     !(other != IR_NONE && cfg_dominates(cfg, arm, other)) &&
                     cfg->predecessor[arm].count == 1;
        }
        if (leads && !is_of_thread(look, place, ir_operand(function, end, 0), 0))
            return false;
    }
    return true;
}

// Whether a loop around the wait and the count goes through both of them in each of its rounds.
static bool is_repeated(struct look *look, const struct deed *wait, ir_block_id count)
{
    const struct place *place = wait->place;
    const struct cfg *cfg = cfg_of(look, place->id);
    uint32_t loop = cfg->loop[cfg->loop_of[wait->block]].parent;
    if (loop != IR_NONE)
        return count != IR_NONE && cfg_in_loop(cfg, loop, count) &&
               is_free(look, place, wait->block, loop, IR_NONE);
    ir_block_id block = wait->block;
    for (; place->caller; place = place->caller) {
        if (!is_free(look, place, block, IR_NONE, IR_NONE))
            return false;
        block = block_of(function_of(look, place->caller), place->call);
        loop = block == IR_NONE ? IR_NONE : cfg_of(look, place->caller->id)->loop_of[block];
        if (loop != IR_NONE)
            return is_free(look, place->caller, block, loop, IR_NONE);
    }
    return false;
}

static int depth_of(const struct place *place)
{
    int depth = 0;
    for (; place->caller; place = place->caller)
        ++depth;
    return depth;
}

// Whether control comes from the one wait to the other, and to the first one in any case.
static bool follows(struct look *look, const struct deed *first, const struct deed *second)
{
    const struct place *a = first->place, *b = second->place;
    ir_block_id at = first->block, to = second->block;
    while (a != b) {
        bool up_a = depth_of(a) >= depth_of(b), up_b = depth_of(b) >= depth_of(a);
        if ((up_a && !a->caller) || (up_b && !b->caller) ||
            (up_a && !is_free(look, a, at, IR_NONE, IR_NONE)))
            return false;
        at = up_a ? block_of(function_of(look, a->caller), a->call) : at;
        to = up_b ? block_of(function_of(look, b->caller), b->call) : to;
        a = up_a ? a->caller : a;
        b = up_b ? b->caller : b;
    }
    if (at == IR_NONE || to == IR_NONE || !is_free(look, a, at, IR_NONE, to))
        return false;
    if (at == to) // two calls, one behind the other
        return depth_of(first->place) > depth_of(a);
    return cfg_reached_from(cfg_of(look, a->id), at, look->reading->arena)[to];
}

// The count that comes with the wait, in the same function or in what that calls; `*out` is where
// the former does so.
static bool count_of(const struct look *look, const struct deed *wait, ir_block_id *out)
{
    for (uint32_t i = 0; i < look->counts; ++i) {
        const struct place *place = look->count[i].place;
        *out = look->count[i].block;
        for (; place->caller && place != wait->place; place = place->caller)
            *out = block_of(function_of(look, place->caller), place->call);
        if (place == wait->place && is_same(look->count[i].word, wait->word))
            return true;
    }
    return false;
}

static bool is_changed(const struct look *look, struct word word)
{
    for (uint32_t i = 0; i < look->changes; ++i) {
        const struct deed *change = &look->change[i];
        if (change->word.code == word.code && change->word.root == word.root)
            return true;
    }
    return false;
}

bool again_waits(struct reading *reading, struct ir_loc *out)
{
    const struct engine_result *result = reading->result;
    struct look *look = arena_new(reading->arena, struct look);
    struct place kernel = {.id = result->kernel};
    look->reading = reading;
    look->cfg = arena_array(reading->arena, struct cfg, arrlenu(result->unit->function) + 1);
    see(look, &kernel, 0);
    if (look->waits == 0 || look->lost)
        return false;
    look->all = true;
    look->places = look->waits = 0;
    see(look, &kernel, 0);
    for (uint32_t i = 0; i < look->waits && !look->lost; ++i) {
        const struct deed *wait = &look->wait[i];
        ir_block_id count;
        if (!count_of(look, wait, &count) || is_changed(look, wait->word))
            continue;
        bool again = is_repeated(look, wait, count);
        for (uint32_t k = 0; k < look->waits && !again; ++k) {
            const struct deed *before = &look->wait[k];
            again = k != i && is_same(before->word, wait->word) && before->goal == wait->goal &&
                    count_of(look, before, &(ir_block_id){0}) && follows(look, before, wait);
        }
        *out = ir_terminator(function_of(look, wait->place), wait->block)->loc;
        if (again)
            return true;
    }
    return false;
}
