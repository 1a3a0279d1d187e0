// The time of a program's kernels, as the GPU measures it: a library that the driver loads into any
// program (CUDA_INJECTION64_PATH=libkernel_time.so), whose last act is to write one JSON object to
// the file KERNEL_TIME: for each kernel its launches and their nanoseconds together.
#include <cupti.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

namespace {

struct sum {
    unsigned long long launches, nanoseconds;
};

std::map<std::string, sum> &kernels()
{
    static auto *all = new std::map<std::string, sum>(); // outlives whatever ends before it
    return *all;
}

std::mutex lock;

void CUPTIAPI give_buffer(uint8_t **buffer, size_t *size, size_t *count)
{
    *size = 1 << 20;
    *count = 0;
    *buffer = static_cast<uint8_t *>(aligned_alloc(8, *size));
}

void CUPTIAPI take_buffer(CUcontext, uint32_t, uint8_t *buffer, size_t, size_t valid)
{
    std::lock_guard<std::mutex> guard(lock);
    CUpti_Activity *record = nullptr;
    while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
        if (record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL &&
            record->kind != CUPTI_ACTIVITY_KIND_KERNEL) {
            continue;
        }
        const auto *kernel = reinterpret_cast<const CUpti_ActivityKernel10 *>(record);
        sum &known = kernels()[kernel->name];
        known.launches++;
        known.nanoseconds += kernel->end - kernel->start;
    }
    free(buffer);
}

void write()
{
    cuptiActivityFlushAll(1);
    const char *path = getenv("KERNEL_TIME");
    FILE *file = path ? fopen(path, "w") : nullptr;
    if (!file) {
        return;
    }
    std::lock_guard<std::mutex> guard(lock);
    const char *before = "{";
    for (const auto &entry : kernels()) {
        fprintf(file, "%s\"%s\": [%llu, %llu]", before, entry.first.c_str(), entry.second.launches,
                entry.second.nanoseconds);
        before = ", ";
    }
    fprintf(file, "%s}\n", kernels().empty() ? "{" : "");
    fclose(file);
}

} // namespace

extern "C" int InitializeInjection()
{
    if (cuptiActivityRegisterCallbacks(give_buffer, take_buffer) == CUPTI_SUCCESS &&
        cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) == CUPTI_SUCCESS) {
        atexit(write);
    }
    return 1;
}
