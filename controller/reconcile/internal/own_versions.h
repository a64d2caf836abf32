#ifndef CONTROLLER_RECONCILE_INTERNAL_OWN_VERSIONS_H_
#define CONTROLLER_RECONCILE_INTERNAL_OWN_VERSIONS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"

namespace kube::controller::internal {

// Remembers, for each key, the resource versions that its last reconcile has written: an event with
// one of these is an own write (Cause::Type::kOwnWrite).
//
// A key is forgotten when it is taken. That never happens if its events do not come back, because a
// predicate hides them or because they enqueue another key. So it has at most `limit` keys, in two
// halves: when the newer half is full, it becomes the older one, which is forgotten. Then an own
// write is taken for one of others, in logs.
//
// A plain data structure: the caller's lock guards it.
class OwnVersions {
 public:
  explicit OwnVersions(size_t limit = 8192) : limit_(limit) {}

  // Remembers these versions, and no others, for the key.
  void Note(absl::string_view key, std::vector<std::string> versions);

  // Returns and forgets the versions of the key.
  std::vector<std::string> Take(absl::string_view key);

  size_t size() const { return newer_.size() + older_.size(); }

 private:
  using Versions = absl::flat_hash_map<std::string, std::vector<std::string>>;

  size_t limit_;
  // A key is in one of them at most.
  Versions newer_;
  Versions older_;
};

}  // namespace kube::controller::internal

#endif  // CONTROLLER_RECONCILE_INTERNAL_OWN_VERSIONS_H_
