// Any query into any options: no crash, and what is written is read as the same.
#include <cstddef>
#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/queryparams/queryparams.h"
#include "apimachinery/queryparams/values.h"

namespace kube::queryparams {
namespace {

template <typename T>
void DecodeAndEncode(const Values& values) {
  const absl::StatusOr<T> options = DecodeParameters<T>(values);
  if (!options.ok()) return;
  const Values encoded = EncodeParameters(*options);
  const absl::StatusOr<T> again = DecodeParameters<T>(encoded);
  KUBE_CHECK_OK(again.status());
  KUBE_CHECK(EncodeParameters(*again) == encoded);
}

void DecodeAll(absl::string_view query) {
  const Values values = ParseQuery(query);
  KUBE_CHECK(ParseQuery(EncodeQuery(values)) == values);
  DecodeAndEncode<api::meta::v1::ListOptions>(values);
  DecodeAndEncode<api::meta::v1::DeleteOptions>(values);
  DecodeAndEncode<api::meta::v1::PatchOptions>(values);
  DecodeAndEncode<api::core::v1::PodLogOptions>(values);
  DecodeAndEncode<api::core::v1::PodExecOptions>(values);
  DecodeAndEncode<api::core::v1::PodPortForwardOptions>(values);
}

}  // namespace
}  // namespace kube::queryparams

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kube::queryparams::DecodeAll(absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
