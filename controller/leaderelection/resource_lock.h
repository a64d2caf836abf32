#ifndef CONTROLLER_LEADERELECTION_RESOURCE_LOCK_H_
#define CONTROLLER_LEADERELECTION_RESOURCE_LOCK_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/types/micro_time.h"

namespace kube::leaderelection {

// Who leads, as the object that candidates compete for says it.
// (resourcelock.LeaderElectionRecord)
struct LeaderElectionRecord {
  // "": nobody; whoever comes may lead.
  std::string holder_identity = {};
  // How long the others wait, by their own clocks, after they have seen the record change last.
  int32_t lease_duration_seconds = 0;
  // By the holder's clock. Nobody else reckons with them: they only show that something changed.
  MicroTime acquire_time = {};
  MicroTime renew_time = {};
  // How often the holder has changed since the object was made.
  int32_t leader_transitions = 0;

  friend bool operator==(const LeaderElectionRecord&, const LeaderElectionRecord&) = default;
};

// What candidates compete for: an object that keeps a LeaderElectionRecord, and whose writes fail
// if somebody else wrote in between. LeaseLock is the one for clusters; tests have their own.
// (resourcelock.Interface)
//
// For one LeaderElector, which calls Get, Create, Update and RecordEvent from one thread. They
// block until `ctx` is done at the latest. Errors of a server are passed on as they are:
// errors::IsNotFound and errors::IsConflict are asked about them.
class ResourceLock {
 public:
  virtual ~ResourceLock() = default;

  // The record as the server has it now; not from a cache. errors::IsNotFound: there is no object.
  virtual absl::StatusOr<LeaderElectionRecord> Get(const Context& ctx) = 0;

  // Makes the object, and answers its resource version.
  virtual absl::StatusOr<std::string> Create(const Context& ctx,
                                             const LeaderElectionRecord& record) = 0;

  // Changes the object that was read or written last, and answers its new resource version.
  // errors::IsConflict: it is no longer as it was then; nothing is changed.
  virtual absl::StatusOr<std::string> Update(const Context& ctx,
                                             const LeaderElectionRecord& record) = 0;

  // "became leader", "stopped leading": for people. Must not block.
  virtual void RecordEvent(absl::string_view what) = 0;

  // This candidate's name, which no other has, not even its own next process. Thread-safe.
  virtual const std::string& identity() const = 0;

  // "prod/scheduler": for logs. Thread-safe. (Describe)
  virtual std::string Describe() const = 0;
};

}  // namespace kube::leaderelection

#endif  // CONTROLLER_LEADERELECTION_RESOURCE_LOCK_H_
