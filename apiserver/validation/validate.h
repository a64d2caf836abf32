#ifndef APISERVER_VALIDATION_VALIDATE_H_
#define APISERVER_VALIDATION_VALIDATE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/validation/field_error.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"

// Validates objects before they are stored: the metadata of all kinds, and the content of the kinds
// that docs/envtest.md lists.
namespace kube::apiserver::internal {

[[nodiscard]] validation::field::ErrorList ValidateCreate(const Resource& resource,
                                                          const Object& object);

struct ValidatedUpdate {
  validation::field::ErrorList errors = {};
  // What is wrong, but was so before.
  std::vector<std::string> warnings = {};
};
[[nodiscard]] ValidatedUpdate ValidateUpdate(const Resource& resource,
                                             absl::string_view subresource, const Object& object,
                                             const Object& old);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VALIDATION_VALIDATE_H_
