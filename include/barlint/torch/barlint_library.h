// Libraries of operators and Python modules: what registers functions is read and means nothing.
#ifndef BARLINT_TORCH_LIBRARY_H
#define BARLINT_TORCH_LIBRARY_H

#include "barlint_tensor.h"

namespace torch {
class Library {
  public:
    template <typename... A> Library &def(const A &...);
    template <typename... A> Library &impl(const A &...);
    template <typename... A> Library &fallback(const A &...);
    template <typename... A> Library &set_python_module(const A &...);
};
template <typename... A> int dispatch(const A &...);
template <typename... A> int schema(const A &...);
} // namespace torch

#define TORCH_FN(f) f
#define TORCH_META_FUNC(name) void name
#define TORCH_BOX(f) f
#define TORCH_SELECTIVE_NAME(name) name
#define TORCH_SELECTIVE_SCHEMA(text) text
#define BARLINT_TORCH_REGISTER(m)                                                                  \
    static void C10_CONCATENATE(barlint_register_, __LINE__)(torch::Library &m)
#define TORCH_LIBRARY(ns, m) BARLINT_TORCH_REGISTER(m)
#define TORCH_LIBRARY_FRAGMENT(ns, m) BARLINT_TORCH_REGISTER(m)
#define TORCH_LIBRARY_IMPL(ns, key, m) BARLINT_TORCH_REGISTER(m)
#define STABLE_TORCH_LIBRARY(ns, m) BARLINT_TORCH_REGISTER(m)
#define STABLE_TORCH_LIBRARY_FRAGMENT(ns, m) BARLINT_TORCH_REGISTER(m)
#define STABLE_TORCH_LIBRARY_IMPL(ns, key, m) BARLINT_TORCH_REGISTER(m)

#endif
