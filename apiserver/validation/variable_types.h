#ifndef APISERVER_VALIDATION_VARIABLE_TYPES_H_
#define APISERVER_VALIDATION_VARIABLE_TYPES_H_

#include <functional>
#include <map>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/cel/type.h"

namespace kube::apiserver::internal {

// Knows the variables of an admission policy, which expressions read as `variables.NAME`, and the
// types of AdmissionTypes. Thread-compatible (kube-apiserver: `cel.compositionState`).
class VariableTypes final : public cel::TypeProvider {
 public:
  // Returns the type of `variables` itself.
  static cel::TypePtr Self();

  // Declares a variable for the expressions that are compiled from now on. `type` is that of its
  // expression; null, or a type that is neither simple nor a list or map, declares it as dyn, as
  // upstream does.
  void Add(absl::string_view name, const cel::TypePtr& type);

  bool HasStruct(absl::string_view name) const override;
  cel::TypePtr FindField(absl::string_view struct_name, absl::string_view field) const override;

 private:
  std::map<std::string, cel::TypePtr, std::less<>> variables_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VALIDATION_VARIABLE_TYPES_H_
