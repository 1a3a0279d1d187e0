// Words of the grid that blocks wait for, and what they read behind them that others have written:
// the parts of a sum behind a semaphore, the sum of the blocks before behind a flag, a grid that a
// barrier made by hand has brought to the next step. What has been written must be fenced for the
// device before the word is raised (PTX ISA 9.1, 8.8; Programming Guide 13, 5.4.4.2). Found in the
// code alone: which operations raise such words, and which write what is read behind one of them at
// a place that another block may have written. Whether a fence stands between the two is seen in
// the runs (announce.c). Nothing is looked for in kernels with what may order writes in a way that
// no run shows.
#include "base/vec.h"
#include "engine/memory/memory.h"
#include "engine/walk/grid_values.h"

enum {
    MOST_WORDS = 32,
    MOST_LAYERS = 3,
    MOST_READS = 512,
    DEEPEST = 8,
    MOST_STORES = 4,
    MOST_STEPS = 16
};

struct search {
    struct aliases *aliases;
    uint32_t class[MOST_WORDS]; // of words that somebody waits for
    uint32_t words;
    uint32_t *waits;      // by function of the unit: words that it waits for, a bit each
    uint32_t *behind;     // by function: words that have been waited for where it is called
    struct access *write; // stb_ds array: what is written that is none of these words
    uint32_t reads;       // that have been compared with those
    unsigned axes;        // of the grid, those along which there is more than one block
    struct arena *arena;
};

static uint64_t key_of(ir_function_id id, ir_value value)
{
    return (uint64_t)id << 32 | value;
}

static const struct ir_function *function_of(const struct search *search, ir_function_id id)
{
    return &search->aliases->engine->unit->function[id];
}

static struct unfenced *unfenced_at(struct search *search, ir_function_id id, ir_value value)
{
    struct engine_unit *known = search->aliases->engine->known;
    uint64_t key = key_of(id, value);
    ptrdiff_t at = hmgeti(known->unfenced, key);
    if (at < 0) {
        hmput(known->unfenced, key, ((struct unfenced){.read = {IR_NONE, IR_NONE}}));
        at = hmgeti(known->unfenced, key);
    }
    return &known->unfenced[at].value;
}

// The class of the grid's memory at the address, IR_NONE for other memory.
static uint32_t grid_class(const struct search *search, ir_function_id id, ir_value address)
{
    uint32_t class = alias_of(search->aliases, id, address);
    const struct alias_class *at = class == IR_NONE ? NULL : &search->aliases->class[class];
    return at && !at->shared && !at->local ? class : IR_NONE;
}

// --- Words ---------------------------------------------------------------------------------------

// The address of a word that the operation asks anew each time, or IR_NONE.
static ir_value asks(const struct search *search, ir_function_id id, ir_value value)
{
    const struct ir_function *function = function_of(search, id);
    const struct ir_op *op = ir_op_at(function, value);
    if (op->code == IR_LOAD)
        return op->flags & (IR_VOLATILE | IR_ATOMIC) ? ir_operand(function, op, 0) : IR_NONE;
    if (op->code != IR_CALL && op->code != IR_PTX)
        return IR_NONE;
    const struct model_op *model = facts_model(search->aliases->engine, id, value);
    return model->kind == MODEL_ATOMIC ? model->dst : IR_NONE;
}

// Takes the class as that of a word; returns its bit, 0 where there are too many.
static uint32_t add_word(struct search *search, uint32_t class)
{
    uint32_t w = 0;
    while (w < search->words && search->class[w] != class)
        ++w;
    if (w == MOST_WORDS)
        return 0;
    search->class[w] = class;
    search->words = w == search->words ? w + 1 : search->words;
    return 1u << w;
}

static uint32_t word_of(const struct search *search, uint32_t class)
{
    for (uint32_t w = 0; class != IR_NONE && w < search->words; ++w) {
        if (search->class[w] == class)
            return 1u << w;
    }
    return 0;
}

