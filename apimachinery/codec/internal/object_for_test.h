#ifndef APIMACHINERY_CODEC_INTERNAL_OBJECT_FOR_TEST_H_
#define APIMACHINERY_CODEC_INTERNAL_OBJECT_FOR_TEST_H_

#include <cstring>
#include <utility>

#include "apimachinery/types/internal/layout.h"
#include "apimachinery/types/internal/message.h"
#include "apimachinery/types/internal/ops.h"

namespace kube::codec::internal {

// An object of a type that is known at run time.
class ObjectForTest {
 public:
  explicit ObjectForTest(const kube::internal::Message& message)
      : message_(&message), value_(kube::internal::Allocate(message.size)) {
    std::memset(value_, 0, message.size);
  }
  ObjectForTest(const ObjectForTest& other) : ObjectForTest(other.message()) {
    std::memcpy(value_, other.value_, message_->size);
    kube::internal::CopyValue(value_, other.value_, type());
  }
  ObjectForTest& operator=(const ObjectForTest& other) {
    if (this != &other) *this = ObjectForTest(other);
    return *this;
  }
  ObjectForTest& operator=(ObjectForTest&& other) noexcept {
    std::swap(message_, other.message_);
    std::swap(value_, other.value_);
    return *this;
  }
  ~ObjectForTest() {
    kube::internal::DestroyValue(value_, type());
    kube::internal::Free(value_);
  }

  const kube::internal::Message& message() const { return *message_; }
  kube::internal::Type type() const {
    return {kube::internal::Kind::kMessage, message_->size, message_};
  }
  char* get() { return value_; }
  const char* get() const { return value_; }

  friend bool operator==(const ObjectForTest& a, const ObjectForTest& b) {
    return kube::internal::EqualMessages(a.value_, b.value_, *a.message_);
  }

 private:
  const kube::internal::Message* message_;
  char* value_;
};

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_OBJECT_FOR_TEST_H_
