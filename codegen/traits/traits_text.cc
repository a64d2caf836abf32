#include "codegen/traits/traits_text.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "codegen/format.h"
#include "codegen/names.h"
#include "codegen/resources.h"
#include "codegen/template.h"

namespace kube::codegen {
namespace {

constexpr absl::string_view kTraits = R"(#ifndef $guard$
#define $guard$
// The header of these kinds' clients and that of their informers both have this part.
namespace kube::typed {

$each kinds$
template <>
struct ResourceTraits<$object$> {
  using List = $list$;
  static constexpr Resource kResource = {
      .group = $group$, .version = $version$, .plural = $plural$,
      .kind = $kind$, .namespaced = $namespaced$, .built_in = $built_in$};
  static constexpr bool kHasGeneration = $has_generation$;
  static constexpr bool kHasStatus = $has_status$;
};

$end$
}  // namespace kube::typed
#endif  // $guard$
)";

std::string Boolean(bool value) { return value ? "true" : "false"; }

// The name is complete because a namespace may have a class or function of that name, too.
std::string QualifiedName(absl::string_view cpp_namespace, absl::string_view name) {
  return absl::StrCat("::", cpp_namespace, "::", name);
}

}  // namespace

std::string TraitsName(absl::string_view cpp_namespace, absl::string_view object) {
  return absl::StrCat("::kube::typed::ResourceTraits<", QualifiedName(cpp_namespace, object), ">");
}

std::string PrintTraits(absl::string_view proto_path, absl::string_view cpp_namespace,
                        const std::vector<ResourceEntry>& kinds) {
  if (kinds.empty()) return "";
  Values values;
  values.texts["guard"] =
      HeaderGuard(absl::StrCat(absl::StripSuffix(proto_path, ".proto"), ".traits.kube.h"));
  for (const ResourceEntry& kind : kinds) {
    values.Add("kinds").texts = {{"object", QualifiedName(cpp_namespace, kind.object)},
                                 {"list", QualifiedName(cpp_namespace, kind.list)},
                                 {"group", StringLiteral(kind.group)},
                                 {"version", StringLiteral(kind.version)},
                                 {"plural", StringLiteral(kind.plural)},
                                 {"kind", StringLiteral(kind.kind)},
                                 {"namespaced", Boolean(kind.namespaced)},
                                 {"built_in", Boolean(kind.built_in)},
                                 {"has_generation", Boolean(kind.has_generation)},
                                 {"has_status", Boolean(kind.has_status)}};
  }
  return std::string(absl::StripSuffix(Expand(kTraits, values), "\n"));
}

}  // namespace kube::codegen
