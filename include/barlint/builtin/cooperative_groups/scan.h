// cooperative_groups::inclusive_scan, exclusive_scan and their updating forms.
#ifndef BARLINT_COOPERATIVE_GROUPS_SCAN_H
#define BARLINT_COOPERATIVE_GROUPS_SCAN_H

#include "../cooperative_groups.h"

namespace cooperative_groups {
template <typename Group, typename T>
BARLINT_CGD details::barlint_bare_t<T> inclusive_scan(const Group &group, T &&value);
template <typename Group, typename T, typename F>
BARLINT_CG details::barlint_bare_t<T> inclusive_scan(const Group &group, T &&value, F &&op) {
    return op(value, value);
}
template <typename Group, typename T>
BARLINT_CGD details::barlint_bare_t<T> exclusive_scan(const Group &group, T &&value);
template <typename Group, typename T, typename F>
BARLINT_CG details::barlint_bare_t<T> exclusive_scan(const Group &group, T &&value, F &&op) {
    return op(value, value);
}
template <typename Group, typename A, typename T> BARLINT_CGD details::barlint_bare_t<T>
inclusive_scan_update(const Group &group, A &total, T &&value);
template <typename Group, typename A, typename T, typename F> BARLINT_CG details::barlint_bare_t<T>
inclusive_scan_update(const Group &group, A &total, T &&value, F &&op) {
    return op(value, value);
}
template <typename Group, typename A, typename T> BARLINT_CGD details::barlint_bare_t<T>
exclusive_scan_update(const Group &group, A &total, T &&value);
template <typename Group, typename A, typename T, typename F> BARLINT_CG details::barlint_bare_t<T>
exclusive_scan_update(const Group &group, A &total, T &&value, F &&op) {
    return op(value, value);
}
} // namespace cooperative_groups

#endif
