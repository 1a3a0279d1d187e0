// Dispatch on the type of a tensor's elements. Where torch has many types, a few stand for all: what
// a kernel does to barriers hardly depends on them, and each is an instance to be analysed.
#ifndef BARLINT_TORCH_DISPATCH_H
#define BARLINT_TORCH_DISPATCH_H

#include "barlint_tensor.h"

namespace detail {
inline at::ScalarType scalar_type(at::ScalarType kind) { return kind; }
at::ScalarType scalar_type(const at::DeprecatedTypeProperties &type);
at::ScalarType scalar_type(const caffe2::TypeMeta &meta);
} // namespace detail

#define AT_DISPATCH_SWITCH(TYPE, NAME, ...)                                                        \
    [&] {                                                                                          \
        const auto &the_type = TYPE;                                                               \
        constexpr const char *at_dispatch_name = NAME;                                             \
        (void)at_dispatch_name;                                                                    \
        at::ScalarType _st = ::detail::scalar_type(the_type);                                      \
        switch (_st) {                                                                             \
            __VA_ARGS__                                                                            \
        default:                                                                                   \
            ::c10::detail::barlint_fail();                                                         \
        }                                                                                          \
    }()
#define AT_PRIVATE_CASE_TYPE_USING_HINT(kind, hint, ...)                                           \
    case kind: {                                                                                   \
        using hint __attribute__((unused)) = c10::impl::ScalarTypeToCPPTypeT<kind>;                \
        return __VA_ARGS__();                                                                      \
    }
#define AT_DISPATCH_CASE(kind, ...) AT_PRIVATE_CASE_TYPE_USING_HINT(kind, scalar_t, __VA_ARGS__)
#define AT_DISPATCH_CASE_TMPL(kind, ...) AT_DISPATCH_CASE(kind, __VA_ARGS__)
#define AT_PRIVATE_CHECK_SELECTIVE_BUILD(kind) ((void)0)

#define AT_DISPATCH_CASE_FLOATING_TYPES(...)                                                       \
    AT_DISPATCH_CASE(at::ScalarType::Float, __VA_ARGS__)                                           \
    AT_DISPATCH_CASE(at::ScalarType::Double, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND_HALF(...)                                              \
    AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)                                                   \
    AT_DISPATCH_CASE(at::ScalarType::Half, __VA_ARGS__)
#define AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES(...)                                               \
    AT_DISPATCH_CASE(at::ScalarType::Half, __VA_ARGS__)                                            \
    AT_DISPATCH_CASE(at::ScalarType::BFloat16, __VA_ARGS__)
#define AT_DISPATCH_CASE_INTEGRAL_TYPES(...)                                                       \
    AT_DISPATCH_CASE(at::ScalarType::Int, __VA_ARGS__)                                             \
    AT_DISPATCH_CASE(at::ScalarType::Long, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES(...)                                                            \
    AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)                                                   \
    AT_DISPATCH_CASE(at::ScalarType::Long, __VA_ARGS__)
#define AT_DISPATCH_CASE_COMPLEX_TYPES(...)                                                        \
    AT_DISPATCH_CASE(at::ScalarType::ComplexFloat, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(...)                                           \
    AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)                                                   \
    AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(...)                                                \
    AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)                                                        \
    AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__)

