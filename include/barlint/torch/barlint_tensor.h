// Tensors, of unknown contents and sizes, and the functions over them. A size is read from memory
// that nobody knows, so it is the same number whenever it is asked for.
#ifndef BARLINT_TORCH_TENSOR_H
#define BARLINT_TORCH_TENSOR_H

#include <array>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <tuple>
#include <vector>
#if __cplusplus >= 201703L
#include <optional>
#endif

#include "barlint_accessor.h"

namespace c10 {
template <typename T> class ArrayRef {
  public:
    using iterator = const T *;
    ArrayRef() = default;
    ArrayRef(const T &one) : data_(&one), size_(1) {}
    ArrayRef(const T *data, size_t size) : data_(data), size_(size) {}
    ArrayRef(const std::vector<T> &list);
    ArrayRef(const std::initializer_list<T> &list) : data_(list.begin()), size_(list.size()) {}
    template <size_t N> ArrayRef(const T (&list)[N]) : data_(list), size_(N) {}
    const T *data() const { return data_; }
    size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    const T *begin() const { return data_; }
    const T *end() const { return data_ + size_; }
    const T &operator[](size_t i) const { return data_[i]; }
    const T &at(size_t i) const { return data_[i]; }
    const T &front() const { return data_[0]; }
    const T &back() const { return data_[size_ - 1]; }
    ArrayRef slice(size_t from, size_t count) const;
    ArrayRef slice(size_t from) const;
    bool equals(ArrayRef other) const;
    std::vector<T> vec() const;

  private:
    const T *data_;
    size_t size_;
};
template <typename T> bool operator==(ArrayRef<T> a, ArrayRef<T> b);
template <typename T> bool operator!=(ArrayRef<T> a, ArrayRef<T> b);
using IntArrayRef = ArrayRef<int64_t>;
template <typename T> std::ostream &operator<<(std::ostream &out, ArrayRef<T> list);
std::ostream &operator<<(std::ostream &out, ScalarType kind);
template <typename T, unsigned N = 4> using SmallVector = std::vector<T>;

enum class DeviceType : int8_t { CPU, CUDA, HIP = 6, Meta = 14 };
constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA, kHIP = DeviceType::HIP;
constexpr DeviceType kMeta = DeviceType::Meta;
using DeviceIndex = int8_t;
struct Device {
    using Type = DeviceType;
    Device(DeviceType type, DeviceIndex index = -1);
    Device(const std::string &name);
    DeviceIndex index() const;
    DeviceType type() const;
    bool is_cuda() const;
    bool is_cpu() const;
    bool has_index() const;
    void set_index(DeviceIndex index);
    std::string str() const;
    bool operator==(const Device &other) const;
    bool operator!=(const Device &other) const;
};
enum class Layout : int8_t { Strided, Sparse, SparseCsr };
constexpr Layout kStrided = Layout::Strided, kSparse = Layout::Sparse;
enum class MemoryFormat : int8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };

#if __cplusplus >= 201703L
using std::nullopt;
using std::nullopt_t;
using std::optional;
using OptionalIntArrayRef = std::optional<IntArrayRef>;
#endif

class Scalar {
  public:
    Scalar() = default;
    template <typename T> Scalar(T value);
    template <typename T> T to() const;
    double toDouble() const;
    float toFloat() const;
    int64_t toLong() const;
    int toInt() const;
    bool toBool() const;
    Half toHalf() const;
    ScalarType type() const;
    bool isFloatingPoint() const;
    bool isIntegral(bool with_bool = false) const;
};
} // namespace c10

namespace caffe2 {
class TypeMeta {
  public:
    operator c10::ScalarType() const;
    c10::ScalarType toScalarType() const;
    size_t itemsize() const;
    const char *name() const;
    template <typename T> bool Match() const;
    template <typename T> static TypeMeta Make();
};
bool operator==(const TypeMeta &a, const TypeMeta &b);
bool operator!=(const TypeMeta &a, const TypeMeta &b);
bool operator==(const TypeMeta &a, c10::ScalarType b);
bool operator!=(const TypeMeta &a, c10::ScalarType b);
bool operator==(c10::ScalarType a, const TypeMeta &b);
bool operator!=(c10::ScalarType a, const TypeMeta &b);
} // namespace caffe2

