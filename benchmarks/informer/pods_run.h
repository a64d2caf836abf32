// What the programs have in common that get all pods and then follow them: how they are called, the
// phases that are measured, and what they print.
//
//   PROGRAM --kubeconfig F [--mode watchlist|list] [--encoding protobuf|json] [--events K]
//           [--rate R] [--timeout S] [--transform none|drop-managed-fields] [--contract]
//
// First phase: until it has all pods. The second, where K is not 0: the server is told, by
// GET /bench/start?events=K&rate=R, to send K updates, R a second or, with 0, as fast as they go,
// and then a new pod named bench-end. Each update has the time of its sending in the annotation
// bench/sent-ns. docs/benchmarks.md says what the figures are.
//
// The last line of the output is a JSON object of names and numbers; with --contract it is what
// tools/bench reads. Exit status 3: it does not do what it was asked for.
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
  bool watch_list = true;  // otherwise: list, then watch
  bool protobuf = true;    // otherwise: JSON
  bool drop_managed_fields = false;
  int64_t events = 0;  // how many updates will come
};

// What a client saw of the second phase.
struct PodsUpdates {
  int64_t seen = 0;
  std::vector<int64_t> latencies_ns = {};  // in any order
};

// What is measured. Used by one thread, in the order of the functions.
class PodsClient {
 public:
  virtual ~PodsClient() = default;

  // Blocks until it has all pods; how many, or 0 if it does not know.
  virtual absl::StatusOr<int64_t> Sync(const Context& ctx) = 0;
  // Blocks until its handler has been told of them, too.
  virtual absl::Status AwaitHandled(const Context& ctx) = 0;
  // Blocks until bench-end has come.
  virtual absl::StatusOr<PodsUpdates> AwaitEnd(const Context& ctx) = 0;
};

// UNIMPLEMENTED: it does not do that. `ctx` lives longer than the client.
using MakePodsClient = absl::FunctionRef<absl::StatusOr<std::unique_ptr<PodsClient>>(
    const Context& ctx, const kubernetes::Clientset& clientset, const PodsOptions& options)>;

// All of main. `name` is the program's.
int RunPods(int argc, char** argv, absl::string_view name, MakePodsClient make);

}  // namespace kube::benchmarks

#endif  // BENCHMARKS_INFORMER_PODS_RUN_H_
