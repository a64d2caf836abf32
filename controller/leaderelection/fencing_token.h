#ifndef CONTROLLER_LEADERELECTION_FENCING_TOKEN_H_
#define CONTROLLER_LEADERELECTION_FENCING_TOKEN_H_

#include <compare>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace kube::leaderelection {

// Names one term of one leader. A later term has a greater token, so that a store which remembers
// the greatest token it has seen, and refuses writes with a smaller one, is safe from a leader that
// was paused and does not know yet that it is none. client-go has no such thing.
//
// Where the store takes a number, give it the resource version: it is one, of up to 63 bits.
struct FencingToken {
  // How often the lease had changed hands. For people: it begins again if the lease is deleted.
  int64_t transitions = 0;
  // Of the write that began the term. It grows with every write to the cluster, also across
  // deletions; not across a restore of the cluster from a backup.
  std::string resource_version = {};

  friend bool operator==(const FencingToken&, const FencingToken&) = default;
};

// Which is of the later term: by resource version. INVALID_ARGUMENT where one is no number, as none
// of a cluster is. Thread-safe.
absl::StatusOr<std::strong_ordering> CompareFencingTokens(const FencingToken& a,
                                                          const FencingToken& b);

}  // namespace kube::leaderelection

#endif  // CONTROLLER_LEADERELECTION_FENCING_TOKEN_H_
