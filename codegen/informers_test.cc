#include "codegen/informers.h"

#include <google/protobuf/descriptor.h>

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

struct Built {
  InformerFile file;
  std::vector<std::string> errors;
};

Built Build(absl::string_view body, absl::string_view group = "example.com",
            const InformerRequest& request = {.header = "x/y.h", .has_factory = true}) {
  SampleIdl idl;
  Built built;
  const google::protobuf::FileDescriptor& descriptor =
      idl.AddBody("a", absl::StrCat("option (kube.group_version) = {group: \"", group,
                                    "\" version: \"v1\"};\n", body));
  Diagnostics diagnostics;
  const std::optional<File> file = BuildFile(descriptor, diagnostics);
  EXPECT_TRUE(file.has_value()) << testing::PrintToString(diagnostics.errors());
  built.file = BuildInformers(file.value(), descriptor, request, diagnostics);
  built.errors = diagnostics.errors();
  return built;
}

constexpr absl::string_view kBox = R"(
message Box { option (kube.kind) = {scope: NAMESPACED plural: "boxes"}; string name = 1; }
message BoxList { option (kube.kind) = {list_of: "Box"}; }
)";

TEST(BuildInformers, AKind) {
  const Built built = Build(kBox);
  EXPECT_THAT(built.errors, IsEmpty());
  EXPECT_EQ(built.file.header, "x/y.h");
  EXPECT_TRUE(built.file.has_factory);
  EXPECT_THAT(built.file.includes,
              ElementsAre("clientset/typed/resource.h", "clientset/typed/resource_traits.h",
                          "informers/shared_informer_factory_core.h", "test/a.kube.h"));
  ASSERT_EQ(built.file.traits.size(), 1u);
  EXPECT_EQ(built.file.traits[0].object, "Box");
  ASSERT_EQ(built.file.groups.size(), 1u);
  const GroupInformers& group = built.file.groups[0];
  EXPECT_EQ(group.class_name, "ExampleInformers");
  EXPECT_EQ(group.name, "Example");
  ASSERT_EQ(group.versions.size(), 1u);
  EXPECT_EQ(group.versions[0].class_name, "ExampleV1Informers");
  EXPECT_EQ(group.versions[0].name, "V1");
  ASSERT_EQ(group.versions[0].kinds.size(), 1u);
  const KindInformers& box = group.versions[0].kinds[0];
  EXPECT_EQ(box.type_name, "BoxInformer");
  EXPECT_EQ(box.accessor, "Boxes");
  EXPECT_EQ(box.object, "Box");
  EXPECT_EQ(box.list, "BoxList");
  EXPECT_EQ(box.plural, "boxes");
  EXPECT_TRUE(box.namespaced);
  EXPECT_FALSE(box.built_in);
}

TEST(BuildInformers, OfKindsThatCanBeListedAndWatched) {
  struct Row {
    const char* name;
    const char* option;
    const char* list_of;
    bool has_informer;
  };
  for (const Row& row : {
           Row{"all verbs", R"(scope: CLUSTER plural: "as")", "A", true},
           {"both", R"(scope: CLUSTER plural: "as" verb: ["watch", "list"])", "A", true},
           {"no watch", R"(scope: CLUSTER plural: "as" verb: ["get", "list"])", "A", false},
           {"no list", R"(scope: CLUSTER plural: "as" verb: ["get", "watch"])", "A", false},
           {"no message for lists", R"(scope: CLUSTER plural: "as")", "B", false},
           {"no resource", R"(scope: NO_RESOURCE)", "A", false},
       }) {
    const Built built =
        Build(absl::StrCat("message A { option (kube.kind) = {", row.option,
                           "}; }\nmessage B { option (kube.kind) = {scope: NO_RESOURCE}; }\n"
                           "message AList { option (kube.kind) = {list_of: \"",
                           row.list_of, "\"}; }"));
    EXPECT_THAT(built.errors, IsEmpty()) << row.name;
    EXPECT_EQ(built.file.groups.size(), row.has_informer ? 1u : 0u) << row.name;
  }
}

