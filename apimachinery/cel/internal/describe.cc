#include "apimachinery/cel/internal/describe.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/cel/format.h"
#include "apimachinery/cel/type.h"

namespace kube::cel::internal {

std::string PlainText(const Value& value) {
  switch (value.kind()) {
    case ValueKind::kString:
      return std::string(value.text());
    case ValueKind::kUint:
      return absl::StrCat(value.unsigned_integer());
    case ValueKind::kDouble:
      return text::FormatGeneral(value.number());
    default:
      return FormatValue(value);
  }
}

std::string GoTypeName(const Value& value) {
  switch (value.kind()) {
    case ValueKind::kNull:
      return "types.Null";
    case ValueKind::kBool:
      return "types.Bool";
    case ValueKind::kInt:
      return "types.Int";
    case ValueKind::kUint:
      return "types.Uint";
    case ValueKind::kDouble:
      return "types.Double";
    case ValueKind::kString:
      return "types.String";
    case ValueKind::kBytes:
      return "types.Bytes";
    case ValueKind::kDuration:
      return "types.Duration";
    case ValueKind::kTimestamp:
      return "types.Timestamp";
    case ValueKind::kList:
      return "*types.baseList";
    case ValueKind::kMap:
      return "*types.baseMap";
    case ValueKind::kType:
      return "*types.Type";
    case ValueKind::kOptional:
      return "*types.Optional";
    case ValueKind::kError:
      return "*types.Err";
    case ValueKind::kOpaque:
      break;
  }
  absl::string_view name = value.opaque().type()->name;
  if (!absl::ConsumePrefix(&name, "kubernetes.")) absl::ConsumePrefix(&name, "net.");
  return absl::StrCat("cel.", name);
}

}  // namespace kube::cel::internal
