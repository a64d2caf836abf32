#include "apiserver/registry/account_admission.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/meta/name_generator.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"

namespace kube::apiserver::internal {
namespace {

namespace corev1 = api::core::v1;

constexpr absl::string_view kDefault = "default";
constexpr absl::string_view kVolumePrefix = "kube-api-access-";
constexpr absl::string_view kMountPath = "/var/run/secrets/kubernetes.io/serviceaccount";
constexpr absl::string_view kEnforceSecrets = "kubernetes.io/enforce-mountable-secrets";
// TokenRequest knows tokens of this time, and makes them valid for longer.
constexpr int64_t kTokenSeconds = 60 * 60 + 7;
constexpr int32_t kFileMode = 0644;

// Returns the 403. A name that has not been generated yet is shown as its prefix.
absl::Status Forbidden(const Resource& resource, const corev1::Pod& pod, absl::string_view cause) {
  absl::string_view name = pod.metadata.name.view();
  if (name.empty()) name = pod.metadata.generate_name.view();
  if (name.empty()) name = "Unknown";
  return errors::Forbidden(resource.group_resource(), name, cause);
}

// ---- pods that only show what a kubelet runs by itself

bool UsesSecrets(const corev1::Container& container) {
  for (const corev1::EnvVar& each : container.env) {
    if (each.value_from && each.value_from->secret_key_ref) return true;
  }
  for (const corev1::EnvFromSource& each : container.env_from) {
    if (each.secret_ref) return true;
  }
  return false;
}

absl::string_view WrongInMirror(const corev1::PodSpec& spec) {
  if (!spec.service_account_name.empty()) return "a mirror pod may not reference service accounts";
  constexpr absl::string_view kNoSecrets = "a mirror pod may not reference secrets";
  if (!spec.image_pull_secrets.empty()) return kNoSecrets;
  for (const auto* containers : {&spec.init_containers, &spec.containers}) {
    for (const corev1::Container& each : *containers) {
      if (UsesSecrets(each)) return kNoSecrets;
    }
  }
  absl::string_view wrong;
  for (const corev1::Volume& volume : spec.volumes) {
    if (volume.secret) return kNoSecrets;
    if (!volume.projected) continue;
    for (const corev1::VolumeProjection& source : volume.projected->sources) {
      if (source.secret) return kNoSecrets;
      if (source.service_account_token) {
        wrong = "a mirror pod may not use ServiceAccountToken volume projections";
      }
    }
  }
  return wrong;
}

// ---- the volume with the token

bool Automounts(const corev1::ServiceAccount& account, const corev1::PodSpec& spec) {
  return spec.automount_service_account_token.value_or(
      account.automount_service_account_token.value_or(true));
}

corev1::ProjectedVolumeSource TokenVolume() {
  corev1::ServiceAccountTokenProjection token;
  token.path = "token";
  token.expiration_seconds = kTokenSeconds;
  corev1::KeyToPath certificate;
  certificate.key = "ca.crt";
  certificate.path = "ca.crt";
  corev1::ConfigMapProjection map;
  map.name = "kube-root-ca.crt";
  map.items = {certificate};
  corev1::ObjectFieldSelector field;
  field.api_version = "v1";
  field.field_path = "metadata.namespace";
  corev1::DownwardAPIVolumeFile file;
  file.path = "namespace";
  file.field_ref = field;
  corev1::DownwardAPIProjection downward;
  downward.items = {file};

  corev1::ProjectedVolumeSource volume;
  volume.default_mode = kFileMode;
  volume.sources.emplace_back().service_account_token = token;
  volume.sources.emplace_back().config_map = map;
  volume.sources.emplace_back().downward_api = downward;
  return volume;
}

// Returns whether a container got a mount. A mount of its own at the same place prevents that.
bool Mount(const corev1::VolumeMount& mount, List<corev1::Container>& containers) {
  bool mounted = false;
  for (corev1::Container& container : containers) {
    bool has_own = false;
    for (const corev1::VolumeMount& each : container.volume_mounts) {
      has_own |= each.mount_path == kMountPath;
    }
    if (has_own) continue;
    container.volume_mounts.push_back(mount);
    mounted = true;
  }
  return mounted;
}

void MountToken(corev1::PodSpec& spec) {
  corev1::VolumeMount mount;
  mount.read_only = true;
  mount.mount_path = kMountPath;
  for (const corev1::Volume& each : spec.volumes) {
    if (mount.name.empty() && absl::StartsWith(each.name.view(), kVolumePrefix)) {
      mount.name = each.name;
    }
  }
  const bool has_volume = !mount.name.empty();
  if (!has_volume) mount.name = meta::GenerateName(kVolumePrefix);
  const bool in_init = Mount(mount, spec.init_containers);
  const bool in_others = Mount(mount, spec.containers);
  if (has_volume || (!in_init && !in_others)) return;
  corev1::Volume volume;
  volume.name = mount.name;
  volume.projected = TokenVolume();
  spec.volumes.push_back(std::move(volume));
}

// ---- the secrets that pods of an account may use, if its annotation restricts them

bool IsTrue(absl::string_view text) {
  return text == "1" || text == "t" || text == "T" || text == "true" || text == "True" ||
         text == "TRUE";
}

bool RestrictsSecrets(const corev1::ServiceAccount& account) {
  const String* const value = account.metadata.annotations.find(kEnforceSecrets);
  return value != nullptr && IsTrue(value->view());
}

class SecretCheck {
 public:
  explicit SecretCheck(const corev1::ServiceAccount& account)
      : account_(account.metadata.name.view()) {
    for (const corev1::ObjectReference& each : account.secrets) secrets_.emplace(each.name);
    for (const corev1::LocalObjectReference& each : account.image_pull_secrets) {
      pull_secrets_.emplace(each.name);
    }
  }

