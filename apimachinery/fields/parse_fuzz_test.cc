// Selectors of fields: whatever comes in, nothing crashes, and what is accepted is accepted again
// as it is written, with the same requirements.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/fields/compiled_selector.h"
#include "apimachinery/fields/selector.h"

namespace kube::fields {
namespace {

// A written selector is sorted by other texts than the one that was read.
std::vector<Requirement> Sorted(const Selector& selector) {
  std::vector<Requirement> sorted(selector.requirements().begin(), selector.requirements().end());
  std::sort(sorted.begin(), sorted.end(), [](const Requirement& a, const Requirement& b) {
    return std::tie(a.field, a.op, a.value) < std::tie(b.field, b.op, b.value);
  });
  return sorted;
}

void Selectors(absl::string_view text) {
  const absl::StatusOr<std::string> value = UnescapeValue(text);
  if (value.ok()) KUBE_CHECK(*UnescapeValue(EscapeValue(*value)) == *value || text.empty());
  const absl::StatusOr<Selector> selector = ParseSelector(text);
  if (!selector.ok()) return;
  const std::string written = selector->ToString();
  const absl::StatusOr<Selector> again = ParseSelector(written);
  KUBE_CHECK(again.ok()) << written << ": " << again.status();
  KUBE_CHECK(Sorted(*again) == Sorted(*selector)) << written;
  const auto compiled = CompiledSelector::Make<api::meta::v1::PartialObjectMetadata>(*selector);
  if (compiled.ok()) compiled->Matches(api::meta::v1::PartialObjectMetadata());
}

}  // namespace
}  // namespace kube::fields

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kube::fields::Selectors(absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
