#include "apimachinery/table/message.h"

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace kube::table {
namespace {

// Reads a text that is preceded by its size; moves `at` behind it.
absl::string_view TakeText(const char*& at) {
  const size_t size = static_cast<uint8_t>(*at++);
  const absl::string_view text(at, size);
  at += size;
  return text;
}

}  // namespace

MergeRules MergeRulesOf(const Message& message, const Field& field) {
  MergeRules rules;
  if ((field.flags & kHasMerge) == 0) return rules;
  const char* at = message.names + field.name + field.name_size;
  rules.strategy = static_cast<uint8_t>(*at++);
  rules.merge_key = TakeText(at);
  rules.list_map_keys = TakeText(at);
  if ((rules.strategy & MergeRules::kListMap) != 0) rules.list_map_defaults = TakeText(at);
  return rules;
}

}  // namespace kube::table
