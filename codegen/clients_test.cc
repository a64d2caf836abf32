#include "codegen/clients.h"

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

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

constexpr absl::string_view kScale = R"(
option (kube.group_version) = {group: "autoscaling" version: "v1"};
message Scale { option (kube.kind) = {scope: NO_RESOURCE}; int32 replicas = 1; }
)";

struct Built {
  ClientFile file;
  std::vector<std::string> errors;
};

Built Build(absl::string_view body, absl::string_view group = "example.com",
            const ClientRequest& request = {.header = "x/y.h"}) {
  SampleIdl idl;
  Built built;
  const google::protobuf::FileDescriptor& scale = idl.Add(
      "scale.proto",
      absl::StrCat("syntax = \"proto3\"; package kube.scale.v1; import \"kube/options.proto\";",
                   kScale));
  const google::protobuf::FileDescriptor& descriptor =
      idl.AddBody("a", absl::StrCat("option (kube.group_version) = {group: \"", group,
                                    "\" version: \"v1\"};\n", body));
  Diagnostics diagnostics;
  const std::optional<File> file = BuildFile(descriptor, diagnostics);
  EXPECT_TRUE(file.has_value()) << testing::PrintToString(diagnostics.errors());
  built.file = BuildClients(file.value(), descriptor, {&scale}, request, diagnostics);
  built.errors = diagnostics.errors();
  return built;
}

// The only kind of a file with that option and a list.
KindClient Client(absl::string_view option, absl::string_view group = "example.com") {
  const Built built =
      Build(absl::StrCat("message Box { option (kube.kind) = {", option,
                         "}; string name = 1; }\n"
                         "message BoxList { option (kube.kind) = {list_of: \"Box\"}; }"),
            group);
  EXPECT_THAT(built.errors, IsEmpty());
  return built.file.groups.at(0).kinds.at(0);
}

TEST(BuildClients, AKindOfAllVerbs) {
  const KindClient box = Client(R"(scope: NAMESPACED plural: "boxes")");
  EXPECT_EQ(box.class_name, "BoxClient");
  EXPECT_EQ(box.accessor, "Boxes");
  EXPECT_EQ(box.object, "Box");
  EXPECT_EQ(box.list, "BoxList");
  EXPECT_TRUE(box.has_list);
  EXPECT_EQ(box.plural, "boxes");
  EXPECT_EQ(box.kind, "Box");
  EXPECT_TRUE(box.namespaced);
  EXPECT_FALSE(box.built_in);
  EXPECT_THAT(box.verbs, ElementsAre("Apply", "Create", "Delete", "DeleteCollection", "Edit", "Get",
                                     "List", "ListPage", "Patch", "Update", "Watch"));
  EXPECT_THAT(box.methods, IsEmpty());
  EXPECT_EQ(box.expansion, "");
}

TEST(BuildClients, ClustersKindsAndBuiltInOnes) {
  EXPECT_FALSE(Client(R"(scope: CLUSTER plural: "boxes")").namespaced);
  EXPECT_TRUE(Client(R"(scope: CLUSTER plural: "boxes")", "apps").built_in);
  EXPECT_TRUE(Client(R"(scope: CLUSTER plural: "boxes")", "x.k8s.io").built_in);
}

TEST(BuildClients, FunctionsOfVerbs) {
  struct Row {
    const char* name;
    const char* option;
    std::vector<std::string> verbs;
  };
  for (const Row& row : std::vector<Row>{
           {"create alone", R"(verb: "create")", {"Create"}},
           {"list", R"(verb: "list")", {"List", "ListPage"}},
           {"no Edit without get", R"(verb: "patch")", {"Apply", "Patch"}},
           {"nor without patch", R"(verb: ["get", "update"])", {"Get", "Update"}},
           {"status",
            R"(verb: "get" subresource: {name: "status" verb: ["get", "update", "patch"]})",
            {"ApplyStatus", "Get", "UpdateStatus"}},
           {"a custom resource's status",
            R"(verb: "get" subresource: {name: "status"})",
            {"ApplyStatus", "Get", "UpdateStatus"}},
           {"half a status",
            R"(verb: "get" subresource: {name: "status" verb: "update"})",
            {"Get", "UpdateStatus"}},
       }) {
    const KindClient box =
        Client(absl::StrCat(R"(scope: NAMESPACED plural: "boxes" )", row.option));
    EXPECT_THAT(box.verbs, testing::ElementsAreArray(row.verbs)) << row.name;
    EXPECT_THAT(box.methods, IsEmpty()) << row.name;
  }
}