// The words that the operation asks for a loop that waits for them, itself or in what it calls.
static uint32_t waited_for(struct search *search, ir_function_id id, ir_value value, int layers)
{
    struct engine *engine = search->aliases->engine;
    const struct ir_op *op = ir_op_at(function_of(search, id), value);
    ir_value address = asks(search, id, value);
    uint32_t class = address == IR_NONE ? IR_NONE : grid_class(search, id, address);
    uint32_t words = class == IR_NONE ? 0 : add_word(search, class);
    ir_function_id callee = op->code == IR_CALL ? alias_callee(engine, id, value) : IR_NONE;
    const struct ir_function *function = callee == IR_NONE ? NULL : function_of(search, callee);
    for (ptrdiff_t i = 0; function && layers && i < arrlen(function->op); ++i) {
        enum ir_op_code code = (enum ir_op_code)function->op[i].code;
        if (code == IR_LOAD || code == IR_CALL || code == IR_PTX)
            words |= waited_for(search, callee, (ir_value)i, layers - 1);
    }
    if (words)
        unfenced_at(search, id, value)->waits |= words;
    return words;
}

static void find_words(struct search *search, ir_function_id id)
{
    struct engine *engine = search->aliases->engine;
    const struct ir_function *function = function_of(search, id);
    const struct cfg *cfg = facts_of(engine, id)->cfg;
    for (uint32_t b = 0; cfg->loop_count && b < cfg->order_count; ++b) {
        ir_block_id at = cfg->order[b];
        const ir_value *op = function->block[at].op;
        for (ptrdiff_t i = 0; cfg->loop_of[at] != IR_NONE && i < arrlen(op); ++i) {
            const struct ir_op *of = ir_op_at(function, op[i]);
            bool may = asks(search, id, op[i]) != IR_NONE ||
                       (of->code == IR_CALL && alias_callee(engine, id, op[i]) != IR_NONE);
            if (may && polls_with(engine, id, at, op[i]))
                search->waits[id] |= waited_for(search, id, op[i], MOST_LAYERS);
        }
    }
}

// Hands the words on to those who call a function that waits for them.
static void hand_on(struct search *search)
{
    struct aliases *aliases = search->aliases;
    bool changed = true;
    while (changed) {
        changed = false;
        for (ptrdiff_t f = 0; f < arrlen(aliases->reached); ++f) {
            ir_function_id id = aliases->reached[f];
            const struct alias_function *at = &aliases->function[id];
            for (ptrdiff_t c = 0; search->waits[id] && c < arrlen(at->caller); ++c) {
                uint32_t before = search->waits[at->caller[c]];
                search->waits[at->caller[c]] |= search->waits[id];
                changed |= search->waits[at->caller[c]] != before;
            }
        }
    }
}

// --- What is read behind them
// ----------------------------------------------------------------------

static bool is_alike(const struct ir_function *function, ir_value a, ir_value b, int depth);

// Whether the same is stored in both variables, one after the other.
static bool variables_alike(const struct ir_function *function, int64_t a, int64_t b, int depth)
{
    ir_value stored[2][MOST_STORES];
    uint32_t count[2] = {0};
    for (ptrdiff_t i = 0; a != b && i < arrlen(function->op); ++i) {
        const struct ir_op *op = &function->op[i];
        const struct ir_op *to =
            op->code == IR_STORE ? ir_op_at(function, ir_operand(function, op, 0)) : NULL;
        if (!to || to->code != IR_LOCAL || (to->imm != a && to->imm != b))
            continue;
        uint32_t *at = &count[to->imm == b];
        if (*at == MOST_STORES)
            return false;
        stored[to->imm == b][(*at)++] = ir_operand(function, op, 1);
    }
    bool alike = count[0] == count[1] && (a == b || count[0] > 0);
    for (uint32_t i = 0; i < count[0] && alike; ++i)
        alike = is_alike(function, stored[0][i], stored[1][i], depth - 1);
    return alike;
}

// Whether the text says the same of both values.
static bool is_alike(const struct ir_function *function, ir_value a, ir_value b, int depth)
{
    a = look_once_stored(function, a);
    b = look_once_stored(function, b);
    const struct ir_op *one = ir_op_at(function, a), *other = ir_op_at(function, b);
    if (a == b || !one || !other)
        return a == b;
    if (depth <= 0 || one->code != other->code || one->imm != other->imm ||
        one->operand_count != other->operand_count || one->code == IR_CALL || one->code == IR_PTX)
        return false;
    if (one->code == IR_LOAD) {
        const struct ir_op *x = ir_op_at(function, ir_operand(function, one, 0));
        const struct ir_op *y = ir_op_at(function, ir_operand(function, other, 0));
        if (x->code == IR_LOCAL && y->code == IR_LOCAL)
            return variables_alike(function, x->imm, y->imm, depth);
    }
    for (uint32_t i = 0; i < one->operand_count; ++i) {
        if (!is_alike(function, ir_operand(function, one, i), ir_operand(function, other, i),
                      depth - 1))
            return false;
    }
    return true;
}

