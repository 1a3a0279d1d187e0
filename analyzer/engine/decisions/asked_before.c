// Searches that found nothing: whoever asks the same again is told so. A run asks what the runs
// before it have asked on its way, with symbols of its own, and so do other kernels that the host
// launches alike. All that a search rests on is what is asked, by which symbols are the same, and
// what each of them may be and begins with.
#include "base/mix.h"
#include "engine/decisions/decisions.h"
#include "engine/decisions/search.h"

enum {
    MOST_NODES = 240, // of what is asked in a search: what is larger is not remembered
    SLOTS = 512,      // a power of two
};

struct asking {
    struct search *search;
    struct {
        const struct node *node;
        uint64_t hash;
    } met[SLOTS];
    uint32_t nodes, symbols;
};

static uint64_t hash_of(struct asking *asking, const struct node *node);

// A symbol is known by its number among those met so far and by what it may be.
static uint64_t hash_of_symbol(struct asking *asking, const struct node *node)
{
    struct search_range range = search_range_of(asking->search, node);
    uint64_t hash = mix(mix(++asking->symbols, (uint64_t)range.low), (uint64_t)range.high);
    hash = mix(mix(hash, (uint64_t)range.step), (uint64_t)range.first);
    return mix(hash, node->shape == SHAPE_UNIFORM);
}

// Whether the search works out what such an operation comes to; else it makes it a symbol.
static bool is_worked_out(uint16_t op)
{
    switch (op) {
    case NODE_OP_MERGE:
    case NODE_OP_GT0:
    case NODE_OP_EQ0:
    case NODE_OP_NE0:
    case NODE_OP_LOG2:
    case IR_CAST:
    case IR_MUL:
    case IR_DIV:
    case IR_REM:
    case IR_MIN:
    case IR_MAX:
    case IR_AND:
    case IR_OR:
    case IR_XOR:
    case IR_SHL:
    case IR_SHR:
        return true;
    default:
        return false;
    }
}

static uint64_t hash_of_parts(struct asking *asking, const struct node *node)
{
    uint64_t hash = mix(node->kind, 0);
    switch (node->kind) {
    case NODE_CONST:
        return mix(hash, (uint64_t)node->value);
    case NODE_VECTOR:
        return mix(hash, node->hash);
    case NODE_ATOM: {
        const struct node *launched = search_launched(asking->search, node);
        return launched ? mix(hash, hash_of(asking, launched))
                        : mix(hash, hash_of_symbol(asking, node));
    }
    case NODE_LINEAR:
        hash = mix(hash, hash_of(asking, node->linear.base));
        for (uint32_t i = 0; i < node->linear.count; ++i)
            hash = mix(mix(hash, hash_of(asking, node->linear.term[i].atom)),
                       (uint64_t)node->linear.term[i].factor);
        return hash;
    case NODE_EXPR: {
        uint16_t op = node->expr.op;
        hash = mix(hash, op);
        if (op == NODE_OP_LOAD || op == NODE_OP_CALL || op == NODE_OP_LANE)
            return mix(hash, hash_of_symbol(asking, node));
        for (uint32_t i = 0; i < NODE_ARGUMENTS; ++i)
            hash = mix(hash, node->expr.argument[i] ? hash_of(asking, node->expr.argument[i]) : 0);
        return is_worked_out(op) ? hash : mix(hash, hash_of_symbol(asking, node));
    }
    default:
        return hash;
    }
}

static uint64_t hash_of(struct asking *asking, const struct node *node)
{
    uint32_t at = node->id & (SLOTS - 1);
    while (asking->met[at].node && asking->met[at].node != node)
        at = (at + 1) & (SLOTS - 1);
    if (asking->met[at].node)
        return asking->met[at].hash;
    if (++asking->nodes > MOST_NODES)
        return 0;
    asking->met[at].node = node;
    uint64_t hash = hash_of_parts(asking, node);
    asking->met[at].hash = hash;
    return hash;
}

static uint64_t hash_of_bound(struct asking *asking, const struct bound *bound)
{
    uint64_t hash = mix(hash_of(asking, bound->form), (uint64_t)bound->low);
    hash = mix(mix(hash, (uint64_t)bound->high), bound->excluded_count);
    for (uint32_t i = 0; i < bound->excluded_count; ++i)
        hash = mix(hash, (uint64_t)bound->excluded[i]);
    return hash;
}

uint64_t search_key(struct search *search)
{
    struct asking asking = {.search = search};
    uint64_t hash = mix(mix(search->bounds, search->opens), mix(search->marks, search->grains));
    for (uint32_t i = 0; i < search->bounds; ++i)
        hash = mix(mix(hash, hash_of_bound(&asking, search->bound[i])), search->asker[i]);
    for (uint32_t i = 0; i < search->opens; ++i)
        hash = mix(hash, hash_of_bound(&asking, search->open[i]));
    for (uint32_t i = 0; i < search->marks; ++i)
        hash = mix(mix(hash, hash_of(&asking, search->mark[i].symbol)),
                   (uint64_t)search->mark[i].number);
    for (uint32_t i = 0; i < search->grains; ++i)
        hash = mix(mix(hash, hash_of(&asking, search->grain[i].symbol)),
                   (uint64_t)search->grain[i].number);
    return asking.nodes > MOST_NODES ? 0 : hash | 1;
}

bool search_failed_before(const struct engine *engine, uint64_t key)
{
    return key && engine->known->failed_search[key / 2 % FAILED_SEARCHES] == key;
}

void search_has_failed(struct engine *engine, uint64_t key)
{
    if (key)
        engine->known->failed_search[key / 2 % FAILED_SEARCHES] = key;
}
