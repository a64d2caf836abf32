#ifndef CONTROLLER_LEADERELECTION_RESOURCE_LOCK_H_
#define CONTROLLER_LEADERELECTION_RESOURCE_LOCK_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/types/micro_time.h"

namespace kube::leaderelection {

// The state of an election, as stored in the object that candidates compete for.
// (client-go: `resourcelock.LeaderElectionRecord`)
struct LeaderElectionRecord {
  // Identity of the leader; empty if the lease is free.
  std::string holder_identity = {};
  // How long other candidates wait, by their clocks, after they saw the record change.
  int32_t lease_duration_seconds = 0;
  // Times of the holder's clock. Other candidates only compare them for equality.
  MicroTime acquire_time = {};
  MicroTime renew_time = {};
  // Number of changes of the holder since the object was created.
  int32_t leader_transitions = 0;

  friend bool operator==(const LeaderElectionRecord&, const LeaderElectionRecord&) = default;
};

// The object that candidates compete for. It stores a LeaderElectionRecord, and a write fails if
// somebody else wrote in between. LeaseLock is the implementation for clusters.
// (client-go: `resourcelock.Interface`)
//
// Belongs to one LeaderElector, which calls Get, Create, Update and RecordEvent on one thread. They
// block until `ctx` is done at the latest. Errors of the server must be returned unchanged, since
// they are tested with errors::IsNotFound and errors::IsConflict.
class ResourceLock {
 public:
  virtual ~ResourceLock() = default;

  // Returns the record from the server, not from a cache. Returns NOT_FOUND (errors::IsNotFound) if
  // the object does not exist.
  virtual absl::StatusOr<LeaderElectionRecord> Get(const Context& ctx) = 0;

  // Creates the object and returns its resource version.
  virtual absl::StatusOr<std::string> Create(const Context& ctx,
                                             const LeaderElectionRecord& record) = 0;

  // Updates the object that was read or written last, and returns its new resource version. Returns
  // a conflict (errors::IsConflict) and changes nothing if the object was modified since.
  virtual absl::StatusOr<std::string> Update(const Context& ctx,
                                             const LeaderElectionRecord& record) = 0;

  // Records an event such as "became leader" or "stopped leading". Must not block.
  virtual void RecordEvent(absl::string_view what) = 0;

  // Returns the name of this candidate. It must be unique, even among successive processes of one
  // program. Thread-safe.
  virtual const std::string& identity() const = 0;

  // Returns a name for logs, such as "prod/scheduler". Thread-safe. (client-go: `Describe`)
  virtual std::string Describe() const = 0;
};

}  // namespace kube::leaderelection

#endif  // CONTROLLER_LEADERELECTION_RESOURCE_LOCK_H_
