// demo --controller PATH [--kubeconfig FILE [--nodes]] [--keep]: the sample controller at work.
//
// Without a kubeconfig it uses a cluster of its own: the embedded API server with simulated
// workloads. With one, it uses a new namespace there and cleans up afterwards.
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/apiextensions/v1/client.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/config.h"
#include "envtest/crds.h"
#include "envtest/environment.h"
#include "envtest/workloads/workloads.h"
#include "examples/sample_controller/demo/controller_process.h"
#include "examples/sample_controller/demo/screen.h"
#include "examples/sample_controller/demo/story.h"

ABSL_FLAG(std::string, controller, "", "path of the sample controller");
ABSL_FLAG(std::string, crds, "", "path of the CustomResourceDefinition of Foo");
ABSL_FLAG(bool, nodes, false, "simulate nodes, for a cluster without nodes");
ABSL_FLAG(bool, keep, false, "keep running until Ctrl-C, for kubectl");

namespace samplecontroller {
namespace {

namespace clientcmd = kube::clientcmd;
namespace envtest = kube::envtest;
using kube::Context;
using kube::kubernetes::Clientset;

constexpr char kDefinition[] = "foos.samplecontroller.k8s.io";

// A folder that is removed by the destructor.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = std::filesystem::temp_directory_path() / "sample-controller-XXXXXX";
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string File(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

class Demo {
 public:
  absl::Status Run(const Context& ctx);

 private:
  // Starts an API server or uses that of the kubeconfig, and starts Workloads where nobody else
  // makes pods.
  absl::Status FindCluster();
  absl::Status Prepare(const Context& ctx, const Clientset& client);
  absl::Status StartController(kube::CancelScope& scope);
  // Removes what was created in an existing cluster. Takes no context, since that may be done.
  void CleanUp(const Clientset& client);

  Screen screen_;
  const TemporaryFolder folder_;
  std::unique_ptr<envtest::EmbeddedEnvironment> environment_;  // null for an existing cluster
  std::unique_ptr<envtest::Workloads> workloads_;
  kube::rest::Config config_;
  std::string kubeconfig_;
  std::string namespace_name_;
  bool made_definition_ = false;
  std::unique_ptr<ControllerProcess> controller_;
};

absl::Status Demo::FindCluster() {
  kubeconfig_ = clientcmd::FlagOptions().kubeconfig;
  bool makes_pods = absl::GetFlag(FLAGS_nodes);
  if (kubeconfig_.empty()) {
    KUBE_ASSIGN_OR_RETURN(environment_, envtest::EmbeddedEnvironment::Start());
    config_ = environment_->Config();
    kubeconfig_ = folder_.File("kubeconfig");
    std::ofstream(kubeconfig_) << environment_->Kubeconfig();
    makes_pods = true;
    screen_.Say(absl::StrCat("An API server in this process: ", environment_->url()));
  } else {
    KUBE_ASSIGN_OR_RETURN(config_, clientcmd::LoadDefaultConfig(clientcmd::FlagOptions()));
    screen_.Say(absl::StrCat("The cluster of ", kubeconfig_, ": ", config_.host));
  }
  if (!makes_pods) return absl::OkStatus();
  KUBE_ASSIGN_OR_RETURN(
      workloads_, envtest::Workloads::Start(config_, {.pod_ready_after = absl::Milliseconds(700),
                                                      .pod_stops_after = absl::Milliseconds(300),
                                                      .controllers = environment_ != nullptr}));
  return absl::OkStatus();
}

absl::Status Demo::Prepare(const Context& ctx, const Clientset& client) {
  const auto definitions = client.ApiextensionsV1().CustomResourceDefinitions();
  const absl::Status found = definitions.Get(ctx, kDefinition).status();
  if (kube::errors::IsNotFound(found)) {
    made_definition_ = true;
    KUBE_RETURN_IF_ERROR(
        envtest::InstallCrds(ctx, client.client(), {.paths = {absl::GetFlag(FLAGS_crds)}}));
  } else {
    KUBE_RETURN_IF_ERROR(found);
  }
  screen_.Say(absl::StrCat("CustomResourceDefinition ", kDefinition,
                           made_definition_ ? ": installed" : ": was there already"));
  KUBE_ASSIGN_OR_RETURN(const auto created, client.CoreV1().Namespaces().Create(
                                                ctx, {.metadata = {.generate_name = "demo-"}}));
  namespace_name_ = std::string(created.metadata.name.view());
  screen_.Say(absl::StrCat("Namespace ", namespace_name_, ": made"));
  return absl::OkStatus();
}

absl::Status Demo::StartController(kube::CancelScope& scope) {
  controller_ = std::make_unique<ControllerProcess>();
  const auto on_end = [&scope](const absl::Status& status) { scope.Cancel(status); };
  KUBE_RETURN_IF_ERROR(controller_->Start(
      {absl::GetFlag(FLAGS_controller), absl::StrCat("--kubeconfig=", kubeconfig_), "--v=2"},
      folder_.File("log"), on_end));
  screen_.Say(absl::StrCat("sample_controller --kubeconfig=", kubeconfig_, ": started"));
  return absl::OkStatus();
}

void Demo::CleanUp(const Clientset& client) {
  if (environment_ != nullptr) return;
  const Context ctx = kube::WithTimeout({}, absl::Seconds(30));
  absl::Status status;
  if (!namespace_name_.empty())
    status.Update(client.CoreV1().Namespaces().Delete(ctx, namespace_name_));
  if (made_definition_) {
    status.Update(client.ApiextensionsV1().CustomResourceDefinitions().Delete(ctx, kDefinition));
  }
  screen_.Say(absl::StrCat("\nThe namespace ", namespace_name_,
                           made_definition_ ? " and the definition of Foo are" : " is",
                           status.ok() ? " deleted" : " not deleted: ", status.message()));
}

absl::Status Demo::Run(const Context& ctx) {
  kube::CancelScope scope = kube::WithCancel(ctx);
  KUBE_RETURN_IF_ERROR(FindCluster());
  KUBE_ASSIGN_OR_RETURN(const Clientset client, Clientset::Make(config_));
  const auto tell = [&]() -> absl::Status {
    KUBE_RETURN_IF_ERROR(Prepare(ctx, client));
    KUBE_RETURN_IF_ERROR(StartController(scope));
    Story story(client, namespace_name_, screen_);
    KUBE_RETURN_IF_ERROR(story.Watch(scope.context()));
    KUBE_RETURN_IF_ERROR(story.Tell(scope.context()));
    if (!absl::GetFlag(FLAGS_keep)) return story.End(scope.context());
    screen_.Step(absl::StrCat(
        "It stays until Ctrl-C. In another terminal:\n  export KUBECONFIG=", kubeconfig_,
        "\n  kubectl -n ", namespace_name_, " get foos,deployments,pods\n  kubectl -n ",
        namespace_name_, " patch foo example-foo --type=merge -p '{\"spec\":{\"replicas\":5}}'"));
    kube::base::WaitUntilDone(scope.context()).IgnoreError();
    return absl::OkStatus();
  };
  absl::Status told = tell();
  // The cause of the cancellation is the actual error.
  if (scope.context().done()) told = scope.context().cause();
  if (!told.ok() && !ctx.done()) {
    std::ifstream log(folder_.File("log"));
    std::cerr << "\nThe controller's log:\n"
              << std::string(std::istreambuf_iterator<char>(log), std::istreambuf_iterator<char>());
  }
  controller_ = nullptr;
  CleanUp(client);
  return told;
}

}  // namespace
}  // namespace samplecontroller

int main(int argc, char** argv) {
  kube::clientcmd::ParseCommandLine(argc, argv);
  signal(SIGPIPE, SIG_IGN);  // ends normally even if nobody reads the output
  const kube::Context ctx = kube::SignalContext();
  const absl::Status status = samplecontroller::Demo().Run(ctx);
  if (ctx.done()) {
    std::cout << "\nEnded.\n";
    return absl::GetFlag(FLAGS_keep) ? 0 : 130;
  }
  if (status.ok()) {
    std::cout << "\nDone: all that was started has ended.\n";
    return 0;
  }
  std::cerr << status.message() << "\n";
  return 1;
}
