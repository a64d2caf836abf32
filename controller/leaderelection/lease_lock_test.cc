#include "controller/leaderelection/lease_lock.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/coordination/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/kubernetes/coordination/v1/client.h"
#include "controller/leaderelection/resource_lock.h"
#include "envtest/fake/clientset.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::leaderelection {
namespace {

namespace coordinationv1 = api::coordination::v1;

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::ElementsAre;

const absl::Time kTime = absl::FromUnixMicros(1'700'000'000'123'456);

LeaderElectionRecord Record(std::string holder) {
  return {.holder_identity = std::move(holder),
          .lease_duration_seconds = 15,
          .acquire_time = kTime,
          .renew_time = kTime + absl::Microseconds(1),
          .leader_transitions = 3};
}

class LeaseLockTest : public testing::Test {
 protected:
  coordinationv1::LeaseClient Leases() { return fake_.client().CoordinationV1().Leases("default"); }
  LeaseLock Lock(std::string identity, LeaseLockOptions options = {}) {
    return LeaseLock(Leases(), "lock", std::move(identity), std::move(options));
  }
  coordinationv1::Lease Stored() { return *Leases().Get(Context(), "lock"); }

  fake::Clientset fake_;
};

// behaviour.md: LE-10
TEST_F(LeaseLockTest, CreateAndUpdate_Record_IsStoredInTheLease) {
  LeaseLock lock = Lock("me");
  EXPECT_TRUE(errors::IsNotFound(lock.Get(Context()).status()));
  const absl::StatusOr<std::string> version = lock.Create(Context(), Record("me"));
  ASSERT_THAT(version, IsOk());
  EXPECT_EQ(*version, std::string(Stored().metadata.resource_version.view()));
  EXPECT_THAT(lock.Get(Context()), IsOkAndHolds(Record("me")));

  const absl::StatusOr<std::string> next = lock.Update(Context(), Record("you"));
  ASSERT_THAT(next, IsOk());
  EXPECT_NE(*next, *version);
  EXPECT_EQ(*next, std::string(Stored().metadata.resource_version.view()));
  EXPECT_THAT(lock.Get(Context()), IsOkAndHolds(Record("you")));
  EXPECT_EQ(lock.identity(), "me");
  EXPECT_EQ(lock.Describe(), "default/lock");
}

TEST_F(LeaseLockTest, Update_LeaseChangedSinceLastSeen_IsAConflict) {
  LeaseLock lock = Lock("me");
  EXPECT_THAT(
      lock.Update(Context(), Record("me")),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               "update lease \"default/lock\": lease not initialized, call get or create first"));
  ASSERT_THAT(lock.Create(Context(), Record("me")), IsOk());
  LeaseLock other = Lock("you");
  EXPECT_TRUE(errors::IsAlreadyExists(other.Create(Context(), Record("you")).status()));
  ASSERT_THAT(other.Get(Context()), IsOk());
  ASSERT_THAT(other.Update(Context(), Record("you")), IsOk());

  EXPECT_TRUE(errors::IsConflict(lock.Update(Context(), Record("me")).status()));
  EXPECT_TRUE(errors::IsConflict(lock.Update(Context(), Record("me")).status()));  // not by retry
  EXPECT_THAT(lock.Get(Context()), IsOkAndHolds(Record("you")));
  EXPECT_THAT(lock.Update(Context(), Record("me")), IsOk());
}

// behaviour.md: MGR-32
TEST_F(LeaseLockTest, LabelsAreAddedToThoseOfOthers) {
  coordinationv1::Lease lease;
  lease.metadata = {.name = "lock", .namespace_ = "default"};
  lease.metadata.labels["app"] = "old";
  lease.metadata.labels["other"] = "kept";
  lease.metadata.annotations["note"] = "kept";
  ASSERT_THAT(fake_.Add(lease), IsOk());
  LeaseLock lock = Lock("me", {.labels = {{"app", "new"}}});
  ASSERT_THAT(lock.Get(Context()), IsOk());
  ASSERT_THAT(lock.Update(Context(), Record("me")), IsOk());
  const coordinationv1::Lease stored = Stored();
  EXPECT_EQ(*stored.metadata.labels.find("app"), "new");
  EXPECT_EQ(*stored.metadata.labels.find("other"), "kept");
  EXPECT_EQ(*stored.metadata.annotations.find("note"), "kept");

  ASSERT_THAT(Leases().Delete(Context(), "lock"), IsOk());
  ASSERT_THAT(lock.Create(Context(), Record("me")), IsOk());
  EXPECT_EQ(*Stored().metadata.labels.find("app"), "new");
}

// behaviour.md: MGR-36
TEST_F(LeaseLockTest, RecordEvent_IsAboutTheLeaseAndDroppedBeforeThereIsOne) {
  std::vector<std::string> events;
  LeaseLock lock =
      Lock("me", {.event_recorder = [&](const coordinationv1::Lease& subject,
                                        absl::string_view reason, absl::string_view note) {
             events.push_back(absl::StrCat(subject.api_version.view(), " ", subject.kind.view(),
                                           " ", subject.metadata.namespace_.view(), "/",
                                           subject.metadata.name.view(), " ", reason, ": ", note));
           }});
  lock.RecordEvent("became leader");  // of nothing yet: client-go's would crash
  ASSERT_THAT(lock.Create(Context(), Record("me")), IsOk());
  lock.RecordEvent("became leader");
  EXPECT_THAT(events, ElementsAre("coordination.k8s.io/v1 Lease default/lock LeaderElection: "
                                  "me became leader"));
}

TEST(LeaseSpec, RecordOf_MissingFields_AreZero) {
  EXPECT_EQ(RecordOf(coordinationv1::LeaseSpec()), LeaderElectionRecord());
  EXPECT_EQ(RecordOf(LeaseSpecOf(Record("me"))), Record("me"));
  // A lease that was given up has a holder, which is "".
  EXPECT_TRUE(LeaseSpecOf(LeaderElectionRecord()).holder_identity.has_value());
}

}  // namespace
}  // namespace kube::leaderelection
