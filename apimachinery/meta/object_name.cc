#include "apimachinery/meta/object_name.h"

#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/text/go_text.h"

namespace kube::meta {

std::string ObjectName::ToString() const {
  return namespace_name.empty() ? name : absl::StrCat(namespace_name, "/", name);
}

std::ostream& operator<<(std::ostream& out, const ObjectName& value) {
  return out << value.ToString();
}

ObjectName ObjectNameOf(const api::meta::v1::ObjectMeta& metadata) {
  return {.namespace_name = metadata.namespace_, .name = metadata.name};
}

absl::StatusOr<ObjectName> ParseObjectName(absl::string_view key) {
  const std::vector<std::string> parts = absl::StrSplit(key, '/');
  if (parts.size() == 1) return ObjectName{.name = parts[0]};
  if (parts.size() == 2) return ObjectName{.namespace_name = parts[0], .name = parts[1]};
  std::string message = "unexpected key format: ";
  text::AppendQuoted(message, key);
  return absl::InvalidArgumentError(message);
}

std::string MetaNamespaceKey(const api::meta::v1::ObjectMeta& metadata) {
  if (metadata.namespace_.empty()) return metadata.name;
  return absl::StrCat(metadata.namespace_.view(), "/", metadata.name.view());
}

}  // namespace kube::meta
