// Memory that is no variable of the program: what the pointers lead to that a kernel is given. What
// lies there is not known, and one place has one content until something is stored there.
#include "base/vec.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/memory.h"
#include "engine/run.h"

enum { MOST_WORDS = 32 }; // that are remembered of the memory behind one pointer

// The object that stands for the memory whose addresses start from `base`; NULL where there is none
// and none is to be made. Making one may move the others.
static struct object *base_object(struct run *run, const struct node *base, bool make)
{
    for (ptrdiff_t i = 1; i < arrlen(run->object); ++i) {
        if (run->object[i].base == base)
            return &run->object[i];
    }
    if (!make)
        return NULL;
    const char *name = base->kind == NODE_ATOM && base->atom.name ? base->atom.name : "memory";
    uint32_t object =
        object_new(run, OBJECT_PARAM, IR_SPACE_GLOBAL, IR_NONE, name, (struct ir_loc){0}, 0);
    run->object[object].base = base;
    return &run->object[object];
}

uint32_t memory_object(struct run *run, const struct node *address)
{
    return address->kind == NODE_ADDRESS
               ? address->address.object
               : (uint32_t)(base_object(run, node_base(address), true) - run->object);
}

// Whether the words of those who have stored are clear of the one that so many bytes lie behind it.
static bool is_clear(struct run *run, const struct outside_word *word, const struct node *apart,
                     uint32_t size)
{
    int64_t low, high;
    if (apart->kind != NODE_VECTOR) {
        interval_of(run, apart, &low, &high);
        return low >= (int64_t)word->size || high <= -(int64_t)size;
    }
    mask_each (run->masks, word->mask, t)
        if (apart->vector[t] < (int64_t)word->size && apart->vector[t] > -(int64_t)size)
            return false;
    return true;
}

// Whether a word that was stored or read before is at the place of another: 1, 0 or, where it is
// not known, -1. Addresses that threads do not share may meet in some of them.
static int meets(struct run *run, const struct outside_word *word, const struct node *address,
                 uint32_t size)
{
    // An address that was worked out before a decision is another node than the same one after it.
    if (word->address->shape == SHAPE_UNIFORM && resolve(run, word->address) == address)
        return size == word->size ? 1 : -1;
    if (!word->stored || address->shape != SHAPE_UNIFORM)
        return -1;
    const struct node *apart =
        resolve(run, node_binary(run->nodes, IR_SUB, 64, true, address, word->address));
    return is_clear(run, word, apart, size) ? 0 : -1;
}

static void note_word(struct object *object, struct outside_word word)
{
    if (arrlen(object->word) == MOST_WORDS) {
        if (object->word[0].stored)
            object->whole = object->word[0].version;
        arrdel(object->word, 0);
    }
    arrput(object->word, word);
}

// What was stored or read at an address that all threads share; otherwise NULL, with the version
// that the word is of.
static const struct node *find_word(struct run *run, const struct object *object,
                                    const struct node *address, uint32_t size, uint32_t *version)
{
    *version = object->whole;
    address = resolve(run, address);
    for (ptrdiff_t i = arrlen(object->word); i-- > 0;) {
        const struct outside_word *word = &object->word[i];
        int met = meets(run, word, address, size);
        if (met > 0 && word->value)
            return word->value;
        if (met && word->stored) {
            *version = word->version;
            return NULL;
        }
    }
    return NULL;
}

const struct node *outside_load(struct run *run, const struct node *address, uint32_t size)
{
    // Pointers that are read themselves are too many to remember what each of them leads to.
    const struct node *base = node_base(address);
    bool shared = address->shape == SHAPE_UNIFORM && base->kind == NODE_ATOM;
    struct object *object = base_object(run, base, shared);
    uint32_t version = object ? object->version : 0;
    const struct node *known = shared ? find_word(run, object, address, size, &version) : NULL;
    if (known)
        return known;
    const struct node *value = node_expr(run->nodes, NODE_OP_LOAD, 0, version, address, NULL, NULL);
    if (shared)
        note_word(object, (struct outside_word){address, value, NULL, size, version, false});
    return value;
}

void outside_store(struct run *run, const struct mask *mask, const struct node *address,
                   uint32_t size, const struct node *value)
{
    struct object *object = base_object(run, node_base(address), true);
    ++run->changes;
    int64_t number;
    if (value && node_is_const(value, mask, run->masks, &number))
        value = node_const(run->nodes, number);
    else if (!run->engine->host) // where one thread does everything nobody else stores there
        value = NULL;
    note_word(object, (struct outside_word){address, value, mask, size, ++object->version, true});
}

void outside_forget(struct run *run, const struct node *address)
{
    struct object *object = base_object(run, node_base(address), true);
    ++run->changes;
    object->whole = ++object->version;
    arrsetlen(object->word, 0);
}
