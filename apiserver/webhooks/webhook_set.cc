#include "apiserver/webhooks/webhook_set.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "apimachinery/labels/label_selector.h"
#include "apimachinery/types/string.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/validation/match_condition.h"
#include "apiserver/webhooks/webhook_caller.h"
#include "apiserver/webhooks/webhook_rules.h"

namespace kube::apiserver::internal {
namespace {

namespace admissionv1 = api::admissionregistration::v1;

constexpr absl::string_view kMutating =
    "admissionregistration.k8s.io/mutatingwebhookconfigurations";
constexpr absl::string_view kValidating =
    "admissionregistration.k8s.io/validatingwebhookconfigurations";

WebhookTarget TargetOf(const admissionv1::WebhookClientConfig& client) {
  WebhookTarget target;
  target.ca_bundle = std::string(client.ca_bundle.view());
  if (client.service) {
    target.namespace_name = std::string(client.service->namespace_);
    target.service = std::string(client.service->name);
    target.path = std::string(*client.service->path);
    target.port = client.service->port.value_or(443);
  } else {
    target.url = std::string(*client.url);
  }
  return target;
}

// Makes the `index`-th webhook with its name of a configuration.
template <typename Hook>
std::shared_ptr<const Webhook> MakeWebhook(absl::string_view configuration, const Hook& hook,
                                           int index) {
  auto made = std::make_shared<Webhook>();
  made->configuration = std::string(configuration);
  made->name = std::string(hook.name);
  made->uid = absl::StrCat(configuration, "/", made->name, "/", index);
  made->target = TargetOf(hook.client_config);
  made->rules = hook.rules;
  made->ignores_failures = hook.failure_policy == "Ignore";
  made->equivalent = hook.match_policy == "Equivalent";
  if constexpr (requires { hook.reinvocation_policy; }) {
    made->reinvoked = hook.reinvocation_policy == "IfNeeded";
  }
  made->namespace_selector = labels::LabelSelectorAsSelector(hook.namespace_selector.get());
  made->object_selector = labels::LabelSelectorAsSelector(hook.object_selector.get());
  if (hook.side_effects.has_value()) made->side_effects = std::string(*hook.side_effects);
  if (hook.timeout_seconds.has_value()) made->timeout = absl::Seconds(*hook.timeout_seconds);
  for (const String& version : hook.admission_review_versions) {
    made->review_versions.emplace_back(version);
  }
  for (const admissionv1::MatchCondition& each : hook.match_conditions) {
    made->conditions.push_back({.expression = std::string(each.expression),
                                .program = CompileMatchCondition(each.expression.view())});
  }
  return made;
}

template <typename Configuration>
std::vector<std::shared_ptr<const Webhook>> WebhooksIn(const Storage& storage,
                                                       absl::string_view resource) {
  std::vector<std::shared_ptr<const Webhook>> webhooks;
  const absl::StatusOr<ListResult> found = storage.List(resource, {});
  if (!found.ok()) return webhooks;
  // Sorted by key, which is the name.
  for (const ListItem& item : found->items) {
    const auto* const configuration = item.object->object().As<Configuration>();
    if (configuration == nullptr) continue;
    std::map<std::string, int> names;
    for (const auto& hook : configuration->webhooks) {
      webhooks.push_back(
          MakeWebhook(configuration->metadata.name.view(), hook, names[std::string(hook.name)]++));
    }
  }
  return webhooks;
}

bool AnyConcerns(const std::vector<std::shared_ptr<const Webhook>>& webhooks,
                 const Resources& resources, const Resource& resource, const RuleSubject& subject) {
  for (const auto& webhook : webhooks) {
    if (SelectedAs(webhook->rules, webhook->equivalent, resources, resource, subject) != nullptr) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool WebhookSet::HearsOfDeletions() const {
  for (const auto* webhooks : {&mutating, &validating}) {
    for (const std::shared_ptr<const Webhook>& webhook : *webhooks) {
      for (const admissionv1::RuleWithOperations& rule : webhook->rules) {
        for (const String& operation : rule.operations) {
          if (operation == "*" || operation == "DELETE") return true;
        }
      }
    }
  }
  return false;
}

bool WebhookSet::MayConcern(const RequestInfo& info, const Resources& resources) const {
  if (!info.is_resource_request) return false;
  const std::vector<absl::string_view> operations = OperationsOf(info);
  if (operations.empty()) return false;
  const Resource* const resource = resources.Find(info.group, info.version, info.resource);
  if (resource == nullptr || IsExempt(*resource)) return false;
  for (absl::string_view operation : operations) {
    const RuleSubject subject = {.operation = operation,
                                 .subresource = info.subresource,
                                 .namespace_name = info.namespace_name};
    if (AnyConcerns(mutating, resources, *resource, subject) ||
        AnyConcerns(validating, resources, *resource, subject)) {
      return true;
    }
  }
  return false;
}

WebhookSource::WebhookSource(Storage& storage)
    : view_(
          storage, {std::string(kMutating), std::string(kValidating)}, [this](const Storage& read) {
            auto made = std::make_shared<WebhookSet>();
            made->mutating = WebhooksIn<admissionv1::MutatingWebhookConfiguration>(read, kMutating);
            made->validating =
                WebhooksIn<admissionv1::ValidatingWebhookConfiguration>(read, kValidating);
            empty_.store(made->mutating.empty() && made->validating.empty());
            hears_of_deletions_.store(made->HearsOfDeletions());
            return made;
          }) {}

bool WebhookSource::HearsOfDeletions() {
  if (!view_.IsCurrent()) view_.Get();
  return hears_of_deletions_.load();
}

std::shared_ptr<const WebhookSet> WebhookSource::For(const RequestInfo& info,
                                                     const Resources& resources) {
  if (view_.IsCurrent() && empty_.load()) return nullptr;
  std::shared_ptr<const WebhookSet> set = view_.Get();
  return set->MayConcern(info, resources) ? set : nullptr;
}

}  // namespace kube::apiserver::internal
