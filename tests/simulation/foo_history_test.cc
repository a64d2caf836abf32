#include "tests/simulation/foo_history.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/watch/event.h"
#include "examples/sample_controller/foo.kube.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::simulation {
namespace {

namespace appsv1 = api::apps::v1;
using base::IsOk;
using base::StatusIs;
using samplecontroller::v1alpha1::Foo;
using testing::HasSubstr;
using watch::EventType;

// One Foo, "a" in "default", that asks for "web".
class FooHistoryTest : public testing::Test {
 protected:
  FooHistoryTest() {
    foo_ = {.metadata = {.name = "a", .namespace_ = "default", .uid = "foo-1"},
            .spec = {.deployment_name = "web"}};
    Happens(EventType::kAdded, foo_);
  }

  void Happens(EventType type, const Foo& foo) {
    history_.push_back({.version = Next(), .type = type, .foo = std::make_shared<Foo>(foo)});
  }
  void Happens(EventType type, const appsv1::Deployment& deployment) {
    history_.push_back({.version = Next(),
                        .type = type,
                        .deployment = std::make_shared<appsv1::Deployment>(deployment)});
  }

  appsv1::Deployment Foreign(absl::string_view uid) const {
    return {.metadata = {.name = "web", .namespace_ = "default", .uid = uid},
            .spec = {.replicas = 1}};
  }
  appsv1::Deployment Own(absl::string_view uid) const {
    appsv1::Deployment deployment = Foreign(uid);
    deployment.metadata.owner_references = {meta::NewControllerRef(
        foo_.metadata, {.group = "samplecontroller.k8s.io", .version = "v1alpha1", .kind = "Foo"})};
    return deployment;
  }

  void ExpectMistake(const char* what) const {
    EXPECT_THAT(CheckHistory(history_), StatusIs(absl::StatusCode::kDataLoss, HasSubstr(what)));
  }

  int64_t Next() const { return static_cast<int64_t>(history_.size()) + 1; }

  Foo foo_;
  std::vector<Happened> history_;
};

TEST_F(FooHistoryTest, CountsWhatWasRight) {
  appsv1::Deployment own = Own("d-1");
  Happens(EventType::kAdded, own);
  own.spec.replicas = 3;
  Happens(EventType::kModified, own);
  Happens(EventType::kDeleted, own);
  appsv1::Deployment foreign = Foreign("d-2");
  Happens(EventType::kAdded, foreign);
  foreign.status.available_replicas = 1;
  Happens(EventType::kModified, foreign);
  Happens(EventType::kDeleted, foreign);
  Happens(EventType::kAdded, Own("d-3"));
  Happens(EventType::kDeleted, foo_);
  Happens(EventType::kDeleted, Own("d-3"));
  Happens(EventType::kAdded, Own("d-4"));
  const auto counts = CheckHistory(history_);
  ASSERT_THAT(counts, IsOk());
  EXPECT_EQ(counts->foos, 1);
  EXPECT_EQ(counts->deployments, 3);
  EXPECT_EQ(counts->foreign, 1);
  EXPECT_EQ(counts->orphans, 1);
}

TEST_F(FooHistoryTest, AnOwnerThatNeverWas) {
  foo_.metadata.uid = "foo-2";
  Happens(EventType::kAdded, Own("d-1"));
  ExpectMistake("deployment default/web at : there was no such Foo");
}

TEST_F(FooHistoryTest, AnOwnerOfAnotherName) {
  foo_.metadata.name = "b";
  Happens(EventType::kAdded, Own("d-1"));
  ExpectMistake("its owner is default/a");
}

TEST_F(FooHistoryTest, ANameThatNobodyAskedFor) {
  appsv1::Deployment own = Own("d-1");
  own.metadata.name = "web-2";
  Happens(EventType::kAdded, own);
  ExpectMistake("default/a has not asked for that name");
}

TEST_F(FooHistoryTest, ANameThatWasAskedForOnceIsRight) {
  foo_.spec.deployment_name = "web-2";
  Happens(EventType::kModified, foo_);
  Happens(EventType::kAdded, Own("d-1"));
  EXPECT_THAT(CheckHistory(history_), IsOk());
}

TEST_F(FooHistoryTest, TwoOfOneName) {
  Happens(EventType::kAdded, Own("d-1"));
  Happens(EventType::kAdded, Own("d-2"));
  ExpectMistake("it is there twice");
}

TEST_F(FooHistoryTest, OneThatComesAgain) {
  Happens(EventType::kAdded, Own("d-1"));
  Happens(EventType::kDeleted, Own("d-1"));
  Happens(EventType::kAdded, Own("d-1"));
  ExpectMistake("its UID came before");
}

TEST_F(FooHistoryTest, AnEventWithoutABeginning) {
  Happens(EventType::kModified, Own("d-1"));
  ExpectMistake("it was not there");
}

TEST_F(FooHistoryTest, TooManyForAFooThatIsGone) {
  Happens(EventType::kDeleted, foo_);
  for (int64_t i = 0; i <= kMaxOrphans; ++i) {
    const appsv1::Deployment own = Own(absl::StrCat("d-", i));
    Happens(EventType::kAdded, own);
    Happens(EventType::kDeleted, own);
  }
  ExpectMistake("number 4 after the end of default/a");
}

TEST_F(FooHistoryTest, OtherOwners) {
  Happens(EventType::kAdded, Foreign("d-1"));
  Happens(EventType::kModified, Own("d-1"));
  ExpectMistake("it has other owners");
}

TEST_F(FooHistoryTest, AForeignOneThatIsChanged) {
  appsv1::Deployment foreign = Foreign("d-1");
  Happens(EventType::kAdded, foreign);
  foreign.spec.replicas = 2;
  Happens(EventType::kModified, foreign);
  ExpectMistake("it is foreign, and was changed");
}

TEST_F(FooHistoryTest, MoreThanTheSize) {
  appsv1::Deployment own = Own("d-1");
  Happens(EventType::kAdded, own);
  own.spec.min_ready_seconds = 5;
  Happens(EventType::kModified, own);
  ExpectMistake("more was changed than its size");
}

}  // namespace
}  // namespace kube::simulation
