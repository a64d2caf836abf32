#include "controller/reconcile/internal/apply_memory.h"

#include <cstddef>
#include <string>
#include <utility>

#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/meta/object_name.h"

namespace kube::controller::internal {

ApplyFingerprint FingerprintOf(absl::string_view json) {
  return {.hash = absl::Hash<absl::string_view>{}(json), .size_bytes = json.size()};
}

bool ApplyMemory::Has(const meta::ObjectName& name, const ApplyFingerprint& configuration,
                      absl::string_view resource_version) {
  base::MutexLock lock(mutex_);
  if (const auto old = older_.find(name); old != older_.end()) {
    Entry entry = std::move(old->second);
    older_.erase(old);
    Insert(name, std::move(entry));
  }
  // Inserting may have made the newer half the older one.
  for (const Entries* half : {&newer_, &older_}) {
    const auto found = half->find(name);
    if (found == half->end()) continue;
    return found->second.configuration == configuration &&
           found->second.resource_version == resource_version;
  }
  return false;
}

void ApplyMemory::Note(const meta::ObjectName& name, const ApplyFingerprint& configuration,
                       absl::string_view resource_version) {
  base::MutexLock lock(mutex_);
  older_.erase(name);
  newer_.erase(name);
  if (resource_version.empty()) return;
  Insert(name, {.configuration = configuration, .resource_version = std::string(resource_version)});
}

void ApplyMemory::Forget(const meta::ObjectName& name) {
  base::MutexLock lock(mutex_);
  older_.erase(name);
  newer_.erase(name);
}

size_t ApplyMemory::size() const {
  base::MutexLock lock(mutex_);
  return newer_.size() + older_.size();
}

void ApplyMemory::Insert(const meta::ObjectName& name, Entry entry) {
  newer_[name] = std::move(entry);
  if (newer_.size() * 2 < limit_) return;
  older_ = std::move(newer_);
  newer_ = Entries();
}

}  // namespace kube::controller::internal
