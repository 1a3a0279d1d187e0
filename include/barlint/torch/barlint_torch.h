// The part of torch, ATen and c10 that CUDA sources use, for machines where torch is not found. A
// folder of torch's own headers is searched first, so each file here stands in only for one that
// none of these holds. Sizes, contents and devices of tensors are unknown.
#ifndef BARLINT_TORCH_H
#define BARLINT_TORCH_H

#if __has_include(<c10/core/TensorImpl.h>)
#error "torch's headers are there in part: barlint's own declarations do not mix with them"
#else

#include "barlint_device.h"
#include "barlint_dispatch.h"
#include "barlint_library.h"

namespace torch {
using namespace c10;
}

#endif
#endif
