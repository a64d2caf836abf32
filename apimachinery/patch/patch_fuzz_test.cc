// Patches of all three types from arbitrary input: no crash, no hang, and patches that are made
// turn one object into the other. The input is an object and a patch, separated by a line feed.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/patch/json_patch.h"
#include "apimachinery/patch/merge_patch.h"
#include "apimachinery/patch/strategic_merge_patch.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::patch {
namespace {

using unstructured::Value;

void ApplyAll(const Value& object, const Value& patch, absl::string_view text) {
  (void)internal::ApplyStrategicMergePatch(object, patch, api::core::v1::Pod::kMessage);
  (void)ApplyMergePatch(object, patch);
  const absl::StatusOr<JsonPatch> operations = ParseJsonPatch(text);
  if (!operations.ok()) return;
  (void)ApplyJsonPatch(object, *operations);
  const absl::StatusOr<std::string> encoded = EncodeJsonPatch(*operations);
  KUBE_CHECK_OK(encoded.status());
  // Operations are not compared, because doubles without a fraction are read as ints.
  KUBE_CHECK_EQ(*EncodeJsonPatch(*ParseJsonPatch(*encoded)), *encoded);
}

void MakeAll(const Value& from, const Value& to) {
  (void)MakeStrategicMergePatch(from, to, api::core::v1::Pod::kMessage, {});
  (void)MakeThreeWayMergePatch(from, to, from);
  const absl::StatusOr<JsonPatch> operations = MakeJsonPatch(from, to);
  if (!operations.ok()) return;
  const absl::StatusOr<Value> changed = ApplyJsonPatch(from, *operations, {.max_operations = 0});
  KUBE_CHECK_OK(changed.status());
  KUBE_CHECK(*changed == to);
}

void Test(absl::string_view input) {
  const size_t end = input.find('\n');
  if (end == absl::string_view::npos) return;
  const absl::string_view text = input.substr(end + 1);
  const absl::StatusOr<Value> object = unstructured::ParseJson(input.substr(0, end));
  const absl::StatusOr<Value> patch = unstructured::ParseJson(text);
  if (!object.ok() || !patch.ok()) return;
  ApplyAll(*object, *patch, text);
  MakeAll(*object, *patch);
}

}  // namespace
}  // namespace kube::patch

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kube::patch::Test(absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
