#include "controller/workqueue/parallelize.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/thread.h"

namespace kube::workqueue {

absl::Status ParallelizeUntil(const Context& ctx, int workers, int pieces,
                              absl::FunctionRef<void(int piece)> work,
                              const ParallelizeOptions& options) {
  if (pieces <= 0) return absl::OkStatus();
  const int chunk = std::clamp(options.chunk_size, 1, pieces);
  const int chunks = 1 + (pieces - 1) / chunk;
  std::atomic<int> next = 0;
  std::atomic<int> finished = 0;  // pieces
  const auto run = [&](const Context& thread_ctx) {
    for (int i = next++; i < chunks; i = next++) {
      const int begin = i * chunk;
      const int end = begin + std::min(chunk, pieces - begin);
      for (int piece = begin; piece < end; ++piece) {
        if (thread_ctx.done()) return;
        work(piece);
        ++finished;
      }
    }
  };
  std::vector<std::unique_ptr<base::Thread>> threads;
  for (int i = 0; i < std::min(std::max(workers, 1), chunks); ++i) {
    threads.push_back(std::make_unique<base::Thread>());
    const absl::Status status = threads.back()->Start(ctx, "parallelize", run);
    if (!status.ok() && i == 0) return status;
    if (!status.ok()) break;
  }
  for (const auto& thread : threads) thread->Join();
  return finished == pieces ? absl::OkStatus() : ctx.status();
}

}  // namespace kube::workqueue
