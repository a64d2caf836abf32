// The program of README.md, which shows what it prints.
#include <iostream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/codec/diff.h"
#include "apimachinery/patch/merge_patch.h"

namespace appsv1 = kube::api::apps::v1;

absl::Status ScaleUp(absl::string_view manifest) {
  KUBE_ASSIGN_OR_RETURN(const auto before, kube::codec::DecodeYaml<appsv1::Deployment>(manifest));
  appsv1::Deployment after = before;  // a deep copy
  after.spec.replicas = before.spec.replicas.value_or(1) + 1;
  after.spec.template_.spec.containers.push_back({
      .name = "proxy",
      .ports = {{.container_port = 8080}},
      .resources = {.limits = {{"cpu", "500m"}}},
  });
  KUBE_ASSIGN_OR_RETURN(const std::string patch, kube::patch::MakeMergePatch(before, after));
  std::cout << kube::codec::ToString(kube::codec::Diff(before, after)) << patch << "\n";
  return absl::OkStatus();
}

int main() {
  const absl::Status status = ScaleUp("{metadata: {name: web}, spec: {replicas: 2}}");
  if (!status.ok()) std::cerr << status << "\n";
  return status.ok() ? 0 : 1;
}
