// server [--real] [--objects=N] FOLDER: the server of tools/bench operator, envtest's or (--real)
// etcd and kube-apiserver.
//
// Creates N ConfigMaps object-… in the namespace default, writes FOLDER/kubeconfig, prints FOLDER,
// and ends when its standard input ends.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread_group.h"
#include "apiserver/api_server.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "envtest/control_plane.h"
#include "envtest/environment.h"

ABSL_FLAG(bool, real, false, "start etcd and kube-apiserver instead of envtest's server");
ABSL_FLAG(int, objects, 2000, "number of ConfigMaps");

namespace kube::benchmarks {
namespace {

namespace corev1 = api::core::v1;

constexpr int kWriters = 4;

absl::StatusOr<std::unique_ptr<envtest::Environment>> StartEnvironment(const Context& ctx) {
  if (absl::GetFlag(FLAGS_real)) return envtest::ControlPlane::Start(ctx);
  apiserver::ApiServerOptions options;
  options.handler.max_logged_requests = 10;
  return envtest::EmbeddedEnvironment::Start(options);
}

absl::Status CreateObjects(const Context& ctx, const corev1::ConfigMapClient& client, int objects) {
  base::ThreadGroup writers(ctx);
  for (int writer = 0; writer < kWriters; ++writer) {
    writers.Go("writer", [writer, objects, &client](const Context& writing) -> absl::Status {
      for (int i = writer; i < objects; i += kWriters) {
        const corev1::ConfigMap map = {.metadata = {.name = absl::StrFormat("object-%05d", i)},
                                       .data = {{"key", "value"}}};
        KUBE_RETURN_IF_ERROR(client.Create(writing, map).status());
      }
      return absl::OkStatus();
    });
  }
  return writers.Wait();
}

absl::Status Serve(const std::string& folder) {
  const Context ctx = WithTimeout(Context(), absl::Minutes(5));
  KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<envtest::Environment> environment,
                        StartEnvironment(ctx));
  KUBE_ASSIGN_OR_RETURN(const kubernetes::Clientset client,
                        kubernetes::Clientset::Make(environment->Config()));
  KUBE_RETURN_IF_ERROR(
      CreateObjects(ctx, client.CoreV1().ConfigMaps("default"), absl::GetFlag(FLAGS_objects)),
      "create ConfigMaps");
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  std::ofstream(absl::StrCat(folder, "/kubeconfig")) << environment->Kubeconfig();
  std::cout << folder << std::endl;
  std::string line;
  std::getline(std::cin, line);
  return absl::OkStatus();
}

}  // namespace
}  // namespace kube::benchmarks

int main(int argc, char** argv) {
  const std::vector<char*> arguments = absl::ParseCommandLine(argc, argv);
  if (arguments.size() != 2) {
    std::cerr << "usage: server [--real] [--objects=N] FOLDER\n";
    return 2;
  }
  const absl::Status status = kube::benchmarks::Serve(arguments[1]);
  if (status.ok()) return 0;
  std::cerr << "serve: " << status.message() << "\n";
  return 1;
}
