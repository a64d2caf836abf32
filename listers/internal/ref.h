#ifndef LISTERS_INTERNAL_REF_H_
#define LISTERS_INTERNAL_REF_H_

#include <atomic>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace kube::listers::internal {

// What Ref counts: starts with one reference, that of the Ref which makes it. A copy starts anew.
class RefCounted {
 public:
  RefCounted() = default;
  RefCounted(const RefCounted&) {}
  RefCounted& operator=(const RefCounted&) = delete;

  void AddReference() const { references_.fetch_add(1, std::memory_order_relaxed); }
  // Whether that was the last one.
  bool DropReference() const { return references_.fetch_sub(1, std::memory_order_acq_rel) == 1; }
  // True: the caller has the only reference, and what others did with theirs has happened before.
  // std::shared_ptr::use_count does not promise the second half.
  bool IsUnique() const { return references_.load(std::memory_order_acquire) == 1; }

 private:
  mutable std::atomic<uint32_t> references_{1};
};

// A shared owner of a T, which is a RefCounted. Thread-compatible, as std::shared_ptr.
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
  // Of a Ref<T>, a Ref<const T>.
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

  // Gives its reference away.
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
