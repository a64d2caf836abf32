#include "codegen/informers_text.h"

#include <algorithm>
#include <string>

#include "codegen/informers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

using testing::HasSubstr;
using testing::Not;

InformerFile Sample() {
  KindInformers web;
  web.accessor = "Webs";
  web.object = "Web";
  web.list = "WebList";
  web.group = "example.com";
  web.version = "v1";
  web.plural = "webs";
  web.kind = "Web";
  web.namespaced = true;
  web.has_traits = true;
  web.type_name = "WebInformer";
  InformerFile file;
  file.proto_path = "foo/types.proto";
  file.header = "foo/types.informers.kube.h";
  file.cpp_namespace = "foo::v1";
  file.inline_namespace = "k1_36";
  file.includes = {"a.h", "b.h"};
  file.traits = {web};
  file.has_factory = true;
  file.groups = {
      {"ExampleInformers", "Example", "example.com", {{"ExampleV1Informers", "V1", "v1", {web}}}}};
  return file;
}

// tests/kitchen_sink/golden compares and compiles the whole output.
TEST(PrintInformers, AKind) {
  const std::string text = PrintInformers(Sample());
  EXPECT_THAT(text, HasSubstr("#ifndef FOO_TYPES_INFORMERS_KUBE_H_\n"));
  EXPECT_THAT(text, HasSubstr("#include \"a.h\"\n#include \"b.h\"\n"));
  EXPECT_THAT(text, HasSubstr("namespace foo::v1 {\ninline namespace k1_36 {\n"));
  EXPECT_THAT(text, HasSubstr("\nusing WebInformer = "
                              "::kube::informers::KindInformer<Web, WebList>;\n"));
  EXPECT_THAT(text, HasSubstr("  WebInformer Webs() const { return {*factory_, "
                              "::kube::typed::ResourceTraits<::foo::v1::Web>::kResource}; }\n"));
  EXPECT_THAT(text, HasSubstr("// clang-format off\n#ifndef FOO_TYPES_TRAITS_KUBE_H_\n"));
  EXPECT_THAT(text, HasSubstr("#endif  // FOO_TYPES_TRAITS_KUBE_H_\n\nnamespace foo::v1 {\n"));
  EXPECT_THAT(text, HasSubstr(".group = \"example.com\", .version = \"v1\", .plural = \"webs\","));
  EXPECT_THAT(text, HasSubstr(".kind = \"Web\", .namespaced = true, .built_in = false};"));
}

TEST(PrintInformers, AFactory) {
  const std::string text = PrintInformers(Sample());
  EXPECT_THAT(text, HasSubstr("  ExampleV1Informers V1() const {"));
  EXPECT_THAT(text, HasSubstr("  ExampleInformers Example() { return ExampleInformers(*this); }"));
  InformerFile file = Sample();
  file.has_factory = false;
  EXPECT_THAT(PrintInformers(file), Not(HasSubstr("ExampleInformers")));
  EXPECT_THAT(PrintInformers(file), Not(HasSubstr("class SharedInformerFactory ")));
}

// The maximum size of an informer in the output, without the traits.
TEST(PrintInformers, AKindIsAtMostTwoLines) {
  const auto lines = [](const InformerFile& file) {
    const std::string text = PrintInformers(file);
    return std::count(text.begin(), text.end(), '\n');
  };
  InformerFile two = Sample();
  two.groups[0].versions[0].kinds.push_back(two.groups[0].versions[0].kinds[0]);
  EXPECT_LE(lines(two) - lines(Sample()), 2);
}

TEST(PrintInformers, NoResourcesNoNamespace) {
  InformerFile file = Sample();
  file.groups.clear();
  const std::string text = PrintInformers(file);
  EXPECT_THAT(text, HasSubstr("// The source has no resources that can be listed and watched.\n"));
  EXPECT_THAT(text, Not(HasSubstr("namespace")));
  EXPECT_THAT(text, Not(HasSubstr("#include")));
}

}  // namespace
}  // namespace kube::codegen
