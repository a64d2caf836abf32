#include "codegen/twins.h"

#include <google/protobuf/descriptor.h>

#include "codegen/testing/sample_idl.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

TEST(HasTwin, StructsExceptListsOfKinds) {
  SampleIdl idl;
  const auto& file = idl.AddBody("row", R"(
message Row { option (kube.kind) = {scope: NAMESPACED plural: "rows"}; RowSpec spec = 1; }
message RowSpec { kube.Time time = 1; }
message Options { option (kube.kind) = {}; }
message RowList { option (kube.kind) = {list_of: "Row"}; repeated Row items = 1; }
message Names { option (kube.struct).list = true; repeated string items = 1; }
)");
  for (const char* name : {"Row", "RowSpec", "Options"}) {
    EXPECT_TRUE(HasTwin(*file.FindMessageTypeByName(name))) << name;
  }
  for (const char* name : {"RowList", "Names"}) {
    EXPECT_FALSE(HasTwin(*file.FindMessageTypeByName(name))) << name;
  }
  EXPECT_FALSE(HasTwin(*file.FindMessageTypeByName("RowSpec")->field(0)->message_type()));
}

TEST(IsInTwin, FieldsThatCanBeApplied) {
  SampleIdl idl;
  const auto& file = idl.AddBody("row", R"(
message ObjectMeta {
  string name = 1; string uid = 2; string self_link = 3; repeated string managed_fields = 4;
}
message Other {
  string self_link = 1; repeated string managed_fields = 2;
  string secret = 3 [(kube.field).no_json = true]; string text = 4 [(kube.field).no_wire = true];
}
)");
  const struct {
    const char* message;
    const char* field;
    bool want;
  } kRows[] = {
      {"ObjectMeta", "name", true},       {"ObjectMeta", "uid", true},
      {"ObjectMeta", "self_link", false}, {"ObjectMeta", "managed_fields", false},
      {"Other", "self_link", true},       {"Other", "managed_fields", true},
      {"Other", "secret", false},         {"Other", "text", true},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(IsInTwin(*file.FindMessageTypeByName(row.message)->FindFieldByName(row.field)),
              row.want)
        << row.message << "." << row.field;
  }
}

TEST(StructOf, FieldsElementsAndValues) {
  SampleIdl idl;
  const auto& file = idl.AddBody("row", R"(
message M {
  M a = 1; repeated M b = 2; map<string, M> c = 3;
  string d = 4; kube.Time e = 5; map<string, kube.Time> f = 6; Names g = 7;
}
message Names { option (kube.struct).list = true; repeated string items = 1; }
)");
  const auto& message = *file.message_type(0);
  for (int i = 0; i < message.field_count(); ++i) {
    EXPECT_EQ(StructOf(*message.field(i)), i < 3 ? &message : nullptr) << message.field(i)->name();
  }
}

}  // namespace
}  // namespace kube::codegen
