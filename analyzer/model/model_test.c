// Calls and instructions are understood as the rows of the table say.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "model/table.h"

// --- Instructions ------------------------------------------------------------------------------

struct scene {
    struct ir_unit unit;
    struct ir_builder builder;
    struct model *model;
    struct model_op op;
    ir_value value[8]; // what is passed, in order
};

static void scene_init(struct scene *scene)
{
    *scene = (struct scene){.model = model_new()};
    ir_unit_init(&scene->unit);
    scene->builder.unit = &scene->unit;
    scene->builder.function = ir_function_add(&scene->unit, "kernel", NULL, NULL);
    scene->builder.block = ir_build_block(&scene->builder);
}

static void scene_release(struct scene *scene)
{
    model_free(scene->model);
    ir_unit_release(&scene->unit);
}

static ir_value add_local(struct scene *scene, const char *name, ir_type_id type)
{
    uint32_t local = ir_build_local(&scene->builder, name, type);
    return ir_build(&scene->builder, IR_LOCAL, ir_type_pointer(&scene->unit, type), NULL, 0, local);
}

// Builds the instruction with `destinations` registers (named `_` where sink) and constants as
// sources, and matches it.
static bool ptx(struct scene *scene, const char *text, uint32_t destinations, uint32_t sources,
                bool sink)
{
    ir_type_id u32 = ir_type_int(&scene->unit, 32, false);
    for (uint32_t i = 0; i < destinations + sources; ++i)
        scene->value[i] = i < destinations ? add_local(scene, sink ? "_" : "d", u32)
                                           : ir_build_const(&scene->builder, u32, (int64_t)i + 100);
    ir_value op = ir_build(&scene->builder, IR_PTX, IR_NONE, scene->value, destinations + sources,
                           destinations);
    ir_build_text(&scene->builder, op, text);
    return model_match(scene->model, &scene->unit, ir_builder_function(&scene->builder), op,
                       &scene->op);
}

