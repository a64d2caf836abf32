#ifndef APIMACHINERY_CODEC_INTERNAL_KITCHEN_OBJECT_H_
#define APIMACHINERY_CODEC_INTERNAL_KITCHEN_OBJECT_H_

// An object of one of the kitchen sink's types, by name: for tests that run through tables. It is a
// source of each of these tests, and no library: they link different builds of the decoder.

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/internal/decode.h"
#include "apimachinery/codec/padded_buffer.h"
#include "apimachinery/types/internal/message.h"
#include "apimachinery/types/internal/ops.h"
#include "tests/kitchen_sink/kitchen_messages.h"

namespace kube::codec::internal {

class KitchenObject {
 public:
  explicit KitchenObject(absl::string_view type) : message_(oracle::KitchenMessage(type)) {
    KUBE_CHECK(message_ != nullptr) << "no type " << type;
    memory_ = std::make_unique<Aligned[]>(message_->size / sizeof(Aligned) + 1);
  }
  KitchenObject(const KitchenObject&) = delete;
  KitchenObject& operator=(const KitchenObject&) = delete;
  ~KitchenObject() {
    kube::internal::DestroyValue(memory(), {Kind::kMessage, message_->size, message_});
  }

  // Into what is there. The text has a buffer of its own, with no byte after the padding.
  absl::Status Decode(absl::string_view json, const DecodeOptions& options = {},
                      std::vector<std::string>* strict_errors = nullptr) {
    const size_t bytes = json.size() + PaddedBuffer::kPadding;
    const PaddedBuffer padding("");
    const std::unique_ptr<char[]> text(new char[bytes]);
    if (!json.empty()) std::memcpy(text.get(), json.data(), json.size());
    std::memcpy(text.get() + json.size(), padding.data(), PaddedBuffer::kPadding);
    return DecodeInto(memory(), *message_, Encoding::kJson, {text.get(), json.size()}, options,
                      strict_errors);
  }

  // "error: " and why, where it has none.
  std::string Json() const {
    std::string json;
    const absl::Status status = AppendJson(json, memory(), *message_);
    return status.ok() ? json : absl::StrCat("error: ", status.message());
  }

  bool Equals(const KitchenObject& other) const {
    return kube::internal::EqualMessages(memory(), other.memory(), *message_);
  }

  char* memory() const { return reinterpret_cast<char*>(memory_.get()); }
  const kube::internal::Message& message() const { return *message_; }

 private:
  struct alignas(8) Aligned {
    char bytes[8] = {};
  };
  using Kind = kube::internal::Kind;

  const kube::internal::Message* message_;
  std::unique_ptr<Aligned[]> memory_;
};

// What JSON texts, decoded into one object in turn, make of it: its JSON; or "error: " and why.
inline std::string Recode(absl::string_view type, const std::vector<std::string>& texts) {
  KitchenObject object(type);
  for (const std::string& text : texts) {
    const absl::Status status = object.Decode(text);
    if (!status.ok()) return absl::StrCat("error: ", status.message());
  }
  return object.Json();
}

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_INTERNAL_KITCHEN_OBJECT_H_
