#include "apimachinery/managedfields/differential/random_writes.h"

#include <cstdint>

#include "apimachinery/managedfields/schema.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "gtest/gtest.h"

namespace kube::managedfields {
namespace {

Subject Thing() {
  return {.schema = "deduced",
          .kind = "Thing",
          .versions = {{"example.com/v1", &DeducedSchema()}, {"example.com/v2", &DeducedSchema()}},
          .renamed = {{"example.com/v1", "size"}, {"example.com/v2", "count"}}};
}

TEST(RandomWritesTest, TheSameSeedMakesTheSameWritesAndResults) {
  const Subject thing = Thing();
  int64_t first_clock = kClockStart;
  int64_t second_clock = kClockStart;
  const Sequence first = SequenceMaker(&thing, 3, {}, &first_clock).Make({});
  const Sequence second = SequenceMaker(&thing, 3, {}, &second_clock).Make({});
  EXPECT_EQ(first.question.text, second.question.text);
  EXPECT_EQ(first.results, second.results);
  EXPECT_GT(first_clock, kClockStart);
}

TEST(RandomWritesTest, ConversionsCanBeReversed) {
  const Subject thing = Thing();
  const SubjectConverter converter(&thing);
  const unstructured::Value object =
      Map<unstructured::Value>{{"apiVersion", "example.com/v1"},
                               {"spec", Map<unstructured::Value>{{"size", 1}, {"other", true}}}};
  const unstructured::Value converted = converter.Convert(object, "example.com/v2").value();
  EXPECT_EQ(converted["spec"]["count"].integer(), 1);
  EXPECT_TRUE(converted["spec"]["size"].is_null());
  EXPECT_EQ(converter.Convert(converted, "example.com/v1").value(), object);
  EXPECT_EQ(converter.SchemaOf("example.com/v3"), nullptr);
}

}  // namespace
}  // namespace kube::managedfields
