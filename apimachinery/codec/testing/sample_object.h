#ifndef APIMACHINERY_CODEC_TESTING_SAMPLE_OBJECT_H_
#define APIMACHINERY_CODEC_TESTING_SAMPLE_OBJECT_H_

#include <cstring>
#include <utility>

#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/ops.h"

namespace kube::codec::internal {

// An object of a type that is known at run time.
class ObjectForTest {
 public:
  explicit ObjectForTest(const kube::table::Message& message)
      : message_(&message), value_(kube::table::Allocate(message.size)) {
    std::memset(value_, 0, message.size);
  }
  ObjectForTest(const ObjectForTest& other) : ObjectForTest(other.message()) {
    std::memcpy(value_, other.value_, message_->size);
    kube::table::CopyValue(value_, other.value_, type());
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
    kube::table::DestroyValue(value_, type());
    kube::table::Free(value_);
  }

  const kube::table::Message& message() const { return *message_; }
  kube::table::Type type() const { return {kube::table::Kind::kMessage, message_->size, message_}; }
  char* get() { return value_; }
  const char* get() const { return value_; }

  friend bool operator==(const ObjectForTest& a, const ObjectForTest& b) {
    return kube::table::EqualMessages(a.value_, b.value_, *a.message_);
  }

 private:
  const kube::table::Message* message_;
  char* value_;
};

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_TESTING_SAMPLE_OBJECT_H_
