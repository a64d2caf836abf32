#include "envtest/workloads/internal/cluster/outcome.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/log/log.h"

namespace kube::envtest::internal {

bool Outcome::Note(const absl::Status& status, absl::string_view what) {
  if (status.ok()) return true;
  failed_ = true;
  KUBE_VLOG(1, "failed to write", {"what", what}, {"err", status.message()});
  return false;
}

void Outcome::LookAgainAfter(absl::Duration delay) { again_ = std::min(again_, delay); }

}  // namespace kube::envtest::internal
