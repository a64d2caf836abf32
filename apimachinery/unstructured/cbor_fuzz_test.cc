// Decodes arbitrary bytes as CBOR: what is accepted has one encoding, which gives the same value.
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/unstructured/cbor.h"
#include "apimachinery/unstructured/decode_unstructured_cbor.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"

namespace kube::unstructured {
namespace {

void TestValue(absl::string_view data) {
  const absl::StatusOr<Value> value = ParseCbor(data);
  const absl::StatusOr<Unstructured> object = DecodeUnstructuredCbor(data);
  if (!value.ok()) {
    KUBE_CHECK(value.status().code() == absl::StatusCode::kInvalidArgument);
    KUBE_CHECK(!object.ok());
    return;
  }
  const std::string cbor = EncodeCbor(*value).value();
  KUBE_CHECK(IsCbor(cbor));
  const Value again = ParseCbor(cbor).value();
  KUBE_CHECK(again == *value);
  KUBE_CHECK_EQ(EncodeCbor(again).value(), cbor);
  if (!object.ok()) return;
  KUBE_CHECK_EQ(EncodeCbor(object->object).value(), cbor);
}

}  // namespace
}  // namespace kube::unstructured

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kube::unstructured::TestValue(absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
