#ifndef CONTROLLER_RECONCILE_INTERNAL_APPLY_MEMORY_H_
#define CONTROLLER_RECONCILE_INTERNAL_APPLY_MEMORY_H_

#include <cstddef>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/meta/object_name.h"

namespace kube::controller::internal {

// Identifies the text of an apply configuration. Two different texts have the same fingerprint with
// a probability of about 2^-64.
struct ApplyFingerprint {
  size_t hash = 0;
  size_t size_bytes = 0;

  friend bool operator==(const ApplyFingerprint&, const ApplyFingerprint&) = default;
};

// Returns the fingerprint of the JSON of a configuration (codec::EncodeJson). There, a member that
// is absent and one that is set to an empty list differ, as they do for the server.
ApplyFingerprint FingerprintOf(absl::string_view json);

// Remembers, for each object, the configuration that was applied last and the resource version that
// the server answered: an object that still has this version needs no other apply of the same
// configuration.
//
// It has at most `limit` objects, in two halves. When the newer half is full, it becomes the older
// one, which is forgotten; an object that is asked for moves to the newer half. Forgetting costs
// one request that changes nothing.
//
// Thread-safe.
class ApplyMemory {
 public:
  explicit ApplyMemory(size_t limit = 16384) : limit_(limit) {}
  ApplyMemory(const ApplyMemory&) = delete;
  ApplyMemory& operator=(const ApplyMemory&) = delete;

  // Returns whether this configuration was applied last, and the server answered this version.
  bool Has(const meta::ObjectName& name, const ApplyFingerprint& configuration,
           absl::string_view resource_version) ABSL_LOCKS_EXCLUDED(mutex_);
  // Remembers an apply. An empty version is not remembered.
  void Note(const meta::ObjectName& name, const ApplyFingerprint& configuration,
            absl::string_view resource_version) ABSL_LOCKS_EXCLUDED(mutex_);
  void Forget(const meta::ObjectName& name) ABSL_LOCKS_EXCLUDED(mutex_);

  size_t size() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Entry {
    ApplyFingerprint configuration;
    std::string resource_version;
  };
  using Entries = absl::flat_hash_map<meta::ObjectName, Entry>;

  void Insert(const meta::ObjectName& name, Entry entry) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const size_t limit_;
  mutable base::Mutex mutex_;
  Entries newer_ ABSL_GUARDED_BY(mutex_);
  Entries older_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::controller::internal

#endif  // CONTROLLER_RECONCILE_INTERNAL_APPLY_MEMORY_H_
