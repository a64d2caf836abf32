// Field sets: whatever comes in, nothing crashes; what is read is read again as it is written; and
// the operations on sets agree with each other. The input is two sets, separated by a line feed.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/fields_v1.h"
#include "apimachinery/managedfields/path_element.h"

namespace kube::managedfields {
namespace {

void Element(absl::string_view input) {
  const absl::StatusOr<PathElement> element = PathElement::Parse(input);
  if (!element.ok()) return;
  const std::string written = element->Serialize();
  const absl::StatusOr<PathElement> again = PathElement::Parse(written);
  KUBE_CHECK(again.ok()) << written << ": " << again.status();
  // Invalid UTF-8 in a value is written as U+FFFD.
  KUBE_CHECK(*again == *element || !text::IsValidUtf8(input)) << written;
}

FieldSet Decode(absl::string_view json) {
  const absl::StatusOr<FieldSet> set = DecodeFieldsV1(json);
  if (!set.ok()) return FieldSet();
  const std::string written = EncodeFieldsV1(*set);
  const absl::StatusOr<FieldSet> again = DecodeFieldsV1(written);
  KUBE_CHECK(again.ok()) << written << ": " << again.status();
  if (text::IsValidUtf8(json)) {
    KUBE_CHECK(*again == *set) << written;
    KUBE_CHECK_EQ(EncodeFieldsV1(*again), written);
  }
  return *set;
}

void Operations(const FieldSet& a, const FieldSet& b) {
  const FieldSet both = a.Intersection(b);
  const FieldSet rest = a.Difference(b);
  KUBE_CHECK_EQ(a.Union(b), b.Union(a));
  KUBE_CHECK_EQ(both, b.Intersection(a));
  KUBE_CHECK_EQ(rest.Union(both), a);
  KUBE_CHECK_EQ(a.Union(b).Difference(b), rest);
  KUBE_CHECK_EQ(rest.size() + both.size(), a.size());
  KUBE_CHECK(a.RecursiveDifference(b).Difference(rest).empty());
  KUBE_CHECK(a.RecursiveDifference(a).empty());
  KUBE_CHECK(a.Leaves().Difference(a).empty());
  KUBE_CHECK_EQ(a.Leaves().empty(), a.empty());
}

void Test(absl::string_view input) {
  const size_t end = std::min(input.find('\n'), input.size());
  const absl::string_view other = input.substr(std::min(end + 1, input.size()));
  Element(input.substr(0, end));
  Operations(Decode(input.substr(0, end)), Decode(other));
}

}  // namespace
}  // namespace kube::managedfields

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kube::managedfields::Test(absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
