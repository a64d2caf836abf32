#include "apimachinery/cel/internal/schema_size.h"

#include <algorithm>
#include <set>
#include <string>

#include "apimachinery/cel/escape.h"

namespace kube::cel::internal {
namespace {

// The quotes of an empty text, or the brackets of an empty list or object.
constexpr int64_t kBrackets = 2;
// Quotes, colon and comma of a member.
constexpr int64_t kPunctuation = 4;
// The same for an entry of a map, with the shortest key and its comma.
constexpr int64_t kEntry = 6;
constexpr int64_t kMaxBytesOfRune = 4;
// The longest texts of durations and times.
constexpr int64_t kMaxTimeSize = 32;
constexpr int64_t kDateSize = 12;

int64_t ObjectSize(const Schema& schema) {
  int64_t size = kBrackets;
  for (const std::string& name :
       std::set<std::string>(schema.required.begin(), schema.required.end())) {
    const auto member = schema.properties.find(name);
    if (member == schema.properties.end() || member->second == nullptr) continue;
    const std::optional<int64_t> member_size = MinSerializedSize(*member->second);
    if (!member_size.has_value()) continue;
    size += static_cast<int64_t>(name.size()) + *member_size + kPunctuation;
  }
  return size;
}

// Returns how many elements fit into a request if each has `extra` bytes besides its value.
int64_t ElementsInRequest(const Schema& schema, int64_t extra) {
  const int64_t element =
      schema.element == nullptr ? 0 : MinSerializedSize(*schema.element).value_or(0);
  return (kMaxRequestSize - kBrackets) / (element + extra);
}

int64_t TextSize(const Schema& schema) {
  if (schema.max_size.has_value()) {
    const int64_t runes = std::clamp<int64_t>(*schema.max_size, 0, INT64_MAX / kMaxBytesOfRune);
    return schema.kind == SchemaKind::kByte ? std::max<int64_t>(*schema.max_size, 0)
                                            : runes * kMaxBytesOfRune;
  }
  return schema.longest_enum.value_or(kMaxRequestSize - kBrackets);
}

}  // namespace

std::optional<int64_t> MinSerializedSize(const Schema& schema) {
  switch (schema.kind) {
    case SchemaKind::kPreserved:
      return std::nullopt;
    case SchemaKind::kObject:
      return ObjectSize(schema);
    case SchemaKind::kMap:
    case SchemaKind::kList:
      if (!IsVisible(schema)) return std::nullopt;
      return kBrackets;
    case SchemaKind::kString:
    case SchemaKind::kByte:
      return kBrackets;
    case SchemaKind::kDuration:
      return 3;
    case SchemaKind::kDate:
      return kDateSize;
    case SchemaKind::kDateTime:
      return 21;
    case SchemaKind::kBoolean:
      return 4;
    case SchemaKind::kAny:
    case SchemaKind::kIntOrString:
    case SchemaKind::kInteger:
    case SchemaKind::kNumber:
      break;
  }
  return 1;
}

int64_t MaxElements(const Schema& schema) {
  switch (schema.kind) {
    case SchemaKind::kList:
      return schema.max_size.has_value() ? std::max<int64_t>(*schema.max_size, 0)
                                         : ElementsInRequest(schema, 1);
    case SchemaKind::kMap:
      return schema.max_size.has_value() ? std::max<int64_t>(*schema.max_size, 0)
                                         : ElementsInRequest(schema, kEntry);
    case SchemaKind::kString:
    case SchemaKind::kByte:
    case SchemaKind::kIntOrString:
      return TextSize(schema);
    case SchemaKind::kDuration:
    case SchemaKind::kDateTime:
      return kMaxTimeSize;
    case SchemaKind::kDate:
      return kDateSize;
    default:
      return 0;
  }
}

const Schema* FindMember(const Schema& schema, absl::string_view identifier) {
  if (schema.kind != SchemaKind::kObject) return nullptr;
  const std::optional<std::string> name = UnescapeIdentifier(identifier);
  if (!name.has_value()) return nullptr;
  const std::optional<std::string> escaped = EscapeIdentifier(*name);
  if (!escaped.has_value() || *escaped != identifier) return nullptr;
  const auto member = schema.properties.find(*name);
  if (member == schema.properties.end() || member->second == nullptr) return nullptr;
  return IsVisible(*member->second) ? member->second.get() : nullptr;
}

}  // namespace kube::cel::internal
