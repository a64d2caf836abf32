#include "apimachinery/cel/format.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/cel/internal/time.h"
#include "apimachinery/cel/type.h"

namespace kube::cel {
namespace {

std::string FormatDouble(double value) {
  if (std::isnan(value)) return "double(\"NaN\")";
  if (std::isinf(value)) return value < 0 ? "double(\"-Infinity\")" : "double(\"Infinity\")";
  const std::string text = text::FormatFixed(value);
  return text.find('.') == std::string::npos ? text + ".0" : text;
}

std::string FormatBytes(absl::string_view bytes) {
  std::string out = "b\"";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += '\\';
    out += static_cast<char>('0' + byte / 64);
    out += static_cast<char>('0' + byte / 8 % 8);
    out += static_cast<char>('0' + byte % 8);
  }
  return out + "\"";
}

std::string FormatList(const ListValue& list) {
  std::string out = "[";
  for (size_t i = 0; i < list.size(); ++i) {
    absl::StrAppend(&out, i == 0 ? "" : ", ", FormatValue(list.At(i)));
  }
  return out + "]";
}

std::string FormatMap(const MapValue& map) {
  std::vector<std::pair<std::string, std::string>> entries;
  for (const Value& key : map.Keys()) {
    entries.emplace_back(FormatValue(key), FormatValue(map.Find(key).value_or(Value())));
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  return absl::StrCat("{", absl::StrJoin(entries, ", ", absl::PairFormatter(": ")), "}");
}

std::string FormatTime(TimestampValue time) {
  time.offset_seconds = 0;
  return absl::StrCat("timestamp(\"", internal::FormatTimestamp(time), "\")");
}

}  // namespace

std::string FormatValue(const Value& value) {
  switch (value.kind()) {
    case ValueKind::kNull:
      return "null";
    case ValueKind::kBool:
      return value.boolean() ? "true" : "false";
    case ValueKind::kInt:
      return absl::StrCat(value.integer());
    case ValueKind::kUint:
      return absl::StrCat(value.unsigned_integer(), "u");
    case ValueKind::kDouble:
      return FormatDouble(value.number());
    case ValueKind::kString:
      return text::Quoted(value.text());
    case ValueKind::kBytes:
      return FormatBytes(value.bytes());
    case ValueKind::kDuration:
      return absl::StrCat("duration(\"", internal::FormatSeconds(value.duration()), "s\")");
    case ValueKind::kTimestamp:
      return FormatTime(value.timestamp());
    case ValueKind::kList:
      return FormatList(value.list());
    case ValueKind::kMap:
      return FormatMap(value.map());
    case ValueKind::kType:
      return value.type_value()->name;
    case ValueKind::kOptional:
      return value.optional() == nullptr
                 ? "optional.none()"
                 : absl::StrCat("optional.of(", FormatValue(*value.optional()), ")");
    case ValueKind::kOpaque:
      return value.opaque().ToString();
    case ValueKind::kError:
      break;
  }
  return absl::StrCat("error: ", value.error());
}

}  // namespace kube::cel
