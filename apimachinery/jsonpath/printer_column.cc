#include "apimachinery/jsonpath/printer_column.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "apimachinery/base/status.h"
#include "apimachinery/duration/human_duration.h"
#include "apimachinery/types/parse.h"
#include "apimachinery/types/time.h"

namespace kube::jsonpath {
namespace {

using unstructured::Value;

// Rounds towards zero, and clamps to the range of int64_t.
int64_t Truncate(double number) {
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  if (std::isnan(number)) return 0;
  if (number >= kLimit) return std::numeric_limits<int64_t>::max();
  if (number < -kLimit) return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(number);
}

// (Go: `Time.UnmarshalQueryParameter`, `ConvertToHumanReadableDateType`)
std::string AgeOf(absl::string_view text, absl::Time now) {
  if (text.empty() || text == "null") return duration::Age(Time(), now);
  const absl::StatusOr<Time> time = ParseTime(text);
  return time.ok() ? duration::Age(*time, now) : "<invalid>";
}

}  // namespace

absl::StatusOr<PrinterColumn> PrinterColumn::Make(absl::string_view type,
                                                  absl::string_view json_path) {
  KUBE_ASSIGN_OR_RETURN(JsonPath path, JsonPath::Parse(json_path, {.allow_missing_keys = true}));
  return PrinterColumn(type, std::move(path));
}

Value PrinterColumn::Cell(const Value& object, absl::Time now) const {
  const absl::StatusOr<std::vector<const Value*>> found = path_.Find(object);
  return found.ok() && !found->empty() ? CellOf(*found->front(), now) : Value();
}

Value PrinterColumn::CellOf(const Value& value, absl::Time now) const {
  if (type_ == "string") {
    // Go's text for a nil value.
    if (value.is_null()) return "<no value>";
    const absl::StatusOr<std::string> text = Print(value);
    return text.ok() ? Value(*text) : Value();
  }
  if (type_ == "integer" && value.is_number()) {
    return value.is_int() ? value : Value(Truncate(*value.number()));
  }
  if (type_ == "number" && value.is_number()) return *value.number();
  if (type_ == "boolean" && value.is_bool()) return value;
  if (type_ == "date" && value.is_string()) return AgeOf(*value.text(), now);
  return Value();
}

}  // namespace kube::jsonpath