// Whether the value is the number of the block and no more, or one that it has drawn.
static bool is_block(struct look *look, ir_value value)
{
    const struct ir_op *op = ir_op_at(look->function, value);
    if (!op || op->code == IR_SPECIAL)
        return op && op->imm >= IR_CTAID_X && op->imm <= IR_CTAID_Z;
    if (op->code != IR_LOAD)
        return false;
    struct made made = look_made_of(look, value);
    return made.atomic != IR_NONE && !made.threads && !made.blocks;
}

static bool is_step(const struct ir_function *function, ir_value value)
{
    const struct ir_op *op = ir_op_at(function, look_once_stored(function, value));
    return op && ((op->code == IR_CONST && op->imm != 0) || op->code == IR_PARAM);
}

// Whether an address is made of the number of another block, or of an element at a distance from
// `index` (IR_NONE: of none).
static bool goes_beside(struct look *look, ir_value address, ir_value index)
{
    const struct ir_function *function = look->function;
    ir_value from[MOST_STEPS];
    uint32_t steps = 0;
    bool found = false;
    ++look->search;
    arrsetlen(look->work, 0);
    look_add(look, address);
    while (arrlen(look->work)) {
        const struct ir_op *op = ir_op_at(function, arrpop(look->work));
        bool moves = op->code == IR_ADD || op->code == IR_SUB || op->code == IR_XOR;
        for (uint32_t i = 0; moves && i < 2 && steps < MOST_STEPS; ++i) {
            if (is_step(function, ir_operand(function, op, 1 - i)))
                from[steps++] = look_once_stored(function, ir_operand(function, op, i));
        }
        look_add_parts(look, op);
    }
    for (uint32_t i = 0; i < steps && !found; ++i)
        found = index == IR_NONE ? is_block(look, from[i])
                                 : is_alike(function, from[i], index, DEEPEST);
    return found;
}

// Whether a call or an instruction may put something into the variable of the function.
static bool is_given_away(const struct ir_function *function, int64_t local)
{
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        const struct ir_op *op = &function->op[i];
        bool calls = op->code == IR_CALL || op->code == IR_CALLI || op->code == IR_PTX ||
                     op->code == IR_OPAQUE || op->code == IR_COPY;
        for (uint32_t k = 0; calls && k < op->operand_count; ++k) {
            const struct ir_op *root = facts_root_of(function, ir_operand(function, op, k));
            if (root && root->code == IR_LOCAL && root->imm == local)
                return true;
        }
    }
    return false;
}

// Whether the load is one of a variable that only this function writes, or of what the host gives.
static bool loads_plainly(const struct look *look, const struct ir_op *op)
{
    const struct ir_function *function = look->function;
    const struct ir_op *root = facts_root_of(function, ir_operand(function, op, 0));
    if (root && root->code == IR_LOCAL)
        return !is_given_away(function, root->imm);
    return root && root->code == IR_PARAM && function->flags & IR_FN_KERNEL;
}

// Whether all that the address is made of is seen: no data, and nothing that another function has
// put together.
static bool is_plain(struct look *look, ir_value address)
{
    ++look->search;
    arrsetlen(look->work, 0);
    look_add(look, address);
    while (arrlen(look->work)) {
        const struct ir_op *op = ir_op_at(look->function, arrpop(look->work));
        if (op->code == IR_CALL || op->code == IR_CALLI || op->code == IR_PTX ||
            op->code == IR_OPAQUE || (op->code == IR_LOAD && !loads_plainly(look, op)))
            return false;
        look_add_parts(look, op);
    }
    return true;
}

// An access to the grid's memory, and what its address is made of.
struct access {
    ir_function_id id;
    ir_value op, address;
    uint32_t class;
    bool plain, for_one; // for_one: perhaps one block alone comes there
    struct made made;
};

static ir_value index_of(const struct ir_function *function, ir_value address)
{
    const struct ir_op *op = ir_op_at(function, look_once_stored(function, address));
    while (op && op->code == IR_OFFSET)
        op = ir_op_at(function, look_once_stored(function, ir_operand(function, op, 0)));
    return op && op->code == IR_INDEX ? ir_operand(function, op, 1) : IR_NONE;
}

