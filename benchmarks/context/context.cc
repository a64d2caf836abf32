// Trees of contexts: the cost to create, cancel and hold them. go/main.go is its twin.
#include "apimachinery/base/context.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "benchmarks/contract/contract.h"

namespace kube::benchmarks {
namespace {

constexpr int kCount = 10000;
constexpr int kRepetitions = 200;

base::MonotonicTime Now() { return base::Runtime::Real().Now(); }

// Holds what a user would hold: every context, and the scope that cancels it.
class Tree {
 public:
  Tree(absl::string_view shape, bool callbacks) {
    const Context root = AddCancellable(Context(), false);
    if (shape == "flat") {
      for (int i = 0; i < kCount; ++i) AddCancellable(root, callbacks);
    } else if (shape == "timeouts") {
      for (int i = 0; i < kCount; ++i) timeouts_.push_back(WithTimeout(root, absl::Hours(1)));
    } else if (shape == "chain") {
      Context parent = root;
      for (int i = 0; i < kCount; ++i) parent = AddCancellable(parent, callbacks);
    } else if (shape == "tree") {
      AddLevels(root, 4, callbacks);
    } else {
      std::fprintf(stderr, "make a tree: no shape \"%s\"\n", std::string(shape).c_str());
      std::exit(2);
    }
  }

  size_t size() const { return scopes_.size() + timeouts_.size(); }

  // Returns when every context is done and every callback has run.
  absl::Duration Cancel() {
    const base::MonotonicTime start = Now();
    scopes_.front().Cancel();
    const absl::Duration elapsed = Now() - start;
    for (const CancelScope& scope : scopes_) CheckDone(scope.context());
    for (const Context& ctx : timeouts_) CheckDone(ctx);
    if (ran_ != callbacks_.size()) {
      std::fprintf(stderr, "cancel the root: %zu of %zu callbacks ran\n", ran_, callbacks_.size());
      std::exit(1);
    }
    return elapsed;
  }

 private:
  Context AddCancellable(const Context& parent, bool callback) {
    const Context& child = scopes_.emplace_back(WithCancel(parent)).context();
    if (callback) callbacks_.push_back(child.OnDone([this] { ++ran_; }));
    return child;
  }

  void AddLevels(const Context& parent, int levels, bool callbacks) {
    for (int i = 0; i < 10; ++i) {
      const Context child = AddCancellable(parent, callbacks && levels == 1);
      if (levels > 1) AddLevels(child, levels - 1, callbacks);
    }
  }

  static void CheckDone(const Context& ctx) {
    if (ctx.done()) return;
    std::fprintf(stderr, "cancel the root: a context below it is not done\n");
    std::exit(1);
  }

  size_t ran_ = 0;  // callbacks run on the thread that cancels
  std::vector<CancelScope> scopes_;
  std::vector<Context> timeouts_;
  std::vector<DoneCallback> callbacks_;
};

void Run(absl::string_view shape, bool callbacks) {
  Report report;
  {
    const Memory empty = Measure();
    Tree tree(shape, callbacks);
    const Memory full = Measure();
    report.Add("bytes_per_context", "B",
               static_cast<double>(full.rss_anon_bytes - empty.rss_anon_bytes) / tree.size());
  }
  std::vector<double> create;
  std::vector<double> cancel;
  for (int i = 0; i < kRepetitions; ++i) {
    const base::MonotonicTime start = Now();
    auto tree = std::make_unique<Tree>(shape, callbacks);
    create.push_back(absl::ToDoubleNanoseconds(Now() - start) / tree->size());
    cancel.push_back(absl::ToDoubleMilliseconds(tree->Cancel()));
  }
  report.Add("create_one", "ns", Median(create));
  report.Add("cancel_all", "ms", Median(cancel));
  std::cout << report.ToJson() << std::endl;
}

}  // namespace
}  // namespace kube::benchmarks

int main(int argc, char* argv[]) {
  if (argc < 2) {
    std::cerr << "usage: context flat|chain|tree|timeouts [callbacks]\n";
    return 2;
  }
  kube::benchmarks::Run(argv[1], argc > 2 && absl::string_view(argv[2]) == "callbacks");
  return 0;
}
