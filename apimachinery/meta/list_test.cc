#include "apimachinery/meta/list.h"

#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kinds.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/codec/reflect.h"
#include "apimachinery/types/kind_info.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::meta {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;

static_assert(std::is_same_v<ItemOf<corev1::PodList>, corev1::Pod>);

corev1::PodList Pods(const std::vector<std::string>& names) {
  corev1::PodList list;
  for (const std::string& name : names) {
    corev1::Pod pod;
    pod.metadata.name = name;
    list.items.push_back(std::move(pod));
  }
  return list;
}

codec::AnyObject Any(absl::string_view kind, absl::string_view json) {
  for (const KindInfo& info : corev1::Kinds()) {
    if (info.kind == kind) return *codec::AnyObject::DecodeJson(info, json);
  }
  ADD_FAILURE() << "no kind " << kind;
  return codec::AnyObject(corev1::Kinds()[0]);
}

TEST(ExtractList, MovesTheItemsOut) {
  const std::vector<std::shared_ptr<const corev1::Pod>> pods = ExtractList(Pods({"a", "b"}));
  ASSERT_EQ(pods.size(), 2u);
  EXPECT_EQ(pods[0]->metadata.name, "a");
  EXPECT_EQ(pods[1]->metadata.name, "b");
  EXPECT_TRUE(ExtractList(corev1::PodList()).empty());
}

TEST(SetList, ReplacesTheItems) {
  corev1::PodList list = Pods({"old"});
  SetList(list, ExtractList(Pods({"a", "b"})));
  EXPECT_EQ(list, Pods({"a", "b"}));
  SetList(list, {});
  EXPECT_TRUE(list.items.empty());
  EXPECT_FALSE(list.items.is_null());
}

constexpr absl::string_view kJson = R"({"items":[{"metadata":{"name":"a"}},
                                                 {"metadata":{"name":"b"}}]})";

TEST(AnyList, EachListItem_AnyList_VisitsTypedItems) {
  const codec::AnyObject list = Any("PodList", kJson);
  EXPECT_TRUE(IsListType(list));
  EXPECT_EQ(LenList(list), 2u);
  std::vector<std::string> names;
  EXPECT_THAT(EachListItem(list,
                           [&](codec::ValueView item) {
                             EXPECT_NE(item.As<corev1::Pod>(), nullptr);
                             EXPECT_EQ(item.As<corev1::PodSpec>(), nullptr);
                             names.emplace_back(MetadataOf(item)->name);
                             return absl::OkStatus();
                           }),
              IsOk());
  EXPECT_THAT(names, ElementsAre("a", "b"));
}

TEST(AnyList, EachListItem_Error_StopsAndReturnsIt) {
  int visited = 0;
  EXPECT_THAT(EachListItem(Any("PodList", kJson),
                           [&](codec::ValueView) {
                             ++visited;
                             return absl::AbortedError("enough");
                           }),
              StatusIs(absl::StatusCode::kAborted, "enough"));
  EXPECT_EQ(visited, 1);
}

TEST(AnyList, EachListItem_NotAList_IsInvalidArgument) {
  const codec::AnyObject empty = Any("PodList", "{}");
  EXPECT_TRUE(IsListType(empty));
  EXPECT_EQ(LenList(empty), 0u);
  const codec::AnyObject pod = Any("Pod", "{}");
  EXPECT_FALSE(IsListType(pod));
  EXPECT_EQ(LenList(pod), 0u);
  EXPECT_THAT(EachListItem(pod, [](codec::ValueView) { return absl::OkStatus(); }),
              StatusIs(absl::StatusCode::kInvalidArgument, "Pod is not a list"));
}

TEST(RestOf, RestOf_ReturnsTokenAndCount) {
  corev1::PodList list;
  EXPECT_EQ(RestOf(list.metadata).continue_token, "");
  EXPECT_EQ(RestOf(list.metadata).remaining_items, std::nullopt);
  list.metadata.continue_ = "c";
  list.metadata.remaining_item_count = 7;
  EXPECT_EQ(RestOf(list.metadata).continue_token, "c");
  EXPECT_EQ(RestOf(list.metadata).remaining_items, 7);
}

TEST(SingleObject, SingleObject_SelectsByEscapedNameAndVersion) {
  api::meta::v1::ObjectMeta metadata;
  metadata.name = "web-0";
  metadata.resource_version = "7";
  EXPECT_EQ(SingleObject(metadata).field_selector, "metadata.name=web-0");
  EXPECT_EQ(SingleObject(metadata).resource_version, "7");
  metadata.name = "a=b,c\\";
  EXPECT_EQ(SingleObject(metadata).field_selector, "metadata.name=a\\=b\\,c\\\\");
}

}  // namespace
}  // namespace kube::meta
