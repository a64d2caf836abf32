#include "envtest/server/faults/read_faults.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "envtest/server/storage.h"

namespace kube::envtest::internal {

int64_t LaggingRevision(const Storage& storage, absl::string_view resource, int64_t lag) {
  const int64_t revision = storage.revision();
  if (lag <= 0) return revision;
  // Zero would be the present.
  return std::max({revision - lag, storage.OldestRevision(resource), int64_t{1}});
}

}  // namespace kube::envtest::internal