std::string Text(const ClientMethod& method) {
  const char* const forms[] = {"get", "create", "update", "apply"};
  return absl::StrCat(forms[static_cast<int>(method.form)], " ", method.name, " ",
                      method.subresource, " ", method.sent_type, " ", method.group, "/",
                      method.version, " ", method.kind, " -> ", method.type);
}

std::vector<std::string> Methods(absl::string_view subresource,
                                 absl::string_view group = "example.com") {
  std::vector<std::string> texts;
  const KindClient box = Client(
      absl::StrCat(R"(scope: NAMESPACED plural: "boxes" subresource: {)", subresource, "}"), group);
  for (const ClientMethod& method : box.methods) texts.push_back(Text(method));
  return texts;
}

TEST(BuildClients, SubresourcesOfAnotherKind) {
  EXPECT_THAT(Methods(R"(name: "scale" verb: ["get", "update", "patch"]
                         input: "autoscaling/v1 Scale" result: "autoscaling/v1 Scale")"),
              ElementsAre("get GetScale scale ::kube::scale::v1::Scale autoscaling/v1 Scale -> "
                          "::kube::scale::v1::Scale",
                          "update UpdateScale scale ::kube::scale::v1::Scale autoscaling/v1 Scale "
                          "-> ::kube::scale::v1::Scale",
                          "apply ApplyScale scale ::kube::scale::v1::Scale autoscaling/v1 Scale "
                          "-> ::kube::scale::v1::Scale"));
  EXPECT_THAT(Methods(R"(name: "shrink" verb: "create" input: "autoscaling/v1 Scale")"),
              ElementsAre("create CreateShrink shrink ::kube::scale::v1::Scale autoscaling/v1 "
                          "Scale -> Box"));
}

TEST(BuildClients, SubresourcesOfItsOwn) {
  EXPECT_THAT(Methods(R"(name: "approval" verb: ["get", "update", "patch"])"),
              ElementsAre("update UpdateApproval approval Box example.com/v1 Box -> Box"));
  EXPECT_THAT(Methods(R"(name: "log" verb: "get")"), IsEmpty());
}

TEST(BuildClients, SubresourcesByHandAreThoseOfTheCoreGroup) {
  EXPECT_THAT(Methods(R"(name: "binding" verb: "create")", ""), IsEmpty());
  EXPECT_THAT(Methods(R"(name: "binding" verb: "create")"),
              ElementsAre("create CreateBinding binding Box example.com/v1 Box -> Box"));
}

TEST(BuildClients, IncludesWhatItNames) {
  const Built built = Build(R"(
message A { option (kube.kind) = {scope: CLUSTER plural: "as" verb: "get"
  subresource: {name: "scale" verb: "get" result: "autoscaling/v1 Scale"}}; }
)");
  EXPECT_THAT(built.errors, IsEmpty());
  EXPECT_THAT(built.file.includes, Contains("scale.kube.h"));
  EXPECT_THAT(built.file.includes, Contains("test/a.kube.h"));
  EXPECT_THAT(Build("message A { option (kube.kind) = {scope: CLUSTER plural: \"as\" "
                    "verb: \"get\"}; }")
                  .file.includes,
              Not(Contains("scale.kube.h")));
}