static const struct {
    const char *text;
    int destinations, sources;
    enum model_kind kind;
    enum model_scope scope;
    uint32_t flags;
} instruction_row[] = {
    {"bar.sync", 0, 1, MODEL_NAMED_SYNC, MODEL_SCOPE_BLOCK, MODEL_ALIGNED},
    {"bar.cta.sync", 0, 2, MODEL_NAMED_SYNC, MODEL_SCOPE_BLOCK, MODEL_ALIGNED},
    {"barrier.sync", 0, 2, MODEL_NAMED_SYNC, MODEL_SCOPE_BLOCK, 0},
    {"barrier.cta.sync.aligned", 0, 2, MODEL_NAMED_SYNC, MODEL_SCOPE_BLOCK, MODEL_ALIGNED},
    {"barrier.cta.arrive", 0, 2, MODEL_NAMED_ARRIVE, MODEL_SCOPE_BLOCK, 0},
    {"bar.red.or.pred", 1, 2, MODEL_NAMED_RED, MODEL_SCOPE_BLOCK, MODEL_ALIGNED},
    {"bar.warp.sync", 0, 1, MODEL_WARP_SYNC, MODEL_SCOPE_MASK, 0},
    {"barrier.cluster.arrive.aligned", 0, 0, MODEL_CLUSTER_ARRIVE, MODEL_SCOPE_CLUSTER,
     MODEL_RELEASE | MODEL_ALIGNED},
    {"barrier.cluster.arrive.relaxed.aligned", 0, 0, MODEL_CLUSTER_ARRIVE, MODEL_SCOPE_CLUSTER,
     MODEL_RELAXED | MODEL_ALIGNED},
    {"barrier.cluster.wait.acquire", 0, 0, MODEL_CLUSTER_WAIT, MODEL_SCOPE_CLUSTER, MODEL_ACQUIRE},
    {"mbarrier.init.shared::cta.b64", 0, 2, MODEL_MBARRIER_INIT, MODEL_SCOPE_THREAD, 0},
    {"mbarrier.inval.shared.b64", 0, 1, MODEL_MBARRIER_INVAL, MODEL_SCOPE_THREAD, 0},
    {"mbarrier.arrive.shared.b64", 1, 1, MODEL_MBARRIER_ARRIVE, MODEL_SCOPE_THREAD, MODEL_RELEASE},
    {"mbarrier.arrive.noComplete.shared.b64", 1, 2, MODEL_MBARRIER_ARRIVE, MODEL_SCOPE_THREAD,
     MODEL_RELEASE | MODEL_NO_COMPLETE},
    {"mbarrier.arrive.release.cluster.shared::cluster.b64", 1, 1, MODEL_MBARRIER_ARRIVE,
     MODEL_SCOPE_THREAD, MODEL_RELEASE | MODEL_SCOPE_IS_CLUSTER | MODEL_REMOTE},
    {"mbarrier.arrive.relaxed.cta.shared::cta.b64", 1, 1, MODEL_MBARRIER_ARRIVE, MODEL_SCOPE_THREAD,
     MODEL_RELAXED},
    {"mbarrier.arrive_drop.shared.b64", 1, 1, MODEL_MBARRIER_ARRIVE, MODEL_SCOPE_THREAD,
     MODEL_RELEASE | MODEL_DROP},
    {"mbarrier.arrive_drop.expect_tx.shared.b64", 1, 2, MODEL_MBARRIER_ARRIVE, MODEL_SCOPE_THREAD,
     MODEL_RELEASE | MODEL_DROP},
    {"mbarrier.expect_tx.relaxed.cta.shared::cta.b64", 0, 2, MODEL_MBARRIER_EXPECT_TX,
     MODEL_SCOPE_THREAD, MODEL_RELAXED},
    {"mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64", 0, 2, MODEL_MBARRIER_COMPLETE_TX,
     MODEL_SCOPE_THREAD, MODEL_RELAXED | MODEL_SCOPE_IS_CLUSTER | MODEL_REMOTE},
    {"mbarrier.test_wait.shared.b64", 1, 2, MODEL_MBARRIER_TEST, MODEL_SCOPE_THREAD, MODEL_ACQUIRE},
    {"mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64", 1, 3, MODEL_MBARRIER_TEST,
     MODEL_SCOPE_THREAD, MODEL_ACQUIRE | MODEL_TRY | MODEL_SCOPE_IS_CLUSTER},
    {"mbarrier.pending_count.b64", 1, 1, MODEL_MBARRIER_PENDING, MODEL_SCOPE_THREAD, 0},
    {"cp.async.mbarrier.arrive.shared.b64", 0, 1, MODEL_MBARRIER_CP_ASYNC_ARRIVE,
     MODEL_SCOPE_THREAD, 0},
    {"cp.async.mbarrier.arrive.noinc.shared::cta.b64", 0, 1, MODEL_MBARRIER_CP_ASYNC_ARRIVE,
     MODEL_SCOPE_THREAD, MODEL_NOINC},
    {"tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64", 0,
     2, MODEL_MBARRIER_ASYNC_ARRIVE, MODEL_SCOPE_THREAD, MODEL_MULTICAST | MODEL_CTA_PAIR},
    {"cp.async.ca.shared.global.L2::128B", 0, 3, MODEL_CP_ASYNC, MODEL_SCOPE_THREAD, 0},
    {"cp.async.commit_group", 0, 0, MODEL_CP_ASYNC_COMMIT, MODEL_SCOPE_THREAD, 0},
    {"cp.async.wait_group", 0, 1, MODEL_CP_ASYNC_WAIT, MODEL_SCOPE_THREAD, 0},
    {"cp.async.bulk.commit_group", 0, 0, MODEL_BULK_COMMIT, MODEL_SCOPE_THREAD, 0},
    {"cp.async.bulk.wait_group.read", 0, 1, MODEL_BULK_WAIT, MODEL_SCOPE_THREAD, MODEL_READ},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes", 0, 4, MODEL_BULK_LOAD,
     MODEL_SCOPE_THREAD, 0},
    {"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", 0, 4,
     MODEL_BULK_LOAD, MODEL_SCOPE_THREAD, MODEL_REMOTE},
    {"cp.async.bulk.global.shared::cta.bulk_group", 0, 3, MODEL_BULK_STORE, MODEL_SCOPE_THREAD, 0},
    {"cp.async.bulk.prefetch.L2.global", 0, 2, MODEL_NOTHING, MODEL_SCOPE_THREAD, 0},
    {"cp.async.bulk.prefetch.tensor.2d.L2.global.tile", 0, 3, MODEL_NOTHING, MODEL_SCOPE_THREAD, 0},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32", 0, 3, MODEL_BULK_STORE,
     MODEL_SCOPE_THREAD, 0},
    {"cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group", 0, 3,
     MODEL_BULK_STORE, MODEL_SCOPE_THREAD, MODEL_TENSOR},
    {"red.async.relaxed.cluster.mbarrier::complete_tx::bytes.shared::cluster.inc.u32", 0, 3,
     MODEL_ASYNC_STORE, MODEL_SCOPE_THREAD, MODEL_REMOTE | MODEL_SCOPE_IS_CLUSTER | MODEL_REDUCES},
    {"elect.sync", 2, 1, MODEL_WARP_ELECT, MODEL_SCOPE_MASK, 0},
    {"activemask.b32", 1, 0, MODEL_ACTIVE_MASK, MODEL_SCOPE_WARP, 0},
    {"vote.sync.ballot.b32", 1, 2, MODEL_WARP_VOTE, MODEL_SCOPE_MASK, 0},
    {"redux.sync.or.b32", 1, 2, MODEL_WARP_REDUCE, MODEL_SCOPE_MASK, 0},
    {"match.any.sync.b64", 1, 2, MODEL_WARP_MATCH, MODEL_SCOPE_MASK, 0},
    {"wgmma.fence.sync.aligned", 0, 0, MODEL_WARPGROUP, MODEL_SCOPE_WARPGROUP, MODEL_ALIGNED},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16", 4, 4, MODEL_WARPGROUP,
     MODEL_SCOPE_WARPGROUP, MODEL_ALIGNED},
    {"setmaxnreg.inc.sync.aligned.u32", 0, 1, MODEL_SETMAXNREG, MODEL_SCOPE_WARPGROUP,
     MODEL_ALIGNED | MODEL_INCREASE},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 4, 4, MODEL_WARP_ALIGNED,
     MODEL_SCOPE_WARP, MODEL_ALIGNED},
    {"ldmatrix.sync.aligned.m8n8.x4.shared.b16", 4, 1, MODEL_WARP_ALIGNED, MODEL_SCOPE_WARP,
     MODEL_ALIGNED},
    {"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32", 0, 2, MODEL_WARP_ALIGNED,
     MODEL_SCOPE_WARP, MODEL_ALIGNED},
    {"tcgen05.wait::ld.sync.aligned", 0, 0, MODEL_WARP_ALIGNED, MODEL_SCOPE_WARP, MODEL_ALIGNED},
    {"griddepcontrol.wait", 0, 0, MODEL_GRID_DEPENDENCY_WAIT, MODEL_SCOPE_THREAD, 0},
    {"griddepcontrol.launch_dependents", 0, 0, MODEL_GRID_DEPENDENCY_LAUNCH, MODEL_SCOPE_THREAD, 0},
    {"mapa.u64", 1, 2, MODEL_ADDRESS_PEER, MODEL_SCOPE_THREAD, 0},
    {"clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128", 0, 2,
     MODEL_CLUSTER_LAUNCH_CANCEL, MODEL_SCOPE_THREAD, 0},
    {"st.bulk.weak.shared::cta", 0, 3, MODEL_MEMORY_SET, MODEL_SCOPE_THREAD, 0},
    {"nanosleep.u32", 0, 1, MODEL_NOTHING, MODEL_SCOPE_THREAD, 0},
    {"atom.acq_rel.gpu.global.add.u32", 1, 2, MODEL_ATOMIC, MODEL_SCOPE_THREAD, MODEL_RELEASE},
    {"red.release.gpu.global.add.s32", 0, 2, MODEL_ATOMIC, MODEL_SCOPE_THREAD, MODEL_RELEASE},
    {"red.release.cta.shared.add.s32", 0, 2, MODEL_ATOMIC, MODEL_SCOPE_THREAD,
     MODEL_RELEASES_BLOCK},
    {"bfe.u32", 1, 3, MODEL_VALUE, MODEL_SCOPE_THREAD, 0},
    {"tcgen05.mma.cta_group::1.kind::f16", 0, 5, MODEL_NOTHING, MODEL_SCOPE_THREAD, 0},
};

