#include "apimachinery/types/int_or_string.h"

#include <charconv>
#include <ostream>
#include <system_error>

namespace kube {
namespace {

// What strconv.ParseInt(text, 10, ...) returns, beside its error.
template <typename Int>
struct Parsed {
  std::errc error = std::errc::invalid_argument;
  Int value = 0;
};

template <typename Int>
Parsed<Int> ParseInt(absl::string_view text) {
  const char* begin = text.data();
  const char* const end = begin + text.size();
  const bool negative = begin != end && *begin == '-';
  if (begin != end && *begin == '+') ++begin;
  if (begin == end || (begin != text.data() && *begin == '-')) return {};
  Parsed<Int> parsed;
  const auto [stop, error] = std::from_chars(begin, end, parsed.value);
  if (stop != end) return {};
  parsed.error = error;
  if (error == std::errc::result_out_of_range) {
    parsed.value =
        negative ? std::numeric_limits<Int>::min() : std::numeric_limits<Int>::max();
  }
  return parsed;
}

}  // namespace

IntOrString IntOrString::Parse(absl::string_view text) {
  const Parsed<int32_t> parsed = ParseInt<int32_t>(text);
  return parsed.error == std::errc() ? IntOrString(parsed.value) : IntOrString(text);
}

int64_t IntOrString::IntValue() const {
  return is_string() ? ParseInt<int64_t>(text_.view()).value : int_;
}

std::string IntOrString::ToString() const {
  return is_string() ? std::string(text_) : std::to_string(int_);
}

std::ostream& operator<<(std::ostream& out, const IntOrString& value) {
  return out << value.ToString();
}

}  // namespace kube
