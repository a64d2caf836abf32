// The cost of a key on its way through a work queue. go/main.go is its twin.
#include <atomic>
#include <cstddef>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/meta/object_name.h"
#include "benchmarks/contract/contract.h"
#include "controller/workqueue/queue.h"

namespace kube::benchmarks {
namespace {

using Texts = workqueue::Queue<std::string>;
using Names = workqueue::Queue<meta::ObjectName>;

constexpr size_t kKeys = 50'000;
constexpr size_t kRounds = 20;
constexpr size_t kMillion = 1'000'000;

base::MonotonicTime Now() { return base::Runtime::Real().Now(); }

double NanosecondsEach(base::MonotonicTime start, size_t n) {
  return absl::ToDoubleNanoseconds(Now() - start) / static_cast<double>(n);
}

std::string Namespace(size_t i) { return absl::StrCat("ns-", i % 100); }
std::string Name(size_t i) { return absl::StrCat("web-5d9f8b7c6-", i); }

std::vector<std::string> MakeKeys(size_t n) {
  std::vector<std::string> keys;
  for (size_t i = 0; i < n; ++i) keys.push_back(absl::StrCat(Namespace(i), "/", Name(i)));
  return keys;
}

// Takes a key and finishes it. Returns false if the queue is empty and shut down.
bool Work(Texts& queue, size_t& length) {
  const absl::StatusOr<workqueue::Item<std::string>> item = queue.Get(Context());
  if (!item.ok()) return false;
  length += item->text().size();
  return true;
}

// ---- bursts: some threads add all keys while others process them

class Burst {
 public:
  // Starts the threads, which wait for rounds.
  Burst(const std::vector<std::string>& keys, size_t producers, size_t workers)
      : keys_(keys), workers_(Context()), producers_(Context()) {
    for (size_t i = 0; i < workers; ++i) {
      workers_.Go("worker", [this](const Context&) {
        size_t length = 0;
        while (Work(queue_, length)) {
          if (--left_ == 0) finished_.load()->Set();
        }
        length_ += length;
        return absl::OkStatus();
      });
    }
    for (size_t p = 0; p < producers; ++p) {
      producers_.Go("producer", [this, p, producers](const Context&) {
        for (size_t round = 1; AwaitRound(round); ++round) {
          for (size_t i = p; i < keys_.size(); i += producers) queue_.Add(keys_[i]);
        }
        return absl::OkStatus();
      });
    }
  }

  double Round() {
    base::Event finished;
    finished_ = &finished;
    left_ = keys_.size();
    const base::MonotonicTime start = Now();
    {
      base::MutexLock lock(mutex_);
      ++round_;
    }
    changed_.NotifyAll();
    KUBE_CHECK_OK(finished.Wait(Context()));
    return NanosecondsEach(start, keys_.size());
  }

  void End() {
    {
      base::MutexLock lock(mutex_);
      ended_ = true;
    }
    changed_.NotifyAll();
    KUBE_CHECK_OK(producers_.Wait());
    queue_.ShutDown();
    KUBE_CHECK_OK(workers_.Wait());
    // Counted for all workers together: a queue need not give each of them a key.
    KUBE_CHECK_GT(length_.load(), 0u);
  }

 private:
  bool AwaitRound(size_t round) {
    base::MutexLock lock(mutex_);
    const auto begins = [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      return ended_ || round_ >= round;
    };
    KUBE_CHECK_OK(changed_.Wait(Context(), mutex_, begins));
    return !ended_;
  }

