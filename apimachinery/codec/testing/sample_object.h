#ifndef APIMACHINERY_CODEC_TESTING_SAMPLE_OBJECT_H_
#define APIMACHINERY_CODEC_TESTING_SAMPLE_OBJECT_H_

#include <cstring>
#include <utility>

#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/ops.h"

namespace kube::codec::internal {

// Owns an object of a type that is known at run time.
class SampleObject {
 public:
  explicit SampleObject(const kube::table::Message& message)
      : message_(&message), value_(kube::table::Allocate(message.size)) {
    std::memset(value_, 0, message.size);
  }
  SampleObject(const SampleObject& other) : SampleObject(other.message()) {
    std::memcpy(value_, other.value_, message_->size);
    kube::table::CopyValue(value_, other.value_, type());
  }
  SampleObject& operator=(const SampleObject& other) {
    if (this != &other) *this = SampleObject(other);
    return *this;
  }
  SampleObject& operator=(SampleObject&& other) noexcept {
    std::swap(message_, other.message_);
    std::swap(value_, other.value_);
    return *this;
  }
  ~SampleObject() {
    kube::table::DestroyValue(value_, type());
    kube::table::Free(value_);
  }

  const kube::table::Message& message() const { return *message_; }
  kube::table::Type type() const { return {kube::table::Kind::kMessage, message_->size, message_}; }
  char* get() { return value_; }
  const char* get() const { return value_; }

  friend bool operator==(const SampleObject& a, const SampleObject& b) {
    return kube::table::EqualMessages(a.value_, b.value_, *a.message_);
  }

 private:
  const kube::table::Message* message_;
  char* value_;
};

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_TESTING_SAMPLE_OBJECT_H_
