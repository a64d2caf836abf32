#ifndef CONTROLLER_LEADERELECTION_LEASE_LOCK_H_
#define CONTROLLER_LEADERELECTION_LEASE_LOCK_H_

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/coordination/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "clientset/kubernetes/coordination/v1/client.h"
#include "controller/leaderelection/resource_lock.h"

namespace kube::leaderelection {

// Tells people about a lease: `subject` is the Lease, with kind, apiVersion and metadata. The type
// of the event is Normal. Called on the thread of LeaderElector::Run; must not block.
using LeaderEventRecorder = std::function<void(const api::coordination::v1::Lease& subject,
                                               absl::string_view reason, absl::string_view note)>;

struct LeaseLockOptions {
  // Of the lease when it is made, and added to one that is there. Default: none.
  std::map<std::string, std::string> labels = {};
  // Gets reason "LeaderElection" and notes such as "host-1_6f2c became leader". Null, the default:
  // nobody is told.
  LeaderEventRecorder event_recorder = nullptr;
};

// Competes for a Lease of coordination.k8s.io/v1, as client-go's candidates do, and beside them.
// (resourcelock.LeaseLock)
//
// Needs the verbs get, create and update on leases. What the lease's spec has besides the record is
// dropped with the first write, as client-go does.
//
//   auto lock = std::make_shared<LeaseLock>(
//       clientset.CoordinationV1().Leases("prod"), "scheduler", absl::StrCat(hostname, "_", uuid));
//
// Thread-compatible.
class LeaseLock final : public ResourceLock {
 public:
  // `leases` has a namespace. Give the candidate a client of its own: one whose rate limit others
  // use up, or whose requests wait behind theirs, loses its lease. (NewFromKubeconfig makes one)
  LeaseLock(api::coordination::v1::LeaseClient leases, std::string name, std::string identity,
            LeaseLockOptions options = {});

  absl::StatusOr<LeaderElectionRecord> Get(const Context& ctx) override;
  absl::StatusOr<std::string> Create(const Context& ctx,
                                     const LeaderElectionRecord& record) override;
  // FAILED_PRECONDITION before a Get or Create.
  absl::StatusOr<std::string> Update(const Context& ctx,
                                     const LeaderElectionRecord& record) override;
  void RecordEvent(absl::string_view what) override;
  const std::string& identity() const override { return identity_; }
  std::string Describe() const override;

 private:
  // Keeps a lease that the server has answered with.
  const api::coordination::v1::Lease& Keep(api::coordination::v1::Lease lease);

  const api::coordination::v1::LeaseClient leases_;
  const std::string name_;
  const std::string identity_;
  const LeaseLockOptions options_;
  std::optional<api::coordination::v1::Lease> lease_;
};

// (LeaseSpecToLeaderElectionRecord, LeaderElectionRecordToLeaseSpec)
LeaderElectionRecord RecordOf(const api::coordination::v1::LeaseSpec& spec);
api::coordination::v1::LeaseSpec LeaseSpecOf(const LeaderElectionRecord& record);

}  // namespace kube::leaderelection

#endif  // CONTROLLER_LEADERELECTION_LEASE_LOCK_H_
