#include "apimachinery/types/kind_table.h"

#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/kind_info.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::table {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr char kNames[] = "OxList\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

// Messages without fields.
constinit const Message kOx = {.fields = nullptr,
                               .names = kNames,
                               .size = 0,
                               .field_count = 0,
                               .wire_count = 0,
                               .name = 0,
                               .name_size = 2,
                               .json_form = JsonForm::kObject,
                               .all_optional = 0,
                               .wire_start = 0,
                               .is_atomic = 0,
                               .reserved = {}};
constinit const Message kOxList = {.fields = nullptr,
                                   .names = kNames,
                                   .size = 0,
                                   .field_count = 0,
                                   .wire_count = 0,
                                   .name = 0,
                                   .name_size = 6,
                                   .json_form = JsonForm::kObject,
                                   .all_optional = 0,
                                   .wire_start = 0,
                                   .is_atomic = 0,
                                   .reserved = {}};

absl::Span<const KindInfo> Read(absl::string_view lines) {
  static constexpr const Message* kMessages[] = {&kOx, &kOxList};
  // They are never freed; static, so that a leak checker finds them.
  static base::NoDestructor<std::vector<absl::Span<const KindInfo>>> kept;
  kept->push_back(
      ReadKinds({.group = "g", .version = "v1", .lines = lines, .messages = kMessages}));
  return kept->back();
}

TEST(ReadKinds, Defaults) {
  const absl::Span<const KindInfo> kinds = Read("\n\n");
  ASSERT_EQ(kinds.size(), 2u);
  const KindInfo& ox = kinds[0];
  EXPECT_EQ(ox.group, "g");
  EXPECT_EQ(ox.version, "v1");
  EXPECT_EQ(ox.kind, "Ox");
  EXPECT_EQ(ox.scope, Scope::kNone);
  EXPECT_EQ(ox.plural, "");
  EXPECT_EQ(ox.singular, "");
  EXPECT_THAT(ox.short_names, IsEmpty());
  EXPECT_THAT(ox.categories, IsEmpty());
  EXPECT_THAT(ox.verbs, IsEmpty());
  EXPECT_THAT(ox.subresources, IsEmpty());
  EXPECT_EQ(ox.list_of, "");
  EXPECT_EQ(ox.introduced, "");
  EXPECT_EQ(ox.deprecated, "");
  EXPECT_EQ(ox.removed, "");
  EXPECT_EQ(ox.replacement, "");
  EXPECT_EQ(ox.message, &kOx);
  EXPECT_EQ(kinds[1].kind, "OxList");
  EXPECT_EQ(kinds[1].message, &kOxList);
}

TEST(ReadKinds, EveryMember) {
  const absl::Span<const KindInfo> kinds =
      Read("kBull|gapps/v2|noxen|-2|ho,x|aall,farm|vgD|i1.1|d1.2|r1.3|wv3 Ox|\nl|\n");
  ASSERT_EQ(kinds.size(), 2u);
  const KindInfo& bull = kinds[0];
  EXPECT_EQ(bull.group, "apps");
  EXPECT_EQ(bull.version, "v2");
  EXPECT_EQ(bull.kind, "Bull");
  EXPECT_EQ(bull.scope, Scope::kNamespaced);
  EXPECT_EQ(bull.plural, "oxen");
  EXPECT_EQ(bull.singular, "ox");
  EXPECT_THAT(bull.short_names, ElementsAre("o", "x"));
  EXPECT_THAT(bull.categories, ElementsAre("all", "farm"));
  EXPECT_THAT(bull.verbs, ElementsAre("get", "deletecollection"));
  EXPECT_EQ(bull.introduced, "1.1");
  EXPECT_EQ(bull.deprecated, "1.2");
  EXPECT_EQ(bull.removed, "1.3");
  EXPECT_EQ(bull.replacement, "v3 Ox");
  EXPECT_EQ(kinds[1].group, "g");
  EXPECT_EQ(kinds[1].list_of, "Ox");
}

TEST(ReadKinds, OtherSpellings) {
  const absl::Span<const KindInfo> kinds = Read("coxen|sox|v+get+plough|\ng/v2|coxen|LCow|\n");
  ASSERT_EQ(kinds.size(), 2u);
  EXPECT_EQ(kinds[0].scope, Scope::kCluster);
  EXPECT_EQ(kinds[0].singular, "ox");
  EXPECT_THAT(kinds[0].verbs, ElementsAre("get", "plough"));
  EXPECT_EQ(kinds[1].group, "");
  EXPECT_EQ(kinds[1].version, "v2");
  EXPECT_EQ(kinds[1].list_of, "Cow");
  EXPECT_THAT(kinds[1].verbs, ElementsAre("get", "list", "watch", "create", "update", "patch",
                                          "delete", "deletecollection"));
}

TEST(ReadKinds, Subresources) {
  const absl::Span<const KindInfo> kinds = Read("coxen|/status,gup|/a,c,x|/b,c,,y|/c,c,x,y|\n\n");
  ASSERT_EQ(kinds.size(), 2u);
  const absl::Span<const SubresourceInfo> list = kinds[0].subresources;
  ASSERT_EQ(list.size(), 4u);
  EXPECT_EQ(list[0].name, "status");
  EXPECT_THAT(list[0].verbs, ElementsAre("get", "update", "patch"));
  EXPECT_EQ(list[0].input, "");
  EXPECT_EQ(list[0].result, "");
  EXPECT_EQ(list[1].input, "x");
  EXPECT_EQ(list[1].result, "");
  EXPECT_EQ(list[2].input, "");
  EXPECT_EQ(list[2].result, "y");
  EXPECT_EQ(list[3].input, "x");
  EXPECT_EQ(list[3].result, "y");
}

}  // namespace
}  // namespace kube::table
