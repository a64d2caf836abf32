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
  file.header = "foo/types.kube.h";
  file.cpp_namespace = "foo::v1";
  file.structs = {type};
  return file;
}

// The whole of it is compared and compiled in tests/kitchen_sink/golden; tests/kube_library reads
// it.
TEST(PrintSource, HasItsParts) {
  const std::string text = PrintSource(Sample()).value();
  EXPECT_THAT(text, HasSubstr("#include \"foo/types.kube.h\"\n"));
  EXPECT_THAT(text, HasSubstr("    \"Part\"  // 0\n    \"b\"  // 4\n"));
  EXPECT_THAT(text, HasSubstr("static_assert(sizeof(Part) == 48);"));
  EXPECT_THAT(text, HasSubstr("tables_::FieldOf<decltype(Part::b)>({4, 1, tables_::kOmitZero | "
                              "tables_::kNoJson, offsetof(Part, b), 7, 0}),"));
  EXPECT_THAT(text, HasSubstr("tables_::StringListField<decltype(Part::c)>({5, 1, 0, "));
  EXPECT_THAT(text, HasSubstr("MessageWith<1> Part::kMessage = {\n    {\n"));
  EXPECT_THAT(text, HasSubstr("    },\n    {\n        &Other::kMessage,\n    },\n};"));
  // 2 entries; at 2 the group 3 of 2 entries; at 6 the group 4 of 1 entry.
  EXPECT_THAT(text, HasSubstr("Fields<3, 9> kPartFields = {\n    {\n"));
  EXPECT_THAT(text, HasSubstr("    },\n    {2, 32770, 3, 2, 0, 32774, 4, 1, 1},\n};"));
  EXPECT_THAT(text, HasSubstr("        .all_optional = 0,\n"));
  EXPECT_THAT(text, HasSubstr("        .wire_start = tables_::kWireAfterFields,\n"));
}

TEST(PrintSource, TwinsAreAllOptional) {
  File file = Sample();
  file.header = "foo/types.applies.kube.h";
  file.structs[0].twin_of = "Whole";
  const std::string text = PrintSource(file).value();
  EXPECT_THAT(text, HasSubstr("#include \"foo/types.applies.kube.h\"\n"));
  EXPECT_THAT(text, HasSubstr("        .all_optional = 1,\n"));
}

TEST(PrintSource, WireInOrderHasNoTable) {
  struct Row {
    const char* name;
    std::vector<int> members;
    const char* size;
    const char* start;
  };
  for (const Row& row :
       std::vector<Row>{{"all", {0, 1, 2}, "<3, 0>", "0"},
                        {"later ones", {1, 2}, "<3, 0>", "1"},
                        {"the last", {2}, "<3, 0>", "2"},
                        {"a gap", {0, 2}, "<3, 2>", "tables_::kWireAfterFields"},
                        {"another order", {1, 0}, "<3, 2>", "tables_::kWireAfterFields"}}) {
    SCOPED_TRACE(row.name);
    File file = Sample();
    file.structs[0].wire.clear();
    for (const int member : row.members) file.structs[0].wire.push_back({1, member, {}});
    const std::string text = PrintSource(file).value();
    EXPECT_THAT(text, HasSubstr(absl::StrCat("Fields", row.size, " kPartFields")));
    EXPECT_THAT(text, HasSubstr(absl::StrCat("        .wire_start = ", row.start, ",\n")));
  }
}

TEST(PrintSource, WireInOrderHasALimit) {
  for (const int size : {128, 129}) {
    File file = Sample();
    Struct& type = file.structs[0];
    type.wire.clear();
    type.members.clear();
    for (int i = 0; i < size; ++i) {
      type.members.push_back(Named(absl::StrCat("m", i)));
      type.wire.push_back({i + 1, i, {}});
    }
    const std::string text = PrintSource(file).value();
    const std::string own = absl::StrCat("Fields<", size, ", ", size == 128 ? 0 : size, ">");
    EXPECT_THAT(text, HasSubstr(own));
  }
}

TEST(PrintSource, EmptyStructsHaveNoTables) {
  File file = Sample();
  file.structs[0].members.clear();
  file.structs[0].wire.clear();
  const std::string text = PrintSource(file).value();
  EXPECT_THAT(text, HasSubstr("        .fields = nullptr,\n        .names = kNames,\n"));
}

TEST(PrintSource, AtomicStructs) {
  for (const bool is_atomic : {false, true}) {
    File file = Sample();
    file.structs[0].is_atomic = is_atomic;
    EXPECT_THAT(PrintSource(file).value(),
                HasSubstr(absl::StrCat("        .is_atomic = ", is_atomic ? "1" : "0",
                                       ",\n        .reserved = {},\n    },\n")));
  }
}

TEST(PrintSource, NamesHaveALimit) {
  File file = Sample();
  std::vector<Member>& members = file.structs[0].members;
  const auto add_longest = [&members] {
    members.push_back(Named(absl::StrCat(std::string(252, 'n'), 100 + members.size())));
  };
  while (members.size() < 259) add_longest();
  EXPECT_TRUE(PrintSource(file).ok());
  add_longest();
  EXPECT_EQ(PrintSource(file).status().message(),
            "names take 65541 bytes, more than the limit of 65519 bytes: split the file");
}

TEST(PrintSource, NamesOfSeveralStructsMayBeInSeveralPools) {
  File file = Sample();
  file.structs.assign(3, file.structs[0]);
  for (size_t i = 0; i < file.structs.size(); ++i) {
    Struct& type = file.structs[i];
    type.name = type.type_name = absl::StrCat("Part", i);
    type.wire.clear();
    for (int k = 0; k < 120; ++k) {
      type.members.push_back(Named(absl::StrCat(std::string(250, 'n'), i, 100 + k)));
    }
  }
  const std::string text = PrintSource(file).value();
  EXPECT_THAT(text, HasSubstr(" constexpr char kNames[] =\n"));
  EXPECT_THAT(text, HasSubstr(" constexpr char kNames2[] =\n"));
  EXPECT_THAT(text,
              HasSubstr("        .fields = kPart1Fields.fields,\n        .names = kNames,\n"));
  EXPECT_THAT(text,
              HasSubstr("        .fields = kPart2Fields.fields,\n        .names = kNames2,\n"));
}

TEST(PrintSource, TheMemberOfUnknownFields) {
  File file = Sample();
  file.structs[0].members[2].no_json = file.structs[0].members[2].unknown_fields = true;
  EXPECT_THAT(PrintSource(file).value(),
              HasSubstr("tables_::kNoJson | tables_::kUnknownFields, offsetof(Part, c)"));
}

}  // namespace
}  // namespace kube::codegen
