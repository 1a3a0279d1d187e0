// The producer never goes on to the next stage: it gets ahead at the first one, and nobody ever
// comes to the others.
#include <cstdint>
#include <cuda_runtime.h>
// One hardware barrier and what goes with it.
class Gate {
  public:
    Gate() = default;
    __device__ void open(unsigned arrivals) {
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address()), "r"(arrivals)
                     : "memory");
    }
    __device__ void close() { asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(address())
                                           : "memory"); }
    __device__ void signal() { asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(address())
                                            : "memory"); }
    __device__ void signal(unsigned n) { asm volatile("mbarrier.arrive.shared.b64 _, [%0], %1;" ::"r"(address()), "r"(n)
                                                      : "memory"); }
    __device__ void announce(unsigned bytes) {
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(address()), "r"(bytes)
                     : "memory");
    }
    __device__ bool passed(unsigned parity) const {
        unsigned r;
        asm volatile("{\n.reg .pred q;\nmbarrier.try_wait.parity.shared.b64 q, [%1], %2;\nselp.b32 %0, 1, 0, q;\n}"
                     : "=r"(r)
                     : "r"(address()), "r"(parity)
                     : "memory");
        return r;
    }
    __device__ void await(unsigned parity) const {
        while (!passed(parity)) {
        }
    }
    __device__ unsigned address() const { return (unsigned)__cvta_generic_to_shared(&word_); }

  private:
    uint64_t word_;
};
template <int N>
struct State {
    int index = 0;
    uint32_t phase;
    __device__ explicit State(uint32_t p) : phase(p) {}
    __device__ State &operator++() {
        if (++index == N) {
            index = 0;
            phase ^= 1;
        }
        return *this;
    }
};
template <int N>
struct PipelineTwo {
    struct Shared {
        Gate full[N], empty[N];
    };
    using Producer = State<N>;
    Shared &sh;
    __device__ static Producer producer_start() { return Producer{1}; }
    __device__ static State<N> consumer_start() { return State<N>{0}; }
    __device__ void acquire(const Producer &s) {
        sh.empty[s.index].await(s.phase);
    }
    __device__ void commit(const Producer &s) { sh.full[s.index].signal(); }
    __device__ void wait(const State<N> &s) { sh.full[s.index].await(s.phase); }
    __device__ void release(const State<N> &s) { sh.empty[s.index].signal(); }
};
template <int N>
__global__ void __launch_bounds__(256) mainloop(const float *g, float *out, int n) {
    using P = PipelineTwo<N>;
    __shared__ typename P::Shared sh;
    __shared__ float s[N][128];
    if (threadIdx.x == 0)
        for (int i = 0; i < N; ++i) {
            sh.full[i].open(128);
            sh.empty[i].open(128);
        }
    __syncthreads();
    P pipe{sh};
    const int me = threadIdx.x % 128;
    if (threadIdx.x < 128) {
        auto w = P::producer_start();
        for (int i = 0; i < n; ++i) {
            pipe.acquire(w);
            s[w.index][me] = g[i * 128 + me];
            pipe.commit(w);
        }
    } else {
        auto r = P::consumer_start();
        for (int i = 0; i < n; ++i, ++r) {
            pipe.wait(r); // expect: init-count-mismatch
            out[i * 128 + me] = s[r.index][127 - me];
            pipe.release(r);
        }
    }
}
void launch(const float *g, float *o, int n) { mainloop<3><<<1, 256>>>(g, o, n); }
