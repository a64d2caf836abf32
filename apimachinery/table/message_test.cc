#include "apimachinery/table/message.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/types/bytes.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "apimachinery/types/testing/part.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::table {
namespace {

using ::testing::IsNull;

TEST(MessageTest, NamesAreInTheLibrarysText) {
  const Message& message = Part::kMessage;
  EXPECT_EQ(message.type_name(), "Part");
  EXPECT_EQ(message.field_name(message.fields[0]), "name");
  EXPECT_EQ(message.field_name(message.fields[message.field_count - 1]), "index");
}

TEST(MessageTest, OnlyFieldsOfMessagesHaveASub) {
  const Message& message = Part::kMessage;
  for (size_t i = 0; i < message.field_count; ++i) {
    const Field& field = message.fields[i];
    SCOPED_TRACE(std::string(message.field_name(field)));
    if (field.kind != Kind::kMessage) {
      EXPECT_THAT(message.sub(field), IsNull());
    } else {
      EXPECT_TRUE(message.sub(field) == &Part::kMessage || message.sub(field) == &Size::kMessage);
    }
  }
}

TEST(MessageTest, ThePresenceIsBehindTheValue) {
  const Field field = {.name = 0,
                       .name_size = 0,
                       .flags = 0,
                       .offset = 24,
                       .element_size = sizeof(int32_t),
                       .number = 0,
                       .kind = Kind::kInt32,
                       .shape = Shape::kOpt,
                       .sub = 0,
                       .storage = Storage::kNone,
                       .reserved = 0};
  EXPECT_EQ(field.presence_offset(), 28u);
}

TEST(MergeRulesTest, StandBehindTheName) {
  std::string names = "ports\x21\x0d";
  names += "containerPort\x16";
  names += "containerPort,protocol\x07";
  names += "0,\"TCP\"";
  names += "env";
  names += "plain\x04";
  names.append(2, '\0');
  // Not defaults: only a list of type map has them.
  names += "\x04tail";
  Message message{};
  message.names = names.data();
  Field field{};
  field.name = 0;
  field.name_size = 5;
  field.flags = kHasMerge | kOmitEmpty;
  const MergeRules ports = MergeRulesOf(message, field);
  EXPECT_EQ(ports.strategy, MergeRules::kMerge | MergeRules::kListMap);
  EXPECT_EQ(ports.merge_key, "containerPort");
  EXPECT_EQ(ports.list_map_keys, "containerPort,protocol");
  EXPECT_EQ(ports.list_map_defaults, "0,\"TCP\"");

  field.name = static_cast<uint16_t>(names.find("plain"));
  const MergeRules plain = MergeRulesOf(message, field);
  EXPECT_EQ(plain.strategy, MergeRules::kReplace);
  EXPECT_EQ(plain.merge_key, "");
  EXPECT_EQ(plain.list_map_keys, "");
  EXPECT_EQ(plain.list_map_defaults, "");

  field.flags = kOmitEmpty;
  const MergeRules none = MergeRulesOf(message, field);
  EXPECT_EQ(none.strategy, 0);
  EXPECT_EQ(none.merge_key, "");
}

TEST(MergeRulesTest, KeysMayBeLong) {
  const std::string key(200, 'k');
  const std::string names = std::string("x\x01\xc8") + key + std::string(1, '\0');
  Message message{};
  message.names = names.data();
  Field field{};
  field.name_size = 1;
  field.flags = kHasMerge;
  EXPECT_EQ(MergeRulesOf(message, field).merge_key, key);
}

TEST(TypeOfTest, KnowsItsKindAndSize) {
  EXPECT_EQ(TypeOf<bool>().kind, Kind::kBool);
  EXPECT_EQ(TypeOf<int32_t>().kind, Kind::kInt32);
  EXPECT_EQ(TypeOf<int64_t>().kind, Kind::kInt64);
  EXPECT_EQ(TypeOf<double>().kind, Kind::kDouble);
  EXPECT_EQ(TypeOf<String>().kind, Kind::kString);
  EXPECT_EQ(TypeOf<Bytes>().kind, Kind::kBytes);
  EXPECT_EQ(TypeOf<List<String>>().kind, Kind::kStringList);
  EXPECT_EQ(TypeOf<String>().size, sizeof(String));
  EXPECT_EQ(TypeOf<List<String>>().size, sizeof(List<String>));
  EXPECT_EQ(TypeOf<Part>().kind, Kind::kMessage);
  EXPECT_EQ(TypeOf<Part>().size, sizeof(Part));
  EXPECT_EQ(TypeOf<Part>().message, &Part::kMessage);
}

}  // namespace
}  // namespace kube::table
