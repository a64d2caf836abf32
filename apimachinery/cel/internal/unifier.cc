#include "apimachinery/cel/internal/unifier.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace kube::cel::internal {
namespace {

// Far more than expressions within the limits of the parser need.
constexpr uint64_t kMaxSteps = 10'000'000;
constexpr int kMaxDepth = 1'000;
constexpr size_t kMaxNodesOfText = 1'000;

bool IsVariable(const Type& type) { return type.kind == TypeKind::kParam; }

bool FitsAll(const Type& type) {
  return type.kind == TypeKind::kDyn || type.kind == TypeKind::kError;
}

// Returns whether null may stand for a value of the type.
bool AcceptsNull(const Type& type) {
  switch (type.kind) {
    case TypeKind::kNull:
    case TypeKind::kOpaque:
    case TypeKind::kStruct:
    case TypeKind::kDuration:
    case TypeKind::kTimestamp:
      return true;
    default:
      return false;
  }
}

void CollectParameters(const Type& type, std::vector<std::string>& names) {
  if (IsVariable(type) && std::find(names.begin(), names.end(), type.name) == names.end()) {
    names.push_back(type.name);
  }
  for (const TypePtr& parameter : type.parameters) CollectParameters(*parameter, names);
}

TypePtr WithParameters(const Type& type, std::vector<TypePtr> parameters) {
  return std::make_shared<const Type>(
      Type{.kind = type.kind, .name = type.name, .parameters = std::move(parameters)});
}

// Returns the type with other types in the place of its parameters.
TypePtr Replace(const TypePtr& type, const std::vector<std::string>& names,
                const std::vector<TypePtr>& replacements) {
  if (IsVariable(*type)) {
    const auto found = std::find(names.begin(), names.end(), type->name);
    return found == names.end() ? type : replacements[static_cast<size_t>(found - names.begin())];
  }
  if (type->parameters.empty()) return type;
  std::vector<TypePtr> parameters;
  for (const TypePtr& parameter : type->parameters) {
    parameters.push_back(Replace(parameter, names, replacements));
  }
  return WithParameters(*type, std::move(parameters));
}

// Subtracts the number of nodes from `left`. Returns whether there were enough.
bool CountDown(const Type& type, size_t& left) {
  if (left == 0) return false;
  --left;
  return std::all_of(type.parameters.begin(), type.parameters.end(),
                     [&left](const TypePtr& parameter) { return CountDown(*parameter, left); });
}

}  // namespace

bool Unifier::Step(int depth) {
  ++steps_;
  if (steps_ > kMaxSteps || depth > kMaxDepth) exhausted_ = true;
  return !exhausted_;
}

TypePtr Unifier::NewVariable() { return TypeParameter(absl::StrCat("_var", variables_++)); }

std::vector<TypePtr> Unifier::Instantiate(const std::vector<TypePtr>& signature) {
  std::vector<std::string> names;
  for (const TypePtr& type : signature) CollectParameters(*type, names);
  if (names.empty()) return signature;
  std::vector<TypePtr> variables;
  for (size_t i = 0; i < names.size(); ++i) variables.push_back(NewVariable());
  std::vector<TypePtr> types;
  for (const TypePtr& type : signature) types.push_back(Replace(type, names, variables));
  return types;
}

bool Unifier::Assignable(const TypePtr& to, const TypePtr& from) {
  return AllAssignable(absl::MakeConstSpan(&to, 1), absl::MakeConstSpan(&from, 1));
}

bool Unifier::AllAssignable(absl::Span<const TypePtr> to, absl::Span<const TypePtr> from) {
  replaced_.clear();
  if (MatchAll(to, from, 0)) return true;
  while (!replaced_.empty()) {
    auto& [variable, type] = replaced_.back();
    if (type == nullptr) {
      bindings_.erase(variable);
    } else {
      bindings_[variable] = std::move(type);
    }
    replaced_.pop_back();
  }
  return false;
}

bool Unifier::MatchAll(absl::Span<const TypePtr> a, absl::Span<const TypePtr> b, int depth) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!Match(a[i], b[i], depth)) return false;
  }
  return true;
}

bool Unifier::Match(const TypePtr& a, const TypePtr& b, int depth) {
  if (!Step(depth)) return false;
  if (IsVariable(*b)) {
    const Binding binding = Bind(a, b, depth);
    if (binding.fits) return true;
    if (binding.was_bound) return false;
  }
  if (IsVariable(*a)) return Bind(b, a, depth).fits;
  if (FitsAll(*a) || FitsAll(*b)) return true;
  if (a->kind == TypeKind::kNull) return AcceptsNull(*b);
  if (b->kind == TypeKind::kNull) return AcceptsNull(*a);
  if (a->kind == TypeKind::kType) return b->kind == TypeKind::kType;
  return a->kind == b->kind && a->name == b->name &&
         MatchAll(a->parameters, b->parameters, depth + 1);
}

