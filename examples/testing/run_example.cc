// run_example [--expected FILE] [--objects FILE] [--nodes NAMES] ... -- PROGRAM [ARGUMENTS]: runs
// an example on an API server of its own, and compares its standard output with a file.
//
// It starts the embedded API server, creates the objects, and runs the program with KUBECONFIG set.
// With --nodes, controllers, scheduler and nodes are simulated: deployments get pods, which run.
// With --changes, the runner changes objects as soon as the program has opened a watch.
// With --other_objects, there is a second server, in the context `other` of the kubeconfig.
//
// In a line of the expected output, "*" stands for one or more characters other than white space.
// In arguments, {folder} stands for the folder that has the kubeconfig, and a pod's `token`,
// `ca.crt` and `namespace`.
//
// Without --expected, the program must print nothing on standard output.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/errors.h"
#include "apiserver/api_server.h"
#include "apiserver/fault_rule.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/subprocess.h"
#include "envtest/environment.h"
#include "envtest/workloads/workloads.h"
#include "examples/testing/lines.h"
#include "examples/testing/objects.h"

ABSL_FLAG(std::string, expected, "", "file with the expected standard output; default: none");
ABSL_FLAG(std::string, error, "", "text that standard error must contain");
ABSL_FLAG(std::string, objects, "", "YAML file of objects to create before the program starts");
ABSL_FLAG(std::string, other_objects, "",
          "YAML file of objects to create on a second server, which has the context `other`");
ABSL_FLAG(std::string, changes, "",
          "YAML file of changes to make when the program has opened a watch");
ABSL_FLAG(std::vector<std::string>, nodes, {},
          "names of simulated nodes; if there are any, controllers and a scheduler run, and the "
          "program starts when the pods of the objects run");
ABSL_FLAG(std::string, busy, "",
          "resource, such as pods/eviction: the first request to create or change one is answered "
          "with 429, too many requests");
ABSL_FLAG(std::string, failing_watch, "",
          "resource, such as pods: the first request to watch one is answered with 500");
ABSL_FLAG(std::vector<std::string>, deny, {},
          "USER:VERB:RESOURCE or USER:VERB:RESOURCE.GROUP, such as jane:delete:pods, what a user "
          "may not do");
ABSL_FLAG(std::vector<std::string>, env, {}, "NAME=VALUE, variables for the program");
ABSL_FLAG(int, exit_code, 0, "the expected exit code");
ABSL_FLAG(absl::Duration, timeout, absl::Seconds(50), "how long everything may take");

