#include "codegen/resources.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "codegen/diagnostics.h"
#include "codegen/model.h"
#include "codegen/testing/sample_idl.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

File Build(absl::string_view body, absl::string_view group = "example.com") {
  SampleIdl idl;
  Diagnostics diagnostics;
  const std::optional<File> file =
      BuildFile(idl.AddBody("a", absl::StrCat("option (kube.group_version) = {group: \"", group,
                                              "\" version: \"v1\"};\n", body)),
                diagnostics);
  EXPECT_TRUE(file.has_value()) << testing::PrintToString(diagnostics.errors());
  return file.value();
}

// Returns the resource of the first kind of a file.
ResourceEntry Resource(absl::string_view body, absl::string_view group = "example.com") {
  const File file = Build(body, group);
  return BuildResource(file, file.kinds.at(0));
}

constexpr char kLeaf[] = R"(
message Leaf { option (kube.kind) = {scope: NAMESPACED plural: "leaves"}; string name = 1; }
)";

TEST(BuildResource, AKind) {
  const ResourceEntry leaf = Resource(
      absl::StrCat(kLeaf, "message LeafList { option (kube.kind) = {list_of: \"Leaf\"}; }"));
  EXPECT_EQ(leaf.accessor, "Leaves");
  EXPECT_EQ(leaf.object, "Leaf");
  EXPECT_EQ(leaf.list, "LeafList");
  EXPECT_TRUE(leaf.has_list);
  EXPECT_EQ(leaf.group, "example.com");
  EXPECT_EQ(leaf.version, "v1");
  EXPECT_EQ(leaf.plural, "leaves");
  EXPECT_EQ(leaf.kind, "Leaf");
  EXPECT_TRUE(leaf.namespaced);
  EXPECT_FALSE(leaf.built_in);
}

