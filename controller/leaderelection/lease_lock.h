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

// Records an event about a lease. `subject` is the Lease with kind, apiVersion and metadata. The
// type of the event is Normal. Called on the thread of LeaderElector::Run; must not block.
using LeaderEventRecorder = std::function<void(const api::coordination::v1::Lease& subject,
                                               absl::string_view reason, absl::string_view note)>;

// Options of a LeaseLock.
struct LeaseLockOptions {
  // Labels of a new lease, also added to an existing one. Default: none.
  std::map<std::string, std::string> labels = {};
  // Receives reason "LeaderElection" and notes such as "host-1_6f2c became leader". Null, the
  // default: no events.
  LeaderEventRecorder event_recorder = nullptr;
};

// A ResourceLock on a Lease of coordination.k8s.io/v1, compatible with client-go's candidates.
// (client-go: `resourcelock.LeaseLock`)
//
// Needs the verbs get, create and update on leases. Fields of the lease's spec that are not part of
// the record are dropped by the first write, as in client-go.
//
//   auto lock = std::make_shared<LeaseLock>(clientset.CoordinationV1().Leases("default"),
//                                           "my-controller", absl::StrCat(hostname, "_", uuid));
//
// Thread-compatible; identity() and Describe() are thread-safe.
class LeaseLock final : public ResourceLock {
 public:
  // `leases` must have a namespace. Use a client that nothing else uses: if other requests exhaust
  // its rate limit or block its connection, the lease is lost. (client-go: `NewFromKubeconfig`
  // makes such a client)
  LeaseLock(api::coordination::v1::LeaseClient leases, std::string name, std::string identity,
            LeaseLockOptions options = {});

  absl::StatusOr<LeaderElectionRecord> Get(const Context& ctx) override;
  absl::StatusOr<std::string> Create(const Context& ctx,
                                     const LeaderElectionRecord& record) override;
  // Returns FAILED_PRECONDITION if neither Get nor Create has succeeded before.
  absl::StatusOr<std::string> Update(const Context& ctx,
                                     const LeaderElectionRecord& record) override;
  void RecordEvent(absl::string_view what) override;
  const std::string& identity() const override { return identity_; }
  std::string Describe() const override;

 private:
  // Stores the lease of a response.
  const api::coordination::v1::Lease& Keep(api::coordination::v1::Lease lease);

  const api::coordination::v1::LeaseClient leases_;
  const std::string name_;
  const std::string identity_;
  const LeaseLockOptions options_;
  std::optional<api::coordination::v1::Lease> lease_;
};

// Convert between the record and the lease. (client-go: `LeaseSpecToLeaderElectionRecord`,
// `LeaderElectionRecordToLeaseSpec`)
LeaderElectionRecord RecordOf(const api::coordination::v1::LeaseSpec& spec);
api::coordination::v1::LeaseSpec LeaseSpecOf(const LeaderElectionRecord& record);

}  // namespace kube::leaderelection

#endif  // CONTROLLER_LEADERELECTION_LEASE_LOCK_H_
