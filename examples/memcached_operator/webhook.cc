#include "examples/memcached_operator/webhook.h"

#include <cstdint>

#include "absl/status/status.h"
#include "apimachinery/meta/deletion.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "webhook/admission.h"

namespace cache {

namespace field = kube::validation::field;
using kube::webhook::AdmissionRequest;
using v1alpha1::Memcached;

// The longest value of a label: the pods have one with the name of their Memcached.
constexpr int kLongestName = 63;
// Ports below are for servers with privileges, which these do not have.
constexpr int64_t kFirstPort = 1024;

absl::Status Complete(const AdmissionRequest<Memcached>&, Memcached& memcached) {
  if (!memcached.spec.size.has_value()) memcached.spec.size = 1;
  return absl::OkStatus();
}

field::ErrorList Validate(const AdmissionRequest<Memcached>& request) {
  const Memcached& memcached = *request.object;
  // The finalizer must go, also from an object that was stored before there was this webhook.
  if (kube::meta::IsBeingDeleted(memcached)) return {};
  field::ErrorList wrong;
  if (memcached.metadata.name.size() > kLongestName) {
    wrong.push_back(field::TooLong(field::Path("metadata").Child("name"), kLongestName));
  }
  const int64_t port = memcached.spec.container_port;
  if (port < kFirstPort) {
    wrong.push_back(field::Invalid(field::Path("spec").Child("containerPort"), port,
                                   "must be at least 1024: the servers have no privileges"));
  }
  if (memcached.spec.size == 0) request.Warn("spec.size is 0: there will be no servers");
  return wrong;
}

}  // namespace cache
