// The common part of programs that get all pods and then follow their changes: command line,
// measured phases and output.
//
//   PROGRAM --kubeconfig F [--mode watchlist|list] [--encoding protobuf|json] [--events K]
//           [--rate R] [--timeout S] [--transform none|drop-managed-fields] [--contract]
//
// The first phase lasts until the program has all pods. The second phase, if K is not 0, begins
// with GET /bench/start?events=K&rate=R: the server sends K updates, R per second or (R = 0) as
// fast as possible, and then a new pod named bench-end. Each update contains the time of its
// sending in the annotation bench/sent-ns. docs/benchmarks.md describes the figures.
//
// The last line of the output is a JSON object of names and numbers, or with --contract what
// tools/bench reads. Exit status 3 means that a requested option is not supported.
#ifndef BENCHMARKS_INFORMER_PODS_RUN_H_
#define BENCHMARKS_INFORMER_PODS_RUN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "clientset/kubernetes/clientset.h"

namespace kube::benchmarks {

struct PodsOptions {
  bool watch_list = true;  // false: list, then watch
  bool protobuf = true;    // false: JSON
  bool drop_managed_fields = false;
  int64_t events = 0;  // number of updates in the second phase
};

// The client's results of the second phase.
struct PodsUpdates {
  int64_t seen = 0;
  std::vector<int64_t> latencies_ns = {};  // unsorted
};

// The client under test. Used by one thread, which calls the functions in their order.
class PodsClient {
 public:
  virtual ~PodsClient() = default;

  // Blocks until the client has all pods, and returns their number, or 0 if it does not know.
  virtual absl::StatusOr<int64_t> Sync(const Context& ctx) = 0;
  // Blocks until the handler was notified of them, too.
  virtual absl::Status AwaitHandled(const Context& ctx) = 0;
  // Blocks until bench-end has arrived.
  virtual absl::StatusOr<PodsUpdates> AwaitEnd(const Context& ctx) = 0;
};

// Returns UNIMPLEMENTED if an option is not supported. `ctx` outlives the client.
using MakePodsClient = absl::FunctionRef<absl::StatusOr<std::unique_ptr<PodsClient>>(
    const Context& ctx, const kubernetes::Clientset& clientset, const PodsOptions& options)>;

// Implements main. `name` is the name of the program.
int RunPods(int argc, char** argv, absl::string_view name, MakePodsClient make);

}  // namespace kube::benchmarks

#endif  // BENCHMARKS_INFORMER_PODS_RUN_H_
