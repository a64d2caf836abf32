#ifndef WEBHOOK_CA_BUNDLE_H_
#define WEBHOOK_CA_BUNDLE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "clientset/rest/client.h"

namespace kube::webhook {

// The objects of an API server that say where webhooks are, by name.
struct CaBundleTargets {
  std::vector<std::string> mutating_configurations = {};
  std::vector<std::string> validating_configurations = {};
  // CustomResourceDefinitions whose conversion is a webhook.
  std::vector<std::string> definitions = {};
};

// Adds the certificates of `ca`, in PEM, to `caBundle` of every webhook of the targets, so that the
// API server trusts a server that SelfSignedCertificates has made. What is there stays, as other
// replicas have other authorities. Of more than a hundred certificates those that have expired are
// dropped, and then the oldest, which come first. Sends nothing but reads if all have it, so it may
// be called again and again.
//
// Blocks until all targets are done; a conflict is tried again. The program needs the rights "get"
// and "patch" for the targets. Returns the errors of the API server, joined, each with the name of
// its target, such as NOT_FOUND for a configuration that does not exist yet; the other targets are
// done all the same. Returns INVALID_ARGUMENT if `ca` has no certificate. (cert-manager: the
// annotation `cert-manager.io/inject-ca-from`)
absl::Status AddCaBundle(const Context& ctx, const rest::Client& client,
                         const CaBundleTargets& targets, absl::string_view ca);

// Far more than a program has replicas, also counting restarts between two writes. A configuration
// with many webhooks gets fewer for each, so that it stays small enough for etcd.
inline constexpr size_t kMaxCertificates = 100;

// Returns the bundle, in PEM, with the certificates of `ca` at its end, as AddCaBundle writes it;
// unchanged if it has all of them. If it would have more than `max_certificates`, those that have
// expired go, and then those that were added first. Returns INVALID_ARGUMENT if `ca` has no
// certificate. Uses the wall clock of the calling thread's Runtime.
absl::StatusOr<std::string> BundleWith(absl::string_view bundle, absl::string_view ca,
                                       size_t max_certificates = kMaxCertificates);

}  // namespace kube::webhook

#endif  // WEBHOOK_CA_BUNDLE_H_
