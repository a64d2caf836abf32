#ifndef CONTROLLER_LEADERELECTION_FENCING_TOKEN_H_
#define CONTROLLER_LEADERELECTION_FENCING_TOKEN_H_

#include <compare>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace kube::leaderelection {

// Identifies one term of one leader. Later terms have greater tokens. A store that remembers the
// greatest token it has seen and rejects writes with a smaller one is protected against a leader
// that was paused and has not noticed that it was replaced. client-go has no such type.
//
// If the store needs a number, use the resource version, which is a number of up to 63 bits.
struct FencingToken {
  // How often the lease had changed hands. Informational: it restarts if the lease is deleted.
  int64_t transitions = 0;
  // Resource version of the write that began the term. It grows with every write to the cluster,
  // even if the lease is deleted, but not across a restore of the cluster from a backup.
  std::string resource_version = {};

  friend bool operator==(const FencingToken&, const FencingToken&) = default;
};

// Compares the terms of two tokens by resource version. Returns INVALID_ARGUMENT if one is not a
// number; those of a cluster always are. Thread-safe.
absl::StatusOr<std::strong_ordering> CompareFencingTokens(const FencingToken& a,
                                                          const FencingToken& b);

}  // namespace kube::leaderelection

#endif  // CONTROLLER_LEADERELECTION_FENCING_TOKEN_H_
