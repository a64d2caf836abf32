#include "apimachinery/managedfields/fields_v1_cache.h"

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/fields_v1.h"
#include "apimachinery/managedfields/path_element.h"
#include "gtest/gtest.h"

namespace kube::managedfields {
namespace {

using base::IsOk;
using base::StatusIs;

constexpr absl::string_view kText = R"({"f:a":{},"f:b":{"f:c":{}}})";

// Returns the text of a set of one field whose name has this length.
std::string TextOfLength(size_t length, char letter) {
  return absl::StrCat(R"({"f:)", std::string(length, letter), R"(":{}})");
}

TEST(FieldsV1CacheTest, Decode_KnownText_IsTheSameSet) {
  FieldsV1Cache cache;
  const auto first = cache.Decode(kText);
  ASSERT_THAT(first.status(), IsOk());
  EXPECT_EQ((*first)->text, kText);
  EXPECT_EQ((*first)->fields, *DecodeFieldsV1(kText));
  EXPECT_TRUE((*first)->is_canonical);
  const auto second = cache.Decode(std::string(kText));
  ASSERT_THAT(second.status(), IsOk());
  EXPECT_EQ(*second, *first);
}

TEST(FieldsV1CacheTest, Decode_OtherTextOfASet_IsNotCanonical) {
  FieldsV1Cache cache;
  for (const absl::string_view text :
       {R"({ "f:a": {}, "f:b": {"f:c": {}} })", R"({"f:b":{"f:c":{}},"f:a":{}})"}) {
    const auto decoded = cache.Decode(text);
    ASSERT_THAT(decoded.status(), IsOk());
    EXPECT_EQ((*decoded)->fields, *DecodeFieldsV1(kText));
    EXPECT_FALSE((*decoded)->is_canonical);
    EXPECT_EQ((*decoded)->text, text);
  }
}

TEST(FieldsV1CacheTest, Decode_NoSet_IsAnErrorEachTime) {
  FieldsV1Cache cache;
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(cache.Decode("[]").status(), StatusIs(absl::StatusCode::kInvalidArgument));
  }
}

TEST(FieldsV1CacheTest, Encode_Set_IsKnownByItsText) {
  FieldsV1Cache cache;
  const FieldSet fields = *DecodeFieldsV1(kText);
  const EncodedFieldsPtr encoded = cache.Encode(fields);
  EXPECT_EQ(encoded->text, kText);
  EXPECT_TRUE(encoded->is_canonical);
  const auto decoded = cache.Decode(kText);
  ASSERT_THAT(decoded.status(), IsOk());
  EXPECT_EQ(*decoded, encoded);
  EXPECT_EQ(cache.Encode(fields), encoded);
}

TEST(FieldsV1CacheTest, TextsBeyondTheLimit_AreForgotten_TheOldestFirst) {
  FieldsV1Cache cache(/*max_bytes=*/1000);
  const std::string used = TextOfLength(100, 'u');
  const std::string unused = TextOfLength(100, 'n');
  const auto first_used = cache.Decode(used);
  const auto first_unused = cache.Decode(unused);
  ASSERT_THAT(first_used.status(), IsOk());
  ASSERT_THAT(first_unused.status(), IsOk());
  for (char letter = 'a'; letter < 'm'; ++letter) {
    ASSERT_THAT(cache.Decode(TextOfLength(100, letter)).status(), IsOk());
    EXPECT_EQ(*cache.Decode(used), *first_used) << letter;
  }
  EXPECT_NE(*cache.Decode(unused), *first_unused);
}

TEST(FieldsV1CacheTest, LargeText_IsNotRemembered) {
  FieldsV1Cache cache(/*max_bytes=*/1000);
  const std::string large = TextOfLength(600, 'a');
  const auto first = cache.Decode(large);
  const auto second = cache.Decode(large);
  ASSERT_THAT(first.status(), IsOk());
  ASSERT_THAT(second.status(), IsOk());
  EXPECT_NE(*first, *second);
  EXPECT_EQ((*first)->fields, (*second)->fields);
}

TEST(FieldsV1CacheTest, SeveralThreads_ShareSets) {
  FieldsV1Cache cache(/*max_bytes=*/600);
  base::ThreadGroup group{Context()};
  for (int thread = 0; thread < 4; ++thread) {
    group.Go("cache", [&cache](const Context&) {
      for (int i = 0; i < 200; ++i) {
        const std::string text = TextOfLength(50, static_cast<char>('a' + i % 7));
        const auto decoded = cache.Decode(text);
        if (!decoded.ok()) return decoded.status();
        // Changing a copy must not change what others have.
        FieldSet copy = (*decoded)->fields;
        copy.Insert({PathElement::Field("other")});
        if ((*decoded)->fields.size() != 1 || copy.size() != 2) {
          return absl::InternalError("a shared set was changed");
        }
        if (cache.Encode((*decoded)->fields)->text != text) {
          return absl::InternalError("another text");
        }
      }
      return absl::OkStatus();
    });
  }
  EXPECT_THAT(group.Wait(), IsOk());
}

}  // namespace
}  // namespace kube::managedfields
