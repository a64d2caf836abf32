#ifndef APIMACHINERY_CEL_ENVIRONMENT_H_
#define APIMACHINERY_CEL_ENVIRONMENT_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "apimachinery/cel/type.h"

namespace kube::cel {

// What expressions can refer to besides the functions of Kubernetes, which all expressions have:
// variables, and the objects that variables hold. Copyable. Build, then immutable; thread-safe.
// (cel-go: `cel.Env`)
//
//   Environment environment;
//   environment.AddVariable("limit", IntType());
//   environment.AddVariable("labels", MapType(StringType(), StringType()));
class Environment {
 public:
  // Declares a variable, or declares it again with another type. The name is an identifier.
  void AddVariable(absl::string_view name, TypePtr type);

  // Sets what knows the fields of the objects among the types of variables.
  void SetTypes(std::shared_ptr<const TypeProvider> types) { types_ = std::move(types); }

  // Lets expressions call jsonpatch.escapeKey, as those of mutating admission policies can.
  void AllowJsonPatch() { json_patch_ = true; }

  // Returns the type of a variable; null if it is not declared.
  TypePtr FindVariable(absl::string_view name) const;

  // Returns null if SetTypes was not called.
  const TypeProvider* types() const { return types_.get(); }

  bool json_patch() const { return json_patch_; }

 private:
  absl::flat_hash_map<std::string, TypePtr> variables_;
  std::shared_ptr<const TypeProvider> types_;
  bool json_patch_ = false;
};

}  // namespace kube::cel

#endif  // APIMACHINERY_CEL_ENVIRONMENT_H_
