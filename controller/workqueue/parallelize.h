#ifndef CONTROLLER_WORKQUEUE_PARALLELIZE_H_
#define CONTROLLER_WORKQUEUE_PARALLELIZE_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "apimachinery/base/context.h"

namespace kube::workqueue {

// Options of ParallelizeUntil.
struct ParallelizeOptions {
  // Number of pieces that a thread takes at a time. Increase it for many small pieces. Default: 1.
  // (client-go: `WithChunkSize`)
  int chunk_size = 1;
};

// Calls `work` once with each number from 0 to pieces - 1, on up to `workers` new threads, and
// blocks until all calls have returned. Once `ctx` is done, no further piece is started, and
// ctx.status() is returned if pieces are left. Returns RESOURCE_EXHAUSTED if the system cannot
// create the first thread; with fewer threads than `workers` it continues.
// (client-go: `workqueue.ParallelizeUntil`)
//
//   std::vector<absl::Status> results(pods.size());
//   KUBE_RETURN_IF_ERROR(ParallelizeUntil(ctx, /*workers=*/16, static_cast<int>(pods.size()),
//                                         [&](int i) { results[i] = Delete(ctx, pods[i]); }));
//   return base::JoinErrors(results);
absl::Status ParallelizeUntil(const Context& ctx, int workers, int pieces,
                              absl::FunctionRef<void(int piece)> work,
                              const ParallelizeOptions& options = {});

}  // namespace kube::workqueue

#endif  // CONTROLLER_WORKQUEUE_PARALLELIZE_H_
