#include "apimachinery/scheme/add_to_scheme.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "api/meta/v1/types.kinds.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/status.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/scheme/scheme.h"
#include "apimachinery/types/kind_info.h"

namespace kube::scheme {

namespace {

namespace metav1 = ::kube::api::meta::v1;

const KindInfo& MetaKind(absl::string_view name) {
  const auto kinds = metav1::Kinds();
  const auto it = std::find_if(kinds.begin(), kinds.end(),
                               [name](const KindInfo& kind) { return kind.kind == name; });
  KUBE_CHECK(it != kinds.end()) << name;
  return *it;
}

// The generated table of kinds lacks WatchEvent, because it is not an object of its own.
const KindInfo& WatchEventKind() {
  static const KindInfo kind = {
      .version = "v1", .kind = "WatchEvent", .message = &metav1::WatchEvent::kMessage};
  return kind;
}

absl::Status AddUnversioned(Scheme& scheme) {
  for (const char* name :
       {"Status", "APIVersions", "APIGroupList", "APIGroup", "APIResourceList"}) {
    KUBE_RETURN_IF_ERROR(scheme.AddUnversionedKinds(absl::MakeConstSpan(&MetaKind(name), 1)));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status AddToGroupVersion(Scheme& scheme, const schema::GroupVersion& version) {
  KUBE_RETURN_IF_ERROR(
      scheme.AddKnownTypeWithName(version.WithKind("WatchEvent"), WatchEventKind()));
  for (const char* name : {"ListOptions", "GetOptions", "DeleteOptions", "CreateOptions",
                           "UpdateOptions", "PatchOptions"}) {
    KUBE_RETURN_IF_ERROR(scheme.AddKnownTypeWithName(version.WithKind(name), MetaKind(name)));
  }
  return AddUnversioned(scheme);
}

absl::Status AddToScheme(Scheme& scheme, absl::Span<const KindInfo> kinds) {
  KUBE_RETURN_IF_ERROR(scheme.AddKinds(kinds));
  std::vector<schema::GroupVersion> versions;
  for (const KindInfo& kind : kinds) {
    schema::GroupVersion version = {.group = std::string(kind.group),
                                    .version = std::string(kind.version)};
    if (std::find(versions.begin(), versions.end(), version) != versions.end()) continue;
    KUBE_RETURN_IF_ERROR(AddToGroupVersion(scheme, version));
    versions.push_back(std::move(version));
  }
  return absl::OkStatus();
}

absl::Status AddMetaToScheme(Scheme& scheme) {
  for (const char* name :
       {"Table", "TableOptions", "PartialObjectMetadata", "PartialObjectMetadataList"}) {
    KUBE_RETURN_IF_ERROR(scheme.AddKinds(absl::MakeConstSpan(&MetaKind(name), 1)));
  }
  return absl::OkStatus();
}

}  // namespace kube::scheme
