// cooperative_groups::reduce and its asynchronous forms.
#ifndef BARLINT_COOPERATIVE_GROUPS_REDUCE_H
#define BARLINT_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

namespace cooperative_groups {
template <typename Group, typename T, typename F>
BARLINT_CG details::barlint_bare_t<T> reduce(const Group &group, T &&value, F &&op) {
    return op(value, value);
}
template <typename Group, typename A, typename T, typename F>
BARLINT_CG void reduce_update_async(const Group &group, A &&destination, T &&value, F &&op) {
    op(value, value);
}
// The destination is a pointer, an atomic object, or a reference to one, which may be a temporary.
template <typename Group, typename A, typename T, typename F>
BARLINT_CG void reduce_store_async(const Group &group, A *destination, T &&value, F &&op) {
    op(value, value);
}
template <typename Group, typename A, typename T, typename F>
BARLINT_CG void reduce_store_async(const Group &group, A &&destination, T &&value, F &&op) {
    op(value, value);
}
} // namespace cooperative_groups

#endif
