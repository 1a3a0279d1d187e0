// Arrays side by side in a record: that a thread reaches from one into the next takes more classes
// than there is room for.
enum { ROOM = 255 };

__global__ void lengths(const int *__restrict__ begin, int *__restrict__ out, int classes)
{
    __shared__ struct {
        int begin[ROOM + 1];
        int end[ROOM];
        int done;
    } found;
    if (threadIdx.x == 0)
        found.done = 0;
    for (int c = threadIdx.x; c < classes + 1; c += 256)
        found.begin[c] = begin[blockIdx.x * classes + c];
    __syncthreads();
    for (int c = threadIdx.x; c < classes; c += 256) {
        const int end = found.begin[c + 1];
        found.end[c] = end;
        if (end == found.begin[c])
            atomicAdd(&found.done, 1);
    }
    __syncthreads();
    for (int c = threadIdx.x; c < classes; c += 256)
        out[c] = found.end[c] - found.begin[c] + found.done;
}

void run(const int *begin, int *out, int batch, int classes)
{
    lengths<<<batch, 256>>>(begin, out, classes);
}
