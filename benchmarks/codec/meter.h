// Measurement for the programs of tools/bench codec. go/main.go does the same in Go.
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

// Measures passes over all pods, and reports figures per pod. Thread-compatible.
//
// Example:
//   Meter meter(records.pods.size());
//   meter.Memory([&] { ... });                                   // decode all, and hold them
//   meter.Time({{"decode", decode, bytes}, {"destroy", replace}});
//   std::cout << meter.report().ToJson() << std::endl;           // the last line of the output
class Meter {
 public:
  // Number of pods that are replaced at a time. A long-lived cache is never emptied and filled
  // again: it receives new objects and then frees old ones. An allocator behaves differently if
  // everything is freed at once.
  static constexpr size_t kBatch = 100;

  struct Part {
    absl::string_view name;  // reports NAME and NAME_cpu in "ns"; empty: reports nothing
    absl::FunctionRef<void(size_t begin, size_t end)> run;  // with the pods begin <= i < end
    int64_t bytes = 0;  // bytes per pass; if not zero, also reports NAME_rate in "MB/s"
  };

  // `at_least` is how long Time repeats its parts. Makes malloc keep freed memory; otherwise each
  // pass would return it to the kernel and request it again, unlike in a long-running program.
  explicit Meter(size_t pods, absl::Duration at_least = absl::Milliseconds(300));

  // Runs `make` once and reports the memory it leaves: "heap", the bytes handed out by malloc with
  // its overhead, and "rss", the growth of the process.
  void Memory(absl::FunctionRef<void()> make);

  // Runs the parts in turn on each batch of pods: one pass without measuring, then at least one
  // measured pass.
  void Time(std::initializer_list<Part> parts, size_t batch = kBatch);

  const Report& report() const { return report_; }

 private:
  Report report_;
  size_t pods_;
  absl::Duration at_least_;
};

}  // namespace kube::benchmarks

#endif  // BENCHMARKS_CODEC_METER_H_