static void test_instruction_kinds(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene);
    // Memory scope and pairs are read from every instruction; only barriers need them.
    for (size_t i = 0; i < sizeof instruction_row / sizeof instruction_row[0]; ++i) {
        if (!ptx(&scene, instruction_row[i].text, (uint32_t)instruction_row[i].destinations,
                 (uint32_t)instruction_row[i].sources, false))
            fail_msg("'%s' is not known", instruction_row[i].text);
        uint32_t flags = scene.op.flags;
        if (scene.op.kind == MODEL_WARP_ALIGNED || scene.op.kind == MODEL_CLUSTER_ARRIVE ||
            scene.op.kind == MODEL_CLUSTER_WAIT)
            flags &= ~(uint32_t)(MODEL_CTA_PAIR | MODEL_SCOPE_IS_CLUSTER);
        if (scene.op.kind != instruction_row[i].kind ||
            scene.op.scope != instruction_row[i].scope || flags != instruction_row[i].flags)
            fail_msg("'%s': %s, scope %d, flags %x instead of %x", instruction_row[i].text,
                     model_kind_name(scene.op.kind), (int)scene.op.scope, flags,
                     instruction_row[i].flags);
    }
    // What the table does not have is not understood.
    assert_false(ptx(&scene, "frobnicate.b32", 1, 1, false));
    assert_false(ptx(&scene, "cp.async.bulk.new_form", 0, 3, false));
    assert_false(ptx(&scene, "", 0, 0, false));
    assert_false(ptx(&scene,
                     "bar.sync.1.2.3.4.5.6.7.8.9.1.2.3.4.5.6.7.8.9.1.2.3.4.5.6.7.8.9.1.2.3.4", 0, 0,
                     false));
    scene_release(&scene);
}

