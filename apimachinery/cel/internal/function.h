#ifndef APIMACHINERY_CEL_INTERNAL_FUNCTION_H_
#define APIMACHINERY_CEL_INTERNAL_FUNCTION_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/cel/internal/budget.h"
#include "apimachinery/cel/internal/regexp.h"
#include "apimachinery/cel/type.h"
#include "apimachinery/cel/value.h"

// The functions that expressions can call, operators included.
namespace kube::cel::internal {

// Functions refuse to make longer texts, whatever the limit of costs is.
inline constexpr size_t kMaxTextSize = size_t{64} << 20;

// A call of a function. No argument is an error.
struct Call {
  absl::string_view function = {};
  absl::Span<const Value> arguments = {};
  Budget& budget;
  RegexpCache& regexps;
  // The compiled pattern, if it is a constant; otherwise null.
  const Regexp* regexp = nullptr;

  const Value& operator[](size_t i) const { return arguments[i]; }
  size_t size() const { return arguments.size(); }
};

// Returns the result, or an error.
using Implementation = Value (*)(const Call& call);

// A signature of a function. (cel-go: `decls.OverloadDecl`)
struct Overload {
  std::string id = {};
  // Whether it is called as arguments[0].function(...).
  bool is_member = false;
  std::vector<TypePtr> arguments = {};
  TypePtr result = nullptr;
  // Null if the function has one implementation for all overloads.
  Implementation implementation = nullptr;
};

// (cel-go: `decls.FunctionDecl`)
struct Function {
  std::string name = {};
  std::vector<Overload> overloads = {};
  // Called for all overloads, whatever the types of the arguments are. May be null.
  Implementation common = nullptr;
  // Whether an overload that the checker has chosen is called without a look at the arguments.
  bool unguarded = false;

  // Returns null if there is no such overload.
  const Overload* FindOverload(absl::string_view id) const;
};

// A set of functions. Build, then immutable; thread-safe.
class Functions {
 public:
  // Add an overload; the function exists from its first one on. An overload without implementation
  // belongs to a function that has a common one, or that the evaluator knows.
  void Add(absl::string_view name, Overload overload);
  void AddGlobal(absl::string_view name, absl::string_view id, std::vector<TypePtr> arguments,
                 TypePtr result, Implementation implementation = nullptr);
  void AddMember(absl::string_view name, absl::string_view id, std::vector<TypePtr> arguments,
                 TypePtr result, Implementation implementation = nullptr);
  void SetCommon(absl::string_view name, Implementation common);
  void SetUnguarded(absl::string_view name);

  // Returns null if there is no such function.
  const Function* Find(absl::string_view name) const;

 private:
  Function& Of(absl::string_view name);

  absl::flat_hash_map<std::string, std::unique_ptr<Function>> functions_;
};

// Returns the name of the value's type at run time. (cel-go: `Type().TypeName()`)
absl::string_view TypeName(const Value& value);

// Returns whether the value has the type, as far as it can be seen: of the elements of a list and
// the entries of a map only the first is looked at. (cel-go: `IsAssignableRuntimeType`)
bool HasType(const Value& value, const Type& type);

// Calls a function: the overload if it is not null, otherwise the one that the arguments fit.
// Returns "no such overload: f(int, string)" if they fit none.
Value Invoke(const Function& function, const Overload* overload, const Call& call);

// Return the errors "no such overload" and "no such overload: f(int, string)".
Value NoSuchOverload();
Value NoSuchOverload(const Call& call);

// Returns the error for a first argument that a common implementation does not apply to: "no such
// overload: f". As upstream, values that have methods (texts, durations, timestamps) hide the name.
Value NotApplicable(const Call& call);

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_FUNCTION_H_
