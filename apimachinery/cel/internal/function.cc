#include "apimachinery/cel/internal/function.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace kube::cel::internal {
namespace {

bool Fits(const Overload& overload, absl::Span<const Value> arguments) {
  return std::equal(arguments.begin(), arguments.end(), overload.arguments.begin(),
                    overload.arguments.end(),
                    [](const Value& value, const TypePtr& type) { return HasType(value, *type); });
}

bool FirstEntryHasTypes(const MapValue& map, const Type& key_type, const Type& value_type) {
  if (map.size() == 0) return true;
  const std::vector<Value> keys = map.Keys();
  if (keys.empty()) return true;
  const std::optional<Value> value = map.Find(keys[0]);
  return HasType(keys[0], key_type) && (!value.has_value() || HasType(*value, value_type));
}

}  // namespace

const Overload* Function::FindOverload(absl::string_view id) const {
  const auto found = std::find_if(overloads.begin(), overloads.end(),
                                  [id](const Overload& overload) { return overload.id == id; });
  return found == overloads.end() ? nullptr : &*found;
}

Function& Functions::Of(absl::string_view name) {
  std::unique_ptr<Function>& function = functions_[name];
  if (function == nullptr) {
    function = std::make_unique<Function>();
    function->name = std::string(name);
  }
  return *function;
}

void Functions::Add(absl::string_view name, Overload overload) {
  Of(name).overloads.push_back(std::move(overload));
}

void Functions::AddGlobal(absl::string_view name, absl::string_view id,
                          std::vector<TypePtr> arguments, TypePtr result,
                          Implementation implementation) {
  Add(name, {.id = std::string(id),
             .is_member = false,
             .arguments = std::move(arguments),
             .result = std::move(result),
             .implementation = implementation});
}

void Functions::AddMember(absl::string_view name, absl::string_view id,
                          std::vector<TypePtr> arguments, TypePtr result,
                          Implementation implementation) {
  Add(name, {.id = std::string(id),
             .is_member = true,
             .arguments = std::move(arguments),
             .result = std::move(result),
             .implementation = implementation});
}

void Functions::SetCommon(absl::string_view name, Implementation common) {
  Of(name).common = common;
}

void Functions::SetUnguarded(absl::string_view name) { Of(name).unguarded = true; }

const Function* Functions::Find(absl::string_view name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : found->second.get();
}

absl::string_view TypeName(const Value& value) {
  switch (value.kind()) {
    case ValueKind::kNull:
      return "null_type";
    case ValueKind::kBool:
      return "bool";
    case ValueKind::kInt:
      return "int";
    case ValueKind::kUint:
      return "uint";
    case ValueKind::kDouble:
      return "double";
    case ValueKind::kString:
      return "string";
    case ValueKind::kBytes:
      return "bytes";
    case ValueKind::kDuration:
      return "google.protobuf.Duration";
    case ValueKind::kTimestamp:
      return "google.protobuf.Timestamp";
    case ValueKind::kList:
      return "list";
    case ValueKind::kMap:
      return "map";
    case ValueKind::kType:
      return "type";
    case ValueKind::kOptional:
      return "optional_type";
    case ValueKind::kOpaque:
      return value.opaque().type()->name;
    case ValueKind::kError:
      break;
  }
  return "error";
}

bool HasType(const Value& value, const Type& type) {
  if (type.kind == TypeKind::kDyn || type.kind == TypeKind::kParam) return true;
  if (TypeName(value) != type.name) return false;
  if (type.kind == TypeKind::kList) {
    return value.list().size() == 0 || HasType(value.list().At(0), *type.parameters[0]);
  }
  if (type.kind == TypeKind::kMap) {
    return FirstEntryHasTypes(value.map(), *type.parameters[0], *type.parameters[1]);
  }
  return true;
}

Value NoSuchOverload() { return Value::Error("no such overload"); }

Value NoSuchOverload(const Call& call) {
  const auto append_type = [](std::string* out, const Value& value) {
    absl::StrAppend(out, TypeName(value));
  };
  return Value::Error(absl::StrCat("no such overload: ", call.function, "(",
                                   absl::StrJoin(call.arguments, ", ", append_type), ")"));
}

Value NotApplicable(const Call& call) {
  switch (call[0].kind()) {
    case ValueKind::kString:
    case ValueKind::kDuration:
    case ValueKind::kTimestamp:
      return NoSuchOverload();
    default:
      return Value::Error(absl::StrCat("no such overload: ", call.function));
  }
}

Value Invoke(const Function& function, const Overload* overload, const Call& call) {
  if (function.common != nullptr) {
    const bool possible =
        std::any_of(function.overloads.begin(), function.overloads.end(),
                    [&](const Overload& each) { return each.arguments.size() == call.size(); });
    return possible ? function.common(call) : NoSuchOverload(call);
  }
  if (overload != nullptr) {
    const bool fits = function.unguarded || Fits(*overload, call.arguments);
    return fits && overload->implementation != nullptr ? overload->implementation(call)
                                                       : NoSuchOverload(call);
  }
  for (const Overload& candidate : function.overloads) {
    if (candidate.implementation != nullptr && Fits(candidate, call.arguments)) {
      return candidate.implementation(call);
    }
  }
  return NoSuchOverload(call);
}

}  // namespace kube::cel::internal