TEST(BuildClients, AGroupClientForEachGroupAndVersion) {
  const ClientFile file = Build(R"(
message B { option (kube.kind) = {scope: CLUSTER plural: "bs" verb: "get"}; }
message Other { option (kube.kind) = {scope: CLUSTER plural: "others" verb: "get"
                                      api_version: "other.io/v2"}; }
message A { option (kube.kind) = {scope: CLUSTER plural: "as" verb: "get"}; }
message Sent { option (kube.kind) = {scope: NO_RESOURCE}; }
)")
                              .file;
  ASSERT_EQ(file.groups.size(), 2u);
  EXPECT_EQ(file.groups[0].class_name, "ExampleV1Client");
  EXPECT_EQ(file.groups[0].name, "ExampleV1");
  ASSERT_EQ(file.groups[0].kinds.size(), 2u);
  EXPECT_EQ(file.groups[0].kinds[0].class_name, "AClient");
  EXPECT_EQ(file.groups[0].kinds[0].list, "A");
  EXPECT_FALSE(file.groups[0].kinds[0].has_list);
  EXPECT_EQ(file.groups[0].kinds[1].class_name, "BClient");
  EXPECT_EQ(file.groups[1].class_name, "OtherV2Client");
  ASSERT_EQ(file.groups[1].kinds.size(), 1u);
  EXPECT_EQ(file.groups[1].kinds[0].group, "other.io");
}

TEST(BuildClients, Expansions) {
  const Built built =
      Build("message Pod { option (kube.kind) = {scope: CLUSTER plural: \"pods\" verb: \"get\"}; }",
            "", {.header = "x/y.h", .expansions = {{"Pod", "hand/pod.h"}}});
  EXPECT_EQ(built.file.groups[0].kinds[0].expansion, "::kube::expansions::PodExpansion");
  EXPECT_THAT(built.file.includes, Contains("hand/pod.h"));
}

TEST(BuildClients, WithoutAListThereIsNoList) {
  const Built built = Build(R"(
message A { option (kube.kind) = {scope: CLUSTER plural: "as" verb: ["get", "list", "watch"]}; }
)");
  EXPECT_THAT(built.errors, IsEmpty());
  EXPECT_THAT(built.file.groups[0].kinds[0].verbs, ElementsAre("Get", "Watch"));
}

TEST(BuildClients, TraitsAreOfKindsThatCanBeListed) {
  const Built built = Build(R"(
message A { option (kube.kind) = {scope: CLUSTER plural: "as"}; }
message AList { option (kube.kind) = {list_of: "A"}; }
message B { option (kube.kind) = {scope: CLUSTER plural: "bs"}; }
)");
  EXPECT_THAT(built.errors, IsEmpty());
  ASSERT_EQ(built.file.traits.size(), 1u);
  EXPECT_EQ(built.file.traits[0].object, "A");
  ASSERT_EQ(built.file.groups[0].kinds.size(), 2u);
  EXPECT_TRUE(built.file.groups[0].kinds[0].has_traits);
  EXPECT_FALSE(built.file.groups[0].kinds[1].has_traits);
  EXPECT_THAT(built.file.includes, Contains("clientset/typed/resource_traits.h"));
}

TEST(BuildClients, SaysWhatIsWrong) {
  struct Row {
    const char* name;
    const char* body;
    const char* error;
  };
  for (const Row& row : std::vector<Row>{
           {"unknown type",
            "message A { option (kube.kind) = {scope: CLUSTER plural: \"as\" verb: \"get\" "
            "subresource: {name: \"s\" verb: \"get\" result: \"b/v1 B\"}}; }",
            "test/a.proto:3:1: kind A: subresource s: kind b/v1 B not found, add its library to "
            "client_deps"},
           {"a message in the way",
            "message A { option (kube.kind) = {scope: CLUSTER plural: \"as\" verb: \"get\"}; }\n"
            "message AClient {}",
            "test/a.proto:3:1: kind A: class AClient of its client already exists"},
           {"a message in the group's way",
            "message A { option (kube.kind) = {scope: CLUSTER plural: \"as\" verb: \"get\"}; }\n"
            "message ExampleV1Client {}",
            "test/a.proto:3:1: kind A: class ExampleV1Client of its client already exists"},
           {"two kinds with one function",
            "message Box { option (kube.kind) = {scope: CLUSTER plural: \"boxen\"}; }\n"
            "message Boxes { option (kube.kind) = {scope: CLUSTER plural: \"boxes\"}; }",
            "test/a.proto:4:1: kind Boxes: function Boxes of class ExampleV1Client already exists"},
       }) {
    EXPECT_THAT(Build(row.body).errors, ElementsAre(row.error)) << row.name;
  }
}

}  // namespace
}  // namespace kube::codegen
