// Decodes arbitrary text. The first byte selects the type, and the rest is the JSON. Checks that
// nothing crashes, that the object survives encoding and decoding, that strict mode decodes the
// same object, that the text may be decoded into its own object again, and that SkipValue accepts
// what the decoder accepts.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/json/json_scan.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/codec/testing/decoded_object.h"
#include "tests/kitchen_sink/kitchen_messages.h"

namespace kube::codec::internal {
namespace {

// The type's name in tests/kitchen_sink.
class KitchenObject : public DecodedObject {
 public:
  explicit KitchenObject(absl::string_view type) : DecodedObject(oracle::KitchenMessage(type)) {}
};

constexpr absl::string_view kTypes[] = {
    "Sink",    "SinkSpec",     "Plain",      "Optional",  "Never",   "OptionalNever",
    "Zero",    "OptionalZero", "Lists",      "Maps",      "Structs", "Inlines",
    "Numbers", "OneFormat",    "JsonNames",  "LongNames", "Wide",    "Schema",
    "Merges",  "ObjectMeta",   "ListsNever", "MapsNever",
};

bool IsJson(absl::string_view text) {
  const PaddedBuffer buffer(text);
  const char* const end = buffer.data() + buffer.size();
  const char* error = nullptr;
  const char* after = SkipValue(SkipSpace(buffer.data()), end, 10000, &error);
  if (after == nullptr) {
    KUBE_CHECK(error >= buffer.data() && error <= end);
    return false;
  }
  return SkipSpace(after) == end;
}

// Null pointer members become absent; after one round trip nothing changes.
void CheckStable(absl::string_view type, const std::string& json) {
  KitchenObject second(type);
  KUBE_CHECK_OK(second.Decode(json));
  const std::string stable = second.Json();
  KitchenObject third(type);
  KUBE_CHECK_OK(third.Decode(stable));
  KUBE_CHECK_EQ(third.Json(), stable);
  KUBE_CHECK(third.Equals(second));
}

void DecodeAny(absl::string_view type, absl::string_view text) {
  KitchenObject object(type);
  const absl::Status status = object.Decode(text);
  KitchenObject strict(type);
  std::vector<std::string> errors;
  KUBE_CHECK_EQ(strict.Decode(text, {}, &errors), status);
  const absl::Status refused =
      KitchenObject(type).Decode(text, {.field_validation = FieldValidation::kStrict});
  KUBE_CHECK_EQ(refused.ok(), status.ok() && errors.empty());
  if (!status.ok()) {
    KUBE_CHECK(absl::StartsWith(status.message(), "decode "));
    (void)object.Decode("{}");
    return;
  }
  KUBE_CHECK(IsJson(text));
  const std::string json = object.Json();
  KUBE_CHECK(!absl::StartsWith(json, "error: ")) << json;
  KUBE_CHECK_EQ(strict.Json(), json);
  CheckStable(type, json);
  KUBE_CHECK_OK(object.Decode(text));
  KUBE_CHECK(!absl::StartsWith(object.Json(), "error: "));
}

}  // namespace
}  // namespace kube::codec::internal

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using kube::codec::internal::kTypes;
  if (size == 0) return 0;
  kube::codec::internal::DecodeAny(
      kTypes[data[0] % std::size(kTypes)],
      absl::string_view(reinterpret_cast<const char*>(data + 1), size - 1));
  return 0;
}
