#ifndef APISERVER_STRATEGY_CA_BUNDLE_H_
#define APISERVER_STRATEGY_CA_BUNDLE_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"

// The certificates that a conversion webhook is checked with. Pure and thread-safe.
namespace kube::apiserver::internal {

// Returns OK if at least one certificate in PEM can be read, or if the bundle is empty. Otherwise
// returns INVALID_ARGUMENT with upstream's text; what is wrong with a malformed certificate it does
// not say (kube-apiserver: `webhook.ValidateCABundle`).
absl::Status CheckCaBundle(absl::string_view bundle);

// Returns the caBundle of the conversion webhook of a definition, or "".
absl::string_view ConversionBundle(
    const api::apiextensions::v1::CustomResourceDefinition& definition);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_STRATEGY_CA_BUNDLE_H_