namespace at {
// Any argument, a list in braces among them.
struct barlint_any {
    barlint_any();
    template <typename T> barlint_any(const T &value);
    barlint_any(std::initializer_list<barlint_any> list);
};
extern const barlint_any barlint_nothing;
#define BARLINT_TORCH_ARGUMENT(name) const ::at::barlint_any &name = ::at::barlint_nothing
#define BARLINT_TORCH_ANY                                                                          \
    (BARLINT_TORCH_ARGUMENT(a), BARLINT_TORCH_ARGUMENT(b), BARLINT_TORCH_ARGUMENT(c),              \
     BARLINT_TORCH_ARGUMENT(d), BARLINT_TORCH_ARGUMENT(e), BARLINT_TORCH_ARGUMENT(f),              \
     BARLINT_TORCH_ARGUMENT(g))

struct TensorOptions {
    TensorOptions() = default;
    template <typename T> TensorOptions(T one);
    TensorOptions dtype(barlint_any kind) const;
    TensorOptions device(barlint_any device, barlint_any index = {}) const;
    TensorOptions layout(barlint_any layout) const;
    TensorOptions requires_grad(barlint_any flag) const;
    TensorOptions memory_format(barlint_any format) const;
    TensorOptions pinned_memory(barlint_any flag) const;
    TensorOptions device_index(barlint_any index) const;
    caffe2::TypeMeta dtype() const;
    Device device() const;
};

struct DeprecatedTypeProperties {
    ScalarType scalarType() const;
    Device device() const;
    bool is_cuda() const;
    bool is_sparse() const;
    const char *toString() const;
    operator TensorOptions() const;
};

struct Storage {
    void *data() const;
    void *mutable_data() const;
    size_t nbytes() const;
};

struct Generator;
class Tensor;
#define BARLINT_TORCH_TENSOR(name) Tensor name BARLINT_TORCH_ANY const;
#include "barlint_functions.def"

class Tensor {
    struct data {
        void *at;
        const int64_t *sizes, *strides;
        int64_t dims, elements, offset;
        ScalarType kind;
        int8_t device;
        bool cuda, contiguous, defined;
    } *data_;

  public:
    Tensor() = default;
    int64_t size(int64_t d) const { return data_->sizes[d]; }
    int64_t stride(int64_t d) const { return data_->strides[d]; }
    IntArrayRef sizes() const { return IntArrayRef(data_->sizes, (size_t)data_->dims); }
    IntArrayRef strides() const { return IntArrayRef(data_->strides, (size_t)data_->dims); }
    int64_t sym_size(int64_t d) const { return data_->sizes[d]; }
    int64_t sym_numel() const { return data_->elements; }
    int64_t dim() const { return data_->dims; }
    int64_t ndimension() const { return data_->dims; }
    int64_t numel() const { return data_->elements; }
    int64_t storage_offset() const { return data_->offset; }
    size_t nbytes() const;
    int64_t itemsize() const;
    int64_t element_size() const;
    bool is_cuda() const { return data_->cuda; }
    bool is_cpu() const { return !data_->cuda; }
    bool is_hip() const;
    bool is_meta() const;
    bool is_sparse() const;
    bool is_quantized() const;
    bool is_pinned() const;
    bool is_complex() const;
    bool is_floating_point() const;
    bool is_non_overlapping_and_dense() const;
    bool is_view() const;
    bool is_contiguous(MemoryFormat format = MemoryFormat::Contiguous) const
    {
        return data_->contiguous;
    }
    bool is_same(const Tensor &other) const;
    bool is_alias_of(const Tensor &other) const;
    bool defined() const { return data_->defined; }
    bool has_storage() const;
    bool has_value() const;
    bool requires_grad() const;
    bool equal(const Tensor &other) const;
    bool allclose(const Tensor &other) const;
    ScalarType scalar_type() const { return data_->kind; }
    caffe2::TypeMeta dtype() const;
    DeprecatedTypeProperties type() const;
    TensorOptions options() const;
    Device device() const;
    DeviceIndex get_device() const { return data_->device; }
    Layout layout() const;
    MemoryFormat suggest_memory_format() const;
    Storage storage() const;
    Tensor &grad() const;
    void set_data(const Tensor &other);
    void reset();
    void backward BARLINT_TORCH_ANY const;
    void record_stream BARLINT_TORCH_ANY const;
    Tensor contiguous(MemoryFormat format = MemoryFormat::Contiguous) const;