static void test_instruction_operands(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene);
    const ir_value *value = scene.value;
    const struct model_op *op = &scene.op;
    assert_true(ptx(&scene, "bar.sync", 0, 1, false));
    assert_int_equal(op->id, value[0]);
    assert_int_equal(op->count, IR_NONE);
    assert_int_equal(op->count_constant, 0);
    assert_true(ptx(&scene, "bar.red.popc.u32", 1, 3, false));
    assert_int_equal(op->result, value[0]);
    assert_int_equal(op->id, value[1]);
    assert_int_equal(op->count, value[2]);
    assert_int_equal(op->predicate, value[3]);
    assert_int_equal(op->warp_op, MODEL_RED_POPC);
    assert_true(ptx(&scene, "bar.red.popc.u32", 1, 2, false));
    assert_int_equal(op->count, IR_NONE);
    assert_int_equal(op->predicate, value[2]);
    assert_true(ptx(&scene, "mbarrier.arrive.shared.b64", 1, 1, false));
    assert_int_equal(op->token_result, value[0]);
    assert_int_equal(op->object, value[1]);
    assert_int_equal(op->count, IR_NONE);
    assert_int_equal(op->count_constant, 1);
    assert_int_equal(op->min_arch, 800);
    assert_true(ptx(&scene, "mbarrier.arrive.shared.b64", 1, 2, true));
    assert_int_equal(op->token_result, IR_NONE);
    assert_int_equal(op->count, value[2]);
    assert_int_equal(op->min_arch, 900);
    assert_true(ptx(&scene, "mbarrier.arrive.expect_tx.shared.b64", 1, 2, true));
    assert_int_equal(op->bytes, value[2]);
    assert_int_equal(op->count, IR_NONE);
    assert_int_equal(op->count_constant, 1);
    assert_true(ptx(&scene, "mbarrier.try_wait.parity.shared.b64", 1, 3, false));
    assert_int_equal(op->result, value[0]);
    assert_int_equal(op->object, value[1]);
    assert_int_equal(op->parity, value[2]);
    assert_int_equal(op->token, IR_NONE);
    assert_true(ptx(&scene, "mbarrier.test_wait.shared.b64", 1, 2, false));
    assert_int_equal(op->token, value[2]);
    // Coordinates, im2col offsets, a mask and a cache policy.
    assert_true(ptx(&scene,
                    "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes",
                    0, 5, false));
    assert_int_equal(op->dst, value[0]);
    assert_int_equal(op->src, value[1]);
    assert_int_equal(op->object, value[4]);
    assert_true(ptx(&scene,
                    "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::"
                    "bytes.multicast::cluster.L2::cache_hint",
                    0, 8, false));
    assert_int_equal(op->object, value[5]);
    assert_int_equal(op->multicast_mask, value[6]);
    assert_true(ptx(&scene, "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group", 0, 4, false));
    assert_int_equal(op->dst, value[0]);
    assert_int_equal(op->src, value[3]);
    assert_true(ptx(&scene,
                    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes."
                    "multicast::cluster.L2::cache_hint",
                    0, 6, false));
    assert_int_equal(op->bytes, value[2]);
    assert_int_equal(op->object, value[3]);
    assert_int_equal(op->multicast_mask, value[4]);
    assert_true(ptx(&scene, "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32", 0,
                    6, false));
    assert_int_equal(op->object, value[5]);
    assert_int_equal(op->bytes_constant, 16);
    assert_true(ptx(&scene, "elect.sync", 2, 1, false));
    assert_int_equal(op->result, value[0]);
    assert_int_equal(op->result_predicate, value[1]);
    assert_int_equal(op->mask, value[2]);
    assert_true(ptx(&scene, "shfl.sync.bfly.b32", 1, 4, false));
    assert_int_equal(op->value, value[1]);
    assert_int_equal(op->lane, value[2]);
    assert_int_equal(op->mask, value[4]);
    assert_int_equal(op->warp_op, MODEL_SHFL_XOR);
    assert_true(ptx(&scene, "atom.cas.b32", 1, 3, false));
    assert_int_equal(op->dst, value[1]);
    assert_int_equal(op->argument[0], value[2]);
    assert_int_equal(op->value, value[3]);
    assert_int_equal(op->value_op, MODEL_VALUE_CAS);
    scene_release(&scene);
}

static void test_fences(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum model_fence fence;
    } row[] = {
        {"fence.acq_rel.cta", MODEL_FENCE_THREAD_BLOCK},
        {"fence.sc.cluster", MODEL_FENCE_CLUSTER},
        {"fence.acq_rel.gpu", MODEL_FENCE_GPU},
        {"fence.sys", MODEL_FENCE_SYSTEM},
        {"membar.gl", MODEL_FENCE_GPU},
        {"fence.mbarrier_init.release.cluster", MODEL_FENCE_MBARRIER_INIT},
        {"fence.proxy.async", MODEL_FENCE_PROXY_ASYNC},
        {"fence.proxy.async.shared::cta", MODEL_FENCE_PROXY_ASYNC_SHARED},
        {"fence.proxy.async.shared::cluster", MODEL_FENCE_PROXY_ASYNC_SHARED},
        {"fence.proxy.async.global", MODEL_FENCE_PROXY_OTHER},
        {"fence.proxy.tensormap::generic.acquire.gpu", MODEL_FENCE_PROXY_OTHER},
        {"fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster",
         MODEL_FENCE_PROXY_OTHER},
        {"fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster",
         MODEL_FENCE_PROXY_ASYNC_SHARED},
        {"fence.release.sync_restrict::shared::cta.cluster", MODEL_FENCE_CLUSTER},
        {"tcgen05.fence::before_thread_sync", MODEL_FENCE_OTHER},
    };
    struct scene scene;
    scene_init(&scene);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; ++i) {
        if (!ptx(&scene, row[i].text, 0, 0, false) || scene.op.kind != MODEL_FENCE ||
            scene.op.fence != row[i].fence)
            fail_msg("'%s': %s %d", row[i].text, model_kind_name(scene.op.kind),
                     (int)scene.op.fence);
    }
    scene_release(&scene);
}

// --- Calls -------------------------------------------------------------------------------------

