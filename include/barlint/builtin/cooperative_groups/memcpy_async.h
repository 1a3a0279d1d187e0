// cooperative_groups::memcpy_async, wait and wait_prior.
#ifndef BARLINT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define BARLINT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"
#include "../cuda/barrier"

namespace cooperative_groups {
template <typename Group, typename T, typename Size>
BARLINT_CGD void memcpy_async(const Group &group, T *dst, const T *src, const Size &bytes);
template <typename Group, typename Size>
BARLINT_CGD void memcpy_async(const Group &group, void *dst, const void *src, const Size &bytes);
template <typename Group, typename T, typename DstLayout, typename SrcLayout>
BARLINT_CGD void memcpy_async(const Group &group, T *dst, const DstLayout &dst_layout, const T *src,
                              const SrcLayout &src_layout);
template <unsigned int stages, typename Group> BARLINT_CGD void wait_prior(const Group &group);
template <typename Group> BARLINT_CGD void wait(const Group &group);
} // namespace cooperative_groups

#endif
