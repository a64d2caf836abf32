#include "apimachinery/codec/internal/leaf.h"

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/base/text/quantity_text.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {
namespace {

using kube::text::ParsedQuantity;
using kube::text::ParseQuantityText;
using kube::text::QuantityError;

bool IsZeroQuantity(absl::string_view text) {
  if (text.empty()) return true;
  const ParsedQuantity parsed = ParseQuantityText(text);
  return parsed.error == QuantityError::kNone && parsed.value.Sign() == 0;
}

bool IsZeroField(const char* member, const Message& message, const Field& field) {
  switch (field.shape) {
    case Shape::kValue:
      return IsZero(member, field.kind, message.sub(field));
    case Shape::kOpt:
      return member[field.element_size] == 0;
    case Shape::kBox:
    case Shape::kList:
    case Shape::kMap:
      return Load<uint64_t>(member) == 0;
  }
  return false;
}

}  // namespace

bool CanonicalQuantity(absl::string_view text, std::string& scratch, absl::string_view& canonical) {
  canonical = text.empty() ? absl::string_view("0") : text;
  if (text.empty() || kube::text::IsPlainQuantity(text)) return true;
  const ParsedQuantity parsed = ParseQuantityText(text);
  if (parsed.error != QuantityError::kNone) return false;
  scratch = kube::text::CanonicalQuantityText(text, parsed);
  canonical = scratch;
  return true;
}

bool IsEmpty(const char* value, Kind kind) {
  switch (kind) {
    case Kind::kString:
    case Kind::kBytes:
      return AsString(value).size() == 0;
    case Kind::kBool:
      return *value == 0;
    case Kind::kInt32:
      return Load<int32_t>(value) == 0;
    case Kind::kInt64:
      return Load<int64_t>(value) == 0;
    case Kind::kDouble:  // -0 as well
      return Load<double>(value) == 0;
    case Kind::kStringList:
      return SizeOf(AsBlock(value)) == 0;
    default:
      return false;
  }
}

bool IsZero(const char* value, Kind kind, const Message* message) {
  switch (kind) {
    case Kind::kBool:
    case Kind::kInt32:
    case Kind::kDouble:
      return IsEmpty(value, kind);
    case Kind::kQuantity:
      return IsZeroQuantity(TextOf(value));
    case Kind::kString:
      return TextOf(value).empty();
    case Kind::kBytes:
    case Kind::kRawExtension:
    case Kind::kFieldsV1:
    case Kind::kRawJson:
    case Kind::kValue:
      return AsString(value).is_zero();
    case Kind::kInt64:
    case Kind::kTime:
    case Kind::kDuration:
    case Kind::kStringList:
      return Load<uint64_t>(value) == 0;
    case Kind::kMicroTime: {
      const auto time = Load<MicroTimeBits>(value);
      return time.seconds == 0 && time.micros == 0;
    }
    case Kind::kIntOrString: {
      const IntOrStringBits& bits = AsIntOrString(value);
      return bits.type == 0 && bits.number == 0 && bits.text.size() == 0;
    }
    case Kind::kMessage:
      for (uint16_t i = 0; i < message->field_count; ++i) {
        const Field& field = message->fields[i];
        if (!IsZeroField(value + field.offset, *message, field)) return false;
      }
      return true;
  }
  return false;
}

}  // namespace kube::codec::internal
