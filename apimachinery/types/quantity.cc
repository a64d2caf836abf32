#include "apimachinery/types/quantity.h"

#include <ostream>

#include "absl/hash/hash.h"
#include "apimachinery/base/text/quantity_text.h"

namespace kube {
namespace {

using text::ParsedQuantity;
using text::QuantityError;

ParsedQuantity ParseSource(absl::string_view source) {
  return source.empty() ? ParsedQuantity{} : text::ParseQuantityText(source);
}

bool IsOk(const ParsedQuantity& parsed) { return parsed.error == QuantityError::kNone; }

}  // namespace

bool Quantity::IsValid() const {
  return text::IsPlainQuantity(source()) || IsOk(ParseSource(source()));
}

std::string Quantity::ToString() const {
  if (text::IsPlainQuantity(source())) return std::string(text_);
  const ParsedQuantity parsed = ParseSource(source());
  return IsOk(parsed) ? text::CanonicalQuantityText(source(), parsed) : std::string(text_);
}

int Quantity::Sign() const { return ParseSource(source()).value.Sign(); }

int64_t Quantity::Value() const { return ParseSource(source()).value.ToInt64(0); }

int64_t Quantity::MilliValue() const { return ParseSource(source()).value.ToInt64(-3); }

std::weak_ordering Quantity::Compare(const Quantity& a, const Quantity& b) {
  const ParsedQuantity parsed_a = ParseSource(a.source());
  const ParsedQuantity parsed_b = ParseSource(b.source());
  if (IsOk(parsed_a) && IsOk(parsed_b)) return parsed_a.value <=> parsed_b.value;
  if (IsOk(parsed_a) != IsOk(parsed_b)) return IsOk(parsed_a) <=> IsOk(parsed_b);
  return a.text_ <=> b.text_;
}

size_t Quantity::Hash() const {
  const ParsedQuantity parsed = ParseSource(source());
  return IsOk(parsed) ? absl::HashOf(parsed.value) : absl::HashOf(source());
}

std::ostream& operator<<(std::ostream& out, const Quantity& quantity) {
  return out << quantity.ToString();
}

}  // namespace kube
