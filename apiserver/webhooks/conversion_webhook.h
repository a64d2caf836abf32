#ifndef APISERVER_WEBHOOKS_CONVERSION_WEBHOOK_H_
#define APISERVER_WEBHOOKS_CONVERSION_WEBHOOK_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apiserver/custom_converter.h"
#include "apiserver/webhooks/webhook_caller.h"

namespace kube::apiserver::internal {

// The context of calls that belong to no request: conversions, which are done on many threads, and
// what controllers ask. Thread-safe.
class WebhookScope {
 public:
  Context context() const {
    base::MutexLock lock(mutex_);
    return scope_->context();
  }
  // Ends the calls that run now. Later ones are not concerned.
  void Cancel();
  // Ends the calls that run now, and all later ones at once.
  void End();

 private:
  mutable base::Mutex mutex_;
  std::shared_ptr<CancelScope> scope_ ABSL_GUARDED_BY(mutex_) =
      std::make_shared<CancelScope>(WithCancel(Context()));
};

// Converts custom resources by the webhook of their definition: one call for all objects of a read
// (apiextensions-apiserver: `webhookConverter`). Thread-safe.
class ConversionWebhook final : public CustomConverter {
 public:
  struct Parts {
    WebhookTarget target = {};
    std::vector<std::string> review_versions = {};
    // Never null.
    std::shared_ptr<WebhookCaller> caller = {};
    std::shared_ptr<const WebhookScope> scope = {};
  };
  explicit ConversionWebhook(Parts parts) : parts_(std::move(parts)) {}

  // Returns the webhook of a valid definition, or null if its strategy is another one.
  static std::shared_ptr<const CustomConverter> Make(
      const api::apiextensions::v1::CustomResourceDefinition& definition,
      std::shared_ptr<WebhookCaller> caller, std::shared_ptr<const WebhookScope> scope);

  absl::StatusOr<std::vector<unstructured::Unstructured>> Convert(
      const ConversionSubject& subject, const std::vector<unstructured::Unstructured>& objects,
      absl::string_view api_version) const override;

 private:
  const Parts parts_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_WEBHOOKS_CONVERSION_WEBHOOK_H_
