// CUDA's short vectors and dim3, with the layout nvcc gives them, and their make_ functions.
#ifndef BARLINT_VECTOR_TYPES_H
#define BARLINT_VECTOR_TYPES_H

typedef __SIZE_TYPE__ size_t;

#define BARLINT_VECTORS(T, name, align2, align4)                                                   \
    struct name##1 {                                                                               \
        T x;                                                                                       \
    };                                                                                             \
    struct __attribute__((aligned(align2))) name##2 {                                              \
        T x, y;                                                                                    \
    };                                                                                             \
    struct name##3 {                                                                               \
        T x, y, z;                                                                                 \
    };                                                                                             \
    struct __attribute__((aligned(align4))) name##4 {                                              \
        T x, y, z, w;                                                                              \
    };                                                                                             \
    static inline __host__ __device__ name##1 make_##name##1(T x) { return {x}; }                  \
    static inline __host__ __device__ name##2 make_##name##2(T x, T y) { return {x, y}; }          \
    static inline __host__ __device__ name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }  \
    static inline __host__ __device__ name##4 make_##name##4(T x, T y, T z, T w) {                 \
        return {x, y, z, w};                                                                       \
    }

BARLINT_VECTORS(signed char, char, 2, 4)
BARLINT_VECTORS(unsigned char, uchar, 2, 4)
BARLINT_VECTORS(short, short, 4, 8)
BARLINT_VECTORS(unsigned short, ushort, 4, 8)
BARLINT_VECTORS(int, int, 8, 16)
BARLINT_VECTORS(unsigned int, uint, 8, 16)
BARLINT_VECTORS(long, long, 2 * sizeof(long), 16)
BARLINT_VECTORS(unsigned long, ulong, 2 * sizeof(long), 16)
BARLINT_VECTORS(long long, longlong, 16, 16)
BARLINT_VECTORS(unsigned long long, ulonglong, 16, 16)
BARLINT_VECTORS(float, float, 8, 16)
BARLINT_VECTORS(double, double, 16, 16)

// CUDA 13 names the two alignments of the 32-byte vectors.
#define BARLINT_WIDE_VECTOR(T, name, align)                                                        \
    struct __attribute__((aligned(align))) name##_##align##a {                                     \
        T x, y, z, w;                                                                              \
    };                                                                                             \
    static inline __host__ __device__ name##_##align##a make_##name##_##align##a(T x, T y, T z,    \
                                                                                 T w) {            \
        return {x, y, z, w};                                                                       \
    }
BARLINT_WIDE_VECTOR(double, double4, 16)
BARLINT_WIDE_VECTOR(double, double4, 32)
BARLINT_WIDE_VECTOR(long, long4, 16)
BARLINT_WIDE_VECTOR(long, long4, 32)
BARLINT_WIDE_VECTOR(unsigned long, ulong4, 16)
BARLINT_WIDE_VECTOR(unsigned long, ulong4, 32)
BARLINT_WIDE_VECTOR(long long, longlong4, 16)
BARLINT_WIDE_VECTOR(long long, longlong4, 32)
BARLINT_WIDE_VECTOR(unsigned long long, ulonglong4, 16)
BARLINT_WIDE_VECTOR(unsigned long long, ulonglong4, 32)

struct dim3 {
    unsigned int x, y, z;
    constexpr __host__ __device__ dim3(unsigned int vx = 1, unsigned int vy = 1,
                                       unsigned int vz = 1)
        : x(vx), y(vy), z(vz) {}
    constexpr __host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr __host__ __device__ operator uint3() const { return uint3{x, y, z}; }
};

#endif
