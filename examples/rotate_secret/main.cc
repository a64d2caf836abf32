// rotate_secret SECRET KEY=FILE [--namespace NS]: writes the content of a file to a key of a
// Secret, and restarts the deployments whose pods use the Secret. It may be run again: a deployment
// that has the Secret's latest version is not restarted.
//
//   secret db is at version 42
//   restarted deployment api
//   restarted deployment web
#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/pager/pager.h"

namespace appsv1 = kube::api::apps::v1;
namespace corev1 = kube::api::core::v1;

namespace {

bool Uses(const corev1::Volume& volume, absl::string_view secret) {
  if (volume.secret && volume.secret->secret_name == secret) return true;
  if (!volume.projected) return false;
  for (const corev1::VolumeProjection& source : volume.projected->sources) {
    if (source.secret && source.secret->name == secret) return true;
  }
  return false;
}

bool Uses(const corev1::Container& container, absl::string_view secret) {
  for (const corev1::EnvFromSource& source : container.env_from) {
    if (source.secret_ref && source.secret_ref->name == secret) return true;
  }
  for (const corev1::EnvVar& variable : container.env) {
    if (!variable.value_from || !variable.value_from->secret_key_ref) continue;
    if (variable.value_from->secret_key_ref->name == secret) return true;
  }
  return false;
}

bool Uses(const corev1::PodSpec& pod, absl::string_view secret) {
  const auto uses = [secret](const auto& part) { return Uses(part, secret); };
  return std::any_of(pod.volumes.begin(), pod.volumes.end(), uses) ||
         std::any_of(pod.init_containers.begin(), pod.init_containers.end(), uses) ||
         std::any_of(pod.containers.begin(), pod.containers.end(), uses);
}

// Reads by the stream, since an istreambuf_iterator throws if `path` is a directory.
absl::StatusOr<std::string> ReadFile(const std::string& path) {
  std::ifstream file(path);
  std::string text;
  char part[4096];
  do {
    file.read(part, sizeof(part));
    text.append(part, static_cast<size_t>(file.gcount()));
  } while (file.good());
  if (!file.eof()) {
    return absl::NotFoundError(absl::StrCat("read \"", path, "\": not a readable file"));
  }
  return text;
}

absl::Status RotateSecret(const kube::Context& ctx, const std::string& name, const std::string& key,
                          const std::string& path) {
  KUBE_ASSIGN_OR_RETURN(
      kube::clientcmd::LoadedConfig loaded,
      kube::clientcmd::LoadDefaultConfigAndNamespace(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(const auto client, kube::kubernetes::Clientset::Make(loaded.config));
  const std::string& ns = loaded.chosen_namespace.name;

  KUBE_ASSIGN_OR_RETURN(const std::string content, ReadFile(path));
  KUBE_ASSIGN_OR_RETURN(const corev1::Secret secret,
                        client.CoreV1().Secrets(ns).Edit(ctx, name, [&](corev1::Secret& s) {
                          s.data[key] = content;
                          return absl::OkStatus();
                        }));
  const std::string version(secret.metadata.resource_version);
  std::cout << "secret " << name << " is at version " << version << "\n";

  // Another annotation makes another pod template, which the deployment rolls out.
  const std::string annotation = absl::StrCat("rotate-secret.example.com/", name);
  const auto deployments = client.AppsV1().Deployments(ns);
  const auto restart = [&](const appsv1::Deployment& found) -> absl::Status {
    const auto& pod_template = found.spec.template_;
    if (!Uses(pod_template.spec, name)) return absl::OkStatus();
    if (pod_template.metadata.annotations.value_or(annotation, "") == version) {
      return absl::OkStatus();
    }
    const auto annotate = [&](appsv1::Deployment& deployment) {
      deployment.spec.template_.metadata.annotations[annotation] = version;
      return absl::OkStatus();
    };
    const absl::Status edited = deployments.Edit(ctx, found.metadata.name, annotate).status();
    if (kube::errors::IsNotFound(edited)) return absl::OkStatus();  // deleted since it was listed
    KUBE_RETURN_IF_ERROR(edited);
    std::cout << "restarted deployment " << found.metadata.name << "\n";
    return absl::OkStatus();
  };
  return kube::pager::PagerOf(deployments.typed_client()).EachItem(ctx, {}, restart);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<char*> arguments = kube::clientcmd::ParseCommandLine(argc, argv);
  const std::pair<std::string, std::string> pair =
      absl::StrSplit(arguments.size() == 3 ? arguments[2] : "", absl::MaxSplits('=', 1));
  if (pair.first.empty() || pair.second.empty()) {
    std::cerr << "usage: rotate_secret SECRET KEY=FILE\n";
    return 2;
  }
  const kube::Context ctx = kube::WithTimeout(kube::SignalContext(), absl::Minutes(1));
  const absl::Status status = RotateSecret(ctx, arguments[1], pair.first, pair.second);
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
