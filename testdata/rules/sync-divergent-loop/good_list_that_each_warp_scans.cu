// Every warp of the block scans the same list of jobs, a job a lane, and takes the lengths from its
// own lanes by shuffles: no warp comes to another number of rounds than its neighbours.
struct cursor {
    int end; // of this lane's job, in pieces of work
    int first_job;
    int begin;

    __device__ bool find(const int *length, int jobs, int piece)
    {
        int lane = threadIdx.x % 32;
        int last = __shfl_sync(0xffffffff, end, 31);
        while (last <= piece) {
            first_job += 32;
            if (first_job >= jobs)
                return false;
            begin = last;
            end = first_job + lane < jobs ? length[first_job + lane] : 0;
            for (int i = 1; i < 32; i *= 2) {
                int lower = __shfl_up_sync(0xffffffff, end, i);
                if (lane >= i)
                    end += lower;
            }
            last += __shfl_sync(0xffffffff, end, 31);
            end += begin;
        }
        return true;
    }
};

__global__ void work(const float *in, float *out, const int *length, int jobs)
{
    __shared__ float tile[128];
    cursor at = {0, -32, 0};
    for (int piece = blockIdx.x; at.find(length, jobs, piece); piece += gridDim.x) {
        tile[threadIdx.x] = in[piece * 128 + threadIdx.x];
        __syncthreads();
        out[piece * 128 + threadIdx.x] = tile[127 - threadIdx.x];
        __syncthreads();
    }
}

void launch(const float *in, float *out, const int *length, int jobs)
{
    work<<<64, 128>>>(in, out, length, jobs);
}
