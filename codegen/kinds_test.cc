#include "codegen/kinds.h"

#include <google/protobuf/descriptor.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "codegen/diagnostics.h"
#include "codegen/testing/sample_idl.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

namespace pb = google::protobuf;

constexpr absl::string_view kGroup =
    "option (kube.group_version) = {group: \"g\" version: \"v1\"};";

struct Built {
  std::vector<KindEntry> kinds;
  std::vector<std::string> errors;
};

Built Build(absl::string_view body) {
  SampleIdl idl;
  Diagnostics diagnostics;
  Built built;
  built.kinds = BuildKinds(idl.AddBody("a", absl::StrCat(kGroup, "\n", body)), diagnostics);
  built.errors = diagnostics.errors();
  return built;
}

TEST(BuildKinds, TakesAllThatTheIdlSays) {
  const Built built = Build(R"(
message Part {}
message Pod { option (kube.kind) = {
  scope: NAMESPACED plural: "pods" singular: "pod" short_name: "po" category: "all" verb: "get"
  subresource: {name: "eviction" verb: "create" input: "policy/v1 Eviction" result: "v1 Status"}
  introduced: "1.0" deprecated: "1.1" removed: "1.2" replacement: "x/v1 Pod"}; }
message Pods { option (kube.kind) = {name: "PodList" list_of: "Pod"}; }
)");
  EXPECT_THAT(built.errors, IsEmpty());
  ASSERT_EQ(built.kinds.size(), 2u);
  const KindEntry& pod = built.kinds[0];
  EXPECT_EQ(pod.group, "g");
  EXPECT_EQ(pod.version, "v1");
  EXPECT_EQ(pod.kind, "Pod");
  EXPECT_EQ(pod.message_name, "Pod");
  EXPECT_EQ(pod.struct_name, "Pod");
  EXPECT_EQ(pod.scope, "kNamespaced");
  EXPECT_EQ(pod.plural, "pods");
  EXPECT_EQ(pod.singular, "pod");
  EXPECT_THAT(pod.short_names, ElementsAre("po"));
  EXPECT_THAT(pod.categories, ElementsAre("all"));
  EXPECT_THAT(pod.verbs, ElementsAre("get"));
  ASSERT_EQ(pod.subresources.size(), 1u);
  EXPECT_EQ(pod.subresources[0].name, "eviction");
  EXPECT_THAT(pod.subresources[0].verbs, ElementsAre("create"));
  EXPECT_EQ(pod.subresources[0].input, "policy/v1 Eviction");
  EXPECT_EQ(pod.subresources[0].result, "v1 Status");
  EXPECT_EQ(pod.introduced, "1.0");
  EXPECT_EQ(pod.deprecated, "1.1");
  EXPECT_EQ(pod.removed, "1.2");
  EXPECT_EQ(pod.replacement, "x/v1 Pod");
  EXPECT_EQ(built.kinds[1].kind, "PodList");
  EXPECT_EQ(built.kinds[1].message_name, "Pods");
  EXPECT_EQ(built.kinds[1].struct_name, "Pods");
  EXPECT_EQ(built.kinds[1].list_of, "Pod");
  EXPECT_EQ(built.kinds[1].scope, "kNone");
  EXPECT_THAT(built.kinds[1].verbs, IsEmpty());
}

TEST(BuildKinds, NoVerbsAreAllVerbs) {
  const Built built = Build("message M { option (kube.kind) = {scope: CLUSTER plural: \"ms\"}; }");
  ASSERT_EQ(built.kinds.size(), 1u);
  EXPECT_EQ(built.kinds[0].scope, "kCluster");
  EXPECT_THAT(built.kinds[0].verbs, ElementsAre("get", "list", "watch", "create", "update", "patch",
                                                "delete", "deletecollection"));
}

TEST(BuildKinds, ApiVersionOfTheKind) {
  const Built built = Build(
      "message A { option (kube.kind) = {api_version: \"v2\"}; }\n"
      "message B { option (kube.kind) = {api_version: \"other/v3\"}; }");
  ASSERT_EQ(built.kinds.size(), 2u);
  EXPECT_EQ(built.kinds[0].group, "");
  EXPECT_EQ(built.kinds[0].version, "v2");
  EXPECT_EQ(built.kinds[1].group, "other");
  EXPECT_EQ(built.kinds[1].version, "v3");
}

TEST(BuildKinds, Errors) {
  struct Row {
    const char* name;
    const char* body;
    const char* error;
  };
  for (const Row& row : std::vector<Row>{
           {"no plural", "message M { option (kube.kind) = {scope: CLUSTER}; }",
            "test/a.proto:3:1: kind M: is a resource but has no plural"},
           {"no scope", "message M { option (kube.kind) = {plural: \"ms\"}; }",
            "test/a.proto:3:1: kind M: has properties of a resource but no scope"},
           {"slashes", "message M { option (kube.kind) = {api_version: \"a/b/c\"}; }",
            "test/a.proto:3:1: kind M: api_version \"a/b/c\": write \"v1\" or \"example.com/v1\""},
           {"no version", "message M { option (kube.kind) = {api_version: \"a/\"}; }",
            "test/a.proto:3:1: kind M: api_version \"a/\": write \"v1\" or \"example.com/v1\""},
           {"bar", "message M { option (kube.kind) = {scope: CLUSTER plural: \"m|s\"}; }",
            "test/a.proto:3:1: kind M: \"m|s\": must not contain any of | or control characters"},
           {"comma in a list",
            "message M { option (kube.kind) = {scope: CLUSTER plural: \"ms\" short_name: \"m,s\"}; "
            "}",
            "test/a.proto:3:1: kind M: \"m,s\": must not contain any of |,+ or control characters"},
           {"line", "message M { option (kube.kind) = {replacement: \"M\\n\"}; }",
            "test/a.proto:3:1: kind M: \"M\\n\": must not contain any of | or control characters"},
           {"plus in a subresource's verb",
            "message M { option (kube.kind) = {scope: CLUSTER plural: \"ms\" subresource: {name: "
            "\"s\" verb: \"a+b\"}}; }",
            "test/a.proto:3:1: kind M: \"a+b\": must not contain any of |,+ or control characters"},
           {"twice",
            "message M { option (kube.kind) = {}; }\n"
            "message N { option (kube.kind) = {name: \"M\"}; }",
            "test/a.proto:4:1: kind N: duplicate kind M"},
       }) {
    EXPECT_THAT(Build(row.body).errors, ElementsAre(row.error)) << row.name;
  }
}

TEST(CheckOneFileHasKinds, LooksAtImportsToo) {
  SampleIdl idl;
  const auto add = [&](const std::string& name, absl::string_view more) -> const auto& {
    return idl.AddBody(name, absl::StrCat(kGroup, more));
  };
  const pb::FileDescriptor& first = add("a", "message A { option (kube.kind) = {}; }");
  const pb::FileDescriptor& none = add("b", "message B {}");
  const pb::FileDescriptor& second =
      add("c", "import \"test/a.proto\"; message C { option (kube.kind) = {}; }");
  Diagnostics fine;
  CheckOneFileHasKinds({&first, &none}, fine);
  EXPECT_THAT(fine.errors(), IsEmpty());
  Diagnostics diagnostics;
  CheckOneFileHasKinds({&none, &second}, diagnostics);
  EXPECT_THAT(diagnostics.errors(),
              ElementsAre("test/c.proto:1:1: package test.v1: kinds of this package are also in "
                          "test/a.proto, put all into one file"));
}

}  // namespace
}  // namespace kube::codegen
