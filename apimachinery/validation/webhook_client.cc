#include "apimachinery/validation/webhook_client.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/validation/dns.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/messages.h"
#include "apimachinery/validation/value.h"

namespace kube::validation {

using field::ErrorList;
using field::Path;

namespace {

void CheckServicePath(ErrorList& wrong, const std::string& text, const Path& path) {
  if (text.empty() || text == "/") return;
  if (text == "//") {
    wrong.push_back(field::Invalid(path, text, "segment[0] may not be empty"));
    return;
  }
  if (text[0] != '/') wrong.push_back(field::Invalid(path, text, "must start with a '/'"));
  absl::string_view steps = absl::string_view(text).substr(1);
  absl::ConsumeSuffix(&steps, "/");
  size_t i = 0;
  for (absl::string_view step : absl::StrSplit(steps, '/')) {
    if (step.empty()) {
      wrong.push_back(
          field::Invalid(path, text, absl::StrCat("segment[", i, "] may not be empty")));
    } else {
      for (const std::string& message : IsDns1123Subdomain(step)) {
        wrong.push_back(field::Invalid(path, text, absl::StrCat("segment[", i, "]: ", message)));
      }
    }
    ++i;
  }
}

}  // namespace

ErrorList ValidateWebhookService(const WebhookService& service, const Path& path) {
  ErrorList wrong;
  // As upstream, which takes the name for the namespace and the namespace for the name.
  if (service.namespace_name.empty()) wrong.push_back(field::Required(path.Child("name"), ""));
  if (service.name.empty()) wrong.push_back(field::Required(path.Child("namespace"), ""));
  if (const Messages messages = IsValidPortNum(service.port); !messages.empty()) {
    wrong.push_back(
        field::Invalid(path.Child("port"), int64_t{service.port},
                       absl::StrCat("port is not valid: ", absl::StrJoin(messages, ", "))));
  }
  if (service.path.has_value()) CheckServicePath(wrong, *service.path, path.Child("path"));
  return wrong;
}

}  // namespace kube::validation
