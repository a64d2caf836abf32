#include "apimachinery/unstructured/go_format.h"

#include <charconv>
#include <cstddef>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/value.h"

namespace kube::unstructured {
namespace {

// Formats as strconv's 'g' with the shortest precision: with an exponent if that is below -4, or 6
// or more.
std::string FormatDouble(double value) {
  char buffer[32];
  const std::to_chars_result end =
      std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::scientific);
  const absl::string_view text(buffer, static_cast<size_t>(end.ptr - buffer));
  const size_t mark = text.find('e');
  int exponent = 0;
  if (mark == absl::string_view::npos || !absl::SimpleAtoi(text.substr(mark + 1), &exponent) ||
      exponent < -4 || exponent >= 6) {
    return std::string(text);
  }
  const std::to_chars_result plain =
      std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::fixed);
  return std::string(buffer, plain.ptr);
}

// `verb` is 'v', or 's', which marks what is not a string.
void Append(std::string& out, const Value& value, char verb) {
  const auto scalar = [&](absl::string_view type, absl::string_view text) {
    if (verb == 'v') {
      absl::StrAppend(&out, text);
    } else {
      absl::StrAppend(&out, "%!s(", type, text, ")");
    }
  };
  switch (value.type()) {
    case ValueType::kNull:
      return scalar("", "<nil>");
    case ValueType::kBool:
      return scalar("bool=", *value.boolean() ? "true" : "false");
    case ValueType::kInt:
      return scalar("int64=", absl::StrCat(*value.integer()));
    case ValueType::kDouble:
      return scalar("float64=", FormatDouble(*value.number()));
    case ValueType::kString:
      absl::StrAppend(&out, *value.text());
      return;
    case ValueType::kList: {
      out += '[';
      absl::string_view separator = "";
      for (const Value& element : *value.list()) {
        absl::StrAppend(&out, separator);
        Append(out, element, verb);
        separator = " ";
      }
      out += ']';
      return;
    }
    case ValueType::kObject: {
      out += "map[";
      absl::string_view separator = "";
      for (const auto& [key, member] : *value.object()) {
        absl::StrAppend(&out, separator, key.view(), ":");
        Append(out, member, verb);
        separator = " ";
      }
      out += ']';
      return;
    }
  }
}

}  // namespace

std::string FormatAsGo(const Value& value) {
  std::string out;
  Append(out, value, 'v');
  return out;
}

std::string FormatAsGoString(const Value& value) {
  std::string out;
  Append(out, value, 's');
  return out;
}

absl::string_view GoType(const Value& value) {
  switch (value.type()) {
    case ValueType::kNull:
      return "<nil>";
    case ValueType::kBool:
      return "bool";
    case ValueType::kInt:
      return "int64";
    case ValueType::kDouble:
      return "float64";
    case ValueType::kString:
      return "string";
    case ValueType::kList:
      return "[]interface {}";
    case ValueType::kObject:
      return "map[string]interface {}";
  }
  return "";
}

}  // namespace kube::unstructured
