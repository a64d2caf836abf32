#include "apiserver/stored_view.h"

#include <cstddef>
#include <memory>

#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/any_object.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "gtest/gtest.h"

namespace kube::apiserver {
namespace {

using base::IsOk;

Object MakeMap() {
  const Resources resources = Resources::BuiltIn();
  return Object(codec::AnyObject(*resources.Find("", "v1", "configmaps")->kind));
}

TEST(StoredView, IsMadeAgainAfterWrites) {
  Storage storage;
  int made = 0;
  StoredView<size_t> view(storage, {"a", "b"}, [&made](const Storage& read) {
    ++made;
    return std::make_shared<const size_t>(read.Count("a", "") + read.Count("b", ""));
  });
  EXPECT_FALSE(view.IsCurrent());
  EXPECT_EQ(*view.Get(), 0u);
  EXPECT_TRUE(view.IsCurrent());
  view.Get();
  EXPECT_EQ(made, 1);

  ASSERT_THAT(storage.Create("b", "k", MakeMap()), IsOk());
  EXPECT_FALSE(view.IsCurrent());
  const std::shared_ptr<const size_t> one = view.Get();
  ASSERT_THAT(storage.Create("a", "k", MakeMap()), IsOk());
  EXPECT_EQ(*view.Get(), 2u);
  EXPECT_EQ(*one, 1u) << "a value never changes";

  ASSERT_THAT(storage.Create("c", "k", MakeMap()), IsOk());
  EXPECT_TRUE(view.IsCurrent()) << "another resource";
  EXPECT_EQ(made, 3);
}

}  // namespace
}  // namespace kube::apiserver
