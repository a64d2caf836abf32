#ifndef APISERVER_VALIDATION_VALIDATE_H_
#define APISERVER_VALIDATION_VALIDATE_H_

#include "absl/strings/string_view.h"
#include "apimachinery/validation/field_error.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"

// What a server refuses to store. Of all kinds the metadata is checked; docs/envtest.md lists those
// of which more is.
namespace kube::apiserver::internal {

[[nodiscard]] validation::field::ErrorList ValidateCreate(const Resource& resource,
                                                          const Object& object);
[[nodiscard]] validation::field::ErrorList ValidateUpdate(const Resource& resource,
                                                          absl::string_view subresource,
                                                          const Object& object, const Object& old);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VALIDATION_VALIDATE_H_
