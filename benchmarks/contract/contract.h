// The protocol between a benchmarked C++ program and tools/bench; contract.go is the same for Go.
//
// Example:
//   kube::benchmarks::Report report;
//   const Memory empty = Measure();
//   ...                                                     // build what is to be measured
//   report.Add("bytes_per_object", "B", (Measure().rss_anon_bytes - empty.rss_anon_bytes) / n);
//   report.Add("decode", "ms", Median(milliseconds));
//   std::cout << report.ToJson() << std::endl;              // the last line of the output
#ifndef BENCHMARKS_CONTRACT_CONTRACT_H_
#define BENCHMARKS_CONTRACT_CONTRACT_H_

#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace kube::benchmarks {

// The memory of this process, as the kernel counts it.
struct Memory {
  int64_t rss_anon_bytes = 0;  // resident memory without a file behind it: heap and stacks
  int64_t pss_bytes = 0;       // everything resident, shared pages divided among their users
};

// Asks tools/bench to measure this process now and waits for the result: writes the line "@measure"
// and reads "RSS_ANON_BYTES PSS_BYTES". The last measurement of a run becomes the metrics rss_anon
// and pss. Returns free memory to the kernel first, as the Go twin does after a garbage collection,
// so that only needed memory is measured. Returns zeros if nobody answers, as in a terminal after
// Ctrl-D. Not thread-safe; call it while other threads are idle.
Memory Measure(std::istream& in = std::cin, std::ostream& out = std::cout);

// Returns the median, or zero if there are no values.
double Median(std::vector<double> values);

// The program's own metrics. Thread-compatible.
class Report {
 public:
  // Adds a metric. `name` must be unique in this report; name and unit must be the same in every
  // peer, such as "cancel" and "ms". tools/bench rejects a report with NaN or infinite values.
  void Add(absl::string_view name, absl::string_view unit, double value);

  // Returns one line without a line feed: {"metrics":[{"name":"cancel","unit":"ms","value":1.2}]}.
  std::string ToJson() const;

 private:
  std::vector<std::string> metrics_;
};

}  // namespace kube::benchmarks

#endif  // BENCHMARKS_CONTRACT_CONTRACT_H_