    void *data_ptr() const { return data_->at; }
    const void *const_data_ptr() const { return data_->at; }
    void *mutable_data_ptr() const { return data_->at; }
    template <typename T> T *data_ptr() const { return (T *)data_->at; }
    template <typename T> T *data() const { return (T *)data_->at; }
    template <typename T> const T *const_data_ptr() const { return (const T *)data_->at; }
    template <typename T> T *mutable_data_ptr() const { return (T *)data_->at; }
    template <typename T> T item() const;
    Scalar item() const;

    template <typename T, size_t N> TensorAccessor<T, N> accessor() const;
    template <typename T, size_t N, template <typename U> class Traits = DefaultPtrTraits,
              typename index_t = int64_t>
    GenericPackedTensorAccessor<T, N, Traits, index_t> generic_packed_accessor() const;
    template <typename T, size_t N, template <typename U> class Traits = DefaultPtrTraits,
              typename index_t = int64_t>
    GenericPackedTensorAccessor<T, N, Traits, index_t> packed_accessor() const;
    template <typename T, size_t N, template <typename U> class Traits = DefaultPtrTraits>
    PackedTensorAccessor32<T, N, Traits> packed_accessor32() const;
    template <typename T, size_t N, template <typename U> class Traits = DefaultPtrTraits>
    PackedTensorAccessor64<T, N, Traits> packed_accessor64() const;

    BARLINT_TORCH_BOTH_KINDS
    BARLINT_TORCH_METHODS
    Tensor operator[](barlint_any index) const;
    Tensor operator-() const;
    Tensor operator~() const;
    Tensor &operator+=(barlint_any other);
    Tensor &operator-=(barlint_any other);
    Tensor &operator*=(barlint_any other);
    Tensor &operator/=(barlint_any other);
    Tensor &operator=(Scalar value);
    std::vector<Tensor> split BARLINT_TORCH_ANY const;
    std::vector<Tensor> chunk BARLINT_TORCH_ANY const;
    std::vector<Tensor> unbind BARLINT_TORCH_ANY const;
    std::tuple<Tensor, Tensor> sort BARLINT_TORCH_ANY const;
    std::tuple<Tensor, Tensor> topk BARLINT_TORCH_ANY const;
};
#undef BARLINT_TORCH_TENSOR

#define BARLINT_TORCH_OPERATOR(op)                                                                 \
    Tensor operator op(const Tensor &a, const Tensor &b);                                          \
    Tensor operator op(const Tensor &a, Scalar b);                                                 \
    Tensor operator op(Scalar a, const Tensor &b);
BARLINT_TORCH_OPERATOR(+)
BARLINT_TORCH_OPERATOR(-)
BARLINT_TORCH_OPERATOR(*)
BARLINT_TORCH_OPERATOR(/)
BARLINT_TORCH_OPERATOR(%)
BARLINT_TORCH_OPERATOR(&)
BARLINT_TORCH_OPERATOR(|)
BARLINT_TORCH_OPERATOR(==)
BARLINT_TORCH_OPERATOR(!=)
BARLINT_TORCH_OPERATOR(<)
BARLINT_TORCH_OPERATOR(>)
BARLINT_TORCH_OPERATOR(<=)
BARLINT_TORCH_OPERATOR(>=)

#define BARLINT_TORCH_TENSOR(name) Tensor name BARLINT_TORCH_ANY;
BARLINT_TORCH_BOTH_KINDS
BARLINT_TORCH_FREE
#undef BARLINT_TORCH_TENSOR

using TensorList = ArrayRef<Tensor>;
using ITensorListRef = ArrayRef<Tensor>;
std::ostream &operator<<(std::ostream &out, const Tensor &tensor);
using CheckedFrom = const char *;
int64_t size(const Tensor &tensor, int64_t d);
TensorOptions dtype BARLINT_TORCH_ANY;
TensorOptions device BARLINT_TORCH_ANY;
TensorOptions layout BARLINT_TORCH_ANY;
TensorOptions requires_grad BARLINT_TORCH_ANY;
template <typename T> caffe2::TypeMeta scalarTypeToTypeMeta(T kind);
ScalarType typeMetaToScalarType(caffe2::TypeMeta meta);
bool equal(const Tensor &a, const Tensor &b);
bool is_contiguous(const Tensor &a);
#define BARLINT_TORCH_SEVERAL(name)                                                                \
    std::tuple<Tensor, Tensor> name BARLINT_TORCH_ANY;
BARLINT_TORCH_SEVERAL(sort)
BARLINT_TORCH_SEVERAL(topk)
BARLINT_TORCH_SEVERAL(aminmax)
BARLINT_TORCH_SEVERAL(std_mean)
std::vector<Tensor> split BARLINT_TORCH_ANY;
std::vector<Tensor> chunk BARLINT_TORCH_ANY;
std::vector<Tensor> unbind BARLINT_TORCH_ANY;
std::vector<Tensor> meshgrid BARLINT_TORCH_ANY;

struct TensorArg {
    TensorArg(const Tensor &tensor, const char *name, int number);
    const Tensor *operator->() const;
};
template <typename... A> void checkAllSameGPU(const A &...);
template <typename... A> void checkAllSameType(const A &...);
template <typename... A> void checkSameGPU(const A &...);
template <typename... A> void checkDim(const A &...);
template <typename... A> void checkSize(const A &...);
template <typename... A> void checkScalarType(const A &...);
struct Context {
    bool deterministicAlgorithms() const;
    bool allowTF32CuBLAS() const;
    void alertNotDeterministic(const char *who) const;
    int64_t versionCUDART() const;
};
Context &globalContext();
struct NoGradGuard {
    NoGradGuard();
    ~NoGradGuard();
};
struct AutoDispatchBelowAutograd {
    AutoDispatchBelowAutograd();
    ~AutoDispatchBelowAutograd();
};
namespace indexing {
struct TensorIndex {
    template <typename T> TensorIndex(T index);
};
struct Slice {
    Slice BARLINT_TORCH_ANY;
};
struct barlint_none {};
static constexpr barlint_none None{}, Ellipsis{};
} // namespace indexing
namespace symint {
template <typename T> int64_t size(const Tensor &tensor, int64_t d);
}
} // namespace at

