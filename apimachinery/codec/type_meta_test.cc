#include "apimachinery/codec/type_meta.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codec {
namespace {

using base::StatusIs;
using testing::HasSubstr;

TEST(TypeMeta, OfJson) {
  struct Row {
    const char* name;
    const char* json;
    const char* api_version;
    const char* kind;
  };
  for (const Row& row : {
           Row{"both", R"({"kind":"Pod","apiVersion":"v1"})", "v1", "Pod"},
           Row{"behind others", R"({"a":{"kind":"X"},"b":[1],"apiVersion":"v1","kind":"P"})", "v1",
               "P"},
           Row{"escapes", R"({"kind":"P\u006fd"})", "", "Pod"},
           Row{"null", R"({"kind":null})", "", ""},
           Row{"other case", R"({"Kind":"Pod"})", "", ""},
           Row{"none", "{}", "", ""},
       }) {
    const absl::StatusOr<TypeMeta> meta = TypeMetaOfJson(row.json);
    ASSERT_TRUE(meta.ok()) << row.name << ": " << meta.status();
    EXPECT_EQ(meta->api_version, row.api_version) << row.name;
    EXPECT_EQ(meta->kind, row.kind) << row.name;
  }
}

TEST(TypeMeta, ErrorsOfJson) {
  EXPECT_THAT(TypeMetaOfJson("{\"kind\":\n 1}").status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("decode object: kind: expected a string (line 2, column 2)")));
  EXPECT_THAT(TypeMetaOfJson("[]").status(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(TypeMetaOfJson("").status(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(TypeMetaOfJson("{\"a\":").status(), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(TypeMeta, OfProtobuf) {
  const absl::string_view body(
      "k8s\0\x0a\x0f\x0a\x07"
      "apps/v1\x12\x04Kind",
      21);
  const absl::StatusOr<TypeMeta> meta = TypeMetaOfProtobuf(body);
  ASSERT_TRUE(meta.ok()) << meta.status();
  EXPECT_EQ(meta->api_version, "apps/v1");
  EXPECT_EQ(meta->kind, "Kind");
  EXPECT_THAT(TypeMetaOfProtobuf("k8s").status(), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kube::codec
