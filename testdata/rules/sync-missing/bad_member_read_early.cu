// Within one member of a record, each thread reads what its neighbour stores.
enum { ROOM = 255 };

__global__ void lengths(const int *__restrict__ begin, int *__restrict__ out, int classes)
{
    __shared__ struct {
        int begin[ROOM + 1];
        int done[ROOM];
    } found;
    for (int c = threadIdx.x; c < classes + 1; c += 256)
        found.begin[c] = begin[blockIdx.x * classes + c];
    for (int c = threadIdx.x; c < classes; c += 256)
        out[c] = found.begin[c + 1] - found.begin[c]; // expect: sync-missing
}

void run(const int *begin, int *out, int batch, int classes)
{
    lengths<<<batch, 256>>>(begin, out, classes);
}
