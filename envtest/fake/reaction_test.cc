#include "envtest/fake/reaction.h"

#include <memory>

#include "absl/status/status.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/watch/event.h"
#include "gtest/gtest.h"

namespace kube::fake {
namespace {

namespace corev1 = api::core::v1;

TEST(ReactionTest, Kind_OfEachFactory_IsThatOfTheReaction) {
  EXPECT_EQ(Reaction::PassOn().kind(), Reaction::Kind::kPassOn);
  EXPECT_EQ(Reaction::Done().kind(), Reaction::Kind::kAnswer);
  EXPECT_EQ(Reaction::Return(corev1::ConfigMap()).kind(), Reaction::Kind::kAnswer);
  const Reaction failed = Reaction::Fail(absl::UnavailableError("no"));
  EXPECT_EQ(failed.kind(), Reaction::Kind::kError);
  EXPECT_EQ(failed.error(), absl::UnavailableError("no"));
}

TEST(ReactionTest, Return_Object_EncodesItsKindAndVersion) {
  EXPECT_EQ(Reaction::Return(corev1::ConfigMap{.metadata = {.name = "m"}}).answer(),
            R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"}})");
  const auto map = std::make_shared<const corev1::ConfigMap>();
  EXPECT_EQ(
      Reaction::Events<corev1::ConfigMap>({{.type = watch::EventType::kAdded, .object = map},
                                           {.type = watch::EventType::kDeleted, .object = map}})
          .answer(),
      R"({"type":"ADDED","object":{"apiVersion":"v1","kind":"ConfigMap","metadata":{}}})"
      "\n"
      R"({"type":"DELETED","object":{"apiVersion":"v1","kind":"ConfigMap","metadata":{}}})"
      "\n");
}

// An event of an error that no server could have sent.
TEST(ReactionTest, Events_ErrorThatNoServerSends_IsAnErrorReaction) {
  EXPECT_EQ(Reaction::Events<corev1::ConfigMap>(
                {{.type = watch::EventType::kError, .error = absl::UnavailableError("no")}})
                .kind(),
            Reaction::Kind::kError);
}

TEST(ReactionDeathTest, Fail_OkStatus_FailsACheck) {
  EXPECT_DEATH(Reaction::Fail(absl::OkStatus()), "Fail called with an OK status");
}

}  // namespace
}  // namespace kube::fake
