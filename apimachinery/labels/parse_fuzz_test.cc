// Selectors of labels: whatever comes in, nothing crashes, and what is accepted is accepted again
// as it is written, with the same meaning.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/labels/label_selector.h"
#include "apimachinery/labels/requirement.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/labels/set.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"

namespace kube::labels {
namespace {

void Matching(const Selector& selector) {
  Map<String> labels;
  for (const Requirement& requirement : selector.requirements()) {
    labels[requirement.key()] = requirement.values().empty() ? "" : requirement.values().front();
    const bool looked_up = selector.Matches([&](absl::string_view key) {
      const String* value = labels.find(key);
      return value == nullptr ? std::nullopt : std::make_optional(value->view());
    });
    KUBE_CHECK_EQ(looked_up, selector.Matches(labels));
  }
}

void Selectors(absl::string_view text) {
  const absl::StatusOr<Selector> selector = Parse(text);
  const auto label_selector = ParseToLabelSelector(text);
  if (!selector.ok()) {
    KUBE_CHECK(!selector.status().message().empty());
    KUBE_CHECK(!label_selector.ok());
    return;
  }
  const std::string written = selector->ToString();
  const absl::StatusOr<Selector> again = Parse(written);
  KUBE_CHECK(again.ok()) << written << ": " << again.status();
  KUBE_CHECK(*again == *selector) << written;
  KUBE_CHECK_EQ(again->ToString(), written);
  Matching(*selector);
  if (label_selector.ok()) {
    const absl::StatusOr<Selector> back = LabelSelectorAsSelector(&*label_selector);
    KUBE_CHECK(back.ok()) << written << ": " << back.status();
  }
}

void Sets(absl::string_view text) {
  const absl::StatusOr<Set> set = ParseSet(text);
  if (!set.ok()) return;
  const std::string written = ToString(*set);
  KUBE_CHECK(*ParseSet(written) == *set) << written;
  KUBE_CHECK(*Parse(written) == SelectorFromSet(*set)) << written;
}

}  // namespace
}  // namespace kube::labels

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  kube::labels::Selectors(text);
  kube::labels::Sets(text);
  return 0;
}
