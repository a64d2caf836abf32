#include "apimachinery/cel/internal/constant.h"

#include <cstdint>
#include <string>
#include <variant>

namespace kube::cel::internal {
namespace {

struct ToValueOf {
  Value operator()(std::monostate) const { return Value(); }
  Value operator()(bool value) const { return Value::FromBool(value); }
  Value operator()(int64_t value) const { return Value::FromInt(value); }
  Value operator()(uint64_t value) const { return Value::FromUint(value); }
  Value operator()(double value) const { return Value::FromDouble(value); }
  Value operator()(const std::string& value) const { return Value::FromString(value); }
  Value operator()(const BytesLiteral& value) const { return Value::FromBytes(value.bytes); }
};

}  // namespace

Value LiteralValue(const Literal& literal) { return std::visit(ToValueOf(), literal); }

}  // namespace kube::cel::internal