TEST(BuildInformers, GroupsAndTheirVersions) {
  const Built built = Build(R"(
message B { option (kube.kind) = {scope: CLUSTER plural: "bs"}; }
message BList { option (kube.kind) = {list_of: "B"}; }
message Newer { option (kube.kind) = {scope: CLUSTER plural: "newers"
                                      api_version: "example.com/v2"}; }
message NewerList { option (kube.kind) = {list_of: "Newer" api_version: "example.com/v2"}; }
message Other { option (kube.kind) = {scope: CLUSTER plural: "others"
                                      api_version: "other.k8s.io/v1"}; string name = 1; }
message OtherList { option (kube.kind) = {list_of: "Other" api_version: "other.k8s.io/v1"}; }
message A { option (kube.kind) = {scope: CLUSTER plural: "as"}; }
message AList { option (kube.kind) = {list_of: "A"}; }
)");
  EXPECT_THAT(built.errors, IsEmpty());
  ASSERT_EQ(built.file.groups.size(), 2u);
  const GroupInformers& example = built.file.groups[0];
  ASSERT_EQ(example.versions.size(), 2u);
  ASSERT_EQ(example.versions[0].kinds.size(), 2u);
  EXPECT_EQ(example.versions[0].kinds[0].plural, "as");
  EXPECT_EQ(example.versions[0].kinds[1].plural, "bs");
  EXPECT_EQ(example.versions[1].class_name, "ExampleV2Informers");
  EXPECT_EQ(built.file.groups[1].class_name, "OtherInformers");
  EXPECT_TRUE(built.file.groups[1].versions[0].kinds[0].built_in);
}

TEST(BuildInformers, SaysWhatIsInTheWay) {
  struct Row {
    const char* name;
    const char* message;
    const char* group;
    const char* error;
  };
  for (const Row& row : {
           Row{"of the kind's", "BoxInformer", "a.io",
               "name BoxInformer of its informer is already used"},
           {"of the version's", "AV1Informers", "a.io",
            "name AV1Informers of its informer is already used"},
           {"of the group's", "AInformers", "a.io",
            "name AInformers of its informer is already used"},
           {"of the factory's", "SharedInformerFactory", "a.io",
            "name SharedInformerFactory of its informer is already used"},
           {"a function", "C", "start.io", "group hides function Start of the factory"},
       }) {
    EXPECT_THAT(Build(absl::StrCat(kBox, "message ", row.message, " {}"), row.group).errors,
                ElementsAre(absl::StrCat("test/a.proto:4:1: kind Box: ", row.error)))
        << row.name;
  }
}

TEST(BuildInformers, TwoKindsWithOneFunction) {
  EXPECT_THAT(Build(absl::StrCat(kBox, R"(
message Boxes { option (kube.kind) = {scope: CLUSTER plural: "boxes"}; }
message BoxesList { option (kube.kind) = {list_of: "Boxes"}; }
)"))
                  .errors,
              ElementsAre("test/a.proto:7:1: kind Boxes: function Boxes of class "
                          "ExampleV1Informers already exists"));
}

TEST(BuildInformers, TwoGroupsOfOneNameAreInEachOthersWay) {
  EXPECT_THAT(
      Build(absl::StrCat(kBox, R"(
message Crate { option (kube.kind) = {scope: CLUSTER plural: "crates"
                                      api_version: "example.org/v1"}; }
message CrateList { option (kube.kind) = {list_of: "Crate" api_version: "example.org/v1"}; }
)"))
          .errors,
      ElementsAre(
          "test/a.proto:7:1: kind Crate: name ExampleInformers of its informer is already used",
          "test/a.proto:7:1: kind Crate: name ExampleV1Informers of its informer is already used"));
}

TEST(BuildInformers, WithoutAFactoryItsNamesAreFree) {
  const Built built = Build(absl::StrCat(kBox,
                                         "message SharedInformerFactory {}\n"
                                         "message StartInformers {}"),
                            "start.io", {.header = "x/y.h"});
  EXPECT_THAT(built.errors, IsEmpty());
  EXPECT_FALSE(built.file.has_factory);
}

}  // namespace
}  // namespace kube::codegen