TEST(BuildResource, AListIsOfTheSameVersion) {
  const ResourceEntry leaf = Resource(absl::StrCat(kLeaf, R"(
message LeafList { option (kube.kind) = {list_of: "Leaf" api_version: "example.com/v2"}; }
message Leaf2 { option (kube.kind) = {name: "Leaf" scope: CLUSTER plural: "leaves"
                                      api_version: "example.com/v2"}; }
)"));
  EXPECT_EQ(leaf.list, "Leaf");
  EXPECT_FALSE(leaf.has_list);
}

TEST(BuildResource, BuiltInIsWhatKubernetesHasInProtobuf) {
  struct Row {
    const char* name;
    const char* group;
    const char* body;
    bool built_in;
  };
  for (const Row& row : {
           Row{"of the core group", "", kLeaf, true},
           {"of a group without a dot", "apps", kLeaf, true},
           {"of k8s.io", "x.k8s.io", kLeaf, true},
           {"a custom resource of k8s.io", "x.k8s.io",
            "message Leaf { option (kube.kind) = {scope: CLUSTER plural: \"leaves\"\n"
            "  crd_annotation: {key: \"api-approved.kubernetes.io\" value: \"unapproved\"}};\n"
            "  string name = 1; }",
            false},
           {"imported", "x.k8s.io",
            "message Leaf { option (kube.kind) = {scope: CLUSTER plural: \"leaves\"\n"
            "  imported: true}; string name = 1; }",
            false},
           {"of others", "x.example.com", kLeaf, false},
           {"without numbers", "apps",
            "message Leaf { option (kube.kind) = {scope: CLUSTER plural: \"leaves\"};\n"
            "  string name = 1 [(kube.field) = {no_wire: true}]; }",
            false},
       }) {
    EXPECT_EQ(Resource(row.body, row.group).built_in, row.built_in) << row.name;
  }
}

TEST(BuildResource, CustomResourcesAndSomeKindsOfKubernetesHaveAGeneration) {
  struct Row {
    const char* name;
    const char* group;
    const char* kind;
    const char* more_options;
    bool has_generation;
  };
  for (const Row& row : {
           Row{"a custom resource", "example.com", "Leaf", "", true},
           {"one with the name of a built-in kind", "example.com", "ConfigMap", "", true},
           {"one of k8s.io", "x.k8s.io", "Leaf", "imported: true", true},
           {"a kind of the core group", "", "Pod", "", true},
           {"another one", "", "ConfigMap", "", false},
           {"a kind of apps", "apps", "Deployment", "", true},
           {"of a group that is older", "extensions", "Deployment", "", true},
           {"a kind of k8s.io", "networking.k8s.io", "Ingress", "", true},
           {"the kind of another group", "apps", "Pod", "", false},
           {"one whose generation stays 1", "scheduling.k8s.io", "PriorityClass", "", false},
       }) {
    const ResourceEntry resource =
        Resource(absl::StrCat("message ", row.kind, " { option (kube.kind) = {scope: CLUSTER ",
                              "plural: \"leaves\" ", row.more_options, "}; string name = 1; }"),
                 row.group);
    EXPECT_EQ(resource.has_generation, row.has_generation) << row.name;
  }
}

TEST(BuildResource, AStatusIsASubresource) {
  EXPECT_FALSE(Resource(kLeaf).has_status);
  EXPECT_FALSE(Resource(R"(
message Leaf { option (kube.kind) = {scope: CLUSTER plural: "leaves" subresource: {name: "scale"}};
               string status = 1; }
)")
                   .has_status);
  EXPECT_TRUE(Resource(R"(
message Leaf { option (kube.kind) = {scope: CLUSTER plural: "leaves" subresource: {name: "status"}};
               string name = 1; }
)")
                  .has_status);
}

std::vector<std::string> Traits(absl::string_view body) {
  std::vector<std::string> texts;
  for (const ResourceEntry& each : BuildTraits(Build(body))) {
    texts.push_back(absl::StrCat(each.version, " ", each.kind, " ", each.object, " ", each.list));
  }
  return texts;
}

TEST(BuildTraits, OfKindsThatCanBeListed) {
  EXPECT_THAT(Traits(R"(
message Tree { option (kube.kind) = {scope: CLUSTER plural: "trees" verb: ["get", "list"]}; }
message TreeList { option (kube.kind) = {list_of: "Tree"}; }
message WithoutList { option (kube.kind) = {scope: CLUSTER plural: "withoutlists"}; }
message NotListed { option (kube.kind) = {scope: CLUSTER plural: "notlisteds" verb: "create"}; }
message NotListedList { option (kube.kind) = {list_of: "NotListed"}; }
message Sent { option (kube.kind) = {scope: NO_RESOURCE}; }
message Apple { option (kube.kind) = {scope: NAMESPACED plural: "apples"}; }
message Apples { option (kube.kind) = {list_of: "Apple"}; }
)"),
              ElementsAre("v1 Tree Tree TreeList", "v1 Apple Apple Apples"));
  EXPECT_THAT(Traits(kLeaf), IsEmpty());
}

TEST(BuildTraits, EachVersionOfAKindHasItsOwn) {
  EXPECT_THAT(Traits(R"(
message Tree { option (kube.kind) = {scope: CLUSTER plural: "trees"}; }
message TreeList { option (kube.kind) = {list_of: "Tree"}; }
message Tree2 { option (kube.kind) = {name: "Tree" scope: CLUSTER plural: "trees"
                                      api_version: "example.com/v2"}; }
message Tree2List { option (kube.kind) = {name: "TreeList" list_of: "Tree2"
                                          api_version: "example.com/v2"}; }
)"),
              ElementsAre("v1 Tree Tree TreeList", "v2 Tree Tree2 Tree2List"));
}

TEST(ApiVersion, OfTheCoreGroupIsTheVersion) {
  EXPECT_EQ(ApiVersion("apps", "v1"), "apps/v1");
  EXPECT_EQ(ApiVersion("", "v1"), "v1");
}

}  // namespace
}  // namespace kube::codegen
