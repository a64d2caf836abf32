#include "apiserver/encoding/restore_error.h"

#include <string>
#include <vector>

#include "api/apiextensions/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

TEST(RestoreError, IsUpstreams) {
  struct Row {
    std::string json, error;
  };
  const std::vector<Row> rows = {
      {R"({"metadata":{"labels":{"a":"b"}},"spec":{"hostNetwork":true,"priority":7}})", ""},
      {R"({"metadata":null,"spec":{"containers":null}})", ""},
      {R"("x")", "cannot restore struct from: string"},
      {R"({"metadata":["x"]})", "cannot restore struct from: slice"},
      {R"({"metadata":{"labels":"x"}})", "cannot restore map from string"},
      {R"({"metadata":{"labels":7}})", "cannot restore map from int64"},
      {R"({"metadata":{"labels":{"a":{}}}})", "unrecognized type: string"},
      {R"({"metadata":{"labels":{"a":7}}})", "cannot convert int64 to string"},
      {R"({"metadata":{"finalizers":{}}})", "cannot restore slice from map"},
      {R"({"metadata":{"ownerReferences":[true]}})", "cannot restore struct from: bool"},
      {R"({"spec":{"priority":"x"}})", "unrecognized type: int32"},
      {R"({"spec":{"priority":1.5}})", "cannot convert float64 to int32"},
      {R"({"spec":{"priority":1.0}})", ""},
      {R"({"spec":{"hostNetwork":1}})", "unrecognized type: bool"},
      // The first member in the order of the struct counts.
      {R"({"spec":{"hostNetwork":1},"metadata":{"labels":"x"}})", "cannot restore map from string"},
      // The decoder says what is wrong with these.
      {R"({"metadata":{"creationTimestamp":7}})", ""},
      {R"({"bogus":7})", ""},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(RestoreError(*unstructured::ParseJson(row.json), api::core::v1::Pod::kMessage),
              row.error)
        << row.json;
  }
}

TEST(RestoreError, DoesNotGoDeeperThanTheDecoder) {
  const auto nested = [](int structs) {
    std::string json = R"({"type":7})";
    for (int i = 0; i < structs; ++i) json = R"({"not":)" + json + "}";
    return RestoreError(*unstructured::ParseJson(json),
                        api::apiextensions::v1::JSONSchemaProps::kMessage);
  };
  EXPECT_EQ(nested(900), "cannot convert int64 to string");
  EXPECT_EQ(nested(1100), "");
  EXPECT_EQ(nested(9000), "");
}

}  // namespace
}  // namespace kube::apiserver::internal
