#include "controller/testing/internal/world_audits.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/rbac/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/types/list.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/rbac/v1/client.h"
#include "clientset/rest/client.h"
#include "controller/testing/audit_finding.h"
#include "controller/testing/audit_options.h"
#include "controller/testing/audits.h"
#include "controller/testing/internal/audit_sink.h"
#include "controller/testing/internal/logged_object.h"
#include "controller/testing/internal/world_cluster.h"
#include "controller/testing/internal/world_end_state.h"
#include "controller/testing/internal/world_settlement.h"
#include "controller/testing/internal/world_troubles.h"
#include "controller/testing/operator_world_options.h"
#include "controller/testing/story.h"

namespace kube::controller::internal {

namespace rbacv1 = api::rbac::v1;
using apiserver::LoggedRequest;

namespace {

constexpr char kServiceAccountPrefix[] = "system:serviceaccount:";

AuditOptions OptionsFor(const WorldCluster& cluster, const OperatorWorldOptions& options) {
  AuditOptions audits = options.audits;
  audits.user = cluster.user();
  audits.user_agent = kReplicaPrefix;
  audits.rules.clear();
  audits.settled = absl::InfiniteFuture();
  return audits;
}

// Returns whether a finding of this kind counts requests. Faults and restarts cause requests, too,
// so these are looked for when the faults have ended.
bool IsOfRate(AuditKind kind) {
  return kind == AuditKind::kHotLoop || kind == AuditKind::kWriteWithoutChange;
}

void Add(std::vector<AuditFinding> more, std::vector<AuditFinding>& all) {
  for (AuditFinding& each : more) all.push_back(std::move(each));
}

// Returns whether the subject is the service account of the user "system:serviceaccount:NS:NAME".
bool IsUser(const rbacv1::Subject& subject, absl::string_view user) {
  return subject.kind == "ServiceAccount" &&
         user == absl::StrCat(kServiceAccountPrefix, subject.namespace_.view(), ":",
                              subject.name.view());
}

bool HasUser(const List<rbacv1::Subject>& subjects, absl::string_view user) {
  for (const rbacv1::Subject& subject : subjects) {
    if (IsUser(subject, user)) return true;
  }
  return false;
}

}  // namespace

std::vector<AuditFinding> AuditLog(const std::vector<LoggedRequest>& log, size_t quiet,
                                   const AuditOptions& audits) {
  // kCreatedTwice has two rules. Second objects of an owner are looked for in all of the log;
  // creations that fail because the object exists also follow from lost answers and stale caches,
  // and count only without faults.
  AuditOptions whole = audits;
  whole.max_already_exists = std::numeric_limits<size_t>::max();
  AuditOptions rates = audits;
  rates.one_per_owner.clear();
  std::vector<AuditFinding> found;
  for (AuditFinding& each : AuditRequests(log, whole)) {
    if (!IsOfRate(each.kind)) found.push_back(std::move(each));
  }
  // A scenario may have cleared the log.
  const auto begin = log.begin() + static_cast<std::ptrdiff_t>(std::min(quiet, log.size()));
  for (AuditFinding& each : AuditRequests(std::vector<LoggedRequest>(begin, log.end()), rates)) {
    if (IsOfRate(each.kind) || each.kind == AuditKind::kCreatedTwice) {
      found.push_back(std::move(each));
    }
  }
  return found;
}

std::vector<AuditFinding> FindingsOf(const Settlement& settlement,
                                     const std::vector<LoggedRequest>& log, size_t quiet,
                                     AuditOptions audits) {
  if (settlement.settled == Settled::kNeverEnds) {
    return {AuditFinding{.kind = AuditKind::kReconcileNeverEnds, .message = settlement.message}};
  }
  const bool changes = settlement.settled == Settled::kNotYet;
  if (!changes) audits.settled = absl::InfiniteFuture();
  std::vector<AuditFinding> found = AuditRights(log, audits);
  Add(AuditLog(log, quiet, audits), found);
  if (!changes && !found.empty()) return found;
  AuditFinding whole = {.kind = changes ? AuditKind::kNotConverged : AuditKind::kHotLoop,
                        .message = settlement.message};
  if (!IsAllowed(whole, audits)) found.push_back(std::move(whole));
  return found;
}

std::vector<AuditFinding> AuditSettlement(const Settlement& settlement, WorldCluster& cluster,
                                          const OperatorWorldOptions& options) {
  AuditOptions audits = OptionsFor(cluster, options);
  // What is still written after the longest back-off is written for ever.
  audits.settled = base::WallNow() - options.quiet_time;
  return FindingsOf(settlement, cluster.server().Requests(), cluster.settle_mark(),
                    std::move(audits));
}

absl::StatusOr<std::vector<AuditFinding>> AuditEnd(WorldCluster& cluster,
                                                   const OperatorWorldOptions& options) {
  std::vector<LoggedRequest> log = cluster.server().Requests();
  AuditOptions audits = OptionsFor(cluster, options);
  audits.settled = cluster.settled();
  // A time of day that was set back makes what came before look as if it came later.
  for (size_t i = 0; i < std::min(cluster.log_mark(), log.size()); ++i) {
    log[i].time = std::min(log[i].time, audits.settled);
  }
  std::vector<AuditFinding> found = AuditLog(log, cluster.settle_mark(), audits);
  KUBE_ASSIGN_OR_RETURN(const AuditedState state, ReadEndState(cluster.client(), log));
  Add(AuditState(state, log, audits), found);
  if (!options.account.has_value()) return found;
  if (options.audit_unused_rights) {
    KUBE_ASSIGN_OR_RETURN(std::vector<rbacv1::PolicyRule> rules,
                          RulesOf(cluster.client(), audits.user));
    audits.rules = std::move(rules);
  }
  Add(AuditRights(log, audits), found);
  return found;
}

void RemoveAllowed(const AuditOptions& audits, AuditedState& state) {
  const auto may_differ = [&audits](const AuditedObject& each) {
    return IsAllowed(
        {.kind = AuditKind::kOrderMatters, .object = ObjectText(each.resource, each.object)},
        audits);
  };
  state.objects.erase(std::remove_if(state.objects.begin(), state.objects.end(), may_differ),
                      state.objects.end());
}

absl::StatusOr<std::string> EndOf(WorldCluster& cluster, const AuditOptions& audits) {
  KUBE_ASSIGN_OR_RETURN(AuditedState state,
                        ReadEndState(cluster.client(), cluster.server().Requests()));
  RemoveAllowed(audits, state);
  return TextOf(state);
}

std::vector<AuditFinding> CompareEnds(const std::string& first, const std::string& other,
                                      const AuditOptions& audits) {
  const std::string difference = DifferenceOf(first, other);
  if (difference.empty()) return {};
  const AuditFinding finding = {
      .kind = AuditKind::kOrderMatters,
      .message =
          absl::StrCat("the end is not that of the first seed. There, and here:\n", difference)};
  if (IsAllowed(finding, audits)) return {};
  return {finding};
}

AuditFinding FindingOfStuckRun(const absl::Status& end) {
  return {.kind = AuditKind::kReconcileNeverEnds, .message = std::string(end.message())};
}

absl::StatusOr<std::vector<rbacv1::PolicyRule>> RulesOf(const rest::Client& client,
                                                        const std::string& user) {
  std::vector<rbacv1::PolicyRule> rules;
  const auto add = [&rules](const List<rbacv1::PolicyRule>& more) {
    rules.insert(rules.end(), more.begin(), more.end());
  };
  const rbacv1::ClusterRoleClient cluster_roles(client);
  KUBE_ASSIGN_OR_RETURN(const rbacv1::ClusterRoleBindingList cluster_bindings,
                        rbacv1::ClusterRoleBindingClient(client).List(Context()));
  for (const rbacv1::ClusterRoleBinding& binding : cluster_bindings.items) {
    if (!HasUser(binding.subjects, user)) continue;
    KUBE_ASSIGN_OR_RETURN(const rbacv1::ClusterRole role,
                          cluster_roles.Get(Context(), binding.role_ref.name.view()));
    add(role.rules);
  }
  KUBE_ASSIGN_OR_RETURN(const rbacv1::RoleBindingList bindings,
                        rbacv1::RoleBindingClient(client, "").List(Context()));
  for (const rbacv1::RoleBinding& binding : bindings.items) {
    if (!HasUser(binding.subjects, user)) continue;
    if (binding.role_ref.kind == "ClusterRole") {
      KUBE_ASSIGN_OR_RETURN(const rbacv1::ClusterRole role,
                            cluster_roles.Get(Context(), binding.role_ref.name.view()));
      add(role.rules);
      continue;
    }
    const rbacv1::RoleClient roles(client, binding.metadata.namespace_.view());
    KUBE_ASSIGN_OR_RETURN(const rbacv1::Role role,
                          roles.Get(Context(), binding.role_ref.name.view()));
    add(role.rules);
  }
  return rules;
}

std::string StoryOf(const AuditFinding& finding, const WorldCluster& cluster) {
  const std::string story = TellStory(cluster.server().Requests(), finding);
  return story.empty() ? "" : absl::StrCat("\nwhat happened:\n", story);
}

}  // namespace kube::controller::internal
