#include "apimachinery/base/log/internal/field_list.h"

#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log_record.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::log::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Keys(absl::Span<const Field> fields) {
  std::vector<std::string> keys;
  for (const Field& field : fields) keys.emplace_back(field.key.data(), field.key.size());
  return keys;
}

TEST(FieldListTest, Merge_EqualKeys_KeepsThoseOfOwn) {
  const std::vector<Field> inherited = {{"a", 1}, {"b", 2}, {"c", 3}};
  const std::vector<Field> own = {{"b", 4}, {"d", 5}};
  EXPECT_THAT(Keys(Merge(inherited, own)), ElementsAre("a", "c", "b", "d"));
  EXPECT_THAT(Keys(Merge(inherited, {})), ElementsAre("a", "b", "c"));
  EXPECT_THAT(Keys(Merge({}, own)), ElementsAre("b", "d"));
}

TEST(FieldListTest, Of_ContextWithoutFields_IsEmpty) {
  CancelScope scope = WithCancel(Context());
  EXPECT_THAT(FieldList::Of(Context()), IsEmpty());
  EXPECT_THAT(FieldList::Of(scope.context()), IsEmpty());
  EXPECT_THAT(FieldList::Of(WithoutCancel(scope.context())), IsEmpty());
}

TEST(FieldListTest, Of_ContextsBelow_IsTheSameList) {
  const std::vector<Field> fields = {{"a", 1}};
  const Context ctx = FieldList::Attach(Context(), fields);
  CancelScope scope = WithCancel(ctx);
  const Context copy = ctx;
  EXPECT_THAT(Keys(FieldList::Of(ctx)), ElementsAre("a"));
  EXPECT_EQ(FieldList::Of(copy).data(), FieldList::Of(ctx).data());
  EXPECT_EQ(FieldList::Of(scope.context()).data(), FieldList::Of(ctx).data());
}

TEST(FieldListTest, Attach_TextsAndStatuses_AreCopies) {
  const std::string text = "text";
  const absl::Status status = absl::NotFoundError("gone");
  const std::vector<Field> fields = {{"text", text}, {"status", status}, {"n", 3}};
  const Context ctx = FieldList::Attach(Context(), fields);
  const absl::Span<const Field> carried = FieldList::Of(ctx);
  ASSERT_THAT(Keys(carried), ElementsAre("text", "status", "n"));
  const auto& copy = std::get<absl::string_view>(carried[0].value.variant());
  EXPECT_EQ(copy, "text");
  EXPECT_NE(copy.data(), text.data());
  const auto* const copied = std::get<const absl::Status*>(carried[1].value.variant());
  EXPECT_EQ(*copied, status);
  EXPECT_NE(copied, &status);
}

}  // namespace
}  // namespace kube::log::internal
