#include "informers/internal/apply_deltas.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/meta/object_access.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "informers/delta.h"
#include "informers/internal/notification.h"
#include "listers/index_function.h"
#include "listers/indexer.h"

namespace kube::informers::internal {
namespace {

namespace corev1 = kube::api::core::v1;
using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::shared_ptr<const corev1::Pod> Pod(absl::string_view name, absl::string_view version) {
  return std::make_shared<const corev1::Pod>(
      corev1::Pod{.metadata = {.name = name, .resource_version = version}});
}

std::string VersionOf(const std::shared_ptr<const void>& pod) {
  if (pod == nullptr) return "-";
  return std::string(meta::kObjectAccess<corev1::Pod>.resource_version(pod.get()));
}

// Functions, because g++ 12 breaks off on lists of Deltas in braces.
Delta<void> Make(DeltaType type, std::shared_ptr<const void> pod = nullptr,
                 absl::string_view version = "") {
  Delta<void> delta;
  delta.type = type;
  delta.object = std::move(pod);
  delta.resource_version = std::string(version);
  return delta;
}

Delta<void> Listed(std::vector<std::shared_ptr<const void>> pods, absl::string_view version = "") {
  Delta<void> delta = Make(DeltaType::kReplaced, nullptr, version);
  delta.objects = std::move(pods);
  return delta;
}

class ApplyDeltasTest : public testing::Test {
 protected:
  // "TYPE NAME OLD>NEW" for each that a handler is told.
  std::vector<std::string> Apply(std::vector<Delta<void>> deltas) {
    Notifications notifications;
    status_ = ApplyDeltas(std::move(deltas), meta::kObjectAccess<corev1::Pod>, store_.any(),
                          &notifications);
    std::vector<std::string> told;
    for (const AnyNotification& n : notifications.all) {
      told.push_back(absl::StrCat(ToString(n.type), n.final_state_unknown ? "? " : " ",
                                  meta::kObjectAccess<corev1::Pod>.key(n.change.object.get()).name,
                                  " ", VersionOf(n.change.old_object), ">",
                                  VersionOf(n.change.object)));
    }
    return told;
  }

  listers::Indexer<corev1::Pod> store_;
  absl::Status status_;
};

TEST_F(ApplyDeltasTest, TellsWhatTheStoreMakesOfDeltas) {
  EXPECT_THAT(
      Apply({Make(DeltaType::kAdded, Pod("a", "1")), Make(DeltaType::kUpdated, Pod("b", "2")),
             Make(DeltaType::kDeleted, Pod("c", "3"))}),
      ElementsAre("Added a ->1", "Added b ->2", "Deleted c ->3"));
  EXPECT_THAT(
      Apply({Make(DeltaType::kAdded, Pod("a", "4")), Make(DeltaType::kDeleted, Pod("b", "5"))}),
      ElementsAre("Updated a 1>4", "Deleted b 2>5"));
  EXPECT_THAT(store_.ListKeys(), ElementsAre("a"));
  EXPECT_EQ(store_.resource_version(), "5");
}

// behaviour.md: INF-9
TEST_F(ApplyDeltasTest, ListsTellOfWhatIsGone) {
  Apply({Listed({Pod("a", "1"), Pod("b", "1"), Pod("c", "1")}, "10")});
  EXPECT_THAT(Apply({Listed({Pod("d", "12"), Pod("c", "1")}, "20")}),
              testing::AllOf(UnorderedElementsAre("Deleted? a 1>1", "Deleted? b 1>1",
                                                  "Added d ->12", "ReplacedAll c 1>1"),
                             testing::Contains("Added d ->12")));
  EXPECT_EQ(store_.resource_version(), "20");
}

// The type of the delta decides, even if the version is the same or missing.
// behaviour.md: INF-17
TEST_F(ApplyDeltasTest, UpdatesWithoutANewVersionAreUpdates) {
  Apply({Make(DeltaType::kAdded, Pod("a", ""))});
  EXPECT_THAT(Apply({Make(DeltaType::kUpdated, Pod("a", ""))}), ElementsAre("Updated a >"));
  EXPECT_THAT(Apply({Make(DeltaType::kSync)}), ElementsAre("SyncAll a >"));
}

TEST_F(ApplyDeltasTest, BookmarksMoveTheVersion) {
  EXPECT_THAT(Apply({Make(DeltaType::kBookmark, nullptr, "7")}), IsEmpty());
  EXPECT_EQ(store_.resource_version(), "7");
}

TEST_F(ApplyDeltasTest, TellsAlsoWhenAnIndexFails) {
  ASSERT_THAT(
      store_.AddIndexer("broken", listers::IndexFunction<corev1::Pod>([](const corev1::Pod&) {
                          return absl::InternalError("no");
                        })),
      IsOk());
  EXPECT_THAT(Apply({Make(DeltaType::kAdded, Pod("a", "1"))}), ElementsAre("Added a ->1"));
  EXPECT_THAT(status_, StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(Apply({Listed({Pod("b", "2")})}), ElementsAre("Deleted? a 1>1", "Added b ->2"));
  EXPECT_THAT(Apply({Listed({Pod("c/d", "2"), Pod("b", "3")})}), ElementsAre("ReplacedAll b 2>3"));
  EXPECT_THAT(status_, StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(
      Apply({Make(DeltaType::kAdded, Pod("e/f", "4")), Make(DeltaType::kDeleted, Pod("b", "5"))}),
      ElementsAre("Deleted b 3>5"));
  EXPECT_THAT(status_, StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(store_.ListKeys(), IsEmpty());
}

}  // namespace
}  // namespace kube::informers::internal
