// Both kernels are given records that hold the pointers. The second one reads the shapes that the
// first one writes before it waits, in the scheduler that it makes.
#include <cuda_runtime.h>

struct Shape {
    int rows, columns, depth;
};

struct Counts {
    const int *rows;
    Shape *shapes;
};

struct Work {
    int groups;
    struct {
        const Shape *shapes;
        float scale;
    } problem;
};

struct Scheduler {
    Work work;
    int tiles;

    __device__ explicit Scheduler(const Work &given) : work(given)
    {
        Shape first = work.problem.shapes[0]; // expect: launch-pdl
        tiles = (first.rows + 127) / 128 * first.columns;
    }
};

__global__ void prepare(Counts counts, int columns)
{
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    counts.shapes[threadIdx.x] = Shape{counts.rows[threadIdx.x], columns, 64};
}

__global__ void grouped(Work work, float *out)
{
    Scheduler scheduler(work);
    asm volatile("griddepcontrol.wait;" ::: "memory");
    for (int t = blockIdx.x; t < scheduler.tiles; t += gridDim.x)
        out[t * 128 + threadIdx.x] *= work.problem.scale;
}

void run(const int *rows, Shape *shapes, float *out, int groups, cudaStream_t stream)
{
    Counts counts;
    counts.rows = rows;
    counts.shapes = shapes;
    prepare<<<1, 32, 0, stream>>>(counts, 4);
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute[0].val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(132);
    config.blockDim = dim3(128);
    config.stream = stream;
    config.attrs = attribute;
    config.numAttrs = 1;
    Work work;
    work.groups = groups;
    work.problem.shapes = shapes;
    work.problem.scale = 0.5f;
    (void)cudaLaunchKernelEx(&config, grouped, work, out);
}
