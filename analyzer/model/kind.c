// Names of the kinds of operation.
#include "model/model.h"

static const char *const kind_name[MODEL_KIND_COUNT_] = {
    [MODEL_NONE] = "none",
    [MODEL_NAMED_SYNC] = "named-sync",
    [MODEL_NAMED_ARRIVE] = "named-arrive",
    [MODEL_NAMED_RED] = "named-red",
    [MODEL_WARP_SYNC] = "warp-sync",
    [MODEL_WARP_SHUFFLE] = "warp-shuffle",
    [MODEL_WARP_VOTE] = "warp-vote",
    [MODEL_WARP_MATCH] = "warp-match",
    [MODEL_WARP_REDUCE] = "warp-reduce",
    [MODEL_WARP_ELECT] = "warp-elect",
    [MODEL_ACTIVE_MASK] = "active-mask",
    [MODEL_WARPGROUP] = "warpgroup",
    [MODEL_WARP_ALIGNED] = "warp-aligned",
    [MODEL_CLUSTER_ARRIVE] = "cluster-arrive",
    [MODEL_CLUSTER_WAIT] = "cluster-wait",
    [MODEL_CLUSTER_SYNC] = "cluster-sync",
    [MODEL_MBARRIER_INIT] = "mbarrier-init",
    [MODEL_MBARRIER_INVAL] = "mbarrier-inval",
    [MODEL_MBARRIER_ARRIVE] = "mbarrier-arrive",
    [MODEL_MBARRIER_EXPECT_TX] = "mbarrier-expect-tx",
    [MODEL_MBARRIER_COMPLETE_TX] = "mbarrier-complete-tx",
    [MODEL_MBARRIER_TEST] = "mbarrier-test",
    [MODEL_MBARRIER_WAIT] = "mbarrier-wait",
    [MODEL_MBARRIER_ARRIVE_WAIT] = "mbarrier-arrive-wait",
    [MODEL_MBARRIER_PENDING] = "mbarrier-pending",
    [MODEL_MBARRIER_CP_ASYNC_ARRIVE] = "mbarrier-cp-async-arrive",
    [MODEL_MBARRIER_ASYNC_ARRIVE] = "mbarrier-async-arrive",
    [MODEL_MBARRIER_HANDLE] = "mbarrier-handle",
    [MODEL_BULK_LOAD] = "bulk-load",
    [MODEL_BULK_STORE] = "bulk-store",
    [MODEL_BULK_COMMIT] = "bulk-commit",
    [MODEL_BULK_WAIT] = "bulk-wait",
    [MODEL_ASYNC_STORE] = "async-store",
    [MODEL_CP_ASYNC] = "cp-async",
    [MODEL_CP_ASYNC_COMMIT] = "cp-async-commit",
    [MODEL_CP_ASYNC_WAIT] = "cp-async-wait",
    [MODEL_GROUP_COPY] = "group-copy",
    [MODEL_GROUP_COPY_WAIT] = "group-copy-wait",
    [MODEL_GROUP_SYNC] = "group-sync",
    [MODEL_GROUP_ARRIVE] = "group-arrive",
    [MODEL_GROUP_WAIT] = "group-wait",
    [MODEL_GROUP_COLLECTIVE] = "group-collective",
    [MODEL_GROUP_MAKE] = "group-make",
    [MODEL_GRID_SYNC] = "grid-sync",
    [MODEL_GRID_ARRIVE] = "grid-arrive",
    [MODEL_GRID_WAIT] = "grid-wait",
    [MODEL_PIPELINE_MAKE] = "pipeline-make",
    [MODEL_PIPELINE_ACQUIRE] = "pipeline-acquire",
    [MODEL_PIPELINE_COMMIT] = "pipeline-commit",
    [MODEL_PIPELINE_WAIT] = "pipeline-wait",
    [MODEL_PIPELINE_RELEASE] = "pipeline-release",
    [MODEL_PIPELINE_QUIT] = "pipeline-quit",
    [MODEL_PIPELINE_COPY] = "pipeline-copy",
    [MODEL_FENCE] = "fence",
    [MODEL_GRID_DEPENDENCY_WAIT] = "grid-dependency-wait",
    [MODEL_GRID_DEPENDENCY_LAUNCH] = "grid-dependency-launch",
    [MODEL_SETMAXNREG] = "setmaxnreg",
    [MODEL_CLUSTER_LAUNCH_CANCEL] = "cluster-launch-cancel",
    [MODEL_ADDRESS_SAME] = "address-same",
    [MODEL_ADDRESS_PEER] = "address-peer",
    [MODEL_VALUE] = "value",
    [MODEL_MEMORY_SET] = "memory-set",
    [MODEL_ATOMIC] = "atomic",
    [MODEL_TRAP] = "trap",
    [MODEL_EXIT] = "exit",
    [MODEL_NOTHING] = "nothing",
};

const char *model_kind_name(enum model_kind kind)
{
    return (unsigned)kind < MODEL_KIND_COUNT_ && kind_name[kind] ? kind_name[kind] : "?";
}

bool model_releases(const struct model_op *op)
{
    return op->kind == MODEL_ATOMIC && op->flags & MODEL_RELEASE &&
           !(op->flags & MODEL_SCOPE_IS_CLUSTER);
}

bool model_releases_block(const struct model_op *op)
{
    return op->kind == MODEL_ATOMIC && op->flags & (MODEL_RELEASE | MODEL_RELEASES_BLOCK);
}

bool model_is_barrier(enum model_kind kind)
{
    switch (kind) {
    case MODEL_NONE:
    case MODEL_ACTIVE_MASK:
    case MODEL_WARP_ALIGNED:
    case MODEL_MBARRIER_HANDLE:
        return false;
    default:
        return kind < MODEL_ADDRESS_SAME;
    }
}
