// Decodes arbitrary bytes as JSON of any kind: the result survives encoding and decoding, in owned
// memory and in a cache's; the scanner of skipped values accepts the same texts.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/json/json_scan.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/sharing/sharing_store.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::unstructured {
namespace {

// Returns whether the text is JSON by its grammar; its numbers may be too large for a double.
bool IsJson(const codec::PaddedBuffer& text) {
  const char* const end = text.data() + text.size();
  const char* error = nullptr;
  const char* after =
      codec::internal::SkipValue(codec::internal::SkipSpace(text.data()), end, 10000, &error);
  while (after != nullptr && after < end && codec::internal::IsJsonSpace(*after)) ++after;
  return after == end;
}

void TestValue(const codec::PaddedBuffer& text) {
  const absl::StatusOr<Value> value = ParseJson(text);
  if (!value.ok()) {
    KUBE_CHECK(!IsJson(text) || absl::StrContains(value.status().message(), "out of range"))
        << value.status();
    return;
  }
  KUBE_CHECK(IsJson(text));
  // The double -0.0 is written as -0, an int. As in Go, only the second round trip changes nothing.
  const std::string json = EncodeJson(ParseJson(EncodeJson(*value).value()).value()).value();
  const Value again = ParseJson(json).value();
  KUBE_CHECK_EQ(EncodeJson(again).value(), json);
  const Value copy = *value;
  KUBE_CHECK(copy == *value);
}

// Four times, because values are shared from the third time on.
void TestShared(const codec::PaddedBuffer& text) {
  codec::SharingStore store;
  codec::SharedDecoder decoder({}, &store);
  const absl::StatusOr<Unstructured> owned = codec::DecodeJson<Unstructured>(text);
  for (int i = 0; i < 4; ++i) {
    const absl::StatusOr<std::shared_ptr<const Unstructured>> shared =
        decoder.DecodeJson<Unstructured>(text);
    KUBE_CHECK_EQ(shared.ok(), owned.ok());
    if (!owned.ok()) return;
    KUBE_CHECK(**shared == *owned);
    KUBE_CHECK_EQ(codec::EncodeJson(**shared).value(), codec::EncodeJson(*owned).value());
  }
}

}  // namespace
}  // namespace kube::unstructured

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const kube::codec::PaddedBuffer text(
      absl::string_view(reinterpret_cast<const char*>(data), size));
  kube::unstructured::TestValue(text);
  kube::unstructured::TestShared(text);
  return 0;
}
