#include "apimachinery/unstructured/decode_unstructured.h"

#include <variant>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/schema/missing_kind.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::unstructured {
namespace {

using base::StatusIs;
using ::testing::HasSubstr;

TEST(DecodeUnstructuredTest, Decode_NoObjectOrNoKind_IsInvalidArgument) {
  EXPECT_EQ(DecodeUnstructured(R"({"kind":"Pod"})")->kind(), "Pod");
  for (const absl::string_view text : {"{}", "null", R"({"kind":""})", R"({"kind":1})",
                                       R"({"kind":"Pod","apiVersion":"a/b/c"})"}) {
    const absl::Status status = DecodeUnstructured(text).status();
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument,
                                 "decode Unstructured: Object 'Kind' is missing in 'the object'"))
        << text;
    EXPECT_TRUE(schema::IsMissingKind(status)) << text;
    EXPECT_TRUE(schema::IsMissingKind(DecodeUnstructuredOrList(text).status())) << text;
  }
  EXPECT_THAT(DecodeUnstructured("[]"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "decode Unstructured: expected an object (line 1, column 1)"));
  EXPECT_THAT(DecodeUnstructured(R"({"kind":"Pod","spec":[{"a":x}]})"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "decode Unstructured: spec[0].a: expected a value (line 1, column 28)"));
}

TEST(DecodeUnstructuredTest, DecodeList_ItemsWithoutKind_GetTheKindOfTheList) {
  const absl::StatusOr<UnstructuredList> list = DecodeUnstructuredList(
      R"({"kind":"PodList","apiVersion":"v1","items":[{},{"kind":"A"},{"apiVersion":"b"},null]})");
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_EQ(codec::EncodeJson(*list).value(),
            R"({"apiVersion":"v1","items":[{"apiVersion":"v1","kind":"Pod"},{"kind":"A"},)"
            R"({"apiVersion":"b"},{"apiVersion":"v1","kind":"Pod"}],"kind":"PodList"})");
  EXPECT_EQ(codec::EncodeJson(*DecodeUnstructuredList(R"({"kind":"L","items":null})")).value(),
            R"({"items":[],"kind":"L"})");
  EXPECT_THAT(DecodeUnstructuredList(R"({"items":[]})"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "decode UnstructuredList: Object 'Kind' is missing in 'the object'"));
  EXPECT_TRUE(schema::IsMissingKind(DecodeUnstructuredOrList(R"({"items":[]})").status()));
  EXPECT_THAT(
      DecodeUnstructuredList(R"({"kind":"L","items":[1]})"),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("items[0]: expected an object")));
}

TEST(DecodeUnstructuredTest, DecodeObjectOrList_WithItems_IsAList) {
  EXPECT_TRUE(std::holds_alternative<UnstructuredList>(
      DecodeUnstructuredOrList(R"({"kind":"L","items":[]})").value()));
  EXPECT_TRUE(std::holds_alternative<UnstructuredList>(
      DecodeUnstructuredOrList(R"({"kind":"L","items":null})").value()));
  EXPECT_TRUE(
      std::holds_alternative<Unstructured>(DecodeUnstructuredOrList(R"({"kind":"L"})").value()));
  EXPECT_FALSE(DecodeUnstructuredOrList(R"({"kind":"L","items":{}})").ok());
  EXPECT_FALSE(DecodeUnstructuredOrList("{}").ok());
}

}  // namespace
}  // namespace kube::unstructured
