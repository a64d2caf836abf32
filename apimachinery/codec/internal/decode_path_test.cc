#include "apimachinery/codec/internal/decode_path.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/table/message.h"
#include "tests/kitchen_sink/kitchen_messages.h"

namespace kube::codec::internal {
namespace {

const kube::table::Message& MessageOf(absl::string_view type) {
  return *oracle::KitchenMessage(type);
}

PathFrame FrameAt(const PathFrame* parent, absl::string_view type, absl::string_view field) {
  const kube::table::Message& message = MessageOf(type);
  for (size_t i = 0; i < message.field_count; ++i) {
    if (message.field_name(message.fields[i]) == field) {
      return {parent, &message, &message.fields[i]};
    }
  }
  KUBE_CHECK(false) << type << " has no field " << field;
  return {};
}

TEST(DecodePathTest, NoFrame) { EXPECT_EQ(PathText(nullptr), ""); }

TEST(DecodePathTest, AtTheStruct) {
  const PathFrame frame{nullptr, &MessageOf("Sink")};
  EXPECT_EQ(PathText(&frame), "");
}

TEST(DecodePathTest, FieldsInFields) {
  const PathFrame spec = FrameAt(nullptr, "Sink", "spec");
  const PathFrame structs = FrameAt(&spec, "SinkSpec", "structs");
  const PathFrame box = FrameAt(&structs, "Structs", "box");
  EXPECT_EQ(PathText(&box), "spec.structs.box");
  const PathFrame inside{&box, &MessageOf("Point")};
  EXPECT_EQ(PathText(&inside), "spec.structs.box");
}

TEST(DecodePathTest, IndicesAndKeys) {
  PathFrame points = FrameAt(nullptr, "Lists", "points");
  points.index = 12;
  PathFrame maps = FrameAt(&points, "Maps", "points");
  maps.key = "a.b/c";
  maps.key_size = 5;
  EXPECT_EQ(PathText(&maps), "points[12].points.a.b/c");
  maps.key_size = 0;
  EXPECT_EQ(PathText(&maps), "points[12].points.");
}

// The lists in the values of a map.
TEST(DecodePathTest, AKeyAndAnIndex) {
  PathFrame frame = FrameAt(nullptr, "Maps", "points");
  frame.key = "k";
  frame.key_size = 1;
  frame.index = 3;
  EXPECT_EQ(PathText(&frame), "points.k[3]");
}

TEST(DecodePathTest, MembersOfFormsHaveNoName) {
  const PathFrame items = FrameAt(nullptr, "Schema", "items");
  PathFrame form = FrameAt(&items, "SchemaOrArray", "schemas");
  form.index = 1;
  const PathFrame type = FrameAt(&form, "Schema", "type");
  EXPECT_EQ(PathText(&type), "items[1].type");
}

}  // namespace
}  // namespace kube::codec::internal
