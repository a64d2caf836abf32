#ifndef APIMACHINERY_CEL_INTERNAL_UNIFIER_H_
#define APIMACHINERY_CEL_INTERNAL_UNIFIER_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/cel/type.h"

namespace kube::cel::internal {

// Decides whether one type can stand for another, and finds the types of type variables on the way.
// Types that refer to variables can describe far larger ones, so the work is limited: see
// exhausted(). For one check; thread-compatible. (cel-go: `checker.isAssignable`, `mapping`)
class Unifier {
 public:
  // Returns a variable whose type is not known yet.
  TypePtr NewVariable();

  // Returns the types of a signature with new variables in the place of its parameters.
  std::vector<TypePtr> Instantiate(const std::vector<TypePtr>& signature);

  // Return whether the types fit, pairwise; if they do, variables keep the types that this needs.
  bool Assignable(const TypePtr& to, const TypePtr& from);
  bool AllAssignable(absl::Span<const TypePtr> to, absl::Span<const TypePtr> from);

  // Returns the type with what is known about its variables. The others become dyn, or stay.
  TypePtr Substitute(const TypePtr& type, bool unknown_to_dyn);

  // Returns whichever of two types that fit is less specific.
  TypePtr MostGeneral(const TypePtr& a, const TypePtr& b);

  // Returns whether the types are the same.
  bool IsExact(const Type& a, const Type& b);

  // Returns whether the limit of work was exceeded. Results have no meaning then.
  bool exhausted() const { return exhausted_; }

 private:
  struct Binding {
    bool fits;
    bool was_bound;
  };

  bool Step(int depth);
  bool Match(const TypePtr& a, const TypePtr& b, int depth);
  bool MatchAll(absl::Span<const TypePtr> a, absl::Span<const TypePtr> b, int depth);
  Binding Bind(const TypePtr& type, const TypePtr& variable, int depth);
  void Set(const TypePtr& variable, TypePtr type);
  // Returns null if the type of the variable is not known.
  TypePtr Find(absl::string_view variable) const;
  bool IsAbsentFrom(const Type& variable, const TypePtr& type, int depth);
  bool IsLessSpecific(const Type& a, const Type& b, int depth);
  bool IsExact(const Type& a, const Type& b, int depth);
  TypePtr Substitute(const TypePtr& type, bool unknown_to_dyn, int depth);

  absl::flat_hash_map<std::string, TypePtr> bindings_;
  // What Set has replaced, to undo it if the types do not fit. The type is null for a new variable.
  std::vector<std::pair<std::string, TypePtr>> replaced_;
  int variables_ = 0;
  uint64_t steps_ = 0;
  bool exhausted_ = false;
};

// Returns the text of a type for an error message, shortened if the type is huge.
std::string TypeText(const Type& type);

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_UNIFIER_H_
