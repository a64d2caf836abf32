// Many watches at a time: each sees every change, once, in order. How many is said by KUBE_LOAD:
//
//   bazel test --test_env=KUBE_LOAD=full --test_output=all //envtest:load_test
//
// Changes are told by resource versions: what the writers were answered is what each watch has to
// see.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/watch/byte_stream.h"
#include "apiserver/api_server.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/request.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "envtest/environment.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;

constexpr typed::Resource kPods = {
    .version = "v1", .plural = "pods", .kind = "Pod", .built_in = true};
using Pods = typed::TypedClient<corev1::Pod, corev1::PodList>;

struct Load {
  int pods = 0;
  int watches = 0;
  int updates = 0;
};

constexpr int kWriters = 4;
constexpr int kReaders = 4;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

// `usual`, where KUBE_LOAD does not say otherwise.
Load Choose(const Load& usual) {
  const char* const size = std::getenv("KUBE_LOAD");
  if (size != nullptr && absl::string_view(size) == "full") return {10'000, 1'000, 5'000};
  return kSanitized ? Load{500, 100, 200} : usual;
}

corev1::Pod MakePod(int i) {
  return {.metadata = {.name = absl::StrCat("pod-", i), .labels = {{"app", "load"}}},
          .spec = {.containers = {{.name = "main", .image = "registry.local/app:v1"}}}};
}

// Resource versions, by several threads.
class Revisions {
 public:
  void Add(const corev1::Pod& pod) {
    int64_t revision = 0;
    EXPECT_TRUE(absl::SimpleAtoi(pod.metadata.resource_version.view(), &revision));
    base::MutexLock lock(mutex_);
    all_.push_back(revision);
  }
  std::vector<int64_t> Sorted() const {
    base::MutexLock lock(mutex_);
    std::vector<int64_t> sorted = all_;
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  }

 private:
  mutable base::Mutex mutex_;
  std::vector<int64_t> all_ ABSL_GUARDED_BY(mutex_);
};

// One watch in JSON, as it comes: the resource versions of its events.
class RawWatch {
 public:
  static absl::StatusOr<RawWatch> Open(const rest::Client& client, const std::string& after) {
    KUBE_ASSIGN_OR_RETURN(
        rest::StreamedResult result,
        client.Stream(Context(),
                      {.absolute_path = absl::StrCat(
                           "/api/v1/namespaces/default/pods?watch=1&resourceVersion=", after),
                       .accept = "application/json"}));
    return RawWatch(std::move(result.body));
  }

  const std::vector<int64_t>& revisions() const { return revisions_; }

  // Blocks until there is more of it.
  absl::Status ReadSome(const Context& ctx) {
    KUBE_ASSIGN_OR_RETURN(const std::string bytes, body_->Read(ctx));
    if (bytes.empty()) return absl::OutOfRangeError("the watch has ended");
    rest_ += bytes;
    size_t begin = 0;
    for (size_t end; (end = rest_.find('\n', begin)) != std::string::npos; begin = end + 1) {
      KUBE_RETURN_IF_ERROR(Take(absl::string_view(rest_).substr(begin, end - begin)));
    }
    rest_.erase(0, begin);
    return absl::OkStatus();
  }

 private:
  explicit RawWatch(std::unique_ptr<watch::ByteStream> body) : body_(std::move(body)) {}

  absl::Status Take(absl::string_view event) {
    constexpr absl::string_view kMember = "\"resourceVersion\":\"";
    const size_t at = event.find(kMember);
    if (at == absl::string_view::npos) return absl::DataLossError(std::string(event));
    absl::string_view text = event.substr(at + kMember.size());
    int64_t revision = 0;
    if (!absl::SimpleAtoi(text.substr(0, text.find('"')), &revision)) {
      return absl::DataLossError(std::string(event));
    }
    revisions_.push_back(revision);
    return absl::OkStatus();
  }

  std::unique_ptr<watch::ByteStream> body_;
  std::string rest_;
  std::vector<int64_t> revisions_;
};

absl::Status InParallel(int threads, const std::function<absl::Status(int thread)>& work) {
  base::ThreadGroup group{Context()};
  for (int i = 0; i < threads; ++i) {
    group.Go(absl::StrCat("load-", i), [&work, i](const Context&) { return work(i); });
  }
  return group.Wait();
}

// Kilobytes, now and at most.
std::string Memory() {
  std::ifstream file("/proc/self/status");
  std::string out;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("VmRSS", 0) == 0 || line.rfind("VmHWM", 0) == 0)
      absl::StrAppend(&out, line, " ");
  }
  return out;
}

// One run of it all. Prints how long its parts took.
class LoadRun {
 public:
  // `lagging`: the first half of all happens before anybody reads.
  LoadRun(rest::Client client, const Load& load, bool lagging)
      : client_(std::move(client)),
        pods_(Pods(client_, kPods).Namespace("default")),
        load_(load),
        lagging_(lagging),
        made_(load.pods) {}

