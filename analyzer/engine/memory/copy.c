// Copies of memory.
#include "base/vec.h"
#include "engine/decisions/decisions.h"
#include "engine/memory/cells.h"
#include "engine/memory/memory.h"

enum { MAX_COPY_CELLS = 4096 };

// A copy whose source is memory that is not followed, member by member.
struct member_copy {
    const struct mask *mask;
    uint32_t object;           // that is written to
    int64_t target, size;      // bytes
    const struct node *source; // address
    const struct arms *arms;
    uint32_t members;
};

// Loads what the members of the type at `offset` of the object get; false when there are too many.
static bool copy_members(struct run *run, struct member_copy *copy, ir_type_id id, int64_t offset)
{
    enum { MOST_MEMBERS = 96 };
    const struct ir_type *type = &run->engine->unit->type[id];
    if (offset + (int64_t)type->size <= copy->target || copy->target + copy->size <= offset)
        return true;
    if (type->kind == IR_TYPE_RECORD) {
        for (ptrdiff_t i = 0; i < arrlen(type->field); ++i) {
            const struct ir_field *field = &type->field[i];
            if (!copy_members(run, copy, field->type, offset + (int64_t)field->offset))
                return false;
        }
        return true;
    }
    if (type->kind == IR_TYPE_ARRAY) {
        int64_t size = (int64_t)run->engine->unit->type[type->elem].size;
        for (int64_t at = 0; size > 0 && at < (int64_t)type->size; at += size) {
            if (!copy_members(run, copy, type->elem, offset + at))
                return false;
        }
        return true;
    }
    if (type->size == 0 || type->size > MAX_SCALAR || ++copy->members > MOST_MEMBERS)
        return false;
    const struct node *from = node_binary(run->nodes, IR_ADD, 64, true, copy->source,
                                          node_const(run->nodes, offset - copy->target));
    const struct node *value = memory_load(run, copy->mask, from, id, false);
    cell_store(run, &run->object[copy->object], copy->mask, NULL, offset, (uint32_t)type->size,
               value, copy->arms);
    return true;
}

// Whether the object is a variable that gets what the threads read from there: their own, or one of
// the block in which they all store the same.
static bool takes_members(const struct run *run, const struct mask *mask, uint32_t index,
                          const struct node *from)
{
    const struct object *object = &run->object[index];
    bool alike = mask->count == 1 || from->shape == SHAPE_UNIFORM;
    return object->type != IR_NONE &&
           (object->kind == OBJECT_LOCAL || (object->kind == OBJECT_SHARED && alike));
}

// A copy from or to a place that is not known. A variable gets what is read member by member; of
// anything else these bytes are not known any more. Those beside them are what they were: an entry
// of a ring that one thread fills leaves the entries that others still read.
static void copy_unfollowed(struct run *run, const struct mask *mask, const struct node *to,
                            const struct node *from, int64_t size, const struct arms *arms)
{
    int64_t target;
    memory_overwrite(run, mask, to, size, false);
    if (to->kind != NODE_ADDRESS || to->address.rank ||
        !takes_members(run, mask, to->address.object, from) ||
        !node_is_const(resolve(run, to->address.offset), mask, run->masks, &target))
        return;
    struct member_copy copy = {.mask = mask,
                               .object = to->address.object,
                               .target = target,
                               .size = size,
                               .source = from,
                               .arms = arms};
    const struct object object = run->object[to->address.object]; // loads may make others
    if (!copy_members(run, &copy, object.type, 0) && object.kind == OBJECT_LOCAL)
        memory_forget(run, mask, to);
}

// What lies in `size` bytes at an offset, at the offsets that it is copied to.
struct content {
    struct {
        int64_t offset;
        struct cell cell;
    } * found;               // stb_ds array
    struct zero_range *zero; // stb_ds array
    bool unknown;            // the rest has content that nobody knows
};

static void content_of(struct run *run, const struct object *object, const struct mask *mask,
                       int64_t source, int64_t size, int64_t target, struct content *out)
{
    *out = (struct content){.unknown = object->unknown};
    for (ptrdiff_t i = 0; i < arrlen(object->cell); ++i) {
        int64_t at = object->cell[i].key - source;
        if (at >= 0 && at < size && arrlen(out->found) < MAX_COPY_CELLS)
            arrput(out->found, ((typeof(*out->found)){target + at, object->cell[i].value}));
    }
    for (ptrdiff_t i = 0; i < arrlen(object->zero); ++i) {
        const struct zero_range *zero = &object->zero[i];
        int64_t low = zero->offset - source, high = low + zero->size;
        low = low < 0 ? 0 : low;
        high = high > size ? size : high;
        const struct mask *here = mask_and(run->masks, zero->mask, mask);
        if (here->count && low < high)
            arrput(out->zero, ((struct zero_range){target + low, high - low, here}));
    }
}

// What lay there before is gone.
static void clear(struct run *run, struct object *object, const struct mask *mask, int64_t target,
                  int64_t size, const struct content *content)
{
    object_clear(run, object, cell_audience(run, object, mask), target, target + size);
    if (content->unknown) {
        object->unknown = true;
        ++object->version;
    }
    for (ptrdiff_t i = 0; i < arrlen(content->zero); ++i)
        arrput(object->zero, content->zero[i]);
}

void memory_copy(struct run *run, const struct mask *mask, const struct node *to,
                 const struct node *from, int64_t size, const struct arms *arms)
{
    int64_t source, target;
    if (from->kind == NODE_PIECES && to->kind != NODE_PIECES) {
        for (uint32_t i = 0; i < from->pieces.count; ++i) {
            const struct mask *here = mask_and(run->masks, mask, from->pieces.piece[i].mask);
            if (here->count)
                memory_copy(run, here, to, from->pieces.piece[i].value, size, arms);
        }
        return;
    }
    if (to->kind != NODE_ADDRESS || from->kind != NODE_ADDRESS || to->address.rank ||
        from->address.rank ||
        !node_is_const(resolve(run, from->address.offset), mask, run->masks, &source) ||
        !node_is_const(resolve(run, to->address.offset), mask, run->masks, &target)) {
        copy_unfollowed(run, mask, to, from, size, arms);
        return;
    }
    if (to == from)
        return;
    struct content content;
    content_of(run, &run->object[from->address.object], mask, source, size, target, &content);
    struct object *out = &run->object[to->address.object];
    // Of shared memory that nobody knows a load says as much as of any other word that all see.
    if (content.unknown && run->object[from->address.object].kind == OBJECT_SHARED) {
        arrfree(content.found);
        arrfree(content.zero);
        copy_unfollowed(run, mask, to, from, size, arms);
        return;
    }
    if (!arms)
        clear(run, out, mask, target, size, &content);
    for (ptrdiff_t i = 0; i < arrlen(content.found); ++i) {
        const struct cell *cell = &content.found[i].cell;
        const struct mask *here = mask_and(run->masks, mask, cell->mask);
        if (here->count)
            cell_store(run, out, here, NULL, content.found[i].offset, cell->size,
                       node_restrict(run->nodes, cell->value, here), arms);
    }
    arrfree(content.found);
    arrfree(content.zero);
}
