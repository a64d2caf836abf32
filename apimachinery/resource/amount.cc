#include "apimachinery/resource/amount.h"

#include <ostream>

#include "apimachinery/base/status.h"
#include "apimachinery/types/parse.h"

namespace kube::resource {

using kube::text::Decimal;
using kube::text::ParsedQuantity;
using kube::text::ParseQuantityText;
using kube::text::QuantityError;

Amount Amount::FromText(absl::string_view text) {
  ParsedQuantity parsed = ParseQuantityText(text);
  if (parsed.error != QuantityError::kNone) return Amount();
  return Amount(std::move(parsed.value), parsed.format);
}

Amount& Amount::operator+=(const Amount& other) {
  if (IsZero()) format_ = other.format_;
  value_ += other.value_;
  return *this;
}

Amount& Amount::operator-=(const Amount& other) { return *this += -other; }

Amount& Amount::operator*=(int64_t factor) {
  value_ *= factor;
  return *this;
}

bool Amount::RoundUp(int scale) {
  Decimal rounded = value_.RoundedUp(scale);
  const bool exact = rounded == value_;
  value_ = std::move(rounded);
  return exact;
}

std::optional<int64_t> Amount::AsInt64() const {
  const int64_t number = Value();
  if (Decimal(number, 0) != value_) return std::nullopt;
  return number;
}

std::string Amount::ToString() const { return kube::text::CanonicalQuantityText(value_, format_); }

std::ostream& operator<<(std::ostream& out, const Amount& amount) {
  return out << amount.ToString();
}

absl::StatusOr<Amount> ParseAmount(absl::string_view text) {
  KUBE_ASSIGN_OR_RETURN(const Quantity quantity, ParseQuantity(text));
  return Amount(quantity);
}

}  // namespace kube::resource
