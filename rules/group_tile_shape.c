#include <stdlib.h>
#include <string.h>

#include "barlint/semantics.h"
#include "base/vec.h"
#include "rules/facts.h"

static bool is_size(int64_t size)
{
    return size >= 1 && size <= 32 && (size & (size - 1)) == 0;
}

// Whether a shuffle in tiles of that size reads from threads that the block does not have.
static bool reads_absent(const struct engine_result *result, int64_t size)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->model.kind == MODEL_GROUP_COLLECTIVE && event->model.tile_size == size &&
            event->reads_absent)
            return true;
    }
    return false;
}

// Whether threads of the last, incomplete tile exchange data in tiles of that size, or wait for
// warps of it that the block does not have.
static bool partial_tile_is_used(const struct engine_result *result, int64_t size, int64_t threads)
{
    enum { WARP = 32 };
    int64_t first = threads - threads % size;
    bool lacks_warps = (threads % size + WARP - 1) / WARP < size / WARP;
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        const uint64_t *mask = event->threads.mask;
        bool waits = lacks_warps && event->model.scope == MODEL_SCOPE_TILE;
        if ((event->model.kind == MODEL_GROUP_COLLECTIVE || waits) &&
            event->model.tile_size == size && mask && mask[first / 64] >> (first % 64) & 1)
            return true;
    }
    return false;
}

static void check_partition(struct rule_context *context, const struct engine_result *result,
                            const struct engine_event *event)
{
    const int64_t *block = result->shape.block;
    int64_t threads = block[0] * block[1] * block[2], size = event->model.tile_size;
    if (event->count.given && event->count.known && event->count.low == event->count.high)
        size = event->count.low;
    if (event->count.given && event->count.known && !is_size(event->count.low)) {
        rule_report(context, event->loc, event->chain, RULE_CERTAIN,
                    "a tile of %lld threads: its size must be 1, 2, 4, 8, 16 or 32",
                    (long long)event->count.low);
        return;
    }
    if (size <= 0 || !result->shape.block_known || threads % size == 0)
        return;
    if (size > threads && size > 32)
        rule_report(context, event->loc, event->chain, RULE_CERTAIN,
                    "a tile of %lld threads is larger than the block, which has %lld",
                    (long long)size, (long long)threads);
    else if (partial_tile_is_used(result, size, threads)) {
        struct rule_report *report = rule_report(
            context, event->loc, event->chain, RULE_POSSIBLE,
            "a block of %lld thread%s is not divided by tiles of %lld: collectives of the last "
            "tile name threads that do not exist",
            (long long)threads, plural_s(threads), (long long)size);
        if (size <= 32 && !reads_absent(result, size))
            rule_pedantic(report); // threads that never were hold no collective of a warp up
    }
}

// The lanes among which a shuffle goes are cut from the warp as tiles are. A block whose size is
// guessed says nothing of a width that follows from it.
static void check_width(struct rule_context *context, const struct engine_result *result,
                        const struct engine_event *event)
{
    const struct engine_range *width = &event->count;
    const struct ir_op *written =
        ir_op_at(&result->unit->function[event->function], event->model.width);
    if (width->given && width->known && width->low == width->high && !is_size(width->low) &&
        (result->shape.block_known || (written && written->code == IR_CONST)))
        rule_report(context, event->loc, event->chain, RULE_CERTAIN,
                    "a shuffle of width %lld: it must be 1, 2, 4, 8, 16 or 32",
                    (long long)width->low);
}

// The number of threads in the type of a block's memory for tiles.
static int64_t memory_threads(const struct ir_unit *unit, const struct engine_event *event)
{
    const struct ir_op *memory = ir_op_at(&unit->function[event->function], event->model.state);
    const struct ir_type *type =
        memory && memory->type != IR_NONE ? &unit->type[memory->type] : NULL;
    if (type && type->kind == IR_TYPE_POINTER)
        type = &unit->type[type->elem];
    const char *number = type && type->name ? strstr(type->name, "block_tile_memory<") : NULL;
    return number ? strtoll(strchr(number, '<') + 1, NULL, 10) : 0;
}

static void check_memory(struct rule_context *context, const struct engine_result *result,
                         const struct engine_event *event)
{
    const int64_t *block = result->shape.block;
    int64_t threads = block[0] * block[1] * block[2], room = memory_threads(result->unit, event);
    if (room > 0 && room < threads && result->shape.block_known)
        rule_report(context, event->loc, event->chain, RULE_CERTAIN,
                    "memory for the tiles of %lld threads, and the block has %lld", (long long)room,
                    (long long)threads);
}