  const std::vector<std::string>& keys_;
  Texts queue_;
  std::atomic<size_t> left_ = 0;
  std::atomic<size_t> length_ = 0;  // total length of the processed keys
  std::atomic<base::Event*> finished_ = nullptr;
  base::Mutex mutex_;
  base::CondVar changed_;
  size_t round_ ABSL_GUARDED_BY(mutex_) = 0;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  base::ThreadGroup workers_;
  base::ThreadGroup producers_;
};

void MeasureBursts(Report& report) {
  const std::vector<std::string> keys = MakeKeys(kKeys);
  for (const size_t threads : {1, 8, 64}) {
    Burst burst(keys, threads, threads);
    std::vector<double> rounds;
    burst.Round();
    for (size_t i = 0; i < kRounds; ++i) rounds.push_back(burst.Round());
    burst.End();
    report.Add(absl::StrCat("burst_", threads), "ns", Median(rounds));
  }
}

// One thread, a thousand keys at a time.
void MeasureAlone(Report& report) {
  const std::vector<std::string> keys = MakeKeys(1000);
  std::vector<double> through;
  std::vector<double> again;
  for (size_t round = 0; round < kRounds; ++round) {
    Texts queue;
    size_t length = 0;
    base::MonotonicTime start = Now();
    for (int i = 0; i < 100; ++i) {
      for (const std::string& key : keys) queue.Add(key);
      for (size_t k = 0; k < keys.size(); ++k) Work(queue, length);
    }
    through.push_back(NanosecondsEach(start, 100 * keys.size()));
    for (const std::string& key : keys) queue.Add(key);
    start = Now();
    for (int i = 0; i < 100; ++i) {
      for (const std::string& key : keys) queue.Add(key);
    }
    again.push_back(NanosecondsEach(start, 100 * keys.size()));
    KUBE_CHECK_EQ(queue.length(), keys.size());
  }
  report.Add("alone", "ns", Median(through));
  report.Add("add_what_is_there", "ns", Median(again));
}

// ---- a million delays

void MeasureDelays(Report& report) {
  const std::vector<std::string> keys = MakeKeys(kMillion);
  std::vector<double> add;
  std::vector<double> through;
  for (int round = 0; round < 3; ++round) {
    Texts late;
    base::MonotonicTime start = Now();
    for (size_t i = 0; i < kMillion; ++i) {
      late.AddAfter(keys[i], absl::Hours(1) + absl::Microseconds(i * 7919 % kMillion));
    }
    add.push_back(NanosecondsEach(start, kMillion));

    Texts soon;
    base::ThreadGroup worker((Context()));
    start = Now();
    worker.Go("worker", [&](const Context&) {
      size_t length = 0;
      for (size_t i = 0; i < kMillion; ++i) KUBE_CHECK(Work(soon, length));
      return absl::OkStatus();
    });
    for (size_t i = 0; i < kMillion; ++i) {
      soon.AddAfter(keys[i], absl::Milliseconds(1) + absl::Microseconds(i * 7919 % 100'000));
    }
    KUBE_CHECK_OK(worker.Wait());
    through.push_back(NanosecondsEach(start, kMillion));
  }
  report.Add("delay_add", "ns", Median(add));
  report.Add("delay_through", "ns", Median(through));
}

// ---- memory

template <typename Queue, typename Add>
void MeasureMemory(Report& report, absl::string_view name, Add add) {
  std::optional<Queue> queue;
  queue.emplace();
  const Memory empty = Measure();
  for (size_t i = 0; i < kMillion; ++i) add(*queue, i);
  const Memory full = Measure();
  KUBE_CHECK_EQ(queue->length() + queue->delayed(), kMillion);
  report.Add(name, "B", static_cast<double>(full.rss_anon_bytes - empty.rss_anon_bytes) / kMillion);
}

std::string Text(size_t i) { return absl::StrCat(Namespace(i), "/", Name(i)); }
meta::ObjectName ObjectName(size_t i) { return {.namespace_name = Namespace(i), .name = Name(i)}; }

void Main() {
  Report report;
  MeasureMemory<Texts>(report, "bytes_a_text", [](Texts& q, size_t i) { q.Add(Text(i)); });
  MeasureMemory<Names>(report, "bytes_a_name", [](Names& q, size_t i) { q.Add(ObjectName(i)); });
  MeasureMemory<Texts>(report, "bytes_a_delayed_text",
                       [](Texts& q, size_t i) { q.AddAfter(Text(i), absl::Hours(1)); });
  MeasureMemory<Names>(report, "bytes_a_delayed_name",
                       [](Names& q, size_t i) { q.AddAfter(ObjectName(i), absl::Hours(1)); });
  MeasureAlone(report);
  MeasureBursts(report);
  MeasureDelays(report);
  std::cout << report.ToJson() << std::endl;
}

}  // namespace
}  // namespace kube::benchmarks

int main() { kube::benchmarks::Main(); }
