// What c10/macros/Macros.h and c10/util/Exception.h define. Messages are left out; a check that
// fails does not come back.
#ifndef BARLINT_TORCH_MACROS_H
#define BARLINT_TORCH_MACROS_H

#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_HOST __host__
#define C10_LAUNCH_BOUNDS_0 __launch_bounds__(256, 4)
#define C10_LAUNCH_BOUNDS_1(threads) __launch_bounds__((threads))
#define C10_LAUNCH_BOUNDS_2(threads, blocks) __launch_bounds__((threads), (blocks))
#define C10_WARP_SIZE 32
#define C10_ALWAYS_INLINE __attribute__((always_inline)) inline
#define C10_NOINLINE __attribute__((noinline))
#define C10_LIKELY(e) (e)
#define C10_UNLIKELY(e) (e)
#define C10_NODISCARD [[nodiscard]]
#define C10_UNUSED __attribute__((unused))
#define C10_UNUSED_DISPATCH_CUDA_WORKAROUND C10_UNUSED
#define C10_RESTRICT __restrict__
#define C10_API
#define C10_EXPORT
#define C10_CUDA_API
#define TORCH_API
#define TORCH_CUDA_CPP_API
#define TORCH_CUDA_CU_API
#define AT_HOST_DEVICE __host__ __device__
#define C10_STRINGIZE_IMPL(x) #x
#define C10_STRINGIZE(x) C10_STRINGIZE_IMPL(x)
#define C10_CONCATENATE_IMPL(a, b) a##b
#define C10_CONCATENATE(a, b) C10_CONCATENATE_IMPL(a, b)
#define C10_ANONYMOUS_VARIABLE(name) C10_CONCATENATE(name, __COUNTER__)
#define TORCH_VERSION_MAJOR 2
#define TORCH_VERSION_MINOR 8
#define TORCH_VERSION_PATCH 0
#define TORCH_VERSION "2.8.0"

namespace c10 {
namespace detail {
[[noreturn]] __host__ __device__ void barlint_fail();
template <class... A> __host__ __device__ void barlint_say(const A &...);
} // namespace detail
class Error {
  public:
    const char *what() const;
};
} // namespace c10

#define BARLINT_TORCH_CHECK(condition)                                                             \
    do {                                                                                           \
        if (!(condition))                                                                          \
            ::c10::detail::barlint_fail();                                                         \
    } while (0)
#define TORCH_CHECK(condition, ...) BARLINT_TORCH_CHECK(condition)
#define TORCH_CHECK_WITH(kind, condition, ...) BARLINT_TORCH_CHECK(condition)
#define TORCH_CHECK_ARG(condition, number, ...) BARLINT_TORCH_CHECK(condition)
#define TORCH_CHECK_INDEX(condition, ...) BARLINT_TORCH_CHECK(condition)
#define TORCH_CHECK_VALUE(condition, ...) BARLINT_TORCH_CHECK(condition)
#define TORCH_CHECK_TYPE(condition, ...) BARLINT_TORCH_CHECK(condition)
#define TORCH_CHECK_NOT_IMPLEMENTED(condition, ...) BARLINT_TORCH_CHECK(condition)
#define TORCH_CHECK_EQ(a, b) BARLINT_TORCH_CHECK((a) == (b))
#define TORCH_CHECK_NE(a, b) BARLINT_TORCH_CHECK((a) != (b))
#define TORCH_CHECK_LE(a, b) BARLINT_TORCH_CHECK((a) <= (b))
#define TORCH_CHECK_LT(a, b) BARLINT_TORCH_CHECK((a) < (b))
#define TORCH_CHECK_GE(a, b) BARLINT_TORCH_CHECK((a) >= (b))
#define TORCH_CHECK_GT(a, b) BARLINT_TORCH_CHECK((a) > (b))
#define TORCH_INTERNAL_ASSERT(condition, ...) BARLINT_TORCH_CHECK(condition)
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(condition, ...) BARLINT_TORCH_CHECK(condition)
#define STD_TORCH_CHECK(condition, ...) BARLINT_TORCH_CHECK(condition)
#define STD_TORCH_CHECK_NOT_IMPLEMENTED(condition, ...) BARLINT_TORCH_CHECK(condition)
#define TORCH_ERROR_CODE_CHECK(call) BARLINT_TORCH_CHECK((call) == 0)
#define AOTI_TORCH_ERROR_CODE_CHECK(call) BARLINT_TORCH_CHECK((call) == 0)
#define AT_ASSERT(condition, ...) BARLINT_TORCH_CHECK(condition)
#define AT_ASSERTM(condition, ...) BARLINT_TORCH_CHECK(condition)
#define AT_CHECK(condition, ...) BARLINT_TORCH_CHECK(condition)
#define AT_ERROR(...) ::c10::detail::barlint_fail()
#define C10_THROW_ERROR(kind, ...) ::c10::detail::barlint_fail()
#define TORCH_WARN(...) ((void)0)
#define TORCH_WARN_ONCE(...) ((void)0)
#define AT_WARN(...) ((void)0)
#define CUDA_KERNEL_ASSERT(condition) assert(condition)
#define CUDA_KERNEL_ASSERT_MSG(condition, ...) assert(condition)
#define CUDA_KERNEL_ASSERT2(condition) assert(condition)

#endif
