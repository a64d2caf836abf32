#include "codegen/source.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "codegen/model.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

using testing::HasSubstr;

Member Named(const std::string& name) {
  Member member;
  member.name = member.json_name = name;
  return member;
}

File Sample() {
  Struct type;
  type.name = type.type_name = "Part";
  type.json_form = "kObject";
  type.size = 48;
  type.members = {Named("a"), Named("b"), Named("c")};
  type.members[0].sub = "Other";
  type.members[1].omit_zero = type.members[1].no_json = true;
  type.members[1].number = 7;
  type.members[2].is_string_list = true;
  type.wire = {
      {.number = 1, .member = 2},
      {.number = 3, .group = {{.number = 2, .member = 0}, {.number = 4, .group = {{5, 1, {}}}}}}};
  File file;
  file.proto_path = "foo/types.proto";
  file.cpp_namespace = "foo::v1";
  file.structs = {type};
  return file;
}

// The whole of it is compared and compiled in tests/kitchen_sink/golden; tests/kube_library reads
// it.
TEST(PrintSource, HasItsParts) {
  std::string text, problem;
  ASSERT_TRUE(PrintSource(Sample(), text, problem));
  EXPECT_THAT(text, HasSubstr("#include \"foo/types.kube.h\"\n"));
  EXPECT_THAT(text, HasSubstr("    \"Part\"  // 0\n    \"a\"  // 4\n"));
  EXPECT_THAT(text, HasSubstr("static_assert(sizeof(Part) == 48);"));
  EXPECT_THAT(text, HasSubstr("tables_::FieldOf<decltype(Part::b)>({5, 1, tables_::kOmitZero | "
                              "tables_::kNoJson, offsetof(Part, b), 7, 0}),"));
  EXPECT_THAT(text, HasSubstr("tables_::StringListField<decltype(Part::c)>({6, 1, 0, "));
  EXPECT_THAT(text, HasSubstr("kPartSubs[] = {\n    &Other::kMessage,\n};"));
  // 2 entries; at 2 the group 3 of 2 entries; at 6 the group 4 of 1 entry.
  EXPECT_THAT(text, HasSubstr("kPartWire[] = {2, 32770, 3, 2, 0, 32774, 4, 1, 1};"));
}

TEST(PrintSource, EmptyStructsHaveNoTables) {
  File file = Sample();
  file.structs[0].members.clear();
  file.structs[0].wire.clear();
  std::string text, problem;
  ASSERT_TRUE(PrintSource(file, text, problem));
  EXPECT_THAT(text, HasSubstr("    .fields = nullptr,\n    .subs = nullptr,\n    .names = kNames,\n"
                              "    .wire = nullptr,\n"));
}

TEST(PrintSource, NamesHaveALimit) {
  File file = Sample();
  std::vector<Member>& members = file.structs[0].members;
  const auto add_longest = [&members] {
    members.push_back(Named(absl::StrCat(std::string(252, 'n'), 100 + members.size())));
  };
  while (members.size() < 259) add_longest();
  std::string text, problem;
  EXPECT_TRUE(PrintSource(file, text, problem)) << problem;
  add_longest();
  EXPECT_FALSE(PrintSource(file, text, problem));
  EXPECT_EQ(problem, "the names in it take 65542 bytes, and at most 65519 can be: divide the file");
}

}  // namespace
}  // namespace kube::codegen
