#ifndef ENVTEST_SERVER_VALIDATION_VALIDATE_H_
#define ENVTEST_SERVER_VALIDATION_VALIDATE_H_

#include "absl/strings/string_view.h"
#include "apimachinery/validation/field_error.h"
#include "envtest/server/object.h"
#include "envtest/server/resources.h"

// What a server refuses to store. Of all kinds the metadata is checked; docs/envtest.md lists those
// of which more is.
namespace kube::envtest::internal {

[[nodiscard]] validation::field::ErrorList ValidateCreate(const Resource& resource,
                                                          const Object& object);
[[nodiscard]] validation::field::ErrorList ValidateUpdate(const Resource& resource,
                                                          absl::string_view subresource,
                                                          const Object& object, const Object& old);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_VALIDATION_VALIDATE_H_