// Whether the place of the one goes by the number of the block and that of the other does not, or
// there are others whose number neither of them goes by.
static bool is_apart(const struct search *search, const struct access *write,
                     const struct access *read)
{
    const struct made *wrote = &write->made, *reads = &read->made;
    if (wrote->foreign || reads->foreign || !read->plain)
        return false;
    bool by_one = wrote->atomic != IR_NONE || reads->atomic != IR_NONE;
    return wrote->block & ~reads->block_of_some ||
           (!by_one && write->plain &&
            search->axes & ~wrote->block_of_some & ~reads->block_of_some &&
            !(write->for_one && read->for_one));
}

// Whether the read is of the place of the block beside, or of one at a distance from where the
// function writes, and not of any where it writes itself.
static bool is_beside(struct search *search, struct look *look, const struct access *write,
                      const struct access *read)
{
    if (write->id != read->id)
        return false;
    ir_value index = index_of(look->function, write->address);
    bool found =
        goes_beside(look, read->address, IR_NONE) != goes_beside(look, write->address, IR_NONE) ||
        (index != IR_NONE && look_made_of(look, index).block &&
         goes_beside(look, read->address, index));
    for (ptrdiff_t i = 0; found && i < arrlen(search->write); ++i) {
        const struct access *other = &search->write[i];
        found = other->class != write->class || other->id != read->id ||
                !is_alike(look->function, other->address, read->address, DEEPEST);
    }
    return found;
}

// Whether the condition lets one block by where it does not hold (0) or does (1), as far as can be
// told of one on the number of the block.
static bool lets_one_by(struct look *look, ir_value condition, uint32_t side)
{
    const struct ir_op *op = ir_op_at(look->function, look_once_stored(look->function, condition));
    bool many =
        op && (op->code == IR_LT || op->code == IR_LE || op->code == IR_GT || op->code == IR_GE ||
               (op->code == IR_EQ && side == 0) || (op->code == IR_NE && side == 1));
    return !many && look_made_of(look, condition).block;
}

// Whether a condition on the number of the block has led there that may hold for one alone.
static bool is_for_one(struct look *look, ir_block_id block)
{
    const struct cfg *cfg = facts_of(look->aliases->engine, look->id)->cfg;
    for (uint32_t b = 0; b < cfg->order_count; ++b) {
        ir_block_id at = cfg->order[b];
        const struct ir_op *end = ir_terminator(look->function, at);
        for (uint32_t k = 0; end && end->code == IR_CONDBR && k < 2; ++k) {
            if (end->target[k] != cfg_join(cfg, at) &&
                cfg->predecessor[end->target[k]].count == 1 &&
                cfg_dominates(cfg, end->target[k], block) &&
                lets_one_by(look, ir_operand(look->function, end, 0), 1 - k))
                return true;
        }
    }
    return false;
}

static struct access access_of(struct search *search, struct look *look, ir_block_id block,
                               ir_value op, ir_value address)
{
    return (struct access){look->id,
                           op,
                           address,
                           grid_class(search, look->id, address),
                           is_plain(look, address),
                           is_for_one(look, block),
                           look_made_of(look, address)};
}

// Notes what the function writes to memory of the grid.
static void find_writes(struct search *search, struct look *look, const ir_block_id *block)
{
    for (ptrdiff_t i = 0; i < arrlen(look->function->op); ++i) {
        const struct ir_op *op = &look->function->op[i];
        if ((op->code != IR_STORE && op->code != IR_COPY) || op->flags & IR_ATOMIC)
            continue;
        ir_value address = ir_operand(look->function, op, 0);
        uint32_t class = grid_class(search, look->id, address);
        if (class != IR_NONE && block[i] != IR_NONE && !word_of(search, class))
            arrput(search->write, access_of(search, look, block[i], (ir_value)i, address));
    }
}

// The words that are waited for on the way to the operation: in its function, in what that calls,
// or before the function is called.
static uint32_t behind(struct search *search, const struct look *look, const ir_block_id *block,
                       ir_value value)
{
    struct engine *engine = search->aliases->engine;
    const struct cfg *cfg = facts_of(engine, look->id)->cfg;
    uint32_t words = search->behind[look->id];
    for (ptrdiff_t i = 0; search->waits[look->id] && i < arrlen(look->function->op); ++i) {
        if (block[i] == IR_NONE || !cfg_reachable(cfg, block[i]) ||
            !cfg_reachable(cfg, block[value]))
            continue;
        const struct ir_op *op = &look->function->op[i];
        ir_function_id callee =
            op->code == IR_CALL ? alias_callee(engine, look->id, (ir_value)i) : IR_NONE;
        ptrdiff_t at = hmgeti(engine->known->unfenced, key_of(look->id, (ir_value)i));
        uint32_t here = callee == IR_NONE ? 0 : search->waits[callee];
        here |= at < 0 ? 0 : engine->known->unfenced[at].value.waits;
        if (!(here & ~words))
            continue;
        bool is_before = block[i] == block[value] && (ir_value)i < value;
        for (uint32_t k = 0; !is_before && k < cfg->successor[block[i]].count; ++k)
            is_before = cfg_reached_from(cfg, cfg->successor[block[i]].item[k],
                                         search->arena)[block[value]];
        words |= is_before ? here : 0;
    }
    return words;
}

