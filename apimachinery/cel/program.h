#ifndef APIMACHINERY_CEL_PROGRAM_H_
#define APIMACHINERY_CEL_PROGRAM_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/cel/ast.h"
#include "apimachinery/cel/environment.h"
#include "apimachinery/cel/type.h"
#include "apimachinery/cel/value.h"
#include "apimachinery/types/lifetime.h"

namespace kube::cel {

// The values of variables, by their names.
using Variables = absl::flat_hash_map<std::string, Value>;

// What an API server allows one evaluation to cost.
inline constexpr uint64_t kCostLimit = 1'000'000;

// An expression that is ready to be evaluated, any number of times and on any threads. Copies are
// cheap. Immutable; thread-safe. (cel-go: `cel.Program`)
//
//   Environment environment;
//   environment.AddVariable("self", MapType(StringType(), IntType()));
//   KUBE_ASSIGN_OR_RETURN(const Program program,
//                         Program::Compile("self.all(k, self[k] < 10)", environment));
//   const Program::Result result = program.Evaluate(ctx, {{"self", ToValue(object)}});
class Program {
 public:
  // The value, and what the evaluation has cost.
  struct Result {
    absl::StatusOr<Value> value;
    uint64_t cost;
  };

  // Returns INVALID_ARGUMENT for an expression that Compile of compile.h refuses, and for one whose
  // constants can be seen to fail: int("a"), "a".find("[").
  static absl::StatusOr<Program> Compile(absl::string_view expression,
                                         const Environment& environment);

  // Makes a program of a tree that Compile has returned; the tree is not needed afterwards. Returns
  // INVALID_ARGUMENT if its constants can be seen to fail. (cel-go: `Env.Program`)
  static absl::StatusOr<Program> Make(const Ast& ast);

  // Returns the type of the values.
  const TypePtr& type() const KUBE_LIFETIME_BOUND { return type_; }

  // Evaluates the expression. The values of `variables` must have the types that the environment
  // has declared. The result may refer to them, and to the program. Never blocks; memory and
  // recursion are limited. Returns
  //
  //   INVALID_ARGUMENT     if the expression has no value, with cel-go's words: "no such key: x"
  //   RESOURCE_EXHAUSTED   if the cost exceeds `cost_limit`
  //   CANCELLED            once `ctx` is done
  Result Evaluate(const Context& ctx, const Variables& variables,
                  uint64_t cost_limit = kCostLimit) const;

 private:
  struct Code;

  Program(std::shared_ptr<const Code> code, TypePtr type)
      : code_(std::move(code)), type_(std::move(type)) {}

  std::shared_ptr<const Code> code_;
  TypePtr type_;
};

}  // namespace kube::cel

#endif  // APIMACHINERY_CEL_PROGRAM_H_