// Declares a function and calls it with a value of each parameter's type. `types`: a letter a
// parameter: i u32, l u64, p pointer to u64, r a reference (pointer) to u32, b the record `record`
// by address; a capital letter: T the object (a pointer to `record`), R the result (a pointer to
// u64).
static bool call(struct scene *scene, const char *lookup, const char *types, const char *record)
{
    struct ir_unit *unit = &scene->unit;
    ir_function_id id = ir_function_add(unit, lookup, lookup, lookup);
    ir_type_id u32 = ir_type_int(unit, 32, false), u64 = ir_type_int(unit, 64, false);
    ir_type_id type = record ? ir_type_record(unit, record) : u32;
    for (size_t i = 0; types[i]; ++i) {
        struct ir_param param = {.name = "", .type = u32};
        if (types[i] == 'l')
            param.type = u64;
        else if (types[i] == 'p' || types[i] == 'R')
            param.type = ir_type_pointer(unit, u64);
        else if (types[i] == 'r')
            param.type = ir_type_pointer(unit, u32);
        else if (types[i] == 'b' || types[i] == 'T')
            param.type = ir_type_pointer(unit, type);
        param.is_this = types[i] == 'T';
        param.is_result = types[i] == 'R';
        arrput(unit->function[id].param, param);
        scene->value[i] = ir_build_const(&scene->builder, param.type, (int64_t)i);
    }
    ir_value op = ir_build(&scene->builder, IR_CALL, u32, scene->value, strlen(types), (int64_t)id);
    return model_match(scene->model, unit, ir_builder_function(&scene->builder), op, &scene->op);
}

static void test_barrier_calls(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene);
    const ir_value *value = scene.value;
    const struct model_op *op = &scene.op;
    assert_true(call(&scene, "__syncthreads", "", NULL));
    assert_int_equal(op->kind, MODEL_NAMED_SYNC);
    assert_int_equal(op->id, IR_NONE);
    assert_int_equal(op->id_constant, 0);
    // Members take the object first; a token by rvalue reference is an address.
    assert_true(call(&scene, "cuda::__4::barrier::arrive", "Tl", "cuda::barrier<1>"));
    assert_int_equal(op->kind, MODEL_MBARRIER_ARRIVE);
    assert_int_equal(op->object, value[0]);
    assert_int_equal(op->count, value[1]);
    assert_int_equal(op->token_result, IR_NONE);
    assert_true(op->flags & MODEL_LIBRARY_OBJECT);
    assert_false(model_is_indirect(op, &op->count));
    assert_string_equal(op->spelling, "cuda::barrier::arrive");
    assert_true(call(&scene, "cuda::barrier::wait", "Tp", "cuda::barrier<1>"));
    assert_int_equal(op->token, value[1]);
    assert_true(op->flags & MODEL_TOKEN_BY_ADDRESS);
    assert_true(model_is_indirect(op, &op->token));
    // The token of the primitives is a number.
    assert_true(call(&scene, "__mbarrier_test_wait", "pl", NULL));
    assert_int_equal(op->object, value[0]);
    assert_int_equal(op->token, value[1]);
    assert_false(op->flags & MODEL_TOKEN_BY_ADDRESS);
    // A token that is a record goes where the result goes.
    assert_true(call(&scene, "nvcuda::experimental::awbarrier::arrive", "RT", "awbarrier"));
    assert_int_equal(op->token_result, value[0]);
    assert_int_equal(op->object, value[1]);
    assert_int_equal(op->result, IR_NONE);
    assert_int_equal(op->count_constant, 1);
    assert_true(call(&scene, "cuda::init", "pl", NULL));
    assert_int_equal(op->kind, MODEL_MBARRIER_INIT);
    assert_int_equal(op->count, value[1]);
    assert_true(call(&scene, "cuda::barrier::barrier", "T", "cuda::barrier<1>"));
    assert_int_equal(op->kind, MODEL_NOTHING);
    assert_true(call(&scene, "cuda::barrier::barrier", "Tl", "cuda::barrier<1>"));
    assert_int_equal(op->kind, MODEL_MBARRIER_INIT);
    assert_true(call(&scene, "cuda::barrier::arrive_and_drop", "T", "cuda::barrier<1>"));
    assert_true(op->flags & MODEL_DROP);
    assert_true(call(&scene, "cuda::device::barrier_arrive_tx", "ppl", NULL));
    assert_int_equal(op->bytes, value[2]);
    // Not the pipeline's copy, not the barrier's.
    assert_true(call(&scene, "cuda::memcpy_async", "pplb", "cuda::barrier<2, fn>"));
    assert_int_equal(op->kind, MODEL_BULK_LOAD);
    assert_int_equal(op->object, value[3]);
    assert_true(op->flags & MODEL_EXPECTS);
    assert_true(call(&scene, "cuda::memcpy_async", "ipplb", "cuda::pipeline<10>"));
    assert_int_equal(op->kind, MODEL_PIPELINE_COPY);
    assert_int_equal(op->group, value[0]);
    assert_int_equal(op->object, value[4]);
    assert_false(call(&scene, "cuda::memcpy_async", "pplb", "my_barrier"));
    scene_release(&scene);
}

