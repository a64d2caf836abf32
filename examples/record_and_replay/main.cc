// record_and_replay FILE [--namespace NS]: compares the passwords of the Secrets of a namespace,
// records that in a file, and does it again from the file, without the cluster. The file has no
// password: values are replaced, equal ones by equal ones, and so the second run finds the same.
//
//   on the cluster
//   secret api has a password of 7 bytes
//   secret db has the password of api
//   replayed
//   secret api has a password of 25 bytes
//   secret db has the password of api
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/recording/exchange.h"
#include "clientset/recording/load.h"
#include "clientset/recording/recorder.h"
#include "clientset/recording/replay_transport.h"
#include "clientset/recording/sink.h"
#include "clientset/rest/config.h"

namespace corev1 = kube::api::core::v1;
namespace recording = kube::recording;

namespace {

// The program that is recorded.
absl::Status ComparePasswords(const kube::Context& ctx, const kube::rest::Config& config,
                              const std::string& ns) {
  KUBE_ASSIGN_OR_RETURN(const auto client, kube::kubernetes::Clientset::Make(config));
  KUBE_ASSIGN_OR_RETURN(const corev1::SecretList secrets, client.CoreV1().Secrets(ns).List(ctx));
  std::map<std::string, std::string> names;  // of the first Secret with a password
  for (const corev1::Secret& secret : secrets.items) {
    const auto* password = secret.data.find("password");
    if (password == nullptr) continue;
    const std::string text = *password;
    const auto [first, is_new] = names.emplace(text, std::string(secret.metadata.name));
    std::cout << "secret " << secret.metadata.name << " has ";
    if (is_new) {
      std::cout << "a password of " << text.size() << " bytes\n";
    } else {
      std::cout << "the password of " << first->second << "\n";
    }
  }
  return absl::OkStatus();
}

absl::Status Record(const kube::Context& ctx, const std::string& path) {
  KUBE_ASSIGN_OR_RETURN(
      kube::clientcmd::LoadedConfig loaded,
      kube::clientcmd::LoadDefaultConfigAndNamespace(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(const auto sink, recording::MakeFileSink(path));
  const recording::Recorder recorder(sink);
  std::cout << "on the cluster\n";
  KUBE_RETURN_IF_ERROR(
      ComparePasswords(ctx, recorder.Record(loaded.config), loaded.chosen_namespace.name));
  return sink->status();
}

absl::Status Replay(const kube::Context& ctx, const std::string& path, const std::string& ns) {
  KUBE_ASSIGN_OR_RETURN(recording::Recording bug, recording::LoadRecording(path));
  const auto replay = std::make_shared<recording::ReplayTransport>(std::move(bug));
  std::cout << "replayed\n";
  KUBE_RETURN_IF_ERROR(ComparePasswords(ctx, recording::ReplayConfig(replay), ns));
  return replay->Verify();
}

absl::Status RecordAndReplay(const kube::Context& ctx, const std::string& path) {
  KUBE_RETURN_IF_ERROR(Record(ctx, path));
  KUBE_ASSIGN_OR_RETURN(
      kube::clientcmd::LoadedConfig loaded,
      kube::clientcmd::LoadDefaultConfigAndNamespace(kube::clientcmd::FlagOptions()));
  return Replay(ctx, path, loaded.chosen_namespace.name);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<char*> arguments = kube::clientcmd::ParseCommandLine(argc, argv);
  if (arguments.size() != 2) {
    std::cerr << "usage: record_and_replay FILE\n";
    return 2;
  }
  const kube::Context ctx = kube::WithTimeout(kube::SignalContext(), absl::Minutes(1));
  const absl::Status status = RecordAndReplay(ctx, arguments[1]);
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
