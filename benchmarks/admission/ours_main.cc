// The webhook server of tools/bench admission: sets defaults in pods, and judges them.
// go/main.go does the same in Go, on controller-runtime.
//
//   ours --port=PORT --certificates=FOLDER
//
// The folder has tls.crt and tls.key. SIGINT ends it.
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "webhook/admission.h"
#include "webhook/server.h"
#include "webhook/server_options.h"

ABSL_FLAG(uint16_t, port, 9443, "the port of 127.0.0.1");
ABSL_FLAG(std::string, certificates, "", "the folder of tls.crt and tls.key");

namespace kube::benchmarks {
namespace {

namespace corev1 = api::core::v1;
namespace field = validation::field;
using webhook::AdmissionRequest;

absl::Status SetDefaults(const AdmissionRequest<corev1::Pod>& /*request*/, corev1::Pod& pod) {
  pod.metadata.labels["bench/defaulted"] = "true";
  for (corev1::Container& container : pod.spec.containers) {
    if (container.image_pull_policy.empty()) container.image_pull_policy = "IfNotPresent";
  }
  return absl::OkStatus();
}

field::ErrorList Check(const AdmissionRequest<corev1::Pod>& request) {
  field::ErrorList wrong;
  const corev1::PodSpec& spec = request.object->spec;
  if (spec.host_network) {
    wrong.push_back(field::Forbidden(field::Path("spec").Child("hostNetwork"), "not here"));
  }
  const field::Path containers = field::Path("spec").Child("containers");
  for (size_t i = 0; i < spec.containers.size(); ++i) {
    if (spec.containers[i].resources.limits.contains("memory")) continue;
    wrong.push_back(field::Required(
        containers.Index(i).Child("resources").Child("limits").Child("memory"), "set a limit"));
  }
  return wrong;
}

absl::Status Serve() {
  webhook::Server server(
      webhook::ServerOptions{.address = "127.0.0.1",
                             .port = absl::GetFlag(FLAGS_port),
                             .certificate_folder = absl::GetFlag(FLAGS_certificates)});
  server.Defaults<corev1::Pod>(SetDefaults);
  server.Validates<corev1::Pod>(Check);
  return server.Run(SignalContext());
}

}  // namespace
}  // namespace kube::benchmarks

int main(int argc, char** argv) {
  absl::ParseCommandLine(argc, argv);
  const absl::Status status = kube::benchmarks::Serve();
  if (!status.ok()) std::cerr << "ours: " << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
