#include "informers/internal/merge_notifications.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/meta/object_access.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "informers/delta.h"
#include "informers/internal/notification.h"

namespace kube::informers::internal {
namespace {

namespace corev1 = kube::api::core::v1;

using testing::IsEmpty;

std::shared_ptr<const corev1::Pod> Pod(absl::string_view name, absl::string_view version,
                                       absl::string_view uid) {
  return std::make_shared<const corev1::Pod>(
      corev1::Pod{.metadata = {.name = name, .uid = uid, .resource_version = version}});
}

// "add a 1", "update a 1 2", "delete a 2", with UIDs of the versions' tens; "resync a 1".
AnyNotification Parse(absl::string_view text) {
  const std::vector<std::string> parts = absl::StrSplit(text, ' ');
  const auto pod = [&](size_t i) {
    return Pod(parts[1], parts[i], parts[i].substr(0, parts[i].size() - 1));
  };
  if (parts[0] == "add")
    return {.type = DeltaType::kAdded, .is_initial = true, .change = {.object = pod(2)}};
  if (parts[0] == "delete") {
    return {.type = DeltaType::kDeleted, .change = {.object = pod(2), .old_object = pod(2)}};
  }
  const bool is_resync = parts[0] == "resync";
  return {.type = is_resync ? DeltaType::kSync : DeltaType::kUpdated,
          .is_resync = is_resync,
          .change = {.object = pod(is_resync ? 2 : 3), .old_object = pod(2)}};
}

std::string ToText(const AnyNotification& n) {
  const auto version = [](const std::shared_ptr<const void>& object) {
    return static_cast<const corev1::Pod*>(object.get())->metadata.resource_version.view();
  };
  const absl::string_view name =
      static_cast<const corev1::Pod*>(n.change.object.get())->metadata.name.view();
  switch (n.type) {
    case DeltaType::kAdded:
      return absl::StrCat("add ", name, " ", version(n.change.object),
                          n.is_initial ? " initial" : "");
    case DeltaType::kDeleted:
      return absl::StrCat("delete ", name, " ", version(n.change.old_object), ">",
                          version(n.change.object));
    default:
      return absl::StrCat(n.is_resync ? "resync " : "update ", name, " ",
                          version(n.change.old_object), ">", version(n.change.object),
                          n.is_recreated ? " recreated" : "");
  }
}

TEST(NotificationMerger, TellsWhatIsLeft) {
  const struct {
    const char* name;
    std::vector<const char*> told;
    std::vector<std::string> left;
  } kRows[] = {
      {"nothing", {}, {}},
      {"one of each", {"add a 11", "update b 11 12"}, {"add a 11 initial", "update b 11>12"}},
      {"updates", {"update a 11 12", "update a 12 13"}, {"update a 11>13"}},
      {"an add and updates", {"add a 11", "update a 11 12"}, {"add a 12 initial"}},
      {"it came and went", {"add a 11", "update a 11 12", "delete a 12"}, {}},
      {"and came again", {"add a 11", "delete a 11", "add a 21"}, {"add a 21 initial"}},
      {"it went", {"update a 11 12", "delete a 12"}, {"delete a 11>12"}},
      {"and came again, another", {"delete a 11", "add a 21"}, {"update a 11>21 recreated"}},
      {"and went", {"delete a 11", "add a 21", "delete a 21"}, {"delete a 11>21"}},
      {"resyncs", {"resync a 11", "resync a 11"}, {"resync a 11>11"}},
      {"a resync and an update", {"resync a 11", "update a 11 12"}, {"update a 11>12"}},
      {"in the order of the first",
       {"update b 11 12", "add a 11", "update b 12 13"},
       {"update b 11>13", "add a 11 initial"}},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    NotificationMerger merger(meta::kObjectAccess<corev1::Pod>);
    for (const char* text : row.told) merger.Add(Parse(text));
    std::vector<std::string> left;
    const Notifications merged = merger.Take();
    for (const AnyNotification& n : merged.all) left.push_back(ToText(n));
    EXPECT_EQ(left, row.left);
    EXPECT_THAT(merger.Take().all, IsEmpty());
  }
}

TEST(NotificationMerger, CountsResyncs) {
  NotificationMerger merger(meta::kObjectAccess<corev1::Pod>);
  merger.Add(Parse("resync a 11"));
  merger.Add(Parse("resync b 11"));
  merger.Add(Parse("update b 11 12"));
  EXPECT_EQ(merger.Take().resyncs, 1u);
}

}  // namespace
}  // namespace kube::informers::internal
