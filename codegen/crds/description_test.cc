#include "codegen/crds/description.h"

#include <google/protobuf/descriptor.h>

#include <string>

#include "codegen/testing/sample_idl.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

TEST(DescriptionOf, IsTheCommentBeforeOrElseBehindWithoutItsMargin) {
  SampleIdl idl;
  const google::protobuf::FileDescriptor& file = idl.AddBody("a", R"(
// A box.
//
//   of things
// ---
// For programmers.
message Box {
  // Its name.
  string name = 1;
  string size = 2;  // Its size.
  // Before.
  string both = 3;  // Behind.
  string none = 4;
}
)");
  const google::protobuf::Descriptor& box = *file.message_type(0);
  EXPECT_EQ(DescriptionOf(box), "A box.\n\n  of things");
  EXPECT_EQ(DescriptionOf(*box.field(0)), "Its name.");
  EXPECT_EQ(DescriptionOf(*box.field(1)), "Its size.");
  EXPECT_EQ(DescriptionOf(*box.field(2)), "Before.");
  EXPECT_EQ(DescriptionOf(*box.field(3)), "");
}

}  // namespace
}  // namespace kube::codegen
