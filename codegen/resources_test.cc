#include "codegen/resources.h"

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "codegen/diagnostics.h"
#include "codegen/model.h"
#include "codegen/testing/sample_idl.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

// Returns the resource of the first kind of a file.
ResourceEntry Resource(absl::string_view body, absl::string_view group = "example.com") {
  SampleIdl idl;
  Diagnostics diagnostics;
  const std::optional<File> file =
      BuildFile(idl.AddBody("a", absl::StrCat("option (kube.group_version) = {group: \"", group,
                                              "\" version: \"v1\"};\n", body)),
                diagnostics);
  EXPECT_TRUE(file.has_value()) << testing::PrintToString(diagnostics.errors());
  return BuildResource(file.value(), file->kinds.at(0));
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

TEST(ApiVersion, OfTheCoreGroupIsTheVersion) {
  EXPECT_EQ(ApiVersion("apps", "v1"), "apps/v1");
  EXPECT_EQ(ApiVersion("", "v1"), "v1");
}

}  // namespace
}  // namespace kube::codegen
