// Accessors: a pointer to elements with sizes and strides, in the host's memory or, packed, among a
// kernel's arguments.
#ifndef BARLINT_TORCH_ACCESSOR_H
#define BARLINT_TORCH_ACCESSOR_H

#include "barlint_numbers.h"

namespace at {
template <typename T> struct DefaultPtrTraits {
    typedef T *PtrType;
};
template <typename T> struct RestrictPtrTraits {
    typedef T *__restrict__ PtrType;
};

template <typename T, size_t N, template <typename U> class Traits = DefaultPtrTraits,
          typename index_t = int64_t>
class TensorAccessor {
  public:
    typedef typename Traits<T>::PtrType PtrType;
    BARLINT_TORCH_BOTH TensorAccessor(PtrType data, const index_t *sizes, const index_t *strides)
        : data_(data), sizes_(sizes), strides_(strides)
    {
    }
    BARLINT_TORCH_BOTH index_t size(index_t i) const { return sizes_[i]; }
    BARLINT_TORCH_BOTH index_t stride(index_t i) const { return strides_[i]; }
    BARLINT_TORCH_BOTH PtrType data() { return data_; }
    BARLINT_TORCH_BOTH const PtrType data() const { return data_; }
    BARLINT_TORCH_BOTH TensorAccessor<T, N - 1, Traits, index_t> operator[](index_t i) const
    {
        return TensorAccessor<T, N - 1, Traits, index_t>(data_ + strides_[0] * i, sizes_ + 1,
                                                         strides_ + 1);
    }

  private:
    PtrType data_;
    const index_t *sizes_, *strides_;
};

template <typename T, template <typename U> class Traits, typename index_t>
class TensorAccessor<T, 1, Traits, index_t> {
  public:
    typedef typename Traits<T>::PtrType PtrType;
    BARLINT_TORCH_BOTH TensorAccessor(PtrType data, const index_t *sizes, const index_t *strides)
        : data_(data), sizes_(sizes), strides_(strides)
    {
    }
    BARLINT_TORCH_BOTH index_t size(index_t i) const { return sizes_[i]; }
    BARLINT_TORCH_BOTH index_t stride(index_t i) const { return strides_[i]; }
    BARLINT_TORCH_BOTH PtrType data() { return data_; }
    BARLINT_TORCH_BOTH const PtrType data() const { return data_; }
    BARLINT_TORCH_BOTH T &operator[](index_t i) const { return data_[strides_[0] * i]; }

  private:
    PtrType data_;
    const index_t *sizes_, *strides_;
};

template <typename T, size_t N, template <typename U> class Traits = DefaultPtrTraits,
          typename index_t = int64_t>
class GenericPackedTensorAccessor {
  public:
    typedef typename Traits<T>::PtrType PtrType;
    BARLINT_TORCH_BOTH GenericPackedTensorAccessor(PtrType data, const int64_t *sizes,
                                                   const int64_t *strides);
    BARLINT_TORCH_BOTH index_t size(index_t i) const { return sizes_[i]; }
    BARLINT_TORCH_BOTH index_t stride(index_t i) const { return strides_[i]; }
    BARLINT_TORCH_BOTH PtrType data() { return data_; }
    BARLINT_TORCH_BOTH const PtrType data() const { return data_; }
    BARLINT_TORCH_BOTH TensorAccessor<T, N - 1, Traits, index_t> operator[](index_t i) const
    {
        return TensorAccessor<T, N - 1, Traits, index_t>(data_ + strides_[0] * i, sizes_ + 1,
                                                         strides_ + 1);
    }

  private:
    PtrType data_;
    index_t sizes_[N], strides_[N];
};

template <typename T, template <typename U> class Traits, typename index_t>
class GenericPackedTensorAccessor<T, 1, Traits, index_t> {
  public:
    typedef typename Traits<T>::PtrType PtrType;
    BARLINT_TORCH_BOTH GenericPackedTensorAccessor(PtrType data, const int64_t *sizes,
                                                   const int64_t *strides);
    BARLINT_TORCH_BOTH index_t size(index_t i) const { return sizes_[i]; }
    BARLINT_TORCH_BOTH index_t stride(index_t i) const { return strides_[i]; }
    BARLINT_TORCH_BOTH PtrType data() { return data_; }
    BARLINT_TORCH_BOTH const PtrType data() const { return data_; }
    BARLINT_TORCH_BOTH T &operator[](index_t i) const { return data_[strides_[0] * i]; }

  private:
    PtrType data_;
    index_t sizes_[1], strides_[1];
};

template <typename T, size_t N, template <typename U> class Traits = DefaultPtrTraits,
          typename index_t = int64_t>
using PackedTensorAccessor = GenericPackedTensorAccessor<T, N, Traits, index_t>;
template <typename T, size_t N, template <typename U> class Traits = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, Traits, int32_t>;
template <typename T, size_t N, template <typename U> class Traits = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, Traits, int64_t>;
} // namespace at

#endif
