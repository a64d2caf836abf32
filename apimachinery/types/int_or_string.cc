#include "apimachinery/types/int_or_string.h"

#include <ostream>

#include "apimachinery/base/text/go_int.h"

namespace kube {

IntOrString IntOrString::Parse(absl::string_view text) {
  const text::GoInt<int64_t> parsed = text::ParseGoInt(text);
  if (!parsed.ok() || !std::in_range<int32_t>(parsed.value)) return text;
  return static_cast<int32_t>(parsed.value);
}

int64_t IntOrString::IntValue() const {
  return is_string() ? text::ParseGoInt(text_.view()).value : int_;
}

std::string IntOrString::ToString() const {
  return is_string() ? std::string(text_) : std::to_string(int_);
}

std::ostream& operator<<(std::ostream& out, const IntOrString& value) {
  return out << value.ToString();
}

}  // namespace kube
