#include "controller/cache/required_access.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "apimachinery/base/mutex.h"

namespace kube::controller {
namespace {

void SortAndJoin(std::vector<std::string>& texts) {
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
}

// An empty text means all, as in WatchOptions::namespaces.
void Normalize(std::vector<std::string>& scope) {
  SortAndJoin(scope);
  if (!scope.empty() && scope.front().empty()) scope.clear();
}

bool AgreeButForVerbs(const RequiredAccess& a, const RequiredAccess& b) {
  return a.group == b.group && a.resource == b.resource && a.names == b.names &&
         a.namespaces == b.namespaces && a.urls == b.urls && a.purpose == b.purpose;
}

}  // namespace

void AccessLedger::Add(RequiredAccess access) {
  SortAndJoin(access.verbs);
  SortAndJoin(access.urls);
  Normalize(access.names);
  Normalize(access.namespaces);
  const base::MutexLock lock(mutex_);
  const auto same = std::find_if(
      entries_.begin(), entries_.end(),
      [&access](const RequiredAccess& entry) { return AgreeButForVerbs(entry, access); });
  if (same == entries_.end()) {
    if (entries_.size() < kMaxEntries) entries_.push_back(std::move(access));
    return;
  }
  same->verbs.insert(same->verbs.end(), access.verbs.begin(), access.verbs.end());
  SortAndJoin(same->verbs);
}

std::vector<RequiredAccess> AccessLedger::Get() const {
  const base::MutexLock lock(mutex_);
  return entries_;
}

}  // namespace kube::controller
