#include "apimachinery/managedfields/internal/object_text.h"

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/unstructured/value.h"

namespace kube::managedfields::internal {

using unstructured::Value;

schema::GroupVersionKind KindOf(const Value& object) {
  const absl::StatusOr<schema::GroupVersion> version =
      schema::ParseGroupVersion(object["apiVersion"].text().value_or(""));
  if (!version.ok()) return {};
  return version->WithKind(object["kind"].text().value_or(""));
}

std::string ObjectText(const Value& object) {
  const Value& metadata = object["metadata"];
  return absl::StrCat(metadata["namespace"].text().value_or(""), "/",
                      metadata["name"].text().value_or(""), "; ", KindOf(object).ToString());
}

}  // namespace kube::managedfields::internal
