// The barrier semantics core: what CUDA's barriers do, as state machines. Each is a plain struct
// and pure functions: state and operation in, new state, violations and the hardware's behaviour
// out. The analyzer runs them with the threads it derives from the source, the device library with
// those that really run: both mean the same by a rule.
//
// Plain C17 that C++ compilers accept and nvcc compiles for the device: no allocation, no library,
// no recursion. The functions do not lock; on a device the caller does.
//
//   effect.h          violations as a set, the effect of an operation; violation.def lists all
//   mbarrier_state.h  the mbarrier object: its state, initialisation, invalidation
//   mbarrier.h        its transactions, arrivals, tests
//   mbarrier_use.h    what a thread does with it: parities, lag, drops; waits that never end
//   named.h           bar and barrier, __syncthreads
//   cluster.h         barrier.cluster
//   warp.h            __syncwarp, elect and the other operations with a lane mask
//   group.h           split barriers of cooperative groups
//   pipeline.h        cuda::pipeline, CUTLASS's pipelines, full and empty pairs
//   async.h           per-thread groups of asynchronous copies, their operands
#ifndef BARLINT_SEMANTICS_H
#define BARLINT_SEMANTICS_H

#include "semantics/async.h"
#include "semantics/cluster.h"
#include "semantics/effect.h"
#include "semantics/group.h"
#include "semantics/mbarrier.h"
#include "semantics/mbarrier_use.h"
#include "semantics/named.h"
#include "semantics/pipeline.h"
#include "semantics/warp.h"

#endif