// Tells the functions that this one calls which words have been waited for by then. Returns whether
// that is news to any of them.
static bool hand_down(struct search *search, const struct look *look, const ir_block_id *block)
{
    bool changed = false;
    for (ptrdiff_t i = 0; i < arrlen(look->function->op); ++i) {
        ir_function_id callee = look->function->op[i].code == IR_CALL && block[i] != IR_NONE
                                    ? alias_callee(search->aliases->engine, look->id, (ir_value)i)
                                    : IR_NONE;
        uint32_t words = callee == IR_NONE ? 0 : behind(search, look, block, (ir_value)i);
        changed |= words && words & ~search->behind[callee];
        if (words)
            search->behind[callee] |= words;
    }
    return changed;
}

// Notes of each write which words others wait for before the function reads it.
static void find_reads(struct search *search, struct look *look, const ir_block_id *block)
{
    for (ptrdiff_t i = 0; i < arrlen(look->function->op); ++i) {
        ir_value address = block[i] == IR_NONE ? IR_NONE : look_read_at(look, (ir_value)i);
        uint32_t class = address == IR_NONE ? IR_NONE : grid_class(search, look->id, address);
        bool any = false;
        for (ptrdiff_t w = 0; class != IR_NONE && !any && w < arrlen(search->write); ++w)
            any = search->write[w].class == class;
        uint32_t words = any ? behind(search, look, block, (ir_value)i) : 0;
        if (!words || ++search->reads > MOST_READS)
            continue;
        struct access read = access_of(search, look, block[i], (ir_value)i, address);
        for (ptrdiff_t w = 0; w < arrlen(search->write); ++w) {
            const struct access *write = &search->write[w];
            if (write->class != class ||
                (!is_apart(search, write, &read) && !is_beside(search, look, write, &read)))
                continue;
            struct unfenced *at = unfenced_at(search, write->id, write->op);
            at->told_by |= words;
            at->read =
                at->read.op == IR_NONE ? (struct unfenced_read){look->id, (ir_value)i} : at->read;
        }
    }
}

// --- What raises them
// ------------------------------------------------------------------------------

// The address at which the operation writes memory that is not shared with copies, or IR_NONE.
static ir_value writes_to(const struct search *search, ir_function_id id, ir_value value)
{
    const struct ir_function *function = function_of(search, id);
    const struct ir_op *op = ir_op_at(function, value);
    if (op->code == IR_STORE) {
        // Who puts a word back for the next launch tells nobody.
        const struct ir_op *stored =
            ir_op_at(function, look_once_stored(function, ir_operand(function, op, 1)));
        bool zero = stored && stored->code == IR_CONST && stored->imm == 0;
        return zero || op->flags & IR_RELEASE ? IR_NONE : ir_operand(function, op, 0);
    }
    ir_value word = op->code == IR_CALL || op->code == IR_PTX ? asks(search, id, value) : IR_NONE;
    return word == IR_NONE || model_releases(facts_model(search->aliases->engine, id, value))
               ? IR_NONE
               : word;
}

// Returns whether the function raises any.
static bool find_raises(struct search *search, ir_function_id id)
{
    const struct ir_function *function = function_of(search, id);
    bool any = false;
    for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
        ir_value address = writes_to(search, id, (ir_value)i);
        uint32_t word = address == IR_NONE ? 0 : word_of(search, grid_class(search, id, address));
        if (!word)
            continue;
        struct unfenced *at = unfenced_at(search, id, (ir_value)i);
        at->raises |= at->waits ? 0 : word;
        any |= at->raises != 0;
    }
    return any;
}

