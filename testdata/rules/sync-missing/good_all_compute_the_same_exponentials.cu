// Every thread works out the whole row for itself and stores the same numbers as all others: who
// reads one finds what it has stored there, whoever came first.
#include <cuda_runtime.h>

__global__ void cross_entropy(const float *logits, const int *label, float *loss, int classes)
{
    extern __shared__ float share[];
    float most = -1e30f;
    for (int c = 0; c < classes; ++c)
        most = fmaxf(most, logits[c]);
    float sum = 0.0f;
    for (int c = 0; c < classes; ++c) {
        share[c] = expf(logits[c] - most);
        sum += share[c];
    }
    if (threadIdx.x == 0)
        *loss = logf(sum) - logf(share[*label]);
}

void run(const float *logits, const int *label, float *loss, int classes)
{
    cross_entropy<<<1, 64, classes * sizeof(float)>>>(logits, label, loss, classes);
}
