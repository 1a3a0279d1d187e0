// nvcuda::experimental::awbarrier, the first C++ face of the mbarrier.
#ifndef BARLINT_CUDA_AWBARRIER_H
#define BARLINT_CUDA_AWBARRIER_H

#include "cuda_awbarrier_primitives.h"

namespace nvcuda {
namespace experimental {

class awbarrier {
    uint64_t barrier;

  public:
    class arrival_token {
        uint64_t token;

      public:
        arrival_token() = default;
        __device__ uint32_t pending_count() const;
    };
    awbarrier() = default;
    awbarrier(const awbarrier &) = delete;
    awbarrier &operator=(const awbarrier &) = delete;
    __device__ arrival_token arrive();
    __device__ arrival_token arrive_and_drop();
    __device__ bool timed_wait(arrival_token token, uint32_t nanoseconds);
    __device__ bool timed_wait_parity(bool phase, uint32_t nanoseconds);
    __device__ void wait(arrival_token token);
    __device__ void arrive_and_wait();
    __device__ bool try_wait(arrival_token token, uint32_t max_sleep_nanosec);
    __device__ bool try_wait_parity(bool phase, uint32_t max_sleep_nanosec);
    static constexpr __device__ uint32_t max() { return (1 << 20) - 1; }
    friend __device__ void init(awbarrier *barrier, uint32_t expected_count);
    friend __device__ void inval(awbarrier *barrier);
    friend class pipeline;
};

} // namespace experimental
} // namespace nvcuda

#endif
