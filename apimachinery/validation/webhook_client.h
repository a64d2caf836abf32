#ifndef APIMACHINERY_VALIDATION_WEBHOOK_CLIENT_H_
#define APIMACHINERY_VALIDATION_WEBHOOK_CLIENT_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

// The check of the service that a webhook for admission or conversion is reached by
// (kube-apiserver: `pkg/util/webhook/validation.go`). Pure functions: thread-safe.
namespace kube::validation {

// A service that a webhook is reached by.
struct WebhookService {
  absl::string_view name = {};
  absl::string_view namespace_name = {};
  std::optional<std::string> path = {};
  int port = 443;
};
[[nodiscard]] field::ErrorList ValidateWebhookService(const WebhookService& service,
                                                      const field::Path& path);

}  // namespace kube::validation

#endif  // APIMACHINERY_VALIDATION_WEBHOOK_CLIENT_H_
