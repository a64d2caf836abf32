#include "benchmarks/contract/contract.h"

#include <malloc.h>

#include <algorithm>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace kube::benchmarks {

Memory Measure(std::istream& in, std::ostream& out) {
  malloc_trim(0);
  out << "@measure" << std::endl;
  Memory memory;
  std::string line;
  if (std::getline(in, line)) std::istringstream(line) >> memory.rss_anon_bytes >> memory.pss_bytes;
  return memory;
}

double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void Report::Add(absl::string_view name, absl::string_view unit, double value) {
  metrics_.push_back(
      absl::StrFormat("{\"name\":\"%s\",\"unit\":\"%s\",\"value\":%.9g}", name, unit, value));
}

std::string Report::ToJson() const {
  return absl::StrCat("{\"metrics\":[", absl::StrJoin(metrics_, ","), "]}");
}

}  // namespace kube::benchmarks
