#include "apimachinery/codec/internal/field_names.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/table/message.h"
#include "tests/kitchen_sink/kitchen_messages.h"

namespace kube::codec::internal {
namespace {

uint32_t FindQuoted(const kube::table::Message& message, uint32_t next, absl::string_view name) {
  const PaddedBuffer text(absl::StrCat(name, "\":1}"));
  return FindQuotedField(message, next, text.data());
}

TEST(FieldNamesTest, EveryFieldFromEverywhere) {
  for (const absl::string_view type : {"LongNames", "Wide", "JsonNames", "Never", "Keywords"}) {
    const kube::table::Message& message = *oracle::KitchenMessage(type);
    for (uint32_t i = 0; i < message.field_count; ++i) {
      const std::string name(message.field_name(message.fields[i]));
      EXPECT_EQ(FindField(message, name), i) << name;
      for (uint32_t next = 0; next <= message.field_count; ++next) {
        EXPECT_EQ(FindQuoted(message, next, name), i) << name;
      }
    }
  }
}

TEST(FieldNamesTest, NamesThatAreNearAreOthers) {
  const kube::table::Message& message = *oracle::KitchenMessage("LongNames");
  for (uint32_t i = 0; i < message.field_count; ++i) {
    const std::string name(message.field_name(message.fields[i]));
    for (size_t at = 0; at < name.size(); ++at) {
      std::string other = name;
      other[at] = '~';
      EXPECT_EQ(FindQuoted(message, i, other), message.field_count) << other;
      EXPECT_EQ(FindField(message, other), message.field_count) << other;
    }
    for (const std::string& other : {name + "~", "~" + name, name + "\\", std::string()}) {
      EXPECT_EQ(FindQuoted(message, i, other), message.field_count) << other;
      EXPECT_EQ(FindField(message, other), message.field_count) << other;
    }
  }
}

TEST(FieldNamesTest, LongNamesAreNotSoughtBehindTheText) {
  const std::string name(200, 'a');
  const std::string names = name + std::string(16, '\0');
  kube::table::Field field = {};
  field.name_size = 200;
  kube::table::Message message = {};
  message.fields = &field;
  message.names = names.c_str();
  message.field_count = 1;
  EXPECT_EQ(FindQuoted(message, 0, name), 0);
  EXPECT_EQ(FindQuoted(message, 0, name + "a"), 1);
  for (size_t size = 0; size < name.size(); ++size) {
    EXPECT_EQ(FindQuoted(message, 0, name.substr(0, size)), 1);
    // The text ends within the name, and the memory with the padding.
    const auto text = std::make_unique<char[]>(size + PaddedBuffer::kPadding);
    std::memcpy(text.get(), name.data(), size);
    std::memcpy(text.get() + size, PaddedBuffer().data(), PaddedBuffer::kPadding);
    EXPECT_EQ(FindQuotedField(message, 0, text.get()), 1) << size;
  }
}

TEST(FieldNamesTest, FieldsThatAreNotInJson) {
  const kube::table::Message& message = *oracle::KitchenMessage("OneFormat");
  EXPECT_EQ(FindField(message, "onlyWire"), message.field_count);
  EXPECT_NE(FindField(message, "onlyJson"), message.field_count);
}

}  // namespace
}  // namespace kube::codec::internal
