#include "codegen/twins.h"

#include <google/protobuf/descriptor.h>

#include "codegen/testing/sample_idl.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

TEST(Twins, OfWhatIsReachedInTheSameFile) {
  SampleIdl idl;
  idl.AddBody("base", R"(
message Base { BasePart part = 1; }
message BasePart {}
message Marked { option (kube.struct).apply_configuration = true; repeated MarkedPart parts = 1; }
message MarkedPart {}
)");
  const auto& file = idl.Add("row.proto", R"(syntax = "proto3"; package row.v1;
import "kube/options.proto"; import "test/base.proto";
message Root {
  option (kube.struct).apply_configuration = true;
  map<string, InMap> map = 1; repeated InList list = 2; optional Root self = 3;
  test.v1.Base base = 4; test.v1.Marked marked = 5;
}
message InMap { Deep deep = 1; }
message InList {}
message Deep {}
message Apart { Deep deep = 1; }
)");
  Twins twins;
  for (const char* name : {"Root", "InMap", "InList", "Deep"}) {
    EXPECT_TRUE(twins.Has(*file.FindMessageTypeByName(name))) << name;
  }
  EXPECT_FALSE(twins.Has(*file.FindMessageTypeByName("Apart")));
  const auto& base = *file.dependency(1);
  for (const char* name : {"Marked", "MarkedPart"}) {
    EXPECT_TRUE(twins.Has(*base.FindMessageTypeByName(name))) << name;
  }
  for (const char* name : {"Base", "BasePart"}) {
    EXPECT_FALSE(twins.Has(*base.FindMessageTypeByName(name))) << name;
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
