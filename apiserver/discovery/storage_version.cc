#include "apiserver/discovery/storage_version.h"

#include <openssl/sha.h>

#include <array>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/kind_info.h"
#include "apiserver/custom_kind.h"
#include "apiserver/resources.h"

namespace kube::apiserver::internal {
namespace {

// A resource that a kube-apiserver stores in another group or version.
struct StoredElsewhere {
  absl::string_view group;
  absl::string_view kind;
  absl::string_view stored_group;
  absl::string_view stored_version;
};

constexpr StoredElsewhere kStoredElsewhere[] = {
    {"admissionregistration.k8s.io", "MutatingAdmissionPolicy", "admissionregistration.k8s.io",
     "v1beta1"},
    {"admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding",
     "admissionregistration.k8s.io", "v1beta1"},
    {"apiextensions.k8s.io", "CustomResourceDefinition", "apiextensions.k8s.io", "v1beta1"},
    {"autoscaling", "HorizontalPodAutoscaler", "autoscaling", "v2"},
    {"events.k8s.io", "Event", "", "v1"},
};

// Returns the first eight bytes of the hash of "GROUP/VERSION/KIND".
std::string HashOf(absl::string_view group, absl::string_view version, absl::string_view kind) {
  const std::string text = absl::StrCat(group, "/", version, "/", kind);
  std::array<unsigned char, SHA256_DIGEST_LENGTH> hash = {};
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), hash.data());
  return absl::Base64Escape(absl::string_view(reinterpret_cast<const char*>(hash.data()), 8));
}

}  // namespace

std::string StorageVersionHash(const Resource& resource) {
  const KindInfo& kind = *resource.kind;
  if (resource.custom != nullptr) {
    return HashOf(kind.group, resource.custom->stored().kind().version, kind.kind);
  }
  // Component statuses are probed, not stored.
  if (!resource.HasVerb("list") || kind.kind == "ComponentStatus") return "";
  for (const StoredElsewhere& each : kStoredElsewhere) {
    if (each.group == kind.group && each.kind == kind.kind) {
      return HashOf(each.stored_group, each.stored_version, kind.kind);
    }
  }
  return HashOf(kind.group, kind.version, kind.kind);
}

}  // namespace kube::apiserver::internal