static void check(struct rule_context *context, const struct engine_result *result)
{
    for (ptrdiff_t i = 0; i < arrlen(result->event); ++i) {
        const struct engine_event *event = &result->event[i];
        if (event->model.kind == MODEL_GROUP_MAKE && event->model.state != IR_NONE)
            check_memory(context, result, event);
        else if (event->model.kind == MODEL_WARP_SHUFFLE)
            check_width(context, result, event);
        else if (event->sources_differ)
            rule_report(context, event->loc, event->chain, RULE_CERTAIN,
                        "threads of one tile of %lld name different sources: in a tile of several "
                        "warps all name the same",
                        (long long)event->model.tile_size);
        else if (event->model.kind == MODEL_GROUP_MAKE && event->model.scope == MODEL_SCOPE_BLOCK)
            check_partition(context, result, event);
    }
    const struct engine_incident *incident = NULL;
    while ((incident = incident_next(result, "group-tile-shape", incident)))
        rule_report_incident(
            context, result, incident,
            "%s {comes|come} to this collective of a tile of %lld threads, and %s of it "
            "{has|have} exited or {exits|exit} without coming",
            threads_text(&incident->threads), (long long)incident->number[0],
            threads_text(&incident->missing));
}

const struct rule rule_group_tile_shape = {
    .id = "group-tile-shape",
    .family = "group",
    .summary = "a tile does not fit its block, or its warps exit before its last collective",
    .level = RULE_ERROR,
    .reach = RULE_CERTAIN,
    .since = "0.1",
    .guidelines = {"CUDA Programming Guide 13, 5.6.3 (tiled_partition)",
                   "CUDA C++ Guidelines 3.0.1, 2.2 (collective.warp.shuffle.width)",
                   "cooperative_groups/details/async.h and sync.h of CUDA 13"},
    .check = check,
    .doc =
        {
            .what = "A thread_block is cut into tiles that it does not hold: a size "
                    "given at run time that is not a power of two up to 32, as the width of "
                    "a shuffle must be, too; a tile of several warps larger than the block, "
                    "or a block that tiles do not divide while the last, incomplete one "
                    "exchanges data or lacks whole warps. Or a warp of a tile of more than 32 "
                    "threads exits before a collective that the others of the tile come to, "
                    "or its threads name different sources of a shuffle; or the memory set "
                    "aside for tiles (block_tile_memory) is for fewer threads than the block "
                    "has.",
            .why = "Tiles within a warp are masks of lanes. Tiles of several warps are "
                   "built in software: their members spin on words in shared memory "
                   "until every warp of the tile has come, and exited warps never do. "
                   "Other sizes have no implementation.",
            .bad = "#include <cooperative_groups.h>\n"
                   "namespace cg = cooperative_groups;\n"
                   "\n"
                   "__global__ void smooth(const float *in, float *out, int n)\n"
                   "{\n"
                   "    auto tile = cg::tiled_partition<64>(cg::this_thread_block());\n"
                   "    if (threadIdx.x >= 96)\n"
                   "        return;\n"
                   "    out[threadIdx.x] = in[threadIdx.x];\n"
                   "    tile.sync(); // expect: group-tile-shape\n"
                   "    out[threadIdx.x + n] = out[threadIdx.x ^ 1];\n"
                   "}\n"
                   "\n"
                   "void launch(const float *in, float *out, int n)\n"
                   "{\n"
                   "    smooth<<<1, 128>>>(in, out, n);\n"
                   "}\n",
            .good = "#include <cooperative_groups.h>\n"
                    "namespace cg = cooperative_groups;\n"
                    "\n"
                    "__global__ void smooth(const float *in, float *out, int n)\n"
                    "{\n"
                    "    auto tile = cg::tiled_partition<64>(cg::this_thread_block());\n"
                    "    if (threadIdx.x < 96)\n"
                    "        out[threadIdx.x] = in[threadIdx.x];\n"
                    "    tile.sync();\n"
                    "    if (threadIdx.x < 96)\n"
                    "        out[threadIdx.x + n] = out[threadIdx.x ^ 1];\n"
                    "}\n"
                    "\n"
                    "void launch(const float *in, float *out, int n)\n"
                    "{\n"
                    "    smooth<<<1, 128>>>(in, out, n);\n"
                    "}\n",
            .fix = "Make the block a multiple of the tile, and let all threads of a "
                   "tile live until its last collective.",
            .measured = "on H200: hangs",
        },
};
