#include "informers/internal/collected_objects.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/meta/object_access.h"
#include "apimachinery/watch/event.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::informers::internal {
namespace {

namespace corev1 = api::core::v1;
using testing::ElementsAre;
using testing::IsEmpty;
using watch::EventType;

std::shared_ptr<const void> Pod(absl::string_view namespace_name, absl::string_view name,
                                absl::string_view version) {
  return std::make_shared<const corev1::Pod>(corev1::Pod{
      .metadata = {.name = name, .namespace_ = namespace_name, .resource_version = version}});
}

std::vector<std::string> Take(CollectedObjects& objects) {
  std::vector<std::string> texts;
  for (const std::shared_ptr<const void>& object : objects.Take()) {
    const auto& meta = static_cast<const corev1::Pod*>(object.get())->metadata;
    texts.push_back(absl::StrCat(meta.namespace_.view(), "/", meta.name.view(), "@",
                                 meta.resource_version.view()));
  }
  return texts;
}

TEST(CollectedObjects, OfAList) {
  CollectedObjects objects(meta::kObjectAccess<corev1::Pod>);
  objects.Add(Pod("a", "x", "1"));
  objects.Add(Pod("b", "x", "2"));
  EXPECT_EQ(objects.size(), 2u);
  EXPECT_THAT(Take(objects), ElementsAre("a/x@1", "b/x@2"));
  EXPECT_THAT(Take(objects), IsEmpty());
}

TEST(CollectedObjects, OfEvents) {
  CollectedObjects objects(meta::kObjectAccess<corev1::Pod>);
  objects.Apply(EventType::kAdded, Pod("a", "x", "1"));
  objects.Apply(EventType::kAdded, Pod("a", "y", "2"));
  objects.Apply(EventType::kAdded, Pod("", "x", "3"));
  objects.Apply(EventType::kModified, Pod("a", "y", "4"));
  objects.Apply(EventType::kDeleted, Pod("a", "x", "5"));
  objects.Apply(EventType::kDeleted, Pod("a", "never", "6"));
  objects.Apply(EventType::kModified, Pod("a", "new", "7"));
  objects.Apply(EventType::kAdded, Pod("", "x", "8"));
  EXPECT_THAT(Take(objects), ElementsAre("a/y@4", "/x@8", "a/new@7"));
}

TEST(CollectedObjects, ForgetsAll) {
  CollectedObjects objects(meta::kObjectAccess<corev1::Pod>);
  objects.Apply(EventType::kAdded, Pod("a", "x", "1"));
  objects.Apply(EventType::kModified, Pod("a", "x", "2"));
  objects.Forget();
  objects.Apply(EventType::kAdded, Pod("a", "x", "3"));
  objects.Apply(EventType::kDeleted, Pod("a", "x", "4"));
  EXPECT_THAT(Take(objects), IsEmpty());
}

}  // namespace
}  // namespace kube::informers::internal
