#include "codegen/traits/traits_text.h"

#include <string>

#include "codegen/resources.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

ResourceEntry Web() {
  ResourceEntry web;
  web.object = "Web";
  web.list = "WebList";
  web.has_list = true;
  web.group = "example.com";
  web.version = "v1";
  web.plural = "webs";
  web.kind = "Web";
  web.namespaced = true;
  web.has_generation = true;
  web.has_traits = true;
  return web;
}

TEST(TraitsName, IsComplete) {
  EXPECT_EQ(TraitsName("foo::v1", "Web"), "::kube::typed::ResourceTraits<::foo::v1::Web>");
}

TEST(PrintTraits, AKind) {
  EXPECT_EQ(PrintTraits("foo/types.proto", "foo::v1", {Web()}),
            R"(#ifndef FOO_TYPES_TRAITS_KUBE_H_
#define FOO_TYPES_TRAITS_KUBE_H_
// The header of these kinds' clients and that of their informers both have this part.
namespace kube::typed {

template <>
struct ResourceTraits<::foo::v1::Web> {
  using List = ::foo::v1::WebList;
  static constexpr Resource kResource = {
      .group = "example.com", .version = "v1", .plural = "webs",
      .kind = "Web", .namespaced = true, .built_in = false};
  static constexpr bool kHasGeneration = true;
  static constexpr bool kHasStatus = false;
};

}  // namespace kube::typed
#endif  // FOO_TYPES_TRAITS_KUBE_H_)");
}

TEST(PrintTraits, EachFlagIsItsOwn) {
  ResourceEntry web = Web();
  web.namespaced = false;
  web.built_in = true;
  web.has_generation = false;
  web.has_status = true;
  const std::string text = PrintTraits("foo/types.proto", "foo::v1", {web});
  EXPECT_THAT(text, HasSubstr(".namespaced = false, .built_in = true};"));
  EXPECT_THAT(text, HasSubstr("kHasGeneration = false;"));
  EXPECT_THAT(text, HasSubstr("kHasStatus = true;"));
}

TEST(PrintTraits, EachKindHasASpecialization) {
  ResourceEntry site = Web();
  site.object = "Site";
  site.list = "Sites";
  const std::string text = PrintTraits("foo/types.proto", "foo::v1", {Web(), site});
  EXPECT_THAT(text, StartsWith("#ifndef FOO_TYPES_TRAITS_KUBE_H_\n"));
  EXPECT_THAT(text, HasSubstr("struct ResourceTraits<::foo::v1::Web> {\n"));
  EXPECT_THAT(text, HasSubstr("struct ResourceTraits<::foo::v1::Site> {\n"
                              "  using List = ::foo::v1::Sites;\n"));
}

TEST(PrintTraits, NoKindsNoText) { EXPECT_EQ(PrintTraits("foo/types.proto", "foo::v1", {}), ""); }

}  // namespace
}  // namespace kube::codegen
