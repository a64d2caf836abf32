#include "apiserver/faults/read_faults.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "apiserver/storage.h"

namespace kube::apiserver::internal {

int64_t LaggingRevision(const Storage& storage, absl::string_view resource, int64_t lag) {
  const int64_t revision = storage.revision();
  if (lag <= 0) return revision;
  // At least 1, because a list takes 0 for the latest revision.
  return std::max({revision - lag, storage.OldestRevision(resource), int64_t{1}});
}

}  // namespace kube::apiserver::internal
