#include "apimachinery/managedfields/internal/object_text.h"

#include "absl/strings/string_view.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"

namespace kube::managedfields::internal {
namespace {

using unstructured::ParseJson;

TEST(ObjectText, EachObject_IsNamedAsUpstream) {
  struct Case {
    absl::string_view object;
    absl::string_view want;
  };
  for (const auto& [object, want] : {
           Case{R"({"apiVersion":"apps/v1","kind":"Deployment",)"
                R"("metadata":{"name":"web","namespace":"default"}})",
                "default/web; apps/v1, Kind=Deployment"},
           Case{R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n"}})",
                "/n; /v1, Kind=Node"},
           Case{R"({"apiVersion":"a/b/c","kind":"Node"})", "/; /, Kind="},
           Case{R"({"apiVersion":1,"metadata":{"name":2}})", "/; /, Kind="},
           Case{"null", "/; /, Kind="},
       }) {
    EXPECT_EQ(ObjectText(*ParseJson(object)), want) << object;
  }
}

TEST(KindOf, MalformedApiVersion_IsEmpty) {
  EXPECT_TRUE(KindOf(*ParseJson(R"({"apiVersion":"a/b/c","kind":"Node"})")).empty());
  EXPECT_EQ(KindOf(*ParseJson(R"({"apiVersion":"apps/v1","kind":"Deployment"})")),
            (schema::GroupVersionKind{.group = "apps", .version = "v1", .kind = "Deployment"}));
}

}  // namespace
}  // namespace kube::managedfields::internal
