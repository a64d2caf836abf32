// How the programs of tools/bench codec measure. go/main.go does the same in Go.
#ifndef BENCHMARKS_CODEC_METER_H_
#define BENCHMARKS_CODEC_METER_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "benchmarks/contract/contract.h"

namespace kube::benchmarks {

// Measures passes over all pods, and reports figures of one pod. Thread-compatible.
//
// Example:
//   Meter meter(records.pods.size());
//   meter.Memory([&] { ... });                                   // decode all, and hold them
//   meter.Time({{"decode", decode, bytes}, {"destroy", replace}});
//   std::cout << meter.report().ToJson() << std::endl;           // the last line of the output
class Meter {
 public:
  // Pods that are replaced at a time. A cache that lives for long is never emptied and filled: it
  // takes new objects, and then frees old ones. An allocator that gets back everything at once
  // shows itself from another side.
  static constexpr size_t kBatch = 100;

  struct Part {
    absl::string_view name;  // its metrics are NAME and NAME_cpu in "ns"; without one it has none
    absl::FunctionRef<void(size_t begin, size_t end)> run;  // with the pods begin <= i < end
    int64_t bytes = 0;  // what a pass reads or writes; if not zero, NAME_rate in "MB/s" too
  };

  // at_least is how long Time repeats its parts. Makes malloc keep what is freed: without, it gives
  // memory back and asks for it again in each pass, which no program does that runs for long.
  explicit Meter(size_t pods, absl::Duration at_least = absl::Milliseconds(300));

  // Runs make once, and adds what it leaves: "heap", the bytes that malloc has handed out, its own
  // overhead included, and "rss", what the process has grown by.
  void Memory(absl::FunctionRef<void()> make);

  // Runs the parts in turn on each batch of pods: one pass unmeasured, then at least one that
  // counts.
  void Time(std::initializer_list<Part> parts, size_t batch = kBatch);

  const Report& report() const { return report_; }

 private:
  Report report_;
  size_t pods_;
  absl::Duration at_least_;
};

}  // namespace kube::benchmarks

#endif  // BENCHMARKS_CODEC_METER_H_
