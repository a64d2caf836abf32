// Label and field selectors, and label values. go/main.go has their twins with the same names and
// data.
#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/fields/compiled_selector.h"
#include "apimachinery/fields/selector.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/labels/set.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/dns.h"
#include "apimachinery/validation/label.h"
#include "benchmark/benchmark.h"

namespace kube::labels {
namespace {

constexpr size_t kObjects = 100000;
constexpr char kText[] = "app=web,tier in (front,back),environment!=test,!canary";

// Returns the labels of the i-th pod, as set by controllers and by people.
Set LabelsOf(size_t i) {
  return {{"app", i % 10 == 0 ? "web" : absl::StrCat("app-", i % 10)},
          {"app.kubernetes.io/managed-by", "Helm"},
          {"environment", i % 3 == 0 ? "test" : "production"},
          {"pod-template-hash", absl::StrCat("5d9f8b7c6", i % 1000)},
          {"statefulset.kubernetes.io/pod-name", absl::StrCat("web-", i)},
          {"tier", i % 2 == 0 ? "front" : "cache"}};
}

std::vector<Set> AllLabels() {
  std::vector<Set> all;
  for (size_t i = 0; i < kObjects; ++i) all.push_back(LabelsOf(i));
  return all;
}

void Match(benchmark::State& state, const char* text) {
  const Selector selector = Parse(text).value();
  const Set labels = LabelsOf(10);
  for (auto _ : state) {
    bool matches = selector.Matches(labels);
    benchmark::DoNotOptimize(matches);
  }
}
BENCHMARK_CAPTURE(Match, equals, "app=web")->Name("match_equals");
BENCHMARK_CAPTURE(Match, mixed, kText)->Name("match_mixed");
BENCHMARK_CAPTURE(Match, missing, "!canary")->Name("match_missing");

void MatchAll(benchmark::State& state, const char* text, size_t expected) {
  const Selector selector = Parse(text).value();
  const std::vector<Set> all = AllLabels();
  for (auto _ : state) {
    size_t matched = 0;
    for (const Set& labels : all) matched += selector.Matches(labels);
    KUBE_CHECK_EQ(matched, expected);
  }
}
BENCHMARK_CAPTURE(MatchAll, equals, "app=web", 10000)->Name("match_100000_equals");
BENCHMARK_CAPTURE(MatchAll, mixed, kText, 6666)->Name("match_100000_mixed");

// Matches the selector of a Service with the labels of a pod.
void MatchSet(benchmark::State& state) {
  const Set selector = {{"app", "web"}, {"tier", "front"}};
  const Set labels = LabelsOf(10);
  for (auto _ : state) {
    bool matches = SetMatches(selector, labels);
    benchmark::DoNotOptimize(matches);
  }
}
BENCHMARK(MatchSet)->Name("match_set");

void ParseText(benchmark::State& state, const char* text) {
  for (auto _ : state) {
    Selector selector = Parse(text).value();
    benchmark::DoNotOptimize(selector);
  }
}
BENCHMARK_CAPTURE(ParseText, equals, "app=web")->Name("parse_equals");
BENCHMARK_CAPTURE(ParseText, mixed, kText)->Name("parse_mixed");

void Format(benchmark::State& state) {
  const Selector selector = Parse(kText).value();
  for (auto _ : state) {
    std::string text = selector.ToString();
    benchmark::DoNotOptimize(text);
  }
}
BENCHMARK(Format)->Name("format_mixed");

// Selects all pods of a node from objects, as an informer has them. The Go twin uses the function
// of the API server's storage that makes a set of a pod's fields.
void MatchFields(benchmark::State& state) {
  const auto selector = fields::ParseSelector("spec.nodeName=node-7,status.phase!=Failed").value();
  const auto compiled = fields::CompiledSelector::Make<api::core::v1::Pod>(selector).value();
  std::vector<api::core::v1::Pod> pods(kObjects);
  for (size_t i = 0; i < pods.size(); ++i) {
    pods[i].metadata.name = absl::StrCat("web-", i);
    pods[i].spec.node_name = absl::StrCat("node-", i % 100);
    pods[i].status.phase = i % 2 == 0 ? "Failed" : "Running";
  }
  for (auto _ : state) {
    size_t matched = 0;
    for (const api::core::v1::Pod& pod : pods) matched += compiled.Matches(pod);
    KUBE_CHECK_EQ(matched, size_t{1000});
  }
}
BENCHMARK(MatchFields)->Name("match_100000_fields");

void ParseFields(benchmark::State& state) {
  for (auto _ : state) {
    auto selector = fields::ParseSelector("spec.nodeName=node-7,status.phase!=Failed");
    benchmark::DoNotOptimize(selector);
  }
}
BENCHMARK(ParseFields)->Name("parse_fields");

void LabelKey(benchmark::State& state) {
  for (auto _ : state) {
    bool valid = validation::IsQualifiedName("app.kubernetes.io/managed-by").empty();
    benchmark::DoNotOptimize(valid);
  }
}
BENCHMARK(LabelKey)->Name("validate_label_key");

void Subdomain(benchmark::State& state) {
  for (auto _ : state) {
    bool valid = validation::IsDns1123Subdomain("web-5d9f8b7c6-abcde.example.com").empty();
    benchmark::DoNotOptimize(valid);
  }
}
BENCHMARK(Subdomain)->Name("validate_dns_subdomain");

}  // namespace
}  // namespace kube::labels
