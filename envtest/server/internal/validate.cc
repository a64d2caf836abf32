#include "envtest/server/internal/validate.h"

#include "absl/strings/string_view.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/object_meta.h"
#include "envtest/server/internal/strategy.h"
#include "envtest/server/object.h"
#include "envtest/server/resources.h"

namespace kube::envtest::internal {
namespace {

namespace field = validation::field;

}  // namespace

field::ErrorList ValidateCreate(const Resource& resource, const Object& object) {
  const Strategy& strategy = StrategyOf(*resource.kind);
  const auto rule =
      strategy.name_rule == nullptr ? validation::NameIsDnsSubdomain : strategy.name_rule;
  return validation::ValidateObjectMeta(object.metadata(), resource.namespaced(), rule,
                                        field::Path("metadata"));
}

field::ErrorList ValidateUpdate(const Resource&, absl::string_view, const Object& object,
                                const Object& old) {
  // Twice, as a real server says it: once for all kinds, and once by the kind's own rules.
  field::ErrorList wrong = validation::ValidateObjectMetaUpdate(
      object.metadata(), old.metadata(), field::Path("metadata"));
  field::Append(wrong, field::ErrorList(wrong));
  return wrong;
}

}  // namespace kube::envtest::internal
