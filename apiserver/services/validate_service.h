#ifndef APISERVER_SERVICES_VALIDATE_SERVICE_H_
#define APISERVER_SERVICES_VALIDATE_SERVICE_H_

#include "api/core/v1/types.kube.h"
#include "apimachinery/validation/field_error.h"

// Validates Services (kube-apiserver: `pkg/apis/core/validation`). Pure and thread-safe.
namespace kube::apiserver::internal {

// Returns whether it can be reached from outside the cluster.
bool IsExternallyAccessible(const api::core::v1::Service& service);

// Validates the content. `old` is null for a new service.
void CheckService(validation::field::ErrorList& wrong, const api::core::v1::Service& service,
                  const api::core::v1::Service* old);

// Checks that an update keeps the immutable fields of `old`.
void CheckServiceStays(validation::field::ErrorList& wrong, const api::core::v1::Service& service,
                       const api::core::v1::Service& old);

// Validates addresses and their families (kube-apiserver:
// `ValidateServiceClusterIPsRelatedFields`).
void CheckClusterIps(validation::field::ErrorList& wrong, const api::core::v1::Service& service,
                     const api::core::v1::Service* old);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_SERVICES_VALIDATE_SERVICE_H_
