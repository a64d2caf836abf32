#include "apimachinery/meta/object_name.h"

#include <sstream>
#include <string>

#include "absl/hash/hash_testing.h"
#include "absl/status/status.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::meta {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;

TEST(ObjectName, ToStringThenParse_ReturnsTheName) {
  const struct {
    ObjectName name;
    const char* key;
  } kRows[] = {
      {{.namespace_name = "prod", .name = "web-0"}, "prod/web-0"},
      {{.namespace_name = "", .name = "node-1"}, "node-1"},
      {{.namespace_name = "prod", .name = ""}, "prod/"},
      {{}, ""},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.key);
    EXPECT_EQ(row.name.ToString(), row.key);
    EXPECT_THAT(ParseObjectName(row.key), IsOkAndHolds(row.name));
    std::ostringstream out;
    out << row.name;
    EXPECT_EQ(out.str(), row.key);
  }
  EXPECT_THAT(ParseObjectName("/a"), IsOkAndHolds(ObjectName{.name = "a"}));
  EXPECT_THAT(ParseObjectName("a/b/c\n"),
              StatusIs(absl::StatusCode::kInvalidArgument, R"(unexpected key format: "a/b/c\n")"));
}

TEST(ObjectName, IsTheKeyOfACache_AsInTheHeader) {
  const ObjectName name = {.namespace_name = "prod", .name = "web-0"};
  const std::string key = name.ToString();  // "prod/web-0"
  EXPECT_EQ(key, "prod/web-0");
}

TEST(ObjectName, OrderAndHash) {
  const ObjectName a = {.namespace_name = "", .name = "z"};
  const ObjectName b = {.namespace_name = "a", .name = "b"};
  const ObjectName c = {.namespace_name = "a", .name = "c"};
  EXPECT_LT(a, b);
  EXPECT_LT(b, c);
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly({ObjectName(), a, b, c}));
}

TEST(MetaNamespaceKey, OfObjects) {
  api::core::v1::Pod pod;
  pod.metadata.name = "web-0";
  EXPECT_EQ(MetaNamespaceKey(pod), "web-0");
  pod.metadata.namespace_ = "prod";
  EXPECT_EQ(MetaNamespaceKey(pod), "prod/web-0");
  EXPECT_EQ(MetaNamespaceKey(pod.metadata), "prod/web-0");
  EXPECT_EQ(ObjectNameOf(pod), (ObjectName{.namespace_name = "prod", .name = "web-0"}));
}

}  // namespace
}  // namespace kube::meta
