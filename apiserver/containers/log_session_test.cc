#include "apiserver/containers/log_session.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/time/time.h"
#include "apiserver/containers/container_log.h"
#include "apiserver/containers/log_reader.h"
#include "apiserver/testing/fake_exchange.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

const absl::Time kNow = absl::UnixEpoch();

// A log, and a client that follows it.
struct World {
  explicit World(const LogFilter& filter = {}) {
    log->Append("old\n", kNow);
    FollowedLog followed = {
        .owner = nullptr,
        .log = log,
        .reader = LogReader(log, filter),
        .container_ended = [this] { return container_ended; },
        .watch_container =
            [this](std::function<void()> changed) {
              auto watch = std::make_shared<std::function<void()>>(std::move(changed));
              container_changed = watch;
              return std::shared_ptr<void>(watch);
            },
    };
    session = std::make_shared<LogSession>(std::move(followed), exchange);
    session->Start([this] { ++ended; });
  }

  std::shared_ptr<ContainerLog> log = std::make_shared<ContainerLog>();
  std::shared_ptr<FakeExchange> exchange =
      std::make_shared<FakeExchange>(httpserver::Request{.method = "GET", .target = "/"});
  bool container_ended = false;
  std::weak_ptr<std::function<void()>> container_changed;
  int ended = 0;
  std::shared_ptr<LogSession> session;
};

TEST(LogSession, SendsLinesAsTheyAreAppended) {
  World world;
  EXPECT_EQ(world.exchange->status(), 200);
  EXPECT_EQ(world.exchange->headers().Get("content-type"), "text/plain");
  EXPECT_EQ(world.exchange->body(), "old\n");
  world.log->Append("new\n", kNow);
  EXPECT_EQ(world.exchange->body(), "old\nnew\n");
  EXPECT_FALSE(world.exchange->finished());
  world.log->End();
  EXPECT_TRUE(world.exchange->finished());
  EXPECT_EQ(world.ended, 1);
}

TEST(LogSession, SendsALongLogAtOnce) {
  World world({.tail_lines = 0});
  const std::string line(1000, 'x');
  std::string all;
  for (int i = 0; i < 1000; ++i) all += line + "\n";
  world.log->Append(all, kNow);
  EXPECT_EQ(world.exchange->body(), all);
}

TEST(LogSession, EndsWithItsContainer) {
  World world;
  world.container_ended = true;
  (*world.container_changed.lock())();
  EXPECT_TRUE(world.exchange->finished());
  EXPECT_EQ(world.ended, 1);
  world.session.reset();
  EXPECT_EQ(world.container_changed.lock(), nullptr) << "nobody is called any more";
}

TEST(LogSession, EndsAtTheLimit) {
  World world({.limit_bytes = 6});
  world.log->Append("new\n", kNow);
  EXPECT_EQ(world.exchange->body(), "old\nne");
  EXPECT_TRUE(world.exchange->finished());
}

TEST(LogSession, EndsWithItsClient) {
  World world;
  world.exchange->Cancel();
  EXPECT_EQ(world.ended, 1);
  world.log->Append("new\n", kNow);
  EXPECT_EQ(world.exchange->body(), "old\n");
  EXPECT_EQ(world.ended, 1);
}

}  // namespace
}  // namespace kube::apiserver::internal