// Calls a cuda::ptx function: `tags` are the names of its leading tag types, `types` the rest.
static bool call_ptx(struct scene *scene, const char *lookup, const char *const *tags,
                     const char *types)
{
    struct ir_unit *unit = &scene->unit;
    ir_function_id id = ir_function_add(unit, lookup, lookup, lookup);
    ir_value operand[12];
    size_t count = 0;
    for (; tags[count]; ++count) {
        struct ir_param param = {.name = ""};
        param.type = ir_type_pointer(unit, ir_type_record(unit, tags[count]));
        arrput(unit->function[id].param, param);
        operand[count] = ir_build_const(&scene->builder, param.type, 0);
    }
    for (size_t i = 0; types[i]; ++i) {
        struct ir_param param = {.name = ""};
        param.type = ir_type_int(unit, 32, false);
        if (types[i] != 'i')
            param.type = ir_type_pointer(unit, param.type);
        arrput(unit->function[id].param, param);
        scene->value[i] = ir_build_const(&scene->builder, param.type, (int64_t)i);
        operand[count++] = scene->value[i];
    }
    ir_value op = ir_build(&scene->builder, IR_CALL, IR_NONE, operand, count, (int64_t)id);
    return model_match(scene->model, unit, ir_builder_function(&scene->builder), op, &scene->op);
}

static void test_tags(void **state)
{
    (void)state;
    static const char release[] =
        "cuda::std::integral_constant<cuda::ptx::dot_sem, cuda::ptx::dot_sem::release>";
    static const char relaxed[] =
        "cuda::std::integral_constant<cuda::ptx::dot_sem, (cuda::ptx::dot_sem)2>";
    static const char cluster[] =
        "cuda::std::integral_constant<cuda::ptx::dot_scope, cuda::ptx::dot_scope::cluster>";
    static const char relaxed_number[] = "cuda::std::integral_constant<cuda::ptx::dot_sem, 2>";
    static const char cluster_number[] = "cuda::std::integral_constant<cuda::ptx::dot_scope, 1>";
    static const char space_number[] = "cuda::std::integral_constant<cuda::ptx::dot_space, 1>";
    static const char cta[] = "cuda::ptx::scope_cta_t";
    static const char space_shared[] = "cuda::ptx::space_shared_t";
    static const char space_cluster[] =
        "cuda::std::integral_constant<cuda::ptx::dot_space, cuda::ptx::dot_space::cluster>";
    static const char space_global[] = "cuda::ptx::space_global_t";
    struct scene scene;
    scene_init(&scene);
    const ir_value *value = scene.value;
    const struct model_op *op = &scene.op;
    assert_true(call_ptx(&scene, "cuda::ptx::mbarrier_arrive", (const char *[]){NULL}, "p"));
    assert_int_equal(op->object, value[0]);
    assert_int_equal(op->count_constant, 1);
    // `const uint32_t &count`: the address of the count.
    assert_true(call_ptx(&scene, "cuda::ptx::mbarrier_arrive",
                         (const char *[]){release, cta, space_shared, NULL}, "pr"));
    assert_int_equal(op->object, value[0]);
    assert_int_equal(op->count, value[1]);
    assert_true(model_is_indirect(op, &op->count));
    assert_false(model_is_indirect(op, &op->object));
    assert_int_equal(op->flags, MODEL_RELEASE);
    assert_int_equal(op->min_arch, 900);
    assert_true(call_ptx(&scene, "cuda::ptx::mbarrier_arrive",
                         (const char *[]){relaxed, cluster, space_cluster, NULL}, "p"));
    assert_int_equal(op->flags, MODEL_RELAXED | MODEL_SCOPE_IS_CLUSTER | MODEL_REMOTE);
    assert_true(call_ptx(&scene, "cuda::ptx::mbarrier_arrive",
                         (const char *[]){relaxed_number, cluster_number, space_number, NULL},
                         "p"));
    assert_int_equal(op->flags, MODEL_RELAXED | MODEL_SCOPE_IS_CLUSTER | MODEL_REMOTE);
    assert_true(call_ptx(&scene, "cuda::ptx::cp_async_bulk",
                         (const char *[]){space_cluster, space_global, NULL}, "pprp"));
    assert_int_equal(op->kind, MODEL_BULK_LOAD);
    assert_int_equal(op->flags, 0);
    assert_true(model_is_indirect(op, &op->bytes));
    assert_int_equal(op->object, value[3]);
    assert_true(call_ptx(&scene, "cuda::ptx::cp_async_bulk",
                         (const char *[]){space_cluster, space_shared, NULL}, "pprp"));
    assert_int_equal(op->flags, MODEL_REMOTE);
    assert_true(call_ptx(&scene, "cuda::ptx::cp_async_bulk",
                         (const char *[]){space_global, space_shared, NULL}, "ppr"));
    assert_int_equal(op->kind, MODEL_BULK_STORE);
    assert_int_equal(op->flags, 0);
    assert_true(call_ptx(&scene, "cuda::ptx::cp_async_bulk_wait_group_read",
                         (const char *[]){"cuda::std::integral_constant<int, 3>", NULL}, ""));
    assert_int_equal(op->kind, MODEL_BULK_WAIT);
    assert_int_equal(op->prior_constant, 3);
    assert_true(
        call_ptx(&scene, "cuda::ptx::fence",
                 (const char *[]){"cuda::ptx::sem_acq_rel_t", "cuda::ptx::scope_gpu_t", NULL}, ""));
    assert_int_equal(op->fence, MODEL_FENCE_GPU);
    assert_true(
        call_ptx(&scene, "cuda::ptx::fence_proxy_async", (const char *[]){space_global, NULL}, ""));
    assert_int_equal(op->fence, MODEL_FENCE_PROXY_OTHER);
    assert_true(
        call_ptx(&scene, "cuda::ptx::fence_proxy_async", (const char *[]){space_shared, NULL}, ""));
    assert_int_equal(op->fence, MODEL_FENCE_PROXY_ASYNC_SHARED);
    assert_true(call_ptx(&scene, "cuda::ptx::st_async", (const char *[]){NULL}, "prp"));
    assert_int_equal(op->bytes_constant, 4);
    assert_int_equal(op->object, value[2]);
    scene_release(&scene);
}

