#ifndef APIMACHINERY_CODEC_TESTING_DECODED_OBJECT_H_
#define APIMACHINERY_CODEC_TESTING_DECODED_OBJECT_H_

// An object for tests that is decoded from JSON, of a type that is known at run time. Tests compile
// this file as a source instead of linking a library, because they link different builds of the
// decoder.

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/codec/testing/sample_object.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {

class DecodedObject {
 public:
  explicit DecodedObject(const kube::table::Message* message) : object_(*message) {}

  // Decodes into the existing object. The text is in a buffer that ends directly after the padding.
  absl::Status Decode(absl::string_view json, const DecodeOptions& options = {},
                      std::vector<std::string>* strict_errors = nullptr) {
    const size_t bytes = json.size() + PaddedBuffer::kPadding;
    const PaddedBuffer padding("");
    const auto text = std::make_unique<char[]>(bytes);
    if (!json.empty()) std::memcpy(text.get(), json.data(), json.size());
    std::memcpy(text.get() + json.size(), padding.data(), PaddedBuffer::kPadding);
    return codec::DecodeInto(object_.get(), message(), codec::Encoding::kJson,
                             {text.get(), json.size()}, options, strict_errors);
  }

  // Returns the object as JSON, or "error: " and the cause.
  std::string Json() const {
    std::string json;
    const absl::Status status = AppendJson(json, object_.get(), message());
    return status.ok() ? json : absl::StrCat("error: ", status.message());
  }

  bool Equals(const DecodedObject& other) const { return object_ == other.object_; }

  const kube::table::Message& message() const { return object_.message(); }

 private:
  SampleObject object_;
};

// Decodes the texts one after another into one object, and returns its JSON or "error: " and the
// cause.
inline std::string Recode(const kube::table::Message* message,
                          const std::vector<std::string>& texts) {
  DecodedObject object(message);
  for (const std::string& text : texts) {
    const absl::Status status = object.Decode(text);
    if (!status.ok()) return absl::StrCat("error: ", status.message());
  }
  return object.Json();
}

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_TESTING_DECODED_OBJECT_H_
