#ifndef APISERVER_SERVICES_VALIDATE_SERVICE_H_
#define APISERVER_SERVICES_VALIDATE_SERVICE_H_

#include "api/core/v1/types.kube.h"
#include "apimachinery/validation/field_error.h"

// What must be so in a Service. (pkg/apis/core/validation) Pure functions: thread-safe.
namespace kube::apiserver::internal {

// Whether clients outside of the cluster reach it.
bool IsExternallyAccessible(const api::core::v1::Service& service);

// What the content must be. `old` is null for a new service.
void CheckService(validation::field::ErrorList& wrong, const api::core::v1::Service& service,
                  const api::core::v1::Service* old);

// What of `old` an update must not change.
void CheckServiceStays(validation::field::ErrorList& wrong, const api::core::v1::Service& service,
                       const api::core::v1::Service& old);

// Addresses and their families. (ValidateServiceClusterIPsRelatedFields)
void CheckClusterIps(validation::field::ErrorList& wrong, const api::core::v1::Service& service,
                     const api::core::v1::Service* old);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_SERVICES_VALIDATE_SERVICE_H_
