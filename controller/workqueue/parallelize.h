#ifndef CONTROLLER_WORKQUEUE_PARALLELIZE_H_
#define CONTROLLER_WORKQUEUE_PARALLELIZE_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "apimachinery/base/context.h"

namespace kube::workqueue {

struct ParallelizeOptions {
  // How many pieces a thread takes at a time. More than the default, 1, for many small ones.
  // (WithChunkSize)
  int chunk_size = 1;
};

// Calls `work` with 0, 1, ... pieces - 1, each once, on up to `workers` threads of its own, and
// blocks until all have returned. When `ctx` ends no further piece is begun: its status then, if
// pieces are left. RESOURCE_EXHAUSTED: there is not one thread; with fewer than `workers` it goes
// on. (workqueue.ParallelizeUntil)
//
//   std::vector<absl::Status> results(pods.size());
//   KUBE_RETURN_IF_ERROR(ParallelizeUntil(ctx, 16, pods.size(),
//                                         [&](int i) { results[i] = Delete(ctx, pods[i]); }));
absl::Status ParallelizeUntil(const Context& ctx, int workers, int pieces,
                              absl::FunctionRef<void(int piece)> work,
                              const ParallelizeOptions& options = {});

}  // namespace kube::workqueue

#endif  // CONTROLLER_WORKQUEUE_PARALLELIZE_H_