// Whether the operation may order writes in a way that no run shows.
static bool orders_unseen_by(struct aliases *aliases, ir_function_id id, ir_value value)
{
    const struct ir_op *op = ir_op_at(&aliases->engine->unit->function[id], value);
    if (op->code == IR_CALL || op->code == IR_PTX) {
        const struct model_op *model = facts_model(aliases->engine, id, value);
        bool seen = model->kind == MODEL_FENCE &&
                    (model->fence == MODEL_FENCE_GPU || model->fence == MODEL_FENCE_SYSTEM ||
                     model->fence == MODEL_FENCE_MBARRIER_INIT ||
                     model->fence == MODEL_FENCE_PROXY_ASYNC_SHARED);
        if (seen || model_releases(model))
            return false;
    } else if (op->flags & IR_RELEASE) {
        return false;
    }
    return look_may_order(aliases, id, value);
}

static bool is_followed(struct aliases *aliases)
{
    const struct ir_unit *unit = aliases->engine->unit;
    for (ptrdiff_t f = 0; f < arrlen(aliases->reached); ++f) {
        ir_function_id id = aliases->reached[f];
        for (ptrdiff_t i = 0; i < arrlen(unit->function[id].op); ++i) {
            if (orders_unseen_by(aliases, id, (ir_value)i))
                return false;
        }
    }
    return true;
}

static void find_data(struct search *search)
{
    struct aliases *aliases = search->aliases;
    const struct ir_unit *unit = aliases->engine->unit;
    ptrdiff_t count = arrlen(aliases->reached);
    struct given *given = NULL;
    struct look *look = arena_array(search->arena, struct look, (size_t)count + 1);
    const ir_block_id **block = arena_array(search->arena, const ir_block_id *, (size_t)count + 1);
    for (ptrdiff_t f = 0; f < count; ++f) {
        look[f] = (struct look){.aliases = aliases,
                                .id = aliases->reached[f],
                                .function = &unit->function[aliases->reached[f]],
                                .arena = search->arena,
                                .given = &given};
        look[f].seen = arena_array(search->arena, uint32_t, arrlenu(look[f].function->op) + 1);
        block[f] = look_blocks_of(&look[f], search->arena);
        find_writes(search, &look[f], block[f]);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (ptrdiff_t f = 0; f < count; ++f)
            changed |= hand_down(search, &look[f], block[f]);
    }
    for (ptrdiff_t f = 0; f < count; ++f) {
        find_reads(search, &look[f], block[f]);
        arrfree(look[f].work);
    }
    hmfree(given);
    arrfree(search->write);
}

// Whether the kernel asks for the number of the block, or of the blocks, along that axis: of a grid
// whose extents are not known it has more than one then.
static bool is_asked_for(struct aliases *aliases, unsigned axis)
{
    const struct ir_unit *unit = aliases->engine->unit;
    for (ptrdiff_t f = 0; f < arrlen(aliases->reached); ++f) {
        const struct ir_function *function = &unit->function[aliases->reached[f]];
        for (ptrdiff_t i = 0; i < arrlen(function->op); ++i) {
            const struct ir_op *op = &function->op[i];
            if (op->code == IR_SPECIAL &&
                (op->imm == IR_CTAID_X + axis || op->imm == IR_NCTAID_X + axis))
                return true;
        }
    }
    return false;
}

bool unfenced_find(struct aliases *aliases)
{
    struct engine *engine = aliases->engine;
    const int64_t *grid = engine->shape.grid;
    bool one_block = grid[0] == 1 && grid[1] == 1 && grid[2] == 1, any = false;
    if (!engine->known->polls || one_block || !is_followed(aliases))
        return false;
    struct arena arena;
    arena_init(&arena);
    struct search search = {.aliases = aliases, .arena = &arena};
    search.waits = arena_array(&arena, uint32_t, arrlenu(engine->unit->function) + 1);
    search.behind = arena_array(&arena, uint32_t, arrlenu(engine->unit->function) + 1);
    for (ptrdiff_t f = 0; f < arrlen(aliases->reached); ++f)
        find_words(&search, aliases->reached[f]);
    hand_on(&search);
    for (unsigned k = 0; k < 3; ++k)
        search.axes |= is_asked_for(aliases, k) && grid[k] != 1 ? 1u << k : 0;
    for (ptrdiff_t f = 0; search.words && f < arrlen(aliases->reached); ++f)
        any |= find_raises(&search, aliases->reached[f]);
    if (any)
        find_data(&search);
    any = false;
    for (ptrdiff_t i = 0; i < hmlen(engine->known->unfenced); ++i)
        any |= engine->known->unfenced[i].value.told_by != 0;
    arena_release(&arena);
    return any;
}
