// Every thread counts the kinds of its words in a row of its own, and adds up one kind of a thread of the next
// warp, whose row is not done then.
constexpr int kThreads = 128, kKinds = 12;

__global__ void kinds(const unsigned *words, int each, int *out)
{
    __shared__ int count[kThreads][kKinds];
    int mine = threadIdx.x;
    for (int k = 0; k < kKinds; ++k)
        count[mine][k] = 0;
    for (int i = 0; i < each; ++i)
        count[mine][words[i * kThreads + mine] % kKinds]++;
    out[blockIdx.x * kThreads + mine] = count[mine][0] + count[(mine + 32) % kThreads][0]; // expect: sync-missing
}

void launch(const unsigned *words, int each, int *out)
{
    kinds<<<16, kThreads>>>(words, each, out);
}
