#include "clientset/discovery/internal/fetch_group_versions.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/thread_group.h"
#include "clientset/discovery/server_resources.h"

namespace kube::discovery::internal {

std::vector<absl::StatusOr<ResourceList>> FetchGroupVersions(
    const Context& ctx, absl::Span<const std::string> names,
    absl::FunctionRef<absl::StatusOr<ResourceList>(const Context&, const std::string&)> fetch) {
  std::vector<absl::StatusOr<ResourceList>> answers(names.size(),
                                                    absl::UnknownError("not requested"));
  std::atomic<size_t> next = 0;
  // Uses `ctx` and not the context of the thread group: that one is cancelled if a thread cannot be
  // started, and then the other threads do its work.
  const auto work = [&](const Context&) {
    for (size_t i = next++; i < names.size(); i = next++) answers[i] = fetch(ctx, names[i]);
    return absl::OkStatus();
  };
  base::ThreadGroup group(ctx);
  for (size_t i = 1; i < std::min<size_t>(names.size(), kMaxFetchThreads); ++i) {
    group.Go("discovery", work);
  }
  work(ctx).IgnoreError();
  group.Wait().IgnoreError();
  return answers;
}

}  // namespace kube::discovery::internal
