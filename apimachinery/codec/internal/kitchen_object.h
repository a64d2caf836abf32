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
#include "apimachinery/codec/internal/object_for_test.h"
#include "apimachinery/codec/padded_buffer.h"
#include "apimachinery/types/internal/message.h"
#include "tests/kitchen_sink/kitchen_messages.h"

namespace kube::codec::internal {

class KitchenObject {
 public:
  explicit KitchenObject(absl::string_view type) : object_(MessageOf(type)) {}

  // Into what is there. The text has a buffer of its own, with no byte after the padding.
  absl::Status Decode(absl::string_view json, const DecodeOptions& options = {},
                      std::vector<std::string>* strict_errors = nullptr) {
    const size_t bytes = json.size() + PaddedBuffer::kPadding;
    const PaddedBuffer padding("");
    const std::unique_ptr<char[]> text(new char[bytes]);
    if (!json.empty()) std::memcpy(text.get(), json.data(), json.size());
    std::memcpy(text.get() + json.size(), padding.data(), PaddedBuffer::kPadding);
    return DecodeInto(object_.get(), message(), Encoding::kJson, {text.get(), json.size()}, options,
                      strict_errors);
  }

  // "error: " and why, where it has none.
  std::string Json() const {
    std::string json;
    const absl::Status status = AppendJson(json, object_.get(), message());
    return status.ok() ? json : absl::StrCat("error: ", status.message());
  }

  bool Equals(const KitchenObject& other) const { return object_ == other.object_; }

  const kube::internal::Message& message() const { return object_.message(); }

 private:
  static const kube::internal::Message& MessageOf(absl::string_view type) {
    const kube::internal::Message* message = oracle::KitchenMessage(type);
    KUBE_CHECK(message != nullptr) << "no type " << type;
    return *message;
  }

  ObjectForTest object_;
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
