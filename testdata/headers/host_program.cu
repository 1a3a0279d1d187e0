// A host program as they are written around kernels: the C and C++ library in all its usual parts.
#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <sys/time.h>
#include <thread>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error = (call);                                                                \
        if (error != cudaSuccess) {                                                                \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));         \
            std::exit(EXIT_FAILURE);                                                               \
        }                                                                                          \
    } while (0)

__global__ void kernel(float *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] = std::sqrt(p[i]) + std::max(1.0f, p[i]) + fmaxf(p[i], 2.0f) + std::min(i, n) +
               std::abs(p[i]);
    std::array<int, 2> a{1, 2};
    p[0] += a[1] + std::get<0>(std::make_tuple(1, 2));
    assert(i >= 0);
    static_assert(std::is_same<int, int>::value, "");
    p[1] = std::numeric_limits<float>::infinity();
    printf("%d", i);
    memcpy(p, p + 4, 4);
}

template <typename T> struct Buffer {
    T *p;
    std::size_t n;
    explicit Buffer(std::size_t count) : n(count)
    {
        CHECK(cudaMalloc(&p, n * sizeof(T)));
    }
    ~Buffer()
    {
        cudaFree(p);
    }
};

int main(int argc, char **argv)
{
    const int n = argc > 1 ? std::atoi(argv[1]) : 1 << 20;
    std::vector<float> host(n, 1.0f);
    std::vector<int> list = {1, 2, 3};
    std::iota(host.begin(), host.end(), 0.0f);
    Buffer<float> device(n);
    CHECK(cudaMemcpy(device.p, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
    auto start = std::chrono::high_resolution_clock::now();
    kernel<<<(n + 255) / 256, 256>>>(device.p, n);
    CHECK(cudaDeviceSynchronize());
    auto end = std::chrono::high_resolution_clock::now();
    double ms = std::chrono::duration<double, std::milli>(end - start).count();
    std::cout << "time " << std::setw(8) << std::fixed << ms << std::endl << std::hex << n << "\n";
    std::sort(host.begin(), host.end(), [](float a, float b) { return a < b; });
    std::string text = "a" + std::to_string(n) + std::string(argv[0]);
    if (text == "b")
        throw std::runtime_error("bad " + text);
    std::map<std::string, int> map;
    map["a"] = 3;
    for (auto &pair : map)
        printf("%s %d\n", pair.first.c_str(), pair.second);
    std::unordered_map<int, int> hashed;
    hashed[3] = 4;
    if (hashed.find(3) != hashed.end())
        hashed.erase(3);
    std::set<int> set;
    set.insert(3);
    std::unique_ptr<float[]> owned(new float[3]);
    auto shared = std::make_shared<int>(3);
    *shared = 4;
    owned[0] = 1;
    std::mt19937 generator(42);
    std::uniform_real_distribution<float> distribution(0.0f, 1.0f);
    for (auto &v : host)
        v = distribution(generator);
    std::generate(host.begin(), host.end(), [&] { return distribution(generator); });
    std::ifstream in(argv[1]);
    std::string line;
    while (std::getline(in, line)) {
        std::stringstream words(line);
        int x;
        words >> x;
    }
    std::function<int(int)> add = [&](int x) { return x + n; };
    float largest = *std::max_element(host.begin(), host.end());
    float sum = std::accumulate(host.begin(), host.end(), 0.0f);
    int blocks = std::min(n, 65535);
    kernel<<<blocks, std::min(add(3), 128)>>>(device.p, n);
    std::thread worker([&] { kernel<<<1, 32>>>(device.p, n); });
    worker.join();
    std::mutex mutex;
    std::lock_guard<std::mutex> guard(mutex);
    timeval now;
    gettimeofday(&now, nullptr);
    std::atomic<int> counter(0);
    counter++;
    try {
        add(1);
    } catch (const std::exception &e) {
        std::cerr << e.what();
    }
    double r = std::pow(2.0, 3.0) + sqrt(2.0) + fabs(-1.0) + ceil(float(n) / 256);
    std::swap(largest, sum);
    auto pair = std::make_pair(1, 2.0);
    std::complex<float> z(1, 2);
    std::tuple<int, float> tuple(1, 2.0f);
    return int(r) + pair.first + std::move(blocks) + int(z.real()) + std::get<0>(tuple) +
           int(clock() + time(nullptr));
}
