// What a host function does to barriers while kernels that it has launched may run. Launches do not
// wait; a function of the runtime that does, or one that nobody can follow, ends them all.
#include <string.h>

#include "base/vec.h"
#include "engine/run.h"
#include "engine/walk/walk.h"

// --- The host ------------------------------------------------------------------------------------

void host_launched(struct run *run, struct launched *launched)
{
    launched->earlier = run->under_way;
    run->under_way = launched;
}

void host_waits(struct run *run)
{
    run->under_way = NULL;
}

// Functions of the runtime that come back although kernels still run. Of all others without a body
// it is not known.
static bool comes_back(const char *name)
{
    static const char *const none[] = {"cudaGetLastError", "cudaPeekAtLastError",
                                       "cudaGetErrorString", "cudaGetErrorName"};
    for (size_t i = 0; i < sizeof none / sizeof *none; ++i) {
        if (strcmp(name, none[i]) == 0)
            return true;
    }
    size_t length = strlen(name);
    return strncmp(name, "cuda", 4) == 0 && length > 5 && strcmp(name + length - 5, "Async") == 0;
}

void host_called(struct run *run, const struct ir_function *callee)
{
    if (!comes_back(callee->name))
        host_waits(run);
}

// Whether the address is `base` and a number of bytes.
static bool is_behind(const struct node *address, const struct node *base, int64_t *offset)
{
    *offset = 0;
    if (address == base)
        return true;
    if (address->kind != NODE_LINEAR || address->linear.count != 1 ||
        address->linear.term[0].factor != 1 || address->linear.term[0].atom != base ||
        address->linear.base->kind != NODE_CONST)
        return false;
    *offset = address->linear.base->value;
    return true;
}

// The variable of the unit that the address is of, and where in it.
static bool variable_of(const struct run *run, const struct node *address,
                        struct engine_host_use *out)
{
    if (address->kind != NODE_ADDRESS || address->address.offset->kind != NODE_CONST)
        return false;
    out->offset = address->address.offset->value;
    for (ptrdiff_t i = 0; i < arrlen(run->engine->unit->global); ++i) {
        if (run->global_object[i] == address->address.object) {
            out->variable = (ir_global_id)i;
            return true;
        }
    }
    return false;
}

void engine_shape_add_use(struct engine_shape *shape, const struct engine_host_use *use)
{
    for (uint32_t i = 0; i < shape->host_uses; ++i) {
        const struct engine_host_use *old = &shape->host_use[i];
        if (old->variable == use->variable && old->argument == use->argument &&
            old->offset == use->offset)
            return;
    }
    if (shape->host_uses < ENGINE_HOST_USES)
        shape->host_use[shape->host_uses++] = *use;
}

static void add_use(struct run *run, const struct launched *launched,
                    const struct engine_host_use *use)
{
    struct engine_shapes *shapes = run->engine->launches;
    for (ptrdiff_t i = 0; i < arrlen(shapes->shape); ++i) {
        struct engine_shape *shape = &shapes->shape[i];
        if (shape->kernel == launched->kernel &&
            memcmp(&shape->loc, &launched->loc, sizeof shape->loc) == 0)
            engine_shape_add_use(shape, use);
    }
}

void host_uses(struct run *run, const struct node *address, struct ir_loc loc)
{
    struct engine_host_use use = {.variable = IR_NONE, .argument = IR_NONE, .loc = loc};
    bool is_variable = variable_of(run, address, &use);
    for (const struct launched *at = run->under_way; at; at = at->earlier) {
        if (is_variable)
            add_use(run, at, &use);
        for (uint32_t i = 0; i < ENGINE_ARGUMENTS && !is_variable; ++i) {
            if (at->argument[i] && is_behind(address, at->argument[i], &use.offset)) {
                use.argument = i;
                add_use(run, at, &use);
            }
        }
    }
}

// --- The kernel ----------------------------------------------------------------------------------

struct ir_loc host_use_of(const struct run *run, const struct node *address)
{
    const struct engine_shape *shape = &run->engine->shape;
    struct engine_host_use here = {.variable = IR_NONE};
    bool is_variable = shape->host_uses && variable_of(run, address, &here);
    for (uint32_t i = 0; i < shape->host_uses; ++i) {
        const struct engine_host_use *use = &shape->host_use[i];
        const struct node *argument = node_find_atom(run->nodes, ARGUMENT_KEY + use->argument);
        if (use->variable != IR_NONE
                ? is_variable && here.variable == use->variable && here.offset == use->offset
                : argument && is_behind(address, argument, &here.offset) &&
                      here.offset == use->offset)
            return use->loc;
    }
    return (struct ir_loc){0};
}
