#ifndef APISERVER_VALIDATION_WEBHOOK_URL_H_
#define APISERVER_VALIDATION_WEBHOOK_URL_H_

#include "absl/strings/string_view.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

namespace kube::apiserver::internal {

// Checks the URL of a webhook for admission or conversion: of the form https://host/path, without
// user, query and fragment. Never shows a password. (kube-apiserver: `ValidateWebhookURL`)
[[nodiscard]] validation::field::ErrorList ValidateWebhookUrl(absl::string_view url,
                                                              const validation::field::Path& path);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VALIDATION_WEBHOOK_URL_H_