  // Returns what is wrong, or "".
  std::string Check(const corev1::PodSpec& spec) const {
    for (const corev1::Volume& each : spec.volumes) {
      if (each.secret && secrets_.count(each.secret->secret_name) == 0) {
        return absl::StrCat("volume with secret.secretName=\"", each.secret->secret_name.view(),
                            "\" is not allowed because service account ", account_,
                            " does not reference that secret");
      }
    }
    std::string wrong = CheckContainers("init container", spec.init_containers);
    if (wrong.empty()) wrong = CheckContainers("container", spec.containers);
    if (!wrong.empty()) return wrong;
    for (size_t i = 0; i < spec.image_pull_secrets.size(); ++i) {
      const String& name = spec.image_pull_secrets[i].name;
      if (pull_secrets_.count(name) != 0) continue;
      return absl::StrCat("imagePullSecrets[", i, "].name=\"", name.view(),
                          "\" is not allowed because service account ", account_,
                          " does not reference that imagePullSecret");
    }
    return "";
  }

 private:
  std::string CheckContainers(absl::string_view noun,
                              const List<corev1::Container>& containers) const {
    const auto wrong = [&](const corev1::Container& container, absl::string_view where,
                           const String& secret) {
      return absl::StrCat(noun, " ", container.name.view(), " with ", where,
                          " referencing secret.secretName=\"", secret.view(),
                          "\" is not allowed because service account ", account_,
                          " does not reference that secret");
    };
    for (const corev1::Container& container : containers) {
      for (const corev1::EnvVar& each : container.env) {
        if (!each.value_from || !each.value_from->secret_key_ref) continue;
        const String& name = each.value_from->secret_key_ref->name;
        if (secrets_.count(name) == 0) {
          return wrong(container, absl::StrCat("envVar ", each.name.view()), name);
        }
      }
      for (const corev1::EnvFromSource& each : container.env_from) {
        if (each.secret_ref && secrets_.count(each.secret_ref->name) == 0) {
          return wrong(container, "envFrom", each.secret_ref->name);
        }
      }
    }
    return "";
  }

  const absl::string_view account_;
  std::set<String> secrets_;
  std::set<String> pull_secrets_;
};

}  // namespace

absl::Status AdmitAccount(const Storage& storage, const Resource& resource,
                          absl::string_view namespace_name, Object& object) {
  auto* const pod = object.As<corev1::Pod>();
  if (pod == nullptr) return absl::OkStatus();
  corev1::PodSpec& spec = pod->spec;
  if (pod->metadata.annotations.find(corev1::kMirrorPodAnnotationKey) != nullptr) {
    const absl::string_view wrong = WrongInMirror(spec);
    return wrong.empty() ? absl::OkStatus() : Forbidden(resource, *pod, wrong);
  }
  if (spec.service_account_name.empty()) {
    spec.service_account_name = kDefault;
    // The old name of the member, which clients see as well.
    spec.service_account = kDefault;
  }
  const std::string key = absl::StrCat(namespace_name, "/", spec.service_account_name.view());
  const ObjectPtr found = storage.Get("/serviceaccounts", key);
  if (found == nullptr) {
    return Forbidden(resource, *pod,
                     absl::StrCat("error looking up service account ", key, ": serviceaccount \"",
                                  spec.service_account_name.view(), "\" not found"));
  }
  const auto& account = *found->object().As<corev1::ServiceAccount>();
  if (Automounts(account, spec)) MountToken(spec);
  if (spec.image_pull_secrets.empty()) spec.image_pull_secrets = account.image_pull_secrets;
  if (!RestrictsSecrets(account)) return absl::OkStatus();
  const std::string wrong = SecretCheck(account).Check(spec);
  return wrong.empty() ? absl::OkStatus() : Forbidden(resource, *pod, wrong);
}

}  // namespace kube::apiserver::internal