Unifier::Binding Unifier::Bind(const TypePtr& type, const TypePtr& variable, int depth) {
  if (!Step(depth)) return {.fits = false, .was_bound = true};
  if (IsVariable(*type) && type->name == variable->name) return {.fits = true, .was_bound = true};
  const TypePtr bound = Find(variable->name);
  if (bound == nullptr) {
    if (!IsAbsentFrom(*variable, type, depth)) return {.fits = false, .was_bound = false};
    Set(variable, type);
    return {.fits = true, .was_bound = false};
  }
  if (IsExact(*type, *bound, depth)) return {.fits = true, .was_bound = true};
  if (!Match(type, bound, depth + 1)) return {.fits = false, .was_bound = true};
  TypePtr general = MostGeneral(type, bound);
  if (IsAbsentFrom(*variable, general, depth)) Set(variable, std::move(general));
  return {.fits = true, .was_bound = true};
}

void Unifier::Set(const TypePtr& variable, TypePtr type) {
  TypePtr& bound = bindings_[variable->name];
  replaced_.emplace_back(variable->name, std::move(bound));
  bound = std::move(type);
}

TypePtr Unifier::Find(absl::string_view variable) const {
  const auto found = bindings_.find(variable);
  return found == bindings_.end() ? nullptr : found->second;
}

// A variable must not be part of its own type.
bool Unifier::IsAbsentFrom(const Type& variable, const TypePtr& type, int depth) {
  if (!Step(depth)) return false;
  if (IsVariable(*type)) {
    if (type->name == variable.name) return false;
    const TypePtr bound = Find(type->name);
    return bound == nullptr || IsAbsentFrom(variable, bound, depth + 1);
  }
  return std::all_of(
      type->parameters.begin(), type->parameters.end(),
      [&](const TypePtr& parameter) { return IsAbsentFrom(variable, parameter, depth + 1); });
}

TypePtr Unifier::MostGeneral(const TypePtr& a, const TypePtr& b) {
  return IsLessSpecific(*a, *b, 0) ? a : b;
}

bool Unifier::IsLessSpecific(const Type& a, const Type& b, int depth) {
  if (!Step(depth)) return false;
  if (a.kind == TypeKind::kDyn || IsVariable(a)) return true;
  if (b.kind == TypeKind::kDyn || IsVariable(b)) return false;
  if (a.kind != b.kind) return false;
  if (a.kind == TypeKind::kType) return true;
  if (a.name != b.name || a.parameters.size() != b.parameters.size()) return false;
  for (size_t i = 0; i < a.parameters.size(); ++i) {
    if (!IsLessSpecific(*a.parameters[i], *b.parameters[i], depth + 1)) return false;
  }
  return true;
}

bool Unifier::IsExact(const Type& a, const Type& b) { return IsExact(a, b, 0); }

bool Unifier::IsExact(const Type& a, const Type& b, int depth) {
  if (&a == &b) return true;
  if (!Step(depth)) return false;
  if (a.kind != b.kind || a.name != b.name || a.parameters.size() != b.parameters.size()) {
    return false;
  }
  for (size_t i = 0; i < a.parameters.size(); ++i) {
    if (!IsExact(*a.parameters[i], *b.parameters[i], depth + 1)) return false;
  }
  return true;
}

TypePtr Unifier::Substitute(const TypePtr& type, bool unknown_to_dyn) {
  return Substitute(type, unknown_to_dyn, 0);
}

TypePtr Unifier::Substitute(const TypePtr& type, bool unknown_to_dyn, int depth) {
  if (!Step(depth)) return ErrorType();
  if (IsVariable(*type)) {
    const TypePtr bound = Find(type->name);
    if (bound != nullptr) return Substitute(bound, unknown_to_dyn, depth + 1);
    return unknown_to_dyn ? DynType() : type;
  }
  std::vector<TypePtr> parameters;
  bool changed = false;
  for (const TypePtr& parameter : type->parameters) {
    parameters.push_back(Substitute(parameter, unknown_to_dyn, depth + 1));
    changed = changed || parameters.back() != parameter;
  }
  return changed ? WithParameters(*type, std::move(parameters)) : type;
}

std::string TypeText(const Type& type) {
  size_t left = kMaxNodesOfText;
  return CountDown(type, left) ? FormatType(type) : absl::StrCat(type.name, "(...)");
}

}  // namespace kube::cel::internal
