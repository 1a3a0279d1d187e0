// Objects of a run, the names of what lies in them, and symbols for values that nobody knows.
#include <inttypes.h>
#include <string.h>

#include "base/vec.h"
#include "engine/memory/memory.h"
#include "engine/run.h"

uint32_t object_new(struct run *run, enum object_kind kind, enum ir_space space, ir_type_id type,
                    const char *name, struct ir_loc loc, uint64_t align)
{
    struct object object = {.kind = kind,
                            .space = space,
                            .type = type,
                            .view = IR_NONE,
                            .name = name,
                            .loc = loc,
                            .align = align,
                            .unknown = kind != OBJECT_LOCAL};
    arrput(run->object, object);
    return (uint32_t)arrlen(run->object) - 1;
}

const struct node *run_fresh(struct run *run, const char *name, enum node_shape shape, int64_t low,
                             int64_t high)
{
    return node_atom(run->nodes, ++run->next_fresh, name, shape, low, high);
}

#define KEY_EXCHANGED (UINT64_C(1) << 59)
#define KEY_OF_BLOCK (UINT64_C(1) << 58)
#define KEY_BY_LANE (KEY_EXCHANGED | UINT64_C(1) << 57)
#define KEY_BY_TILE (KEY_EXCHANGED | UINT64_C(1) << 58)
#define TILE_SHIFT 48 // how many threads, in the keys of what tiles have in common

const struct node *run_exchanged(struct run *run, const char *name, enum node_shape shape,
                                 int64_t low, int64_t high)
{
    return node_atom(run->nodes, ++run->next_fresh | KEY_EXCHANGED, name, shape, low, high);
}

const struct node *run_of_block(struct run *run, const char *name, int64_t low, int64_t high)
{
    return node_atom(run->nodes, ++run->next_fresh | KEY_OF_BLOCK, name, SHAPE_UNIFORM, low, high);
}

const struct node *run_by_lane(struct run *run, const char *name, int64_t low, int64_t high)
{
    return node_atom(run->nodes, ++run->next_fresh | KEY_BY_LANE, name, SHAPE_VARYING, low, high);
}

bool node_is_by_lane(const struct node *node)
{
    return node->kind == NODE_ATOM && node->atom.key >> 57 == KEY_BY_LANE >> 57 &&
           !node_is_deep(node);
}

const struct node *run_by_tile(struct run *run, const char *name, enum node_shape shape,
                               uint32_t tile, int64_t low, int64_t high)
{
    uint64_t key = ++run->next_fresh | KEY_BY_TILE | (uint64_t)tile << TILE_SHIFT;
    return node_atom(run->nodes, key, name, shape, low, high);
}

uint32_t node_tile(const struct node *node)
{
    bool by_tile =
        node->kind == NODE_ATOM && node->atom.key >> 56 == KEY_BY_TILE >> 56 && !node_is_deep(node);
    return by_tile ? node->atom.key >> TILE_SHIFT & 0xff : 0;
}

bool node_is_of_block(const struct node *node)
{
    // Parameters of templates have the next keys.
    return node->kind == NODE_ATOM && node->atom.key >> 56 == KEY_OF_BLOCK >> 56;
}

bool node_is_exchanged(const struct node *node)
{
    return node->kind == NODE_ATOM && node->atom.key >> 59 == 1;
}

ir_type_id object_type_at(const struct ir_unit *unit, const struct object *object, int64_t offset)
{
    const struct ir_type *view = object->view == IR_NONE ? NULL : &unit->type[object->view];
    bool viewed = view && offset >= 0 && (uint64_t)offset < view->size;
    return viewed ? object->view : object->type;
}

int64_t object_member(const struct ir_unit *unit, const struct object *object, int64_t offset)
{
    ir_type_id id = object_type_at(unit, object, offset);
    int64_t begin = 0;
    while (id != IR_NONE && unit->type[id].kind == IR_TYPE_RECORD) {
        const struct ir_field *field = unit->type[id].field, *found = NULL;
        for (ptrdiff_t i = arrlen(field); i-- > 0 && !found;) {
            int64_t from = begin + (int64_t)field[i].offset;
            if (from <= offset && offset < from + (int64_t)unit->type[field[i].type].size)
                found = &field[i];
        }
        if (!found)
            break;
        begin += (int64_t)found->offset;
        id = found->type;
    }
    return begin;
}

static const char *path_in(struct arena *arena, const struct ir_unit *unit, ir_type_id id,
                           int64_t offset, const char *name, int depth)
{
    if (id == IR_NONE || depth > 8)
        return offset ? arena_printf(arena, "%s + %" PRId64, name, offset) : name;
    const struct ir_type *type = &unit->type[id];
    if (type->kind == IR_TYPE_ARRAY && unit->type[type->elem].size > 0) {
        int64_t size = (int64_t)unit->type[type->elem].size;
        const char *element = arena_printf(arena, "%s[%" PRId64 "]", name, offset / size);
        return path_in(arena, unit, type->elem, offset % size, element, depth + 1);
    }
    if (type->kind == IR_TYPE_RECORD) {
        for (ptrdiff_t i = arrlen(type->field); i-- > 0;) {
            const struct ir_field *field = &type->field[i];
            const struct ir_type *inner = &unit->type[field->type];
            if ((int64_t)field->offset > offset ||
                offset >= (int64_t)(field->offset + (inner->size ? inner->size : 1)))
                continue;
            // A record that wraps one word (a barrier class) is called by its own name, and so is
            // one whose members carry names reserved for the library.
            if (offset == 0 && ((arrlen(type->field) == 1 && type->size <= 8) ||
                                strncmp(field->name, "__", 2) == 0))
                return name;
            const char *member =
                field->name[0] ? arena_printf(arena, "%s.%s", name, field->name) : name;
            return path_in(arena, unit, field->type, offset - (int64_t)field->offset, member,
                           depth + 1);
        }
    }
    return offset ? arena_printf(arena, "%s + %" PRId64, name, offset) : name;
}

const char *object_path(struct arena *arena, const struct ir_unit *unit,
                        const struct object *object, int64_t offset)
{
    return path_in(arena, unit, object_type_at(unit, object, offset), offset,
                   object->name ? object->name : "object", 0);
}
