#include "clientset/openapi/root.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "clientset/openapi/openapi.h"

namespace kube::openapi {
namespace {

std::string NameOf(const schema::GroupVersion& version) {
  return version.group.empty() ? absl::StrCat("api/", version.version)
                               : absl::StrCat("apis/", version.group, "/", version.version);
}

// Returns nullopt for documents of other paths, such as "version" and "apis/apps" (client-go:
// `pathToGroupVersion`).
std::optional<schema::GroupVersion> Parse(absl::string_view name) {
  const std::vector<std::string> parts = absl::StrSplit(name, '/');
  if (parts[0] == "apis" && parts.size() >= 3) {
    return schema::GroupVersion{.group = parts[1], .version = parts[2]};
  }
  if (parts[0] == "api" && parts.size() >= 2) return schema::GroupVersion{.version = parts[1]};
  return std::nullopt;
}

}  // namespace

absl::StatusOr<std::vector<schema::GroupVersion>> Root::GroupVersions(const Context& ctx) const {
  KUBE_ASSIGN_OR_RETURN(const openapi::GroupVersions paths, documents_->Paths(ctx));
  std::vector<schema::GroupVersion> versions;
  for (const auto& [name, document] : paths) {
    if (std::optional<schema::GroupVersion> version = Parse(name)) {
      versions.push_back(*std::move(version));
    }
  }
  std::sort(versions.begin(), versions.end(),
            [](const schema::GroupVersion& a, const schema::GroupVersion& b) {
              return a.ToString() < b.ToString();
            });
  return versions;
}

absl::StatusOr<unstructured::Value> Root::GroupVersionSpec(
    const Context& ctx, const schema::GroupVersion& version) const {
  KUBE_ASSIGN_OR_RETURN(const openapi::GroupVersions paths, documents_->Paths(ctx));
  const auto found = paths.find(NameOf(version));
  if (found == paths.end()) {
    return absl::NotFoundError(
        absl::StrCat("GroupVersion (", version.ToString(), ") not found as OpenAPI V3 path"));
  }
  KUBE_ASSIGN_OR_RETURN(const Document document, found->second->Schema(ctx, kJson));
  KUBE_ASSIGN_OR_RETURN(unstructured::Value spec, unstructured::ParseJson(*document), "get ",
                        found->second->ServerRelativeUrl());
  return spec;
}

}  // namespace kube::openapi
