#include "codegen/clients_text.h"

#include <algorithm>
#include <string>

#include "codegen/clients.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

using testing::HasSubstr;
using testing::Not;

ClientFile Sample() {
  KindClient web;
  web.class_name = "WebClient";
  web.accessor = "Webs";
  web.object = "Web";
  web.list = "WebList";
  web.has_list = true;
  web.group = "example.com";
  web.version = "v1";
  web.plural = "webs";
  web.kind = "Web";
  web.namespaced = true;
  web.verbs = {"Get", "Update"};
  ClientFile file;
  file.proto_path = "foo/types.proto";
  file.header = "foo/types.client.kube.h";
  file.cpp_namespace = "foo::v1";
  file.inline_namespace = "k1_36";
  file.includes = {"a.h", "b.h"};
  GroupClient group;
  group.class_name = "ExampleV1Client";
  group.name = "ExampleV1";
  group.group = "example.com";
  group.version = "v1";
  group.kinds = {web};
  file.groups = {group};
  return file;
}

std::string With(void (*set)(KindClient& kind)) {
  ClientFile file = Sample();
  set(file.groups[0].kinds[0]);
  return PrintClients(file);
}

// tests/kitchen_sink/golden compares and compiles the whole output.
TEST(PrintClients, AKind) {
  const std::string text = PrintClients(Sample());
  EXPECT_THAT(text, HasSubstr("#ifndef FOO_TYPES_CLIENT_KUBE_H_\n"));
  EXPECT_THAT(text, HasSubstr("#include \"a.h\"\n#include \"b.h\"\n"));
  EXPECT_THAT(text, HasSubstr("namespace foo::v1 {\ninline namespace k1_36 {\n"));
  EXPECT_THAT(text, HasSubstr("// webs of example.com/v1. (client-go's WebInterface)\n"
                              "class WebClient\n"
                              "    : private ::kube::typed::TypedClient<Web, WebList> {\n"));
  EXPECT_THAT(text, HasSubstr("  WebClient(::kube::rest::Client client, ::absl::string_view "
                              "namespace_name)\n"));
  EXPECT_THAT(text, HasSubstr("\n  using TypedClient::Get;\n  using TypedClient::Update;\n"));
  EXPECT_THAT(text, HasSubstr("  WebClient Webs(::absl::string_view namespace_name) const {"));
  EXPECT_THAT(text, HasSubstr("typed_client() const"));
}

TEST(PrintClients, AKindWithTraitsHasTheirResource) {
  ClientFile file = Sample();
  EXPECT_THAT(PrintClients(file),
              HasSubstr("  static constexpr ::kube::typed::Resource kResource = {\n"
                        "      .group = \"example.com\",\n"));
  EXPECT_THAT(PrintClients(file), Not(HasSubstr("ResourceTraits")));
  file.groups[0].kinds[0].has_traits = true;
  file.traits = {file.groups[0].kinds[0]};
  const std::string text = PrintClients(file);
  EXPECT_THAT(text, HasSubstr("// clang-format off\n"
                              "#ifndef FOO_TYPES_TRAITS_KUBE_H_\n"));
  EXPECT_THAT(text, HasSubstr("#endif  // FOO_TYPES_TRAITS_KUBE_H_\n\nnamespace foo::v1 {\n"));
  EXPECT_THAT(text, HasSubstr("  static constexpr const ::kube::typed::Resource& kResource =\n"
                              "      ::kube::typed::ResourceTraits<::foo::v1::Web>::kResource;\n"));
  EXPECT_THAT(text, Not(HasSubstr("static constexpr ::kube::typed::Resource kResource")));
}

TEST(PrintClients, AClustersKind) {
  const std::string text = With([](KindClient& kind) {
    kind.namespaced = false;
    kind.has_list = false;
  });
  EXPECT_THAT(text, HasSubstr("  explicit WebClient(::kube::rest::Client client)\n"));
  EXPECT_THAT(text, HasSubstr("  WebClient Webs() const {"));
  EXPECT_THAT(text, Not(HasSubstr("typed_client()")));
  EXPECT_THAT(text, Not(HasSubstr("namespace_name")));
}

TEST(PrintClients, AnExpansionIsABaseThatIsMadeToo) {
  EXPECT_THAT(
      With([](KindClient& kind) { kind.expansion = "::x::WebExpansion"; }),
      testing::AllOf(HasSubstr("TypedClient<Web, WebList>, public ::x::WebExpansion {"),
                     HasSubstr(", ::x::WebExpansion(TypedClient::client(), namespace_name) {}")));
  EXPECT_THAT(With([](KindClient& kind) {
                kind.expansion = "::x::WebExpansion";
                kind.namespaced = false;
              }),
              HasSubstr(", ::x::WebExpansion(TypedClient::client()) {}"));
}

// The maximum size of a client in the output.
TEST(PrintClients, AKindOfAllVerbsAndAScaleIsLessThanEightyLines) {
  const std::string text = With([](KindClient& kind) {
    kind.verbs.assign(13, "Get");
    kind.methods.assign(3, {MethodForm::kUpdate, "UpdateScale", "scale", "Scale", "Scale",
                            "autoscaling", "v1", "Scale"});
  });
  ClientFile empty = Sample();
  empty.groups[0].kinds.clear();
  const std::string less = PrintClients(empty);
  EXPECT_LT(std::count(text.begin(), text.end(), '\n') - std::count(less.begin(), less.end(), '\n'),
            80);
}

TEST(PrintClients, AnApplyTakesABracedInitializer) {
  const std::string text = With([](KindClient& kind) {
    kind.methods = {{MethodForm::kApply, "ApplyScale", "scale", "::a::Scale", "::a::Scale",
                     "autoscaling", "v1", "Scale"}};
  });
  EXPECT_THAT(text, HasSubstr("  template <typename SentT = ::a::Scale, ::kube::ApiStruct "
                              "ConfigurationT = ::kube::ApplyOf<SentT>>\n"
                              "  ::absl::StatusOr<::a::Scale> ApplyScale(\n"));
}

TEST(PrintClients, NoResourcesNoNamespace) {
  ClientFile file = Sample();
  file.groups.clear();
  const std::string text = PrintClients(file);
  EXPECT_THAT(text, HasSubstr("// The source has no resources.\n"));
  EXPECT_THAT(text, Not(HasSubstr("namespace")));
  EXPECT_THAT(text, Not(HasSubstr("#include")));
}

}  // namespace
}  // namespace kube::codegen
