#include "controller/predicates/internal/same_spec.h"

#include <cstddef>

#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/value.h"

namespace kube::controller::internal {

namespace {

using unstructured::Unstructured;
using unstructured::Value;

bool IsCompared(absl::string_view member) {
  return member != "metadata" && member != "status" && member != "apiVersion" && member != "kind";
}

// Returns whether all compared members of `a` are equal in `b`.
bool HasMembersOf(const Unstructured& a, const Unstructured& b) {
  for (const auto& [name, value] : a.object) {
    if (!IsCompared(name.view())) continue;
    const Value* other = b.object.find(name.view());
    if (other == nullptr ? !value.is_null() : !(*other == value)) return false;
  }
  return true;
}

}  // namespace

bool SameMembers(const codec::ValueView& before, const codec::ValueView& after) {
  for (size_t i = 0; i < before.size(); ++i) {
    if (IsCompared(before.member_name(i)) && !(before.member(i) == after.member(i))) return false;
  }
  return true;
}

bool SameMembers(const Unstructured& before, const Unstructured& after) {
  return HasMembersOf(before, after) && HasMembersOf(after, before);
}

}  // namespace kube::controller::internal