// Each set, and with types that are named as well.
#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...)                                                \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND(a, ...)                                                \
    AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)                                                   \
    AT_DISPATCH_CASE(a, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND(a, TYPE, NAME, ...)                                         \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND(a, __VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND2(a, b, ...)                                            \
    AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)                                                   \
    AT_DISPATCH_CASE(a, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(b, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND2(a, b, TYPE, NAME, ...)                                     \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND2(a, b, __VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND3(a, b, c, ...)                                         \
    AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)                                                   \
    AT_DISPATCH_CASE(a, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(b, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(c, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND3(a, b, c, TYPE, NAME, ...)                                  \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND3(a, b, c, __VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND4(a, b, c, d, ...)                                      \
    AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)                                                   \
    AT_DISPATCH_CASE(a, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(b, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(c, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(d, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND4(a, b, c, d, TYPE, NAME, ...)                               \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND4(a, b, c, d, __VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND5(a, b, c, d, e, ...)                                   \
    AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)                                                   \
    AT_DISPATCH_CASE(a, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(b, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(c, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(d, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(e, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND5(a, b, c, d, e, TYPE, NAME, ...)                            \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND5(a, b, c, d, e, __VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_TYPES_AND6(a, b, c, d, e, f, ...)                                \
    AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)                                                   \
    AT_DISPATCH_CASE(a, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(b, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(c, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(d, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(e, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(f, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND6(a, b, c, d, e, f, TYPE, NAME, ...)                         \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND6(a, b, c, d, e, f, __VA_ARGS__))
#define AT_DISPATCH_REDUCED_FLOATING_TYPES(TYPE, NAME, ...)                                        \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES(__VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES(TYPE, NAME, ...)                                                \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_CASE_INTEGRAL_TYPES_AND(a, ...)                                                \
    AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__)                                                   \
    AT_DISPATCH_CASE(a, __VA_ARGS__)
#define AT_DISPATCH_INTEGRAL_TYPES_AND(a, TYPE, NAME, ...)                                         \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_INTEGRAL_TYPES_AND(a, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES(TYPE, NAME, ...)                                                     \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_CASE_ALL_TYPES_AND(a, ...)                                                     \
    AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)                                                        \
    AT_DISPATCH_CASE(a, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND(a, TYPE, NAME, ...)                                              \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND(a, __VA_ARGS__))
#define AT_DISPATCH_CASE_ALL_TYPES_AND2(a, b, ...)                                                 \
    AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)                                                        \
    AT_DISPATCH_CASE(a, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(b, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND2(a, b, TYPE, NAME, ...)                                          \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND2(a, b, __VA_ARGS__))
#define AT_DISPATCH_CASE_ALL_TYPES_AND3(a, b, c, ...)                                              \
    AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)                                                        \
    AT_DISPATCH_CASE(a, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(b, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(c, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND3(a, b, c, TYPE, NAME, ...)                                       \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND3(a, b, c, __VA_ARGS__))
#define AT_DISPATCH_CASE_ALL_TYPES_AND4(a, b, c, d, ...)                                           \
    AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)                                                        \
    AT_DISPATCH_CASE(a, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(b, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(c, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(d, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND4(a, b, c, d, TYPE, NAME, ...)                                    \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND4(a, b, c, d, __VA_ARGS__))
#define AT_DISPATCH_CASE_ALL_TYPES_AND5(a, b, c, d, e, ...)                                        \
    AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)                                                        \
    AT_DISPATCH_CASE(a, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(b, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(c, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(d, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(e, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND5(a, b, c, d, e, TYPE, NAME, ...)                                 \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND5(a, b, c, d, e, __VA_ARGS__))
#define AT_DISPATCH_CASE_ALL_TYPES_AND6(a, b, c, d, e, f, ...)                                     \
    AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)                                                        \
    AT_DISPATCH_CASE(a, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(b, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(c, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(d, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(e, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(f, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND6(a, b, c, d, e, f, TYPE, NAME, ...)                              \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND6(a, b, c, d, e, f, __VA_ARGS__))
#define AT_DISPATCH_COMPLEX_TYPES(TYPE, NAME, ...)                                                 \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(TYPE, NAME, ...)                                    \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND(a, ...)                                    \
    AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__)                                       \
    AT_DISPATCH_CASE(a, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND(a, TYPE, NAME, ...)                             \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND(a, __VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND2(a, b, ...)                                \
    AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__)                                       \
    AT_DISPATCH_CASE(a, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(b, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND2(a, b, TYPE, NAME, ...)                         \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND2(a, b, __VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND3(a, b, c, ...)                             \
    AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__)                                       \
    AT_DISPATCH_CASE(a, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(b, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(c, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND3(a, b, c, TYPE, NAME, ...)                      \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND3(a, b, c, __VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND4(a, b, c, d, ...)                          \
    AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__)                                       \
    AT_DISPATCH_CASE(a, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(b, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(c, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(d, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND4(a, b, c, d, TYPE, NAME, ...)                   \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND4(a, b, c, d, __VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND5(a, b, c, d, e, ...)                       \
    AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__)                                       \
    AT_DISPATCH_CASE(a, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(b, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(c, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(d, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(e, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND5(a, b, c, d, e, TYPE, NAME, ...)                \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND5(a, b, c, d, e, __VA_ARGS__))
#define AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND6(a, b, c, d, e, f, ...)                    \
    AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES(__VA_ARGS__)                                       \
    AT_DISPATCH_CASE(a, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(b, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(c, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(d, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(e, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(f, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND6(a, b, c, d, e, f, TYPE, NAME, ...)             \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_AND_COMPLEX_TYPES_AND6(a, b, c, d, e, f, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX(TYPE, NAME, ...)                                         \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__))
#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND(a, ...)                                         \
    AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)                                            \
    AT_DISPATCH_CASE(a, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND(a, TYPE, NAME, ...)                                  \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND(a, __VA_ARGS__))
#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND2(a, b, ...)                                     \
    AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)                                            \
    AT_DISPATCH_CASE(a, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(b, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(a, b, TYPE, NAME, ...)                              \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND2(a, b, __VA_ARGS__))
#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND3(a, b, c, ...)                                  \
    AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)                                            \
    AT_DISPATCH_CASE(a, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(b, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(c, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(a, b, c, TYPE, NAME, ...)                           \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND3(a, b, c, __VA_ARGS__))
#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND4(a, b, c, d, ...)                               \
    AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)                                            \
    AT_DISPATCH_CASE(a, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(b, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(c, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(d, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND4(a, b, c, d, TYPE, NAME, ...)                        \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND4(a, b, c, d, __VA_ARGS__))
#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND5(a, b, c, d, e, ...)                            \
    AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)                                            \
    AT_DISPATCH_CASE(a, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(b, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(c, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(d, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(e, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND5(a, b, c, d, e, TYPE, NAME, ...)                     \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND5(a, b, c, d, e, __VA_ARGS__))
#define AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND6(a, b, c, d, e, f, ...)                         \
    AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX(__VA_ARGS__)                                            \
    AT_DISPATCH_CASE(a, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(b, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(c, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(d, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(e, __VA_ARGS__)                                                               \
    AT_DISPATCH_CASE(f, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND6(a, b, c, d, e, f, TYPE, NAME, ...)                  \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ALL_TYPES_AND_COMPLEX_AND6(a, b, c, d, e, f, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(TYPE, NAME, ...)                                       \
    AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES_AND_HALF(__VA_ARGS__))
#define AT_DISPATCH_INDEX_TYPES(TYPE, NAME, ...)                                                   \
    AT_DISPATCH_SWITCH(                                                                            \
        TYPE, NAME,                                                                                \
        AT_PRIVATE_CASE_TYPE_USING_HINT(at::ScalarType::Int, index_t, __VA_ARGS__)                 \
            AT_PRIVATE_CASE_TYPE_USING_HINT(at::ScalarType::Long, index_t, __VA_ARGS__))

// The second form, AT_DISPATCH_V2(type, "name", AT_WRAP(lambda), kHalf, AT_EXPAND(AT_ALL_TYPES)).
#define AT_WRAP(...) __VA_ARGS__
#define AT_EXPAND(list) list
#define AT_FLOATING_TYPES at::ScalarType::Float, at::ScalarType::Double
#define AT_INTEGRAL_TYPES at::ScalarType::Int, at::ScalarType::Long
#define AT_INTEGRAL_TYPES_V2 AT_INTEGRAL_TYPES
#define AT_BAREBONES_UNSIGNED_TYPES at::ScalarType::UInt32
#define AT_ALL_TYPES AT_FLOATING_TYPES, at::ScalarType::Long
#define AT_COMPLEX_TYPES at::ScalarType::ComplexFloat
#define AT_ALL_TYPES_AND_COMPLEX AT_ALL_TYPES, AT_COMPLEX_TYPES
#define BARLINT_TORCH_V2_1(f, a) AT_DISPATCH_CASE(a, AT_WRAP f)
#define BARLINT_TORCH_V2_2(f, a, ...) BARLINT_TORCH_V2_1(f, a) BARLINT_TORCH_V2_1(f, __VA_ARGS__)
#define BARLINT_TORCH_V2_3(f, a, ...) BARLINT_TORCH_V2_1(f, a) BARLINT_TORCH_V2_2(f, __VA_ARGS__)
#define BARLINT_TORCH_V2_4(f, a, ...) BARLINT_TORCH_V2_1(f, a) BARLINT_TORCH_V2_3(f, __VA_ARGS__)
#define BARLINT_TORCH_V2_5(f, a, ...) BARLINT_TORCH_V2_1(f, a) BARLINT_TORCH_V2_4(f, __VA_ARGS__)
#define BARLINT_TORCH_V2_6(f, a, ...) BARLINT_TORCH_V2_1(f, a) BARLINT_TORCH_V2_5(f, __VA_ARGS__)
#define BARLINT_TORCH_V2_7(f, a, ...) BARLINT_TORCH_V2_1(f, a) BARLINT_TORCH_V2_6(f, __VA_ARGS__)
#define BARLINT_TORCH_V2_8(f, a, ...) BARLINT_TORCH_V2_1(f, a) BARLINT_TORCH_V2_7(f, __VA_ARGS__)
#define BARLINT_TORCH_V2_PICK(_1, _2, _3, _4, _5, _6, _7, _8, name, ...) name
#define BARLINT_TORCH_V2_CALL(name, ...) name(__VA_ARGS__)
#define BARLINT_TORCH_V2(f, ...)                                                                   \
    BARLINT_TORCH_V2_CALL(                                                                         \
        BARLINT_TORCH_V2_PICK(__VA_ARGS__, BARLINT_TORCH_V2_8, BARLINT_TORCH_V2_7,                 \
                              BARLINT_TORCH_V2_6, BARLINT_TORCH_V2_5, BARLINT_TORCH_V2_4,          \
                              BARLINT_TORCH_V2_3, BARLINT_TORCH_V2_2, BARLINT_TORCH_V2_1),         \
        f, __VA_ARGS__)
#define THO_DISPATCH_SWITCH(TYPE, NAME, ...) AT_DISPATCH_SWITCH(TYPE, NAME, __VA_ARGS__)
#define THO_DISPATCH_CASE(kind, ...) AT_DISPATCH_CASE(kind, __VA_ARGS__)
#define THO_DISPATCH_V2(...) AT_DISPATCH_V2(__VA_ARGS__)
#define AT_DISPATCH_V2(TYPE, NAME, BODY, ...)                                                      \
    AT_DISPATCH_SWITCH(TYPE, NAME, BARLINT_TORCH_V2((BODY), __VA_ARGS__))

#endif