  absl::Status All() {
    KUBE_RETURN_IF_ERROR(Part("create", load_.pods, [this] { return Create(); }));
    KUBE_ASSIGN_OR_RETURN(const auto list, pods_.List(Context(), {.limit = 1}));
    start_ = std::string(list.metadata.resource_version.view());
    KUBE_RETURN_IF_ERROR(Part("first watches", load_.watches / 2,
                              [this] { return OpenWatches(load_.watches / 2); }));
    const auto everything = static_cast<int64_t>(load_.watches) * load_.updates;
    KUBE_RETURN_IF_ERROR(Part("updates and watches", everything, [this] { return Change(); }));
    return Compare();
  }

 private:
  absl::Status Part(absl::string_view name, int64_t count,
                    const std::function<absl::Status()>& work) {
    const base::MonotonicTime begin = base::Runtime::Real().Now();
    KUBE_RETURN_IF_ERROR(work(), name);
    const double seconds = absl::ToDoubleSeconds(base::Runtime::Real().Now() - begin);
    std::cout << name << ": " << count << " in " << seconds << " s, "
              << static_cast<int64_t>(static_cast<double>(count) / seconds) << "/s; " << Memory()
              << std::endl;
    return absl::OkStatus();
  }

  absl::Status Create() {
    return InParallel(kWriters, [this](int thread) {
      for (int i = thread; i < load_.pods; i += kWriters) {
        KUBE_ASSIGN_OR_RETURN(made_[i], pods_.Create(Context(), MakePod(i)));
      }
      return absl::OkStatus();
    });
  }

  absl::Status OpenWatches(int count) {
    for (int i = 0; i < count; ++i) {
      KUBE_ASSIGN_OR_RETURN(RawWatch watch, RawWatch::Open(client_, start_));
      watches_.push_back(std::move(watch));
    }
    return absl::OkStatus();
  }

  // The first watches see all of it happen. The others come when half of it is over, and go
  // through the history before they are there too.
  absl::Status Change() {
    const int half = load_.updates / 2;
    KUBE_RETURN_IF_ERROR(lagging_ ? Update(0, half) : UpdateAndRead(0, half));
    KUBE_RETURN_IF_ERROR(OpenWatches(load_.watches - static_cast<int>(watches_.size())));
    return UpdateAndRead(half, load_.updates);
  }

  absl::Status UpdateAndRead(int from, int to) {
    base::ThreadGroup group{Context()};
    group.Go("update", [this, from, to](const Context&) { return Update(from, to); });
    group.Go("read", [this, to](const Context&) {
      return InParallel(kReaders, [this, to](int reader) { return ReadUpTo(to, reader); });
    });
    return group.Wait();
  }

  absl::Status Update(int from, int to) {
    return InParallel(kWriters, [this, from, to](int thread) {
      for (int i = from + thread; i < to; i += kWriters) {
        corev1::Pod& pod = made_[i % load_.pods];
        pod.metadata.labels["update"] = absl::StrCat(i);
        KUBE_ASSIGN_OR_RETURN(pod, pods_.Update(Context(), pod));
        expected_.Add(pod);
      }
      return absl::OkStatus();
    });
  }

  // In turn: so that no watch of a reader gets far ahead of another.
  absl::Status ReadUpTo(int events, int reader) {
    const Context ctx = WithTimeout(Context(), absl::Minutes(5));
    const auto enough = static_cast<size_t>(events);
    for (bool all = false; !all;) {
      all = true;
      for (size_t i = reader; i < watches_.size(); i += kReaders) {
        if (watches_[i].revisions().size() >= enough) continue;
        KUBE_RETURN_IF_ERROR(watches_[i].ReadSome(ctx), "watch ", i);
        all = false;
      }
    }
    return absl::OkStatus();
  }

  absl::Status Compare() const {
    const std::vector<int64_t> expected = expected_.Sorted();
    for (size_t i = 0; i < watches_.size(); ++i) {
      if (watches_[i].revisions() == expected) continue;
      return absl::DataLossError(absl::StrCat("watch ", i, " saw ", watches_[i].revisions().size(),
                                              " events, others than the ", expected.size(),
                                              " expected, or in another order"));
    }
    return absl::OkStatus();
  }

  const rest::Client client_;
  const Pods pods_;
  const Load load_;
  const bool lagging_;
  // Each is of one writer.
  std::vector<corev1::Pod> made_;
  std::string start_;
  Revisions expected_;
  std::vector<RawWatch> watches_;
};

TEST(LoadTest, Watchers_InProcess_SeeEveryWrite) {
  apiserver::ApiHandler server;
  const rest::Client client = *rest::MakeClient(InProcessConfig(server));
  const Load load = Choose({2'000, 1'000, 300});
  EXPECT_THAT(LoadRun(client, load, /*lagging=*/true).All(), IsOk());
}

TEST(LoadTest, Watchers_OverHttp2_SeeEveryWrite) {
  const auto server = apiserver::ApiServer::Start();
  ASSERT_THAT(server, IsOk());
  const rest::Client client = *rest::MakeClient(ConfigOf(**server));
  const Load load = Choose({1'000, 200, 300});
  EXPECT_THAT(LoadRun(client, load, /*lagging=*/false).All(), IsOk());
}

}  // namespace
}  // namespace kube::envtest