namespace examples {
namespace {

namespace appsv1 = kube::api::apps::v1;
namespace corev1 = kube::api::core::v1;
using kube::Context;
using kube::envtest::EmbeddedEnvironment;
using kube::kubernetes::Clientset;

// What programs in pods have: the service account `example` of the namespace default.
constexpr char kToken[] = "example-token";
constexpr char kServiceAccount[] = "system:serviceaccount:default:example";

constexpr absl::Duration kPoll = absl::Milliseconds(20);

// Returns the options of a server that has nothing but the objects of the test, so that programs
// that list config maps show these only.
kube::apiserver::ApiServerOptions EmptyServer() {
  kube::apiserver::ApiServerOptions options;
  options.handler.cluster_objects = false;
  return options;
}

absl::StatusOr<std::unique_ptr<EmbeddedEnvironment>> StartServer() {
  kube::apiserver::ApiServerOptions options = EmptyServer();
  options.handler.tokens[kToken] = {.name = kServiceAccount, .groups = {"system:serviceaccounts"}};
  if (const std::string busy = absl::GetFlag(FLAGS_busy); !busy.empty()) {
    options.handler.faults.push_back(
        {.verbs = {"create", "update", "patch", "delete"},
         .resource = busy,
         .times = 1,
         .fault = kube::apiserver::fault::Error{kube::errors::TooManyRequestsError("try later")}});
  }
  if (const std::string watched = absl::GetFlag(FLAGS_failing_watch); !watched.empty()) {
    options.handler.faults.push_back(
        {.verbs = {"watch"},
         .resource = watched,
         .times = 1,
         .fault = kube::apiserver::fault::Error{kube::errors::InternalError("try again")}});
  }
  for (const std::string& rule : absl::GetFlag(FLAGS_deny)) {
    const std::vector<std::string> parts = absl::StrSplit(rule, ':');
    if (parts.size() != 3) {
      return absl::InvalidArgumentError(
          absl::StrCat("deny \"", rule, "\": not USER:VERB:RESOURCE"));
    }
    const std::pair<std::string, std::string> resource =
        absl::StrSplit(parts[2], absl::MaxSplits('.', 1));
    options.handler.deny.push_back(
        {.user = parts[0], .verb = parts[1], .group = resource.second, .resource = resource.first});
  }
  return EmbeddedEnvironment::Start(std::move(options));
}

// Returns whether all pods that the objects ask for run.
absl::StatusOr<bool> AllRun(const Context& ctx, const Clientset& client) {
  KUBE_ASSIGN_OR_RETURN(const appsv1::DeploymentList deployments,
                        client.AppsV1().Deployments("").List(ctx));
  for (const appsv1::Deployment& each : deployments.items) {
    if (each.status.available_replicas != each.spec.replicas.value_or(1)) return false;
  }
  KUBE_ASSIGN_OR_RETURN(const appsv1::StatefulSetList stateful_sets,
                        client.AppsV1().StatefulSets("").List(ctx));
  for (const appsv1::StatefulSet& each : stateful_sets.items) {
    if (each.status.available_replicas != each.spec.replicas.value_or(1)) return false;
  }
  KUBE_ASSIGN_OR_RETURN(const appsv1::DaemonSetList daemon_sets,
                        client.AppsV1().DaemonSets("").List(ctx));
  for (const appsv1::DaemonSet& each : daemon_sets.items) {
    if (each.status.observed_generation != each.metadata.generation) return false;
    if (each.status.number_available != each.status.desired_number_scheduled) return false;
  }
  KUBE_ASSIGN_OR_RETURN(const corev1::PodList pods, client.CoreV1().Pods("").List(ctx));
  for (const corev1::Pod& pod : pods.items) {
    if (pod.status.phase == "Pending") return false;
  }
  return true;
}

// Waits until the program has opened a watch, and makes the changes then.
absl::Status ChangeObjects(const Context& ctx, const Clientset& client,
                           kube::apiserver::ApiHandler& server) {
  const auto is_watched = [&server](const Context&) -> absl::StatusOr<bool> {
    for (const kube::apiserver::LoggedRequest& request : server.Requests()) {
      if (request.verb == "watch" && request.user_agent != "envtest-workloads") return true;
    }
    return false;
  };
  KUBE_RETURN_IF_ERROR(
      kube::base::PollUntil(ctx, kPoll, kube::base::FirstPoll::kAtOnce, is_watched));
  return ApplyChanges(ctx, client.client(), absl::GetFlag(FLAGS_changes));
}

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  std::ifstream file(path);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (file.fail()) return absl::NotFoundError(absl::StrCat("read ", path, ": cannot open"));
  return text;
}

// Writes what programs need to find the server, on a desktop and in a pod.
void WriteCredentials(const std::string& folder, const EmbeddedEnvironment& environment) {
  std::ofstream(folder + "/kubeconfig") << environment.Kubeconfig();
  std::ofstream(folder + "/ca.crt") << environment.ca_certificate();
  std::ofstream(folder + "/token") << kToken;
  std::ofstream(folder + "/namespace") << "default";
}

// Starts the second server, with its objects and a kubeconfig of its own, if the test has one.
absl::StatusOr<std::unique_ptr<EmbeddedEnvironment>> StartOtherServer(const Context& ctx,
                                                                      const std::string& folder) {
  const std::string objects = absl::GetFlag(FLAGS_other_objects);
  if (objects.empty()) return std::unique_ptr<EmbeddedEnvironment>();
  KUBE_ASSIGN_OR_RETURN(std::unique_ptr<EmbeddedEnvironment> other,
                        EmbeddedEnvironment::Start(EmptyServer()));
  KUBE_ASSIGN_OR_RETURN(const Clientset client, Clientset::Make(other->Config()));
  KUBE_RETURN_IF_ERROR(CreateObjects(ctx, client.client(), objects));
  std::ofstream(folder + "/other_kubeconfig")
      << absl::StrReplaceAll(other->Kubeconfig(), {{": envtest", ": other"}});
  return other;
}

std::string KubeconfigPaths(const std::string& folder) {
  const std::string path = folder + "/kubeconfig";
  if (absl::GetFlag(FLAGS_other_objects).empty()) return path;
  return absl::StrCat(path, ":", folder, "/other_kubeconfig");
}

// Runs the program and returns its standard output, also if it ended with another exit code or
// another error than expected or was stopped because the time was up; `ended` says so then.
absl::StatusOr<std::string> RunProgram(const Context& ctx, const std::string& folder,
                                       EmbeddedEnvironment& environment,
                                       const std::vector<std::string>& command,
                                       absl::Status& ended) {
  const std::string output = folder + "/output";
  // The shell opens files for the output, so that there is some even if the program is stopped.
  std::vector<std::string> args = {"sh", "-c", "exec \"$@\" >\"$0\" 2>\"$0.errors\"", output};
  for (const std::string& word : command) {
    args.push_back(absl::StrReplaceAll(word, {{"{folder}", folder}}));
  }
  std::vector<std::string> env = {
      absl::StrCat("HOME=", folder), absl::StrCat("KUBECONFIG=", KubeconfigPaths(folder)),
      "KUBERNETES_SERVICE_HOST=127.0.0.1",
      absl::StrCat("KUBERNETES_SERVICE_PORT=", environment.server().port())};
  for (const std::string& variable : absl::GetFlag(FLAGS_env)) env.push_back(variable);
  const absl::StatusOr<kube::rest::SubprocessResult> result =
      kube::rest::RunSubprocess(ctx, {.path = "/bin/sh", .args = args, .env = env});
  if (!result.ok()) {
    ended = result.status();
  } else if (result->signal != 0) {
    ended = absl::AbortedError(absl::StrCat("ended by signal ", result->signal));
  } else if (result->exit_code != absl::GetFlag(FLAGS_exit_code)) {
    ended = absl::AbortedError(absl::StrCat("exit code ", result->exit_code, ", expected ",
                                            absl::GetFlag(FLAGS_exit_code)));
  }
  KUBE_ASSIGN_OR_RETURN(const std::string errors, ReadFile(output + ".errors"));
  std::cerr << errors;
  const std::string error = absl::StrReplaceAll(absl::GetFlag(FLAGS_error), {{"{folder}", folder}});
  if (!absl::StrContains(errors, error)) {
    ended.Update(absl::AbortedError(absl::StrCat("standard error has no \"", error, "\"")));
  }
  return ReadFile(output);
}

absl::Status Run(const std::vector<std::string>& command) {
  const Context ctx = kube::WithTimeout(kube::SignalContext(), absl::GetFlag(FLAGS_timeout));
  const char* const test_folder = std::getenv("TEST_TMPDIR");
  const std::string folder = test_folder == nullptr ? "/tmp" : test_folder;
  std::string expected;
  if (const std::string path = absl::GetFlag(FLAGS_expected); !path.empty()) {
    KUBE_ASSIGN_OR_RETURN(expected, ReadFile(path));
  }
  KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<EmbeddedEnvironment> environment, StartServer());
  WriteCredentials(folder, *environment);
  KUBE_ASSIGN_OR_RETURN(const Clientset client, Clientset::Make(environment->Config()));
  if (const std::string objects = absl::GetFlag(FLAGS_objects); !objects.empty()) {
    KUBE_RETURN_IF_ERROR(CreateObjects(ctx, client.client(), objects));
  }
  KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<EmbeddedEnvironment> other,
                        StartOtherServer(ctx, folder));
  std::unique_ptr<kube::envtest::Workloads> workloads;
  if (const std::vector<std::string> nodes = absl::GetFlag(FLAGS_nodes); !nodes.empty()) {
    KUBE_ASSIGN_OR_RETURN(workloads,
                          kube::envtest::Workloads::Start(environment->Config(), {.nodes = nodes}));
    KUBE_RETURN_IF_ERROR(
        kube::base::PollUntil(ctx, kPoll, kube::base::FirstPoll::kAtOnce,
                              [&](const Context& now) { return AllRun(now, client); }),
        "wait until the pods of ", absl::GetFlag(FLAGS_objects), " run");
  }

  absl::Status changed;
  kube::base::Thread changer;
  if (!absl::GetFlag(FLAGS_changes).empty()) {
    KUBE_RETURN_IF_ERROR(changer.Start(ctx, "changes", [&](const Context& thread_ctx) {
      changed = ChangeObjects(thread_ctx, client, environment->server().handler());
    }));
  }
  absl::Status ended;
  KUBE_ASSIGN_OR_RETURN(const std::string output,
                        RunProgram(ctx, folder, *environment, command, ended));
  const std::string difference = Difference(expected, output);
  if (!difference.empty()) {
    std::cerr << "The output is not that of " << absl::GetFlag(FLAGS_expected) << ":\n"
              << difference;
    ended.Update(absl::AbortedError("another output than expected"));
  }
  // The program may have seen the last change before the answer to it has arrived here.
  if (!ended.ok()) changer.RequestStop();
  changer.Join();
  ended.Update(changed);
  return ended;
}

}  // namespace
}  // namespace examples

int main(int argc, char** argv) {
  const std::vector<char*> words = absl::ParseCommandLine(argc, argv);
  if (words.size() < 2) {
    std::cerr << "usage: run_example [--expected FILE] -- PROGRAM [ARGUMENTS]\n";
    return 2;
  }
  const absl::Status status = examples::Run({words.begin() + 1, words.end()});
  if (!status.ok()) std::cerr << words[1] << ": " << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
