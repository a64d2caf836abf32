#include "apiserver/webhooks/conversion_webhook.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/status.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/custom_converter.h"
#include "apiserver/webhooks/conversion_review.h"
#include "apiserver/webhooks/review_type.h"
#include "apiserver/webhooks/webhook_caller.h"

namespace kube::apiserver::internal {
namespace {

namespace crd = api::apiextensions::v1;
using unstructured::Unstructured;
using unstructured::Value;

// How long a call may take.
constexpr absl::Duration kTimeout = absl::Seconds(30);

WebhookTarget TargetOf(const crd::WebhookClientConfig& client) {
  WebhookTarget target;
  // As upstream, white space is no certificate.
  if (!absl::StripAsciiWhitespace(client.ca_bundle.view()).empty()) {
    target.ca_bundle = std::string(client.ca_bundle.view());
  }
  if (client.service) {
    target.namespace_name = std::string(client.service->namespace_);
    target.service = std::string(client.service->name);
    if (client.service->path.has_value()) target.path = std::string(*client.service->path);
    target.port = client.service->port.value_or(443);
  } else if (client.url.has_value()) {
    target.url = std::string(*client.url);
  }
  return target;
}

}  // namespace

void WebhookScope::Cancel() {
  auto scope = std::make_shared<CancelScope>(WithCancel(Context()));
  {
    base::MutexLock lock(mutex_);
    scope.swap(scope_);
  }
  // Without the lock, because it runs callbacks.
  scope->Cancel(absl::CancelledError("the server restarts"));
}

void WebhookScope::End() {
  std::shared_ptr<CancelScope> scope;
  {
    base::MutexLock lock(mutex_);
    scope = scope_;
  }
  scope->Cancel(absl::CancelledError("the server ends"));
}

std::shared_ptr<const CustomConverter> ConversionWebhook::Make(
    const crd::CustomResourceDefinition& definition, std::shared_ptr<WebhookCaller> caller,
    std::shared_ptr<const WebhookScope> scope) {
  const auto& conversion = definition.spec.conversion;
  if (!conversion || conversion->strategy != "Webhook") return nullptr;
  if (!conversion->webhook || !conversion->webhook->client_config) return nullptr;
  Parts parts = {.target = TargetOf(*conversion->webhook->client_config),
                 .caller = std::move(caller),
                 .scope = std::move(scope)};
  for (const String& version : conversion->webhook->conversion_review_versions) {
    parts.review_versions.emplace_back(version);
  }
  return std::make_shared<const ConversionWebhook>(std::move(parts));
}

absl::StatusOr<std::vector<Unstructured>> ConversionWebhook::Convert(
    const ConversionSubject& subject, const std::vector<Unstructured>& objects,
    absl::string_view api_version) const {
  AskedConversion asked{.uid = base::RandomUuid(), .api_version = std::string(api_version)};
  KUBE_ASSIGN_OR_RETURN(asked.version, ReviewVersionOf(parts_.review_versions));
  const auto answered = [&]() -> absl::StatusOr<List<Value>> {
    KUBE_ASSIGN_OR_RETURN(std::string body, EncodeConversionReview(asked, objects));
    const Context ctx = WithTimeout(parts_.scope->context(), kTimeout);
    KUBE_ASSIGN_OR_RETURN(const std::string answer,
                          parts_.caller->Call(ctx, parts_.target, std::move(body)));
    return ReadConversionReview(asked, answer);
  }();
  if (!answered.ok()) {
    return absl::UnavailableError(absl::StrCat("conversion webhook for ",
                                               GvkText(subject.api_version, subject.kind),
                                               " failed: ", answered.status().message()));
  }
  return CheckConverted(asked, subject, objects, *answered);
}

}  // namespace kube::apiserver::internal
