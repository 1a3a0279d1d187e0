// cuda::pipeline: its stages are made of cuda::barrier, which source_barrier.cuh checks. The class
// here, over libcu++'s own, adds where its functions are called.
#define pipeline barlint_plain_pipeline
#define make_pipeline barlint_plain_make_pipeline
#include <cuda/pipeline>
#undef pipeline
#undef make_pipeline

namespace cuda
{

// Keeps a pipeline that `make` returns from being left when it is moved on: libcu++'s own are left by
// their destructor, moved or not.
template <thread_scope Scope, class Make> union barlint_plain_made {
    barlint_plain_pipeline<Scope> kept;
    __host__ __device__ barlint_plain_made(Make make) : kept(make()) {}
    __host__ __device__ ~barlint_plain_made() {}
};

template <thread_scope Scope, class Make>
__host__ __device__ barlint_plain_made<Scope, Make> barlint_plain_make(Make make)
{
    return barlint_plain_made<Scope, Make>(make);
}

template <thread_scope Scope> class pipeline : public barlint_plain_pipeline<Scope>
{
    using plain = barlint_plain_pipeline<Scope>;

  public:
    template <class Make>
    __host__ __device__ pipeline(barlint_plain_made<Scope, Make> made)
        : plain(static_cast<plain &&>(made.kept))
    {
    }

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
    return pipeline<thread_scope_thread>(barlint_plain_make<thread_scope_thread>(
        []() { return barlint_plain_make_pipeline(); }));
}

template <class Group, thread_scope Scope, ::cuda::std::uint8_t Stages>
__host__ __device__ pipeline<Scope> make_pipeline(const Group &group,
                                                  pipeline_shared_state<Scope, Stages> *state,
                                                  BARLINT_RT_FROM)
{
    barlint_rt_calling calling(from);
    return pipeline<Scope>(barlint_plain_make<Scope>(
        [&]() { return barlint_plain_make_pipeline(group, state); }));
}

template <class Group, thread_scope Scope, ::cuda::std::uint8_t Stages>
__host__ __device__ pipeline<Scope>
make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state,
              ::cuda::std::size_t producers, BARLINT_RT_FROM)
{
    barlint_rt_calling calling(from);
    return pipeline<Scope>(barlint_plain_make<Scope>(
        [&]() { return barlint_plain_make_pipeline(group, state, producers); }));
}

template <class Group, thread_scope Scope, ::cuda::std::uint8_t Stages>
__host__ __device__ pipeline<Scope>
make_pipeline(const Group &group, pipeline_shared_state<Scope, Stages> *state, pipeline_role role,
              BARLINT_RT_FROM)
{
    barlint_rt_calling calling(from);
    return pipeline<Scope>(barlint_plain_make<Scope>(
        [&]() { return barlint_plain_make_pipeline(group, state, role); }));
}

}
