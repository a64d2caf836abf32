#include "controller/manager/internal/own_access.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "controller/cache/required_access.h"
#include "controller/leaderelection/run_as_leader.h"
#include "controller/manager/internal/ca_targets.h"
#include "controller/manager/manager_options.h"
#include "controller/metrics/metrics_server.h"
#include "webhook/ca_bundle.h"
#include "webhook/registration.h"

namespace kube::controller::internal {
namespace {

RequiredAccess EventsIn(std::vector<std::string> namespaces) {
  return {.resource = "events", .verbs = {"create", "patch"}, .namespaces = std::move(namespaces)};
}

// Returns whether a controller has noted the right for events about its objects.
bool IsOfEvents(const RequiredAccess& access) { return access == EventsIn(access.namespaces); }

bool IsOfWatch(const RequiredAccess& access) {
  return std::find(access.verbs.begin(), access.verbs.end(), "watch") != access.verbs.end();
}

// Events are written in the namespaces of their objects, and in that of the lease. A namespace ""
// means all.
RequiredAccess EventsOf(const ManagerOptions& options, const std::vector<RequiredAccess>& noted) {
  std::vector<std::string> namespaces = options.cache.namespaces;
  if (namespaces.empty()) return EventsIn({});
  if (options.leader_election.has_value()) {
    namespaces.push_back(options.leader_election->lease.namespace_name);
  }
  for (const RequiredAccess& access : noted) {
    if (IsOfEvents(access) && access.namespaces.empty()) return EventsIn({});
    if (!IsOfEvents(access) && !IsOfWatch(access)) continue;
    namespaces.insert(namespaces.end(), access.namespaces.begin(), access.namespaces.end());
  }
  return EventsIn(std::move(namespaces));
}

RequiredAccess LeaseOf(const ManagerOptions& options) {
  const leaderelection::LeaseName& lease = options.leader_election->lease;
  return {.group = "coordination.k8s.io",
          .resource = "leases",
          .verbs = {"create", "get", "update"},
          .names = {lease.name.empty() ? options.name : lease.name},
          .namespaces = {lease.namespace_name},
          .purpose = AccessPurpose::kLeaderElection};
}

RequiredAccess ReviewOf(std::string group, std::string resource) {
  return {.group = std::move(group),
          .resource = std::move(resource),
          .verbs = {"create"},
          .purpose = AccessPurpose::kMetrics};
}

// Adds the right to write the authority of the webhooks' certificate into these objects.
void AddTargets(const char* group, const char* resource, const std::vector<std::string>& names,
                std::vector<RequiredAccess>& access) {
  if (names.empty()) return;  // an empty list would mean all objects
  access.push_back(
      {.group = group, .resource = resource, .verbs = {"get", "patch"}, .names = names});
}

void AddCaBundles(const webhook::CaBundleTargets& targets, std::vector<RequiredAccess>& access) {
  constexpr char kAdmission[] = "admissionregistration.k8s.io";
  AddTargets(kAdmission, "mutatingwebhookconfigurations", targets.mutating_configurations, access);
  AddTargets(kAdmission, "validatingwebhookconfigurations", targets.validating_configurations,
             access);
  AddTargets("apiextensions.k8s.io", "customresourcedefinitions", targets.definitions, access);
}

}  // namespace

bool ReviewsTokens(const ManagerOptions& options) {
  return options.metrics.has_value() &&
         options.metrics->access == kube::metrics::MetricsAccess::kTokenReview;
}

std::vector<RequiredAccess> OwnAccess(const ManagerOptions& options,
                                      const std::vector<webhook::Registration>& webhooks,
                                      const std::vector<RequiredAccess>& noted) {
  std::vector<RequiredAccess> access = {EventsOf(options, noted)};
  if (options.leader_election.has_value()) access.push_back(LeaseOf(options));
  if (ReviewsTokens(options)) {
    access.push_back(ReviewOf("authentication.k8s.io", "tokenreviews"));
    access.push_back(ReviewOf("authorization.k8s.io", "subjectaccessreviews"));
  }
  if (options.webhooks.self_signed.has_value()) {
    AddCaBundles(CaBundleTargetsOf(options.name, *options.webhooks.self_signed, webhooks), access);
  }
  AccessLedger ledger;
  for (RequiredAccess& one : access) ledger.Add(std::move(one));
  return ledger.Get();
}

std::vector<RequiredAccess> AllAccess(const ManagerOptions& options,
                                      const std::vector<webhook::Registration>& webhooks,
                                      std::vector<RequiredAccess> noted) {
  std::vector<RequiredAccess> all = OwnAccess(options, webhooks, noted);
  for (RequiredAccess& access : noted) {
    if (!IsOfEvents(access)) all.push_back(std::move(access));
  }
  return all;
}

}  // namespace kube::controller::internal
