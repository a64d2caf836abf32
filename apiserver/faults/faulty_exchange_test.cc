#include "apiserver/faults/faulty_exchange.h"

#include <memory>
#include <string>

#include "absl/time/time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apiserver/faults/fault_layer.h"
#include "apiserver/testing/fake_exchange.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

struct Pair {
  std::shared_ptr<FakeExchange> inner =
      std::make_shared<FakeExchange>(httpserver::Request{.method = "GET", .target = "/"});
  std::shared_ptr<FaultyExchange> faulty =
      std::make_shared<FaultyExchange>(std::weak_ptr<FaultLayer>(), 1, inner);
};

TEST(FaultyExchange, HandsOnWhatIsWritten) {
  Pair pair;
  pair.faulty->Start(200, {});
  EXPECT_TRUE(pair.faulty->Write("a"));
  EXPECT_EQ(pair.inner->body(), "a");
  EXPECT_EQ(pair.faulty->buffered_bytes(), 0u);
  EXPECT_FALSE(pair.faulty->PauseUntilDrained(0, [] {}));
  pair.faulty->Finish({});
  EXPECT_TRUE(pair.inner->finished());
}

// As a client that has closed only its sending side.
class HalfClosedExchange final : public FakeExchange {
 public:
  using FakeExchange::FakeExchange;
  bool can_answer() const override { return true; }
};

TEST(FaultyExchange, CanAnswerAsTheInnerExchange) {
  const auto inner =
      std::make_shared<HalfClosedExchange>(httpserver::Request{.method = "GET", .target = "/"});
  const FaultyExchange faulty(std::weak_ptr<FaultLayer>(), 1, inner);
  inner->Cancel();
  EXPECT_TRUE(faulty.context().done());
  EXPECT_TRUE(faulty.can_answer());
}

TEST(FaultyExchange, HoldsInOrderAndTellsWriters) {
  Pair pair;
  pair.faulty->Hold();
  pair.faulty->Hold();
  pair.faulty->Start(200, {});
  EXPECT_TRUE(pair.faulty->Write("a"));
  EXPECT_GT(pair.faulty->buffered_bytes(), 1u << 30);
  std::string order;
  EXPECT_TRUE(pair.faulty->PauseUntilDrained(0, [&] { order = pair.inner->body(); }));
  EXPECT_TRUE(pair.faulty->Write("b"));
  pair.faulty->Release();
  EXPECT_EQ(pair.inner->status(), 0);
  pair.faulty->Release();
  EXPECT_EQ(pair.inner->body(), "ab");
  EXPECT_EQ(order, "ab") << "who was told to pause goes on behind what waited";
  EXPECT_TRUE(pair.faulty->Write("c"));
  EXPECT_EQ(pair.inner->body(), "abc");
}

TEST(FaultyExchange, LivesWhileItHoldsSomethingAndNoLonger) {
  Pair pair;
  const std::weak_ptr<FaultyExchange> weak = pair.faulty;
  pair.faulty->Hold();
  pair.faulty->Respond({.status = 201});
  pair.faulty.reset();
  ASSERT_FALSE(weak.expired());
  weak.lock()->Release();
  EXPECT_TRUE(weak.expired());
  EXPECT_EQ(pair.inner->status(), 201);
}

TEST(FaultyExchange, GoesWithItsClient) {
  Pair pair;
  const std::weak_ptr<FaultyExchange> weak = pair.faulty;
  pair.faulty->After(absl::InfiniteDuration(), [] {});
  pair.faulty.reset();
  ASSERT_FALSE(weak.expired());
  pair.inner->Cancel();
  EXPECT_TRUE(weak.expired());
}

TEST(FaultyExchange, BreaksThoughItIsHeld) {
  Pair pair;
  pair.faulty->Start(200, {});
  pair.faulty->Hold();
  EXPECT_TRUE(pair.faulty->Write("lost"));
  bool told = false;
  EXPECT_TRUE(pair.faulty->PauseUntilDrained(0, [&] { told = true; }));
  pair.faulty->Break();
  EXPECT_TRUE(told);
  EXPECT_TRUE(pair.faulty->over());
  EXPECT_FALSE(pair.faulty->Write("more"));
  pair.faulty->Release();
  EXPECT_EQ(pair.inner->body(), "");
}

TEST(FaultyExchange, AnswersLate) {
  base::FakeClock clock;
  const base::RuntimeScope scope(clock);
  Pair pair;
  pair.faulty->set_plan({.answer_delay = absl::Seconds(10)});
  pair.faulty->Respond({.status = 200});
  pair.faulty.reset();
  clock.Step(absl::Seconds(9));
  EXPECT_EQ(pair.inner->status(), 0);
  clock.Step(absl::Seconds(1));
  EXPECT_EQ(pair.inner->status(), 200);
}

TEST(FaultyExchange, CallsBackLate) {
  base::FakeClock clock;
  const base::RuntimeScope scope(clock);
  Pair pair;
  const std::weak_ptr<FaultyExchange> weak = pair.faulty;
  int calls = 0;
  pair.faulty->After(absl::Seconds(10), [&] { ++calls; });
  pair.faulty.reset();
  clock.Step(absl::Seconds(9));
  EXPECT_EQ(calls, 0);
  EXPECT_FALSE(weak.expired());
  clock.Step(absl::Seconds(1));
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(weak.expired());
}

}  // namespace
}  // namespace kube::apiserver::internal
