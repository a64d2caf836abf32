#ifndef APISERVER_WEBHOOKS_WEBHOOK_SET_H_
#define APISERVER_WEBHOOKS_WEBHOOK_SET_H_

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/types/list.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/stored_view.h"
#include "apiserver/validation/match_condition.h"
#include "apiserver/webhooks/webhook_caller.h"

namespace kube::apiserver::internal {

// A webhook of a configuration, ready to be used. Immutable (kube-apiserver:
// `webhook.WebhookAccessor`).
struct Webhook {
  std::string configuration = {};
  std::string name = {};
  // Identifies it among all.
  std::string uid = {};
  WebhookTarget target = {};
  List<api::admissionregistration::v1::RuleWithOperations> rules = {};
  // failurePolicy: Ignore.
  bool ignores_failures = false;
  // matchPolicy: Equivalent.
  bool equivalent = false;
  // reinvocationPolicy: IfNeeded.
  bool reinvoked = false;
  absl::StatusOr<labels::Selector> namespace_selector = labels::Selector();
  absl::StatusOr<labels::Selector> object_selector = labels::Selector();
  // Nullopt if the configuration does not say it.
  std::optional<std::string> side_effects = {};
  std::optional<absl::Duration> timeout = {};
  std::vector<std::string> review_versions = {};
  std::vector<CompiledCondition> conditions = {};
};

// The webhooks that were configured at some time, in the order of calls: by the name of the
// configuration, and then as they stand there. Immutable.
struct WebhookSet {
  std::vector<std::shared_ptr<const Webhook>> mutating = {};
  std::vector<std::shared_ptr<const Webhook>> validating = {};

  // Returns whether one of them is asked about deletions.
  bool HearsOfDeletions() const;
  // Returns whether a request could be one for a webhook, as far as the rules say it.
  bool MayConcern(const RequestInfo& info, const Resources& resources) const;
};

// Knows the webhooks that the configurations in a storage describe, also those that were written a
// moment ago (kube-apiserver: `mutatingWebhookConfigurationManager` and its sibling). Thread-safe.
class WebhookSource {
 public:
  explicit WebhookSource(Storage& storage);

  // Returns all webhooks, or null if the request is for none of them. Costs next to nothing while
  // no webhook is configured.
  std::shared_ptr<const WebhookSet> For(const RequestInfo& info, const Resources& resources);
  // Returns whether any webhook is asked about deletions, which may be those by controllers: any
  // write may lead to some. Costs next to nothing.
  bool HearsOfDeletions();

 private:
  // They describe the set in `view_`, and are read without its lock.
  std::atomic<bool> empty_ = true;
  std::atomic<bool> hears_of_deletions_ = false;
  StoredView<WebhookSet> view_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_WEBHOOKS_WEBHOOK_SET_H_
