// A way under another order of threads: what the first order decided, for roles that come to the
// same questions in an order of their own. The same numbers are taken, whoever asks first.
#include "base/mix.h"
#include "base/vec.h"
#include "engine/decisions/decide_internal.h"
#include "engine/decisions/decisions.h"

enum { MOST_PARTS = 64 }; // of a form that is known again

// Whether the symbol is one of those that a run numbers as it makes them: run_fresh() and the like.
static bool is_numbered(const struct node *node)
{
    return node->atom.key >> 60 == 0;
}

// The same for what two runs have in common. Nodes of one run have their own hashes.
static uint64_t key_of(const struct node *node, uint32_t *parts)
{
    uint64_t key = mix(1, (uint64_t)node->kind);
    if (++*parts > MOST_PARTS)
        return 0;
    switch (node->kind) {
    case NODE_CONST:
        return mix(key, (uint64_t)node->value);
    case NODE_ATOM:
        *parts += is_numbered(node) ? MOST_PARTS : 0;
        return mix(key, node->atom.key);
    case NODE_LINEAR:
        key = mix(key, key_of(node->linear.base, parts));
        for (uint32_t i = 0; i < node->linear.count; ++i)
            key = mix(mix(key, key_of(node->linear.term[i].atom, parts)),
                        (uint64_t)node->linear.term[i].factor);
        return key;
    case NODE_EXPR:
        key = mix(mix(key, node->expr.op), (uint64_t)node->expr.number);
        for (uint32_t i = 0; i < NODE_ARGUMENTS; ++i)
            key = mix(key, node->expr.argument[i] ? key_of(node->expr.argument[i], parts) : 0);
        return key;
    case NODE_ADDRESS:
        return mix(mix(key, node->address.object), key_of(node->address.offset, parts));
    default:
        return mix(key, node->hash);
    }
}

static uint64_t form_key(const struct node *form)
{
    uint32_t parts = 0;
    uint64_t key = form ? key_of(form, &parts) : 0;
    return parts > MOST_PARTS ? 0 : key;
}

void follow_keep(struct run *run, struct decided **out)
{
    arrsetlen(*out, 0);
    for (ptrdiff_t i = 0; i < arrlen(run->decision); ++i) {
        const struct decision *one = &run->decision[i];
        struct decided decided = {
            .site = one->site, .chosen = one->chosen, .form = form_key(one->form)};
        if (decided.form)
            interval_of(run, one->form, &decided.low, &decided.high);
        arrput(*out, decided);
    }
}

// Whether the first order has decided that, too, at whatever turn.
static bool is_decided(struct run *run, const struct decision *one, const struct decided *decided)
{
    uint64_t key = form_key(one->form);
    int64_t low = 0, high = 0;
    if (key)
        interval_of(run, one->form, &low, &high);
    for (ptrdiff_t i = 0; i < arrlen(decided); ++i) {
        bool same = key ? decided[i].low == low && decided[i].high == high
                        : decided[i].site == one->site && decided[i].chosen == one->chosen;
        if (decided[i].form == key && same)
            return true;
    }
    return false;
}

bool follow_same(struct run *run, const struct decided *decided)
{
    bool same = arrlen(run->decision) == arrlen(decided);
    for (ptrdiff_t i = 0; i < arrlen(run->decision) && same; ++i)
        same = is_decided(run, &run->decision[i], decided);
    return same;
}

uint32_t follow_place(struct run *run, uint64_t site)
{
    for (uint32_t i = 0; i < run->decided_count; ++i) {
        struct decided *one = &run->decided[i];
        if (one->site != site || one->taken)
            continue;
        one->taken = true;
        return one->chosen;
    }
    return 0;
}

bool follow_form(const struct run *run, const struct node *form, struct bound *out)
{
    uint64_t key = form_key(form);
    for (uint32_t i = 0; i < run->decided_count && key; ++i) {
        if (run->decided[i].form != key)
            continue;
        out->low = run->decided[i].low;
        out->high = run->decided[i].high;
        return true;
    }
    return false;
}
