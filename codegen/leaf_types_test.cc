#include "codegen/leaf_types.h"

#include <google/protobuf/descriptor.h>

#include "codegen/testing/sample_idl.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

// The generated code checks sizes and headers when it is compiled.
TEST(FindLeafType, ScalarsAndTheMessagesOfTypesProto) {
  SampleIdl idl;
  const auto& file = idl.AddBody("row", R"(
message M {
  string a = 1; bytes b = 2; bool c = 3; int32 d = 4; int64 e = 5; double f = 6;
  kube.Time g = 7; kube.MicroTime h = 8; kube.Duration i = 9; kube.Quantity j = 10;
  kube.IntOrString k = 11; kube.RawExtension l = 12; kube.FieldsV1 m = 13; kube.RawJson n = 14;
  repeated string o = 15; kube.Value p = 16;
}
message Others {
  float a = 1; uint32 b = 2; sint64 c = 3; fixed32 d = 4; M e = 5; Time f = 6;
}
message Time {}
)");
  const char* kNames[] = {"::kube::String",
                          "::kube::Bytes",
                          "bool",
                          "int32_t",
                          "int64_t",
                          "double",
                          "::kube::Time",
                          "::kube::MicroTime",
                          "::kube::Duration",
                          "::kube::Quantity",
                          "::kube::IntOrString",
                          "::kube::RawExtension",
                          "::kube::FieldsV1",
                          "::kube::RawJson",
                          "::kube::String",
                          "::kube::unstructured::Value"};
  const auto& leaves = *file.FindMessageTypeByName("M");
  for (int i = 0; i < leaves.field_count(); ++i) {
    const LeafType* type = FindLeafType(*leaves.field(i));
    ASSERT_NE(type, nullptr) << kNames[i];
    EXPECT_EQ(type->name, kNames[i]);
  }
  const auto& others = *file.FindMessageTypeByName("Others");
  for (int i = 0; i < others.field_count(); ++i) {
    EXPECT_EQ(FindLeafType(*others.field(i)), nullptr) << others.field(i)->name();
  }
}

TEST(Messages, ThatAreNoStructs) {
  SampleIdl idl;
  const auto& file = idl.AddBody("row", R"(
message Names { option (kube.struct).list = true; repeated string items = 1; }
message M { kube.Time time = 1; }
)");
  EXPECT_TRUE(IsListMessage(*file.message_type(0)));
  EXPECT_FALSE(IsListMessage(*file.message_type(1)));
  EXPECT_FALSE(IsLeafMessage(*file.message_type(1)));
  EXPECT_TRUE(IsLeafMessage(*file.message_type(1)->field(0)->message_type()));
}

TEST(HoldsValues, InAnyShape) {
  SampleIdl idl;
  const auto& file = idl.AddBody("row", R"(
message Value {}
message M {
  kube.Value a = 1; repeated kube.Value b = 2; map<string, kube.Value> c = 3;
  Value d = 4; kube.RawJson e = 5; string f = 6; map<string, string> g = 7;
}
)");
  const auto& message = *file.FindMessageTypeByName("M");
  for (int i = 0; i < message.field_count(); ++i) {
    EXPECT_EQ(HoldsValues(*message.field(i)), i < 3) << message.field(i)->name();
  }
}

TEST(IsOfRelease, FilesWithItsNumber) {
  SampleIdl idl;
  EXPECT_TRUE(IsOfRelease(
      idl.AddBody("release", "option (kube.group_version) = {version: 'v1' release: '1.36'};")));
  EXPECT_FALSE(IsOfRelease(idl.AddBody("own", "option (kube.group_version) = {version: 'v1'};")));
  EXPECT_FALSE(IsOfRelease(idl.AddBody("plain", "")));
}

}  // namespace
}  // namespace kube::codegen
