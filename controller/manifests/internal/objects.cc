#include "controller/manifests/internal/objects.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/value.h"

namespace kube::manifests::internal {

std::string Names::With(absl::string_view suffix) const {
  return absl::StrCat(program, "-", suffix);
}

Object MakeObject(const Names& names, absl::string_view api_version, absl::string_view kind,
                  absl::string_view name, absl::string_view namespace_name) {
  Object metadata = {{"labels", Object{{"app.kubernetes.io/name", names.program}}}, {"name", name}};
  if (!namespace_name.empty()) metadata["namespace"] = namespace_name;
  return Object{{"apiVersion", api_version}, {"kind", kind}, {"metadata", std::move(metadata)}};
}

Object PodLabels(const Names& names) {
  return Object{{"app.kubernetes.io/name", names.program}, {"control-plane", "controller-manager"}};
}

Array Texts(const std::vector<std::string>& texts) {
  Array values;
  for (const std::string& text : texts) values.push_back(unstructured::Value(text));
  return values;
}

}  // namespace kube::manifests::internal
