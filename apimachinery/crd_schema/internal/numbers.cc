#include "apimachinery/crd_schema/internal/numbers.h"

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/crd_schema/internal/node.h"
#include "apimachinery/crd_schema/internal/result.h"
#include "apimachinery/unstructured/value.h"

namespace kube::crd_schema::internal {
namespace {

using unstructured::Value;

std::string FixedText(const Value& value) {
  return value.is_int() ? absl::StrCat(*value.integer()) : text::FormatFixed(*value.number());
}

// Returns whether Go's ParseFloat(text, 32) accepts it: numbers that round to 2^128 are out of
// range.
bool FitsFloat(double number) { return std::fabs(number) < 0x1.ffffffp127; }

// Checks that a value, or a bound in the schema, is in the range of type and format (kube-openapi:
// `IsValueValidAgainstRange`).
std::optional<Failure> CheckRange(const Value& value, absl::string_view type,
                                  absl::string_view format, absl::string_view what,
                                  absl::string_view path) {
  bool fits = true;
  if (type == "integer") {
    int64_t integer = 0;
    fits = absl::SimpleAtoi(FixedText(value), &integer);
    if (fits && format == "int32") {
      fits = integer >= std::numeric_limits<int32_t>::min() &&
             integer <= std::numeric_limits<int32_t>::max();
    }
  } else if (format == "float") {
    fits = FitsFloat(*value.number());
  }
  if (fits) return std::nullopt;
  return MakeFailure(format.empty() ? absl::StrCat(what, " value must be of type ", type,
                                                   " (default format) in ", path)
                                    : absl::StrCat(what, " value must be of type ", type,
                                                   " with format ", format, " in ", path));
}

// Formats a number like Go's %v.
std::string Text(int64_t number) { return absl::StrCat(number); }
std::string Text(double number) { return text::FormatGeneral(number); }

template <typename T>
std::optional<Failure> CheckMultiple(absl::string_view path, T value, T factor) {
  if (factor <= 0) {
    return MakeFailure(
        path,
        absl::StrCat("factor MultipleOf declared for ", path, " must be positive: ", Text(factor)),
        factor);
  }
  bool multiple = false;
  if constexpr (std::is_same_v<T, int64_t>) {
    multiple = value % factor == 0;
  } else {
    multiple = IsJsonInteger(factor < 1 ? 1 / factor * value : value / factor);
  }
  if (multiple) return std::nullopt;
  return MakeFailure(path, absl::StrCat(path, " in body should be a multiple of ", Text(factor)),
                     value);
}

template <typename T>
std::optional<Failure> CheckMaximum(absl::string_view path, T value, T maximum, bool exclusive) {
  if (exclusive ? value < maximum : value <= maximum) return std::nullopt;
  return MakeFailure(path,
                     absl::StrCat(path, " in body should be less than ",
                                  exclusive ? "" : "or equal to ", Text(maximum)),
                     value);
}

template <typename T>
std::optional<Failure> CheckMinimum(absl::string_view path, T value, T minimum, bool exclusive) {
  if (exclusive ? value > minimum : value >= minimum) return std::nullopt;
  return MakeFailure(path,
                     absl::StrCat(path, " in body should be greater than ",
                                  exclusive ? "" : "or equal to ", Text(minimum)),
                     value);
}

// Checks one bound. An integer is compared as one if the bound is valid for the type.
template <typename Check>
Result CheckBound(const Value& value, double bound, absl::string_view type,
                  absl::string_view format, absl::string_view what, absl::string_view path,
                  Check check) {
  Result result;
  std::optional<Failure> range = CheckRange(bound, type, format, what, path);
  const bool as_integer = value.is_int() && !range.has_value();
  if (range.has_value()) result.Add(*std::move(range));
  std::optional<Failure> failure =
      as_integer ? check(*value.integer(), TruncateAsGo(bound)) : check(*value.number(), bound);
  if (failure.has_value()) result.Add(*std::move(failure));
  return result;
}

}  // namespace

bool IsJsonInteger(double number) {
  constexpr double kLimit = 9007199254740991;  // 2^53 - 1
  if (!(std::fabs(number) <= kLimit)) return false;
  // Go's uint64(number) on amd64: a negative number wraps around.
  const auto unsigned_value =
      static_cast<double>(static_cast<uint64_t>(static_cast<int64_t>(number)));
  if (number == unsigned_value || number == std::trunc(number)) return true;
  if (number == 0 || unsigned_value == 0) return false;
  const double difference = std::fabs(number - unsigned_value);
  return difference / std::fmin(std::fabs(number) + std::fabs(unsigned_value), DBL_MAX) < 1e-9;
}

int64_t TruncateAsGo(double number) {
  if (!(number >= -0x1p63 && number < 0x1p63)) return std::numeric_limits<int64_t>::min();
  return static_cast<int64_t>(number);
}

Result CheckNumber(const Node& node, absl::string_view type, absl::string_view path,
                   const Value& value) {
  absl::string_view format = node.format;
  if (!(type == "integer" && (format == "int32" || format == "int64")) &&
      !(type == "number" && (format == "float" || format == "double"))) {
    format = "";
  }
  Result result;
  if (std::optional<Failure> range = CheckRange(value, type, format, "Checked", path)) {
    result.Add(*std::move(range));
  }
  if (node.multiple_of.has_value()) {
    result.Merge(CheckBound(
        value, *node.multiple_of, type, format, "MultipleOf", path,
        [&](auto number, decltype(number) factor) { return CheckMultiple(path, number, factor); }));
  }
  if (node.minimum.has_value()) {
    result.Merge(CheckBound(value, *node.minimum, type, format, "Minimum boundary", path,
                            [&](auto number, decltype(number) minimum) {
                              return CheckMinimum(path, number, minimum, node.exclusive_minimum);
                            }));
  }
  if (node.maximum.has_value()) {
    result.Merge(CheckBound(value, *node.maximum, type, format, "Maximum boundary", path,
                            [&](auto number, decltype(number) maximum) {
                              return CheckMaximum(path, number, maximum, node.exclusive_maximum);
                            }));
  }
  result.Count();
  return result;
}

}  // namespace kube::crd_schema::internal