namespace torch {
using namespace at;
using at::Device;
using at::Tensor;
using at::TensorOptions;
using Dtype = at::ScalarType;
#define BARLINT_TORCH_DTYPE(name, kind) constexpr at::ScalarType name = at::ScalarType::kind;
BARLINT_TORCH_DTYPE(kUInt8, Byte)
BARLINT_TORCH_DTYPE(kU8, Byte)
BARLINT_TORCH_DTYPE(kInt8, Char)
BARLINT_TORCH_DTYPE(kI8, Char)
BARLINT_TORCH_DTYPE(kInt16, Short)
BARLINT_TORCH_DTYPE(kInt32, Int)
BARLINT_TORCH_DTYPE(kI32, Int)
BARLINT_TORCH_DTYPE(kInt64, Long)
BARLINT_TORCH_DTYPE(kI64, Long)
BARLINT_TORCH_DTYPE(kFloat16, Half)
BARLINT_TORCH_DTYPE(kF16, Half)
BARLINT_TORCH_DTYPE(kFloat32, Float)
BARLINT_TORCH_DTYPE(kF32, Float)
BARLINT_TORCH_DTYPE(kFloat64, Double)
BARLINT_TORCH_DTYPE(kF64, Double)
struct NoGradGuard : at::NoGradGuard {};
namespace autograd {
using variable_list = std::vector<at::Tensor>;
using Variable = at::Tensor;
} // namespace autograd
// The stable interface has tensors of its own, whose members are called alike.
namespace headeronly {
using namespace c10;
}
namespace stable {
using namespace at;
using at::Device;
using at::Tensor;
namespace detail {
template <typename T, typename U> T to(const U &value);
template <typename T> uint64_t from(const T &value);
} // namespace detail
} // namespace stable
} // namespace torch

#endif
