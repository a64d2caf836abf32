// Reflectors on real threads and clocks, for ThreadSanitizer, which sees nothing in a simulation.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "gtest/gtest.h"
#include "informers/delta.h"
#include "informers/lister_watcher.h"
#include "informers/reflector.h"
#include "informers/reflector_options.h"
#include "informers/reflector_status.h"
#include "informers/testing/faulty_transport.h"
#include "informers/testing/test_cluster.h"
#include "listers/indexer.h"
#include "net/httpclient/transport_error.h"

namespace kube::informers {
namespace {

constexpr int kObjects = 40;

// A reflector, its store, and what is set when the object "end" has come.
struct Member {
  Member(const TestCluster& cluster, ReflectorOptions options)
      : reflector(*MakeListerWatcher(cluster.config_maps()), Sink(), std::move(options)) {}

  DeltaSink<ConfigMap> Sink() {
    return [this, into = IntoStore(store)](const Context& ctx, Delta<ConfigMap> delta) {
      absl::Status status = into(ctx, std::move(delta));
      if (store.Get("default", "end") != nullptr) ended.Set();
      return status;
    };
  }

  listers::Indexer<ConfigMap> store;
  base::Event ended;
  Reflector<ConfigMap> reflector;
};

TEST(ReflectorThreads, WritersReadersAndStrikes) {
  TestCluster cluster;
  std::vector<std::unique_ptr<Member>> members;
  members.push_back(std::make_unique<Member>(cluster, ReflectorOptions()));
  members.push_back(std::make_unique<Member>(cluster, ReflectorOptions{.watch_list = false}));
  base::ThreadGroup reflectors{Context()};
  for (const auto& member : members) {
    reflectors.Go("reflector", [&](const Context& ctx) { return member->reflector.Run(ctx); });
  }
  base::ThreadGroup others{Context()};
  for (int writer = 0; writer < 2; ++writer) {
    others.Go("writer", [&cluster, writer](const Context&) {
      for (int i = 0; i < kObjects; ++i) {
        const std::string key = absl::StrCat("w", writer, "-", i);
        cluster.Create(key);
        cluster.Set(key, "2");
        if (i % 3 == 0) cluster.Delete(key);
      }
      return absl::OkStatus();
    });
  }
  others.Go("reader", [&](const Context&) {
    for (int i = 0; i < 10 * kObjects; ++i) {
      for (const auto& member : members) {
        const ReflectorStatus status = member->reflector.status();
        EXPECT_GE(status.counters.lists + status.counters.watch_lists, 0);
        EXPECT_LE(member->store.List().size(), 2u * kObjects);
      }
      if (i == kObjects) {
        cluster.transport().BreakStreams(httpclient::MakeTransportError(
            {.kind = httpclient::TransportErrorKind::kReset}, "reset"));
      }
    }
    return absl::OkStatus();
  });
  EXPECT_THAT(others.Wait(), base::IsOk());
  cluster.Create("end");
  for (const auto& member : members) {
    EXPECT_THAT(member->ended.Wait(Context()), base::IsOk());
    EXPECT_EQ(ContentOf(member->store), cluster.Content());
  }
  reflectors.Cancel();
  EXPECT_THAT(reflectors.Wait(), base::StatusIs(absl::StatusCode::kCancelled));
  for (const auto& member : members) {
    EXPECT_EQ(member->reflector.status().state, ReflectorState::kStopped);
  }
}

}  // namespace
}  // namespace kube::informers
