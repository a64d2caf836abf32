#include "apimachinery/crd_schema/published.h"

#include <memory>

#include "absl/algorithm/container.h"
#include "absl/strings/string_view.h"
#include "apimachinery/crd_schema/internal/node.h"
#include "apimachinery/crd_schema/structural.h"
#include "apimachinery/validation/field_path.h"

namespace kube::crd_schema {
namespace {

using crd_schema::internal::Node;

bool HasKnownTypes(const Node& node) {
  constexpr absl::string_view kTypes[] = {"",       "array",  "boolean", "integer",
                                          "number", "object", "string"};
  const auto has = [](const std::unique_ptr<const Node>& child) {
    return child == nullptr || HasKnownTypes(*child);
  };
  return absl::c_linear_search(kTypes, absl::string_view(node.type)) && has(node.items) &&
         has(node.additional_schema) &&
         absl::c_all_of(node.properties, [&](const auto& entry) { return has(entry.second); });
}

}  // namespace

bool IsPublished(const Structural& schema) {
  return HasKnownTypes(schema.root()) &&
         ValidateStructural(schema, validation::field::Path()).empty();
}

}  // namespace kube::crd_schema
