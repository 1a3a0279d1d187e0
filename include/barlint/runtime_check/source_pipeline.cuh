// cuda::pipeline: its stages are made of cuda::barrier, which source_barrier.cuh checks. The class
// here, over libcu++'s own, adds where its functions are called.
#define pipeline barlint_plain_pipeline
#define make_pipeline barlint_plain_make_pipeline
#include <cuda/pipeline>
#undef pipeline
#undef make_pipeline

namespace cuda
{

template <thread_scope Scope> class pipeline : public barlint_plain_pipeline<Scope>
{
    using plain = barlint_plain_pipeline<Scope>;

  public:
    __host__ __device__ pipeline(plain &&made) : plain(static_cast<plain &&>(made)) {}

    __host__ __device__ bool quit(BARLINT_RT_FROM)
    {
        barlint_rt_calling calling(from);
        return plain::quit();
    }

    __host__ __device__ void producer_acquire(BARLINT_RT_FROM)
    {
        barlint_rt_calling calling(from);
        plain::producer_acquire();
    }

    __host__ __device__ void producer_commit(BARLINT_RT_FROM)
    {
        barlint_rt_calling calling(from);
        plain::producer_commit();
    }

    __host__ __device__ void consumer_wait(BARLINT_RT_FROM)
    {
        barlint_rt_calling calling(from);
        plain::consumer_wait();
    }

    __host__ __device__ void consumer_release(BARLINT_RT_FROM)
    {
        barlint_rt_calling calling(from);
        plain::consumer_release();
    }
};

__host__ __device__ inline pipeline<thread_scope_thread> make_pipeline()
{
    return barlint_plain_make_pipeline();
}

template <class Group, thread_scope Scope, ::cuda::std::uint8_t Stages>
__host__ __device__ pipeline<Scope> make_pipeline(const Group &group,
                                                  pipeline_shared_state<Scope, Stages> *state,
                                                  BARLINT_RT_FROM)
{
    barlint_rt_calling calling(from);
    return barlint_plain_make_pipeline(group, state);
}

template <class Group, thread_scope Scope, ::cuda::std::uint8_t Stages>
__host__ __device__ pipeline<Scope>
make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state,
              ::cuda::std::size_t producers, BARLINT_RT_FROM)
{
    barlint_rt_calling calling(from);
    return barlint_plain_make_pipeline(group, state, producers);
}

template <class Group, thread_scope Scope, ::cuda::std::uint8_t Stages>
__host__ __device__ pipeline<Scope>
make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state, pipeline_role role,
              BARLINT_RT_FROM)
{
    barlint_rt_calling calling(from);
    return barlint_plain_make_pipeline(group, state, role);
}

}
