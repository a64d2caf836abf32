// Quantities. go/main.go has the twins with the same names; each operation handles one quantity, in
// turn one of the following.
#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "apimachinery/base/check.h"
#include "apimachinery/resource/amount.h"
#include "benchmark/benchmark.h"

namespace kube::resource {
namespace {

// As in the requests and limits of pods.
const std::vector<std::string> kUsual = {"100m", "250m", "1",   "2",     "500m", "128Mi",
                                         "1Gi",  "64Mi", "4Gi", "512Mi", "10Gi", "110"};
// Beyond 64 bits, and with fractions.
const std::vector<std::string> kLong = {"123456789012345678901234567890", "0.1234567891",
                                        "1.000000001Gi", "1e40"};

std::vector<Amount> Amounts(const std::vector<std::string>& texts) {
  std::vector<Amount> amounts;
  for (const std::string& text : texts) {
    const absl::StatusOr<Amount> amount = ParseAmount(text);
    KUBE_CHECK_OK(amount.status());
    amounts.push_back(*amount);
  }
  return amounts;
}

void Parse(benchmark::State& state, const std::vector<std::string>& texts) {
  size_t i = 0;
  for (auto _ : state) {
    absl::StatusOr<Amount> amount = ParseAmount(texts[i++ % texts.size()]);
    benchmark::DoNotOptimize(amount);
  }
}
BENCHMARK_CAPTURE(Parse, usual, kUsual)->Name("parse");
BENCHMARK_CAPTURE(Parse, long, kLong)->Name("parse_long");

// Adds to a sum that is reset after each round of all quantities, mixing CPUs and bytes.
void Add(benchmark::State& state, const std::vector<std::string>& texts) {
  const std::vector<Amount> amounts = Amounts(texts);
  Amount sum;
  size_t i = 0;
  for (auto _ : state) {
    if (i == amounts.size()) {
      i = 0;
      sum = Amount();
    }
    sum += amounts[i++];
    benchmark::DoNotOptimize(sum);
  }
}
BENCHMARK_CAPTURE(Add, usual, kUsual)->Name("add");
BENCHMARK_CAPTURE(Add, long, kLong)->Name("add_long");

void Compare(benchmark::State& state, const std::vector<std::string>& texts) {
  const std::vector<Amount> amounts = Amounts(texts);
  size_t i = 0;
  for (auto _ : state) {
    bool less = amounts[i % amounts.size()] < amounts[(i + 1) % amounts.size()];
    benchmark::DoNotOptimize(less);
    ++i;
  }
}
BENCHMARK_CAPTURE(Compare, usual, kUsual)->Name("compare");
BENCHMARK_CAPTURE(Compare, long, kLong)->Name("compare_long");

// Formats calculated quantities, since Go keeps the text of parsed ones.
void Write(benchmark::State& state, const std::vector<std::string>& texts) {
  const std::vector<Amount> amounts = Amounts(texts);
  size_t i = 0;
  for (auto _ : state) {
    std::string text = amounts[i++ % amounts.size()].ToString();
    benchmark::DoNotOptimize(text);
  }
}
BENCHMARK_CAPTURE(Write, usual, kUsual)->Name("string");
BENCHMARK_CAPTURE(Write, long, kLong)->Name("string_long");

}  // namespace
}  // namespace kube::resource
