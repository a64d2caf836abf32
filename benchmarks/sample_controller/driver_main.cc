// The driver of tools/bench sample_controller, for one run of one controller:
//
//   driver --foos=N PROGRAM   starts a cluster, runs PROGRAM --kubeconfig F --workers 2, which must
//                             print "starting workers" when it has synced, creates N Foos, and ends
//                             the program with SIGTERM
//   driver --size PROGRAM     measures the size of the program
//
// go/main.go is the controller's twin. docs/benchmarks.md describes the figures.
#include <stdlib.h>

#include <cstdint>
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
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "benchmarks/contract/contract.h"
#include "benchmarks/sample_controller/binary_size.h"
#include "benchmarks/sample_controller/cluster.h"
#include "benchmarks/sample_controller/controller_process.h"

ABSL_FLAG(int, foos, 200, "number of Foos to create");
ABSL_FLAG(bool, size, false, "measure the size of the program instead");
ABSL_FLAG(bool, embedded, false, "use envtest's server instead of a real one, for a quick run");
ABSL_FLAG(std::string, crds, "",
          "path of the CustomResourceDefinition of Foo; default: the one built with this program");

namespace kube::benchmarks {
namespace {

// A folder that is removed by the destructor.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = std::filesystem::temp_directory_path() / "sample-controller-XXXXXX";
    if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

void AddUsage(const ProcessUsage& usage, absl::Duration cpu_of_start, int foos, Report& report) {
  constexpr double kMiB = 1 << 20;
  report.Add("cpu", "s", absl::ToDoubleSeconds(usage.cpu));
  report.Add("cpu_start", "s", absl::ToDoubleSeconds(cpu_of_start));
  report.Add("cpu_a_foo", "us", absl::ToDoubleMicroseconds(usage.cpu - cpu_of_start) / foos);
  report.Add("rss_anon", "MiB", static_cast<double>(usage.rss_anon_bytes) / kMiB);
  report.Add("peak_rss", "MiB", static_cast<double>(usage.peak_rss_bytes) / kMiB);
}

absl::Status Converge(const Context& ctx, const std::string& program, const std::string& crds,
                      Report& report) {
  const TemporaryFolder folder;
  const std::string kubeconfig = absl::StrCat(folder.path(), "/kubeconfig");
  KUBE_ASSIGN_OR_RETURN(const auto cluster,
                        Cluster::Start(ctx, absl::GetFlag(FLAGS_embedded), crds), "start cluster");
  std::ofstream(kubeconfig) << cluster->Kubeconfig();
  KUBE_ASSIGN_OR_RETURN(
      const auto controller,
      ControllerProcess::Start({program, "--kubeconfig", kubeconfig, "--workers", "2"},
                               absl::StrCat(folder.path(), "/log")));
  KUBE_RETURN_IF_ERROR(controller->AwaitLog(ctx, "starting workers"), "await synced controller");
  KUBE_ASSIGN_OR_RETURN(const ProcessUsage synced, controller->Measure());
  const int foos = absl::GetFlag(FLAGS_foos);
  KUBE_ASSIGN_OR_RETURN(const Convergence convergence, cluster->Converge(ctx, foos));
  KUBE_ASSIGN_OR_RETURN(const ProcessUsage converged, controller->Measure());
  KUBE_RETURN_IF_ERROR(controller->Stop(ctx), "stop controller");
  report.Add("created", "s", absl::ToDoubleSeconds(convergence.created));
  report.Add("deployments", "s", absl::ToDoubleSeconds(convergence.deployments));
  report.Add("converged", "s", absl::ToDoubleSeconds(convergence.statuses));
  AddUsage(converged, synced.cpu, foos, report);
  return absl::OkStatus();
}

absl::Status Size(const std::string& program, Report& report) {
  const TemporaryFolder folder;
  KUBE_ASSIGN_OR_RETURN(const BinarySize size, MeasureBinary(program, folder.path()));
  const auto add = [&report](const std::string& name, int64_t bytes) {
    report.Add(name, "KB", static_cast<double>(bytes) / 1e3);
  };
  add("binary", size.stripped_bytes);
  int64_t all = 0;
  for (const auto& [name, bytes] : size.libraries) all += bytes;
  add("libraries", all);
  for (const auto& [name, bytes] : size.libraries) add(absl::StrCat("library/", name), bytes);
  return absl::OkStatus();
}

absl::Status Run(const std::vector<char*>& arguments, Report& report) {
  if (arguments.size() != 2 || absl::GetFlag(FLAGS_foos) < 1) {
    return absl::InvalidArgumentError("usage: driver [--foos=N | --size] PROGRAM");
  }
  const std::string program = arguments[1];
  if (absl::GetFlag(FLAGS_size)) return Size(program, report);
  std::string crds = absl::GetFlag(FLAGS_crds);
  if (crds.empty()) {
    crds =
        absl::StrCat(arguments[0], ".runfiles/client_cpp/examples/sample_controller/foo_crds.yaml");
  }
  return Converge(WithTimeout(Context(), absl::Minutes(5)), program, crds, report);
}

}  // namespace
}  // namespace kube::benchmarks

int main(int argc, char* argv[]) {
  kube::benchmarks::Report report;
  const absl::Status status = kube::benchmarks::Run(absl::ParseCommandLine(argc, argv), report);
  if (!status.ok()) {
    std::cerr << "driver: " << status.message() << "\n";
    return 1;
  }
  std::cout << report.ToJson() << std::endl;
  return 0;
}
