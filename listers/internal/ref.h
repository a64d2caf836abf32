#ifndef LISTERS_INTERNAL_REF_H_
#define LISTERS_INTERNAL_REF_H_

#include <atomic>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace kube::listers::internal {

// The base class of objects owned by Ref. A new object, also a copy, starts with one reference,
// which belongs to the Ref that makes it.
class RefCounted {
 public:
  RefCounted() = default;
  RefCounted(const RefCounted&) {}
  RefCounted& operator=(const RefCounted&) = delete;

  void AddReference() const { references_.fetch_add(1, std::memory_order_relaxed); }
  // Returns whether this was the last reference.
  bool DropReference() const { return references_.fetch_sub(1, std::memory_order_acq_rel) == 1; }
  // Returns whether the caller has the only reference. If so, everything that previous owners did
  // happens before; std::shared_ptr::use_count does not guarantee that.
  bool IsUnique() const { return references_.load(std::memory_order_acquire) == 1; }

 private:
  mutable std::atomic<uint32_t> references_{1};
};

// A shared owner of a T, which derives from RefCounted. Thread-compatible, like std::shared_ptr.
template <typename T>
class Ref {
 public:
  Ref() = default;
  // Owns a new object.
  template <typename... Args>
  static Ref Make(Args&&... args) {
    Ref ref;
    ref.object_ = new T(std::forward<Args>(args)...);
    return ref;
  }
  // Converts Ref<T> to Ref<const T>.
  template <typename U>
  requires(std::is_convertible_v<U*, T*> && !std::is_same_v<U, T>) Ref(Ref<U> other)
      : object_(other.Release()) {}  // NOLINT(google-explicit-constructor)
  Ref(const Ref& other) : object_(other.object_) {
    if (object_ != nullptr) object_->AddReference();
  }
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_ != nullptr && object_->DropReference()) delete object_;
  }

  // Returns the object together with its reference, and leaves this empty.
  [[nodiscard]] T* Release() { return std::exchange(object_, nullptr); }

  T* get() const { return object_; }
  T& operator*() const { return *object_; }
  T* operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  T* object_ = nullptr;
};

}  // namespace kube::listers::internal

#endif  // LISTERS_INTERNAL_REF_H_
