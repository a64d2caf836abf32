#include "controller/manager/internal/renewal_meter.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "controller/leaderelection/resource_lock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

using base::IsOk;
using base::StatusIs;
using leaderelection::LeaderElectionRecord;
using testing::ElementsAre;

// A lock whose writes return `answer`. Not imitated: what it stores.
class ScriptedLock final : public leaderelection::ResourceLock {
 public:
  absl::StatusOr<LeaderElectionRecord> Get(const Context&) override {
    calls.push_back("get");
    return LeaderElectionRecord{.holder_identity = "other"};
  }
  absl::StatusOr<std::string> Create(const Context&, const LeaderElectionRecord& record) override {
    calls.push_back(absl::StrCat("create ", record.holder_identity));
    return answer;
  }
  absl::StatusOr<std::string> Update(const Context&, const LeaderElectionRecord& record) override {
    calls.push_back(absl::StrCat("update ", record.holder_identity));
    return answer;
  }
  void RecordEvent(absl::string_view what) override { calls.emplace_back(what); }
  const std::string& identity() const override { return name; }
  std::string Describe() const override { return "prod/web"; }

  const std::string name = "me";
  absl::StatusOr<std::string> answer = std::string("7");
  std::vector<std::string> calls;
};

class RenewalMeterTest : public testing::Test {
 protected:
  base::FakeClock clock_;
  base::RuntimeScope scope_{clock_};
  const std::shared_ptr<ScriptedLock> lock_ = std::make_shared<ScriptedLock>();
  RenewalMeter meter_{lock_};
};

TEST_F(RenewalMeterTest, AllCalls_ArePassedOn) {
  const absl::StatusOr<LeaderElectionRecord> record = meter_.Get(Context());
  ASSERT_THAT(record.status(), IsOk());
  EXPECT_EQ(record->holder_identity, "other");
  const absl::StatusOr<std::string> created = meter_.Create(Context(), {.holder_identity = "me"});
  ASSERT_THAT(created.status(), IsOk());
  EXPECT_EQ(*created, "7");
  EXPECT_THAT(meter_.Update(Context(), {.holder_identity = "me"}).status(), IsOk());
  meter_.RecordEvent("became leader");
  EXPECT_THAT(lock_->calls, ElementsAre("get", "create me", "update me", "became leader"));
  EXPECT_EQ(meter_.identity(), "me");
  EXPECT_EQ(meter_.Describe(), "prod/web");
}

TEST_F(RenewalMeterTest, Renewals_AreTheWritesAsTheHolder) {
  EXPECT_EQ(meter_.renewals().count, 0);
  EXPECT_EQ(meter_.renewals().last, absl::InfinitePast());
  EXPECT_THAT(meter_.Create(Context(), {.holder_identity = "me"}).status(), IsOk());
  clock_.Step(absl::Seconds(2));
  EXPECT_THAT(meter_.Update(Context(), {.holder_identity = "me"}).status(), IsOk());
  const absl::Time renewed = base::WallNow();
  clock_.Step(absl::Seconds(2));
  EXPECT_EQ(meter_.renewals().count, 2);
  EXPECT_EQ(meter_.renewals().last, renewed);

  EXPECT_THAT(meter_.Update(Context(), {.holder_identity = ""}).status(), IsOk());
  EXPECT_EQ(meter_.renewals().count, 2) << "a release is no renewal";
  lock_->answer = absl::UnavailableError("gone");
  EXPECT_THAT(meter_.Update(Context(), {.holder_identity = "me"}).status(),
              StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_EQ(meter_.renewals().count, 2) << "nor is a write that failed";
  EXPECT_EQ(meter_.renewals().last, renewed);
}

}  // namespace
}  // namespace kube::controller::internal
