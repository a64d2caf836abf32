#ifndef CODEGEN_TRAITS_TRAITS_TEXT_H_
#define CODEGEN_TRAITS_TRAITS_TEXT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "codegen/resources.h"

// typed::ResourceTraits of the kinds of an IDL file. The headers of clients and of informers both
// contain them, since neither includes the other; an include guard of their own drops the second
// copy. Pure and thread-safe.

namespace kube::codegen {

// Returns "::kube::typed::ResourceTraits<::foo::v1::Web>" for the struct "Web" of "foo::v1".
std::string TraitsName(absl::string_view cpp_namespace, absl::string_view object);

// Returns the specializations for `kinds` of `proto_path`, all lines but the last one's end, or ""
// if there are no kinds.
std::string PrintTraits(absl::string_view proto_path, absl::string_view cpp_namespace,
                        const std::vector<ResourceEntry>& kinds);

}  // namespace kube::codegen

#endif  // CODEGEN_TRAITS_TRAITS_TEXT_H_
