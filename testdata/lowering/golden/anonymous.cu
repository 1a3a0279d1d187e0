// Members of unions and structs without a name lie where those lie.
struct Storage {
    int head;
    union {
        int key[4];
        float value[4];
    };
    struct {
        int first;
        union {
            int low;
            unsigned high;
        };
    };

    __device__ int sum() const { return head + key[1] + first + low; }
};

__global__ void store(Storage *at, int n)
{
    at->value[2] = 1.0f;
    at->high = n;
    (*at).first = at->sum();
}
