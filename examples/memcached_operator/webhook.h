#ifndef EXAMPLES_MEMCACHED_OPERATOR_WEBHOOK_H_
#define EXAMPLES_MEMCACHED_OPERATOR_WEBHOOK_H_

#include "absl/status/status.h"
#include "apimachinery/validation/field_error.h"
#include "examples/memcached_operator/memcached.client.kube.h"
#include "examples/memcached_operator/memcached.kube.h"
#include "webhook/admission.h"

// What the API server asks before it stores a Memcached.
namespace cache {

// Sets what the user has left open. (kubebuilder: `MemcachedCustomDefaulter`)
absl::Status Complete(const kube::webhook::AdmissionRequest<v1alpha1::Memcached>& request,
                      v1alpha1::Memcached& memcached);

// Returns what is wrong with a Memcached. (kubebuilder: `MemcachedCustomValidator`)
kube::validation::field::ErrorList Validate(
    const kube::webhook::AdmissionRequest<v1alpha1::Memcached>& request);

}  // namespace cache

#endif  // EXAMPLES_MEMCACHED_OPERATOR_WEBHOOK_H_
