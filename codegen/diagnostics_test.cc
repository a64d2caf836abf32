#include "codegen/diagnostics.h"

#include "codegen/testing/sample_idl.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

using testing::ElementsAre;

TEST(Diagnostics, NameThePlace) {
  SampleIdl idl;
  const auto& file = idl.AddBody("row", R"(
message M {
  string f = 1; oneof o {
    string a = 2; }
  enum E { Z = 0; }
}
service S {}
)");
  Diagnostics diagnostics;
  EXPECT_TRUE(diagnostics.empty());
  diagnostics.Error(*file.message_type(0), "message");
  diagnostics.Error(*file.message_type(0)->field(0), "field");
  diagnostics.Error(*file.message_type(0)->oneof_decl(0), "oneof");
  diagnostics.Error(*file.message_type(0)->enum_type(0), "enum");
  diagnostics.Error(*file.service(0), "service");
  diagnostics.Error(file, {}, "file");
  diagnostics.Error(file, {2}, "package");
  EXPECT_THAT(diagnostics.errors(),
              ElementsAre("test/row.proto:3:1: message", "test/row.proto:4:3: field",
                          "test/row.proto:4:17: oneof", "test/row.proto:6:3: enum",
                          "test/row.proto:8:1: service", "test/row.proto:1:1: file",
                          "test/row.proto:1:20: package"));
}

TEST(Diagnostics, EachOnce) {
  SampleIdl idl;
  const auto& file = idl.AddBody("row", "");
  Diagnostics one, other;
  one.Error(file, {}, "a");
  one.Error(file, {}, "a");
  other.Error(file, {}, "b");
  other.Error(file, {}, "a");
  one.Merge(other);
  EXPECT_THAT(one.errors(), ElementsAre("test/row.proto:1:1: a", "test/row.proto:1:1: b"));
}

}  // namespace
}  // namespace kube::codegen
