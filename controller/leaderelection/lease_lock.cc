#include "controller/leaderelection/lease_lock.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/coordination/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "clientset/kubernetes/coordination/v1/client.h"

namespace kube::leaderelection {

namespace coordinationv1 = api::coordination::v1;

LeaseLock::LeaseLock(coordinationv1::LeaseClient leases, std::string name, std::string identity,
                     LeaseLockOptions options)
    : leases_(std::move(leases)),
      name_(std::move(name)),
      identity_(std::move(identity)),
      options_(std::move(options)) {}

const coordinationv1::Lease& LeaseLock::Keep(coordinationv1::Lease lease) {
  return lease_.emplace(std::move(lease));
}

absl::StatusOr<LeaderElectionRecord> LeaseLock::Get(const Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(coordinationv1::Lease lease, leases_.Get(ctx, name_));
  return RecordOf(Keep(std::move(lease)).spec);
}

absl::StatusOr<std::string> LeaseLock::Create(const Context& ctx,
                                              const LeaderElectionRecord& record) {
  coordinationv1::Lease lease;
  lease.metadata.name = name_;
  for (const auto& [key, value] : options_.labels) lease.metadata.labels[key] = value;
  lease.spec = LeaseSpecOf(record);
  KUBE_ASSIGN_OR_RETURN(coordinationv1::Lease created, leases_.Create(ctx, lease));
  return std::string(Keep(std::move(created)).metadata.resource_version.view());
}

absl::StatusOr<std::string> LeaseLock::Update(const Context& ctx,
                                              const LeaderElectionRecord& record) {
  if (!lease_.has_value()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "update lease \"", Describe(), "\": lease not initialized, call get or create first"));
  }
  coordinationv1::Lease lease = *lease_;
  for (const auto& [key, value] : options_.labels) lease.metadata.labels[key] = value;
  lease.spec = LeaseSpecOf(record);
  KUBE_ASSIGN_OR_RETURN(coordinationv1::Lease updated, leases_.Update(ctx, lease));
  return std::string(Keep(std::move(updated)).metadata.resource_version.view());
}

void LeaseLock::RecordEvent(absl::string_view what) {
  if (options_.event_recorder == nullptr || !lease_.has_value()) return;
  coordinationv1::Lease subject;
  subject.kind = "Lease";
  subject.api_version = "coordination.k8s.io/v1";
  subject.metadata = lease_->metadata;
  options_.event_recorder(subject, "LeaderElection", absl::StrCat(identity_, " ", what));
}

std::string LeaseLock::Describe() const {
  return absl::StrCat(leases_.namespace_name(), "/", name_);
}

LeaderElectionRecord RecordOf(const coordinationv1::LeaseSpec& spec) {
  LeaderElectionRecord record;
  if (spec.holder_identity.has_value())
    record.holder_identity = std::string(spec.holder_identity->view());
  record.lease_duration_seconds = spec.lease_duration_seconds.value_or(0);
  if (spec.acquire_time.has_value()) record.acquire_time = *spec.acquire_time;
  if (spec.renew_time.has_value()) record.renew_time = *spec.renew_time;
  record.leader_transitions = spec.lease_transitions.value_or(0);
  return record;
}

coordinationv1::LeaseSpec LeaseSpecOf(const LeaderElectionRecord& record) {
  coordinationv1::LeaseSpec spec;
  spec.holder_identity = record.holder_identity;
  spec.lease_duration_seconds = record.lease_duration_seconds;
  spec.acquire_time = record.acquire_time;
  spec.renew_time = record.renew_time;
  spec.lease_transitions = record.leader_transitions;
  return spec;
}

}  // namespace kube::leaderelection
