#include "apimachinery/unstructured/decode_unstructured_cbor.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/schema/missing_kind.h"
#include "apimachinery/unstructured/cbor.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"

namespace kube::unstructured {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;

std::string CborOf(absl::string_view json) { return EncodeCbor(ParseJson(json).value()).value(); }

// behaviour.md: COD-20
TEST(DecodeUnstructuredCborTest, Object) {
  const std::string cbor =
      CborOf(R"({"apiVersion":"v1","kind":"A","metadata":{"name":"a"},"n":1.0})");
  const absl::StatusOr<Unstructured> object = DecodeUnstructuredCbor(cbor);
  ASSERT_THAT(object, base::IsOk());
  EXPECT_EQ(object->name(), "a");
  EXPECT_TRUE(object->object.find("n")->is_double());
  EXPECT_THAT(EncodeCbor(object->object), IsOkAndHolds(cbor));
}

// behaviour.md: COD-20
TEST(DecodeUnstructuredCborTest, RefusesObjects) {
  EXPECT_TRUE(schema::IsMissingKind(DecodeUnstructuredCbor(CborOf("null")).status()));
  EXPECT_TRUE(schema::IsMissingKind(
      DecodeUnstructuredCbor(CborOf(R"({"kind":"A","apiVersion":"a/b/c"})")).status()));
  EXPECT_TRUE(schema::IsMissingVersion(DecodeUnstructuredCbor(CborOf(R"({"kind":"A"})")).status()));
  EXPECT_THAT(
      DecodeUnstructuredCbor(CborOf("[]")),
      StatusIs(absl::StatusCode::kInvalidArgument, "decode Unstructured: the CBOR is not a map"));
  EXPECT_THAT(DecodeUnstructuredCbor("{}"), StatusIs(absl::StatusCode::kInvalidArgument));
}

// behaviour.md: COD-20
TEST(DecodeUnstructuredCborTest, List) {
  const absl::StatusOr<UnstructuredList> list = DecodeUnstructuredListCbor(
      CborOf(R"({"apiVersion":"v1","kind":"PodList","metadata":{"resourceVersion":"7"},)"
             R"("items":[{"metadata":{"name":"a"}},{"apiVersion":"b","kind":"B"}]})"));
  ASSERT_THAT(list, base::IsOk());
  EXPECT_THAT(codec::EncodeJson(*list),
              IsOkAndHolds(std::string(
                  R"({"apiVersion":"v1","items":[{"apiVersion":"v1","kind":"Pod","metadata":)"
                  R"({"name":"a"}},{"apiVersion":"b","kind":"B"}],"kind":"PodList",)"
                  R"("metadata":{"resourceVersion":"7"}})")));
}

// behaviour.md: COD-20
TEST(DecodeUnstructuredCborTest, RefusesLists) {
  struct Row {
    const char* json;
    const char* message;
  };
  for (const Row& row : {
           Row{R"({"apiVersion":"v1","kind":"L","items":{}})",
               "decode UnstructuredList: items is not an array"},
           Row{R"({"apiVersion":"v1","kind":"L","items":null})",
               "decode UnstructuredList: items is not an array"},
           Row{R"({"apiVersion":"v1","kind":"L","items":[1]})",
               "decode UnstructuredList: an item is not a map"},
           Row{R"({"apiVersion":"v1","kind":"L","metadata":1})",
               "decode UnstructuredList: metadata is not a map"},
       }) {
    EXPECT_THAT(DecodeUnstructuredListCbor(CborOf(row.json)),
                StatusIs(absl::StatusCode::kInvalidArgument, row.message));
  }
  EXPECT_TRUE(schema::IsMissingVersion(
      DecodeUnstructuredListCbor(CborOf(R"({"apiVersion":"v1","kind":"L","items":[{"kind":"A"}]})"))
          .status()));
  EXPECT_TRUE(schema::IsMissingKind(
      DecodeUnstructuredListCbor(
          CborOf(R"({"apiVersion":"v1","kind":"L","items":[{"apiVersion":"v1","kind":1}]})"))
          .status()));
  EXPECT_TRUE(
      schema::IsMissingKind(DecodeUnstructuredListCbor(CborOf(R"({"items":[]})")).status()));
}

}  // namespace
}  // namespace kube::unstructured