static void test_groups(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene);
    const ir_value *value = scene.value;
    const struct model_op *op = &scene.op;
    static const struct {
        const char *type;
        enum model_kind kind;
        enum model_scope scope;
        int tile_size;
        const char *group_type;
    } row[] = {
        {"cooperative_groups::__v1::thread_block", MODEL_GROUP_SYNC, MODEL_SCOPE_BLOCK, 0,
         "cooperative_groups::thread_block"},
        {"cooperative_groups::cluster_group", MODEL_CLUSTER_SYNC, MODEL_SCOPE_CLUSTER, 0,
         "cooperative_groups::cluster_group"},
        {"cooperative_groups::grid_group", MODEL_GRID_SYNC, MODEL_SCOPE_GRID, 0,
         "cooperative_groups::grid_group"},
        {"cooperative_groups::coalesced_group", MODEL_GROUP_SYNC, MODEL_SCOPE_COALESCED, 0,
         "cooperative_groups::coalesced_group"},
        {"cooperative_groups::thread_block_tile<16U, cooperative_groups::thread_block>",
         MODEL_GROUP_SYNC, MODEL_SCOPE_TILE, 16, "cooperative_groups::thread_block_tile"},
        {"cooperative_groups::thread_group", MODEL_GROUP_SYNC, MODEL_SCOPE_TILE, 0,
         "cooperative_groups::thread_group"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; ++i) {
        assert_true(call(&scene, "cooperative_groups::__v1::sync", "b", row[i].type));
        assert_int_equal(op->kind, row[i].kind);
        assert_int_equal(op->scope, row[i].scope);
        assert_int_equal(op->tile_size, row[i].tile_size);
        assert_string_equal(op->group_type, row[i].group_type);
        assert_int_equal(op->group, value[0]);
    }
    // Static members have no object: the class says all.
    assert_true(call(&scene, "cooperative_groups::__v1::thread_block::sync", "", NULL));
    assert_int_equal(op->scope, MODEL_SCOPE_BLOCK);
    assert_int_equal(op->group, IR_NONE);
    assert_string_equal(op->group_type, "cooperative_groups::thread_block");
    // The size of a tile from its class.
    ir_function_id next = (ir_function_id)arrlen(scene.unit.function);
    assert_true(call(&scene, "cooperative_groups::__v1::__static_size_thread_block_tile_base::sync",
                     "", NULL));
    struct ir_template_arg size = {.kind = IR_ARG_INT, .value = 8};
    arrput(scene.unit.function[next].class_arg, size);
    ir_value again = (ir_value)arrlen(ir_builder_function(&scene.builder)->op) - 1;
    assert_true(model_match(scene.model, &scene.unit, ir_builder_function(&scene.builder), again,
                            &scene.op));
    assert_int_equal(op->tile_size, 8);
    assert_true(call(&scene, "cooperative_groups::thread_block::barrier_wait", "Tp",
                     "cooperative_groups::thread_block"));
    assert_int_equal(op->kind, MODEL_GROUP_WAIT);
    assert_int_equal(op->token, value[1]);
    assert_true(op->flags & MODEL_TOKEN_BY_ADDRESS);
    scene_release(&scene);
}

static void test_pipelines(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene);
    const ir_value *value = scene.value;
    const struct model_op *op = &scene.op;
    assert_true(call(&scene, "cuda::make_pipeline", "Rpbl",
                     "cuda::pipeline_shared_state<cuda::thread_scope_block, 4>"));
    assert_int_equal(op->kind, MODEL_PIPELINE_MAKE);
    assert_int_equal(op->result, value[0]);
    assert_int_equal(op->state, value[2]);
    assert_int_equal(op->count, value[3]);
    assert_int_equal(op->stages, 4);
    assert_true(call(&scene, "cuda::make_pipeline", "Rpbi",
                     "cuda::pipeline_shared_state<(cuda::thread_scope)2, 4>"));
    assert_int_equal(op->count, IR_NONE);
    assert_int_equal(op->value, value[3]);
    assert_int_equal(op->stages, 4);
    assert_true(call(&scene, "cuda::pipeline::consumer_wait", "T",
                     "cuda::pipeline<cuda::thread_scope_thread>"));
    assert_int_equal(op->scope, MODEL_SCOPE_THREAD);
    assert_true(call(&scene, "cuda::pipeline::consumer_wait", "T", "cuda::pipeline<10>"));
    assert_int_equal(op->scope, MODEL_SCOPE_THREAD);
    assert_true(call(&scene, "cuda::pipeline::consumer_wait", "T",
                     "cuda::pipeline<cuda::thread_scope_block>"));
    assert_int_equal(op->scope, MODEL_SCOPE_BLOCK);
    ir_function_id next = (ir_function_id)arrlen(scene.unit.function);
    assert_true(call(&scene, "cuda::pipeline_consumer_wait_prior", "b", "cuda::pipeline<10>"));
    struct ir_template_arg prior = {.kind = IR_ARG_INT, .value = 2};
    arrput(scene.unit.function[next].template_arg, prior);
    ir_value again = (ir_value)arrlen(ir_builder_function(&scene.builder)->op) - 1;
    assert_true(model_match(scene.model, &scene.unit, ir_builder_function(&scene.builder), again,
                            &scene.op));
    assert_int_equal(op->prior_constant, 2);
    assert_int_equal(op->object, value[0]);
    scene_release(&scene);
}

