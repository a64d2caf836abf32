#ifndef APIMACHINERY_BASE_NO_DESTRUCTOR_H_
#define APIMACHINERY_BASE_NO_DESTRUCTOR_H_

#include <utility>

namespace kube::base {

// Holds a value that is never destroyed. For static objects that destructors of other static
// objects, or threads that outlive main, may still use. abseil: `absl::NoDestructor`.
template <typename T>
class NoDestructor {
 public:
  template <typename... Args>
  constexpr explicit NoDestructor(Args&&... args) : value_(std::forward<Args>(args)...) {}
  ~NoDestructor() {}
  NoDestructor(const NoDestructor&) = delete;
  NoDestructor& operator=(const NoDestructor&) = delete;

  T& operator*() { return value_; }
  T* operator->() { return &value_; }

 private:
  union {
    T value_;
  };
};

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_NO_DESTRUCTOR_H_
