// The store of an informer, read and written concurrently. go/main.go is its twin.
#include <atomic>
#include <cstddef>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "benchmarks/contract/contract.h"
#include "listers/indexer.h"
#include "listers/snapshot.h"

namespace kube::benchmarks {
namespace {

namespace corev1 = kube::api::core::v1;
using Pod = std::shared_ptr<const corev1::Pod>;
using Pods = listers::Indexer<corev1::Pod>;

constexpr size_t kPods = 100000;
constexpr size_t kNamespaces = 100;
constexpr size_t kNodes = 1000;
constexpr absl::Duration kTime = absl::Milliseconds(400);

base::MonotonicTime Now() { return base::Runtime::Real().Now(); }

// Returns a decoded pod, as an informer has it.
Pod MakePod(codec::SharedDecoder& decoder, size_t i) {
  const corev1::Pod pod{.metadata = {.name = absl::StrCat("web-5d9f8b7c6-", i),
                                     .namespace_ = absl::StrCat("ns-", i % kNamespaces),
                                     .resource_version = absl::StrCat(i)},
                        .spec = {.node_name = absl::StrCat("node-", i % kNodes)}};
  const codec::PaddedBuffer bytes(*codec::EncodeProtobuf(pod));
  absl::StatusOr<Pod> decoded = decoder.DecodeProtobuf<corev1::Pod>(bytes);
  KUBE_CHECK_OK(decoded.status());
  return *std::move(decoded);
}

// Returns the same random order as in Go, without requiring a common random generator.
size_t Scatter(size_t i) { return i * 7919 % kPods; }

// Counts the objects without reading them.
size_t Count(const listers::ObjectList<corev1::Pod>& list) {
  size_t n = 0;
  for (auto it = list.begin(); it != list.end(); ++it) ++n;
  return n;
}

struct Operation {
  const char* name;
  size_t (*run)(const Pods& pods, const std::vector<std::string>& keys, size_t i);
};

constexpr Operation kOperations[] = {
    {"get",
     [](const Pods& pods, const std::vector<std::string>& keys, size_t i) {
       KUBE_CHECK(pods.GetByKey(keys[Scatter(i)]) != nullptr);
       return size_t{1};
     }},
    {"get_and_look",
     [](const Pods& pods, const std::vector<std::string>& keys, size_t i) {
       const Pod pod = pods.GetByKey(keys[Scatter(i)]);
       KUBE_CHECK(pod != nullptr && !pod->metadata.resource_version.empty());
       return size_t{1};
     }},
    {"list_all",
     [](const Pods& pods, const std::vector<std::string>&, size_t) {
       const size_t n = Count(pods.List());
       KUBE_CHECK_EQ(n, kPods);
       return n;
     }},
    {"list_namespace",
     [](const Pods& pods, const std::vector<std::string>&, size_t i) {
       const size_t n = Count(pods.List(absl::StrCat("ns-", i % kNamespaces)));
       KUBE_CHECK_EQ(n, kPods / kNamespaces);
       return n;
     }},
    {"by_index",
     [](const Pods& pods, const std::vector<std::string>&, size_t i) {
       const size_t n = Count(*pods.ByIndex("node", absl::StrCat("node-", i % kNodes)));
       KUBE_CHECK_EQ(n, kPods / kNodes);
       return n;
     }},
};

// Updates one pod after another until `stop`, `rate` per second; 0: as fast as possible; negative:
// no updates.
size_t Write(Pods& pods, const std::vector<Pod>& objects, int rate, const std::atomic<bool>& stop) {
  size_t writes = 0;
  if (rate < 0) return writes;
  const base::MonotonicTime start = Now();
  while (!stop.load(std::memory_order_relaxed)) {
    if (rate > 0) {
      const absl::Duration ahead = absl::Seconds(1) * (double(writes) / rate) - (Now() - start);
      if (ahead > absl::ZeroDuration()) KUBE_CHECK_OK(base::SleepFor(Context(), ahead));
    }
    const size_t i = Scatter(writes);
    KUBE_CHECK_OK(pods.Update(objects[i]));
    ++writes;
  }
  return writes;
}

// Reads and writes per second.
struct Rates {
  double reads = 0;
  double writes = 0;
};

Rates Run(Pods& pods, const std::vector<Pod>& objects, const std::vector<std::string>& keys,
          const Operation* operation, size_t readers, int write_rate) {
  std::atomic<bool> stop = false;
  std::atomic<size_t> reads = 0;
  size_t writes = 0;
  base::ThreadGroup threads{Context()};
  const base::MonotonicTime start = Now();
  threads.Go("writer", [&](const Context&) {
    writes = Write(pods, objects, write_rate, stop);
    return absl::OkStatus();
  });
  for (size_t r = 0; r < readers; ++r) {
    threads.Go("reader", [&, r](const Context&) {
      size_t n = 0;
      while (!stop.load(std::memory_order_relaxed)) {
        operation->run(pods, keys, r * 1000 + n);
        ++n;
      }
      reads += n;
      return absl::OkStatus();
    });
  }
  KUBE_CHECK_OK(base::SleepFor(Context(), kTime));
  stop = true;
  KUBE_CHECK_OK(threads.Wait());
  const double seconds = absl::ToDoubleSeconds(Now() - start);
  return {.reads = double(reads) / seconds, .writes = double(writes) / seconds};
}

void Main() {
  Report report;
  codec::SharedDecoder decoder;
  std::vector<Pod> objects;
  std::vector<std::string> keys;
  for (size_t i = 0; i < kPods; ++i) {
    objects.push_back(MakePod(decoder, i));
    keys.push_back(absl::StrCat("ns-", i % kNamespaces, "/web-5d9f8b7c6-", i));
  }
  const Memory empty = Measure();
  Pods pods;
  for (const Pod& pod : objects) KUBE_CHECK_OK(pods.Add(pod));
  const Memory with_namespaces = Measure();
  KUBE_CHECK_OK(pods.AddIndexers(
      {{"node", [](const corev1::Pod& pod) -> absl::StatusOr<std::vector<std::string>> {
          return std::vector<std::string>{std::string(pod.spec.node_name)};
        }}}));
  const Memory with_nodes = Measure();
  report.Add("bytes_an_object", "B",
             double(with_namespaces.rss_anon_bytes - empty.rss_anon_bytes) / kPods);
  report.Add("bytes_an_object_of_an_index", "B",
             double(with_nodes.rss_anon_bytes - with_namespaces.rss_anon_bytes) / kPods);
  const base::MonotonicTime start = Now();
  KUBE_CHECK_OK(pods.Replace(objects, "1"));
  report.Add("replace", "ms", absl::ToDoubleMilliseconds(Now() - start));
  report.Add("write_alone", "us", 1e6 / Run(pods, objects, keys, nullptr, 0, 0).writes);
  const std::pair<const char*, int> writers[] = {{"", -1}, {"_1000_writes", 1000}, {"_busy", 0}};
  for (const Operation& operation : kOperations) {
    for (const size_t readers : {1, 8}) {
      for (const auto& [name, rate] : writers) {
        const Rates rates = Run(pods, objects, keys, &operation, readers, rate);
        const std::string part = absl::StrCat(operation.name, "_", readers, name);
        // The time of one operation, with all readers counted as one: less is better, as in other
        // figures.
        report.Add(part, "us", 1e6 / rates.reads);
        if (rate == 0) report.Add(absl::StrCat(part, "_write"), "us", 1e6 / rates.writes);
      }
    }
  }
  std::cout << report.ToJson() << std::endl;
}

}  // namespace
}  // namespace kube::benchmarks

int main() { kube::benchmarks::Main(); }