static void test_overloads_of_users(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene);
    assert_true(call(&scene, "min", "ii", NULL));
    assert_int_equal(scene.op.value_op, MODEL_VALUE_MIN);
    assert_int_equal(scene.op.argument[1], scene.value[1]);
    // A template over references is the user's own.
    assert_false(call(&scene, "min", "rr", NULL));
    assert_true(call(&scene, "__nv_popc", "i", NULL));
    // What writes through a pointer is no pure function.
    assert_false(call(&scene, "__nv_sincosf", "irr", NULL));
    assert_false(call(&scene, "__nvvm_read_ptx_sreg_tid_x", "", NULL) &&
                 scene.op.kind == MODEL_VALUE);
    assert_false(call(&scene, "anything", "i", NULL));
    scene_release(&scene);
}

// --- Rows of the user --------------------------------------------------------------------------

static void test_add(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene);
    struct error error = {0};
    assert_true(model_add(scene.model, "my::sync", "bar.sync", "ni", &error));
    assert_true(model_knows(scene.model, "my::sync"));
    assert_true(call(&scene, "my::sync", "ii", NULL));
    assert_int_equal(scene.op.kind, MODEL_NAMED_SYNC);
    assert_int_equal(scene.op.count, scene.value[0]);
    assert_int_equal(scene.op.id, scene.value[1]);
    assert_string_equal(scene.op.spelling, "my::sync");
    // Without roles: those of the row, without its destinations.
    assert_true(model_add(scene.model, "my::arrive", "mbarrier.arrive", NULL, &error));
    assert_true(call(&scene, "my::arrive", "pi", NULL));
    assert_int_equal(scene.op.object, scene.value[0]);
    assert_int_equal(scene.op.count, scene.value[1]);
    // The user's word comes first.
    assert_true(model_add(scene.model, "__syncthreads", "__syncwarp", "", &error));
    assert_true(call(&scene, "__syncthreads", "", NULL));
    assert_int_equal(scene.op.kind, MODEL_WARP_SYNC);
    assert_false(model_add(scene.model, "my::wait", "cuda::barrier::wiat", NULL, &error));
    assert_non_null(strstr(error.text, "did you mean 'cuda::barrier::wait'"));
    assert_false(model_add(scene.model, "my::wait", "qqqqqqqqqqqqqqqqqqqqqq", NULL, &error));
    assert_null(strstr(error.text, "did you mean"));
    assert_false(model_add(scene.model, "my::wait", "bar.sync", "iz", &error));
    assert_non_null(strstr(error.text, "'z' in roles 'iz'"));
    assert_false(model_add(scene.model, "my::wait<3>", "bar.sync", NULL, &error));
    assert_false(model_add(scene.model, "", "bar.sync", NULL, &error));
    scene_release(&scene);
}

static void test_what_is_no_operation(void **state)
{
    (void)state;
    struct scene scene;
    scene_init(&scene);
    ir_value constant = ir_build_const(&scene.builder, 0, 1);
    const struct ir_function *function = ir_builder_function(&scene.builder);
    assert_false(model_match(scene.model, &scene.unit, function, constant, &scene.op));
    assert_false(model_match(scene.model, &scene.unit, function, IR_NONE, &scene.op));
    ir_value wild = ir_build(&scene.builder, IR_CALL, IR_NONE, NULL, 0, 999);
    function = ir_builder_function(&scene.builder);
    assert_false(model_match(scene.model, &scene.unit, function, wild, &scene.op));
    assert_true(model_is_barrier(MODEL_NAMED_SYNC));
    assert_true(model_is_barrier(MODEL_PIPELINE_QUIT));
    assert_false(model_is_barrier(MODEL_VALUE));
    assert_false(model_is_barrier(MODEL_NONE));
    assert_string_equal(model_kind_name(MODEL_MBARRIER_ARRIVE), "mbarrier-arrive");
    model_free(NULL);
    scene_release(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instruction_kinds),
        cmocka_unit_test(test_instruction_operands),
        cmocka_unit_test(test_fences),
        cmocka_unit_test(test_barrier_calls),
        cmocka_unit_test(test_tags),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_pipelines),
        cmocka_unit_test(test_overloads_of_users),
        cmocka_unit_test(test_add),
        cmocka_unit_test(test_what_is_no_operation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
