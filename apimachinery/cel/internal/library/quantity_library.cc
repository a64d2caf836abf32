// Functions of quantities.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/base/text/quantity_text.h"
#include "apimachinery/cel/internal/library/kubernetes_library.h"
#include "apimachinery/cel/type.h"
#include "apimachinery/resource/amount.h"

namespace kube::cel::internal {
namespace {

using resource::Amount;

constexpr absl::string_view kTypeName = "kubernetes.Quantity";

const TypePtr& QuantityType() {
  static base::NoDestructor<const TypePtr> type(StructType(kTypeName));
  return *type;
}

class QuantityValue final : public OpaqueValue {
 public:
  QuantityValue(Amount amount, bool calculated)
      : amount_(std::move(amount)), calculated_(calculated) {}

  const Amount& amount() const { return amount_; }
  const TypePtr& type() const override { return QuantityType(); }
  Value Equals(const Value& other) const override;
  std::string ToString() const override { return amount_.ToString(); }

 private:
  const Amount amount_;
  // Whether this is a sum or a difference.
  const bool calculated_;
};

const QuantityValue& QuantityOf(const Value& value) {
  return static_cast<const QuantityValue&>(value.opaque());
}

const Amount& AmountOf(const Value& value) { return QuantityOf(value).amount(); }

// As upstream, nothing can be compared with a calculated quantity at the right of ==.
Value QuantityValue::Equals(const Value& other) const {
  if (!IsOpaque(other, kTypeName) || QuantityOf(other).calculated_) return NoSuchOverload();
  return Value::FromBool(amount_ == AmountOf(other));
}

Value MakeQuantity(Amount amount, bool calculated) {
  return Value::FromOpaque(std::make_shared<const QuantityValue>(std::move(amount), calculated));
}

Value StringToQuantity(const Call& call) {
  const absl::string_view number = call[0].text();
  absl::StatusOr<Amount> amount = resource::ParseAmount(number);
  if (!amount.ok()) {
    // As upstream, without the text.
    const text::QuantityError error = text::ParseQuantityText(number).error;
    return Value::Error(std::string(text::QuantityErrorText(error)));
  }
  return MakeQuantity(*std::move(amount), /*calculated=*/false);
}

Value IsQuantity(const Call& call) {
  return Value::FromBool(resource::ParseAmount(call[0].text()).ok());
}

Value Sign(const Call& call) { return Value::FromInt(AmountOf(call[0]).Sign()); }

int64_t Order(const Call& call) {
  const auto order = AmountOf(call[0]) <=> AmountOf(call[1]);
  return order < 0 ? -1 : (order > 0 ? 1 : 0);
}

Value IsGreaterThan(const Call& call) { return Value::FromBool(Order(call) > 0); }
Value IsLessThan(const Call& call) { return Value::FromBool(Order(call) < 0); }
Value CompareTo(const Call& call) { return Value::FromInt(Order(call)); }

Value AsApproximateFloat(const Call& call) {
  return Value::FromDouble(AmountOf(call[0]).ToDouble());
}

Value AsInteger(const Call& call) {
  const std::optional<int64_t> number = AmountOf(call[0]).AsInt64();
  if (!number.has_value()) return Value::Error("cannot convert value to integer");
  return Value::FromInt(*number);
}

Value IsInteger(const Call& call) {
  return Value::FromBool(AmountOf(call[0]).AsInt64().has_value());
}

// Returns the second argument: a quantity or an int.
Amount Operand(const Call& call) {
  return call[1].is_int() ? Amount(call[1].integer(), resource::Format::kDecimalExponent)
                          : AmountOf(call[1]);
}

Value AddQuantity(const Call& call) {
  return MakeQuantity(AmountOf(call[0]) + Operand(call), /*calculated=*/true);
}

Value SubtractQuantity(const Call& call) {
  return MakeQuantity(AmountOf(call[0]) - Operand(call), /*calculated=*/true);
}

}  // namespace

void AddQuantityFunctions(Functions& functions) {
  const TypePtr& quantity = QuantityType();
  functions.AddGlobal("quantity", "string_to_quantity", {StringType()}, quantity, StringToQuantity);
  functions.AddGlobal("isQuantity", "is_quantity_string", {StringType()}, BoolType(), IsQuantity);
  // As upstream, sign is not a method.
  functions.AddGlobal("sign", "quantity_sign", {quantity}, IntType(), Sign);
  functions.AddMember("isGreaterThan", "quantity_is_greater_than", {quantity, quantity}, BoolType(),
                      IsGreaterThan);
  functions.AddMember("isLessThan", "quantity_is_less_than", {quantity, quantity}, BoolType(),
                      IsLessThan);
  functions.AddMember("compareTo", "quantity_compare_to", {quantity, quantity}, IntType(),
                      CompareTo);
  functions.AddMember("asApproximateFloat", "quantity_get_float", {quantity}, DoubleType(),
                      AsApproximateFloat);
  functions.AddMember("asInteger", "quantity_get_int", {quantity}, IntType(), AsInteger);
  functions.AddMember("isInteger", "quantity_is_integer", {quantity}, BoolType(), IsInteger);
  functions.AddMember("add", "quantity_add", {quantity, quantity}, quantity, AddQuantity);
  functions.AddMember("add", "quantity_add_int", {quantity, IntType()}, quantity, AddQuantity);
  functions.AddMember("sub", "quantity_sub", {quantity, quantity}, quantity, SubtractQuantity);
  functions.AddMember("sub", "quantity_sub_int", {quantity, IntType()}, quantity, SubtractQuantity);
}

}  // namespace kube::cel::internal
