// resume_watch_from_file [--namespace NS] [--file FILE] [--events N]: prints the changes of config
// maps until N lines or Ctrl-C, and keeps in a file how far it has come. The next run continues
// there and misses nothing that happened in between; if the server has forgotten that state, it
// lists everything again. A watch that fails is opened again, after a pause. The file is for one
// namespace of one cluster: in another one, its version means nothing. Of two runs, with --events 3
// and 2:
//
//   LISTED blue
//   LISTED red
//   ADDED green
//
//   MODIFIED red
//   DELETED blue
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/backoff.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"

namespace corev1 = kube::api::core::v1;

ABSL_FLAG(std::string, file, "resume_watch.txt", "file with the resource version to continue from");
ABSL_FLAG(int, events, 0, "number of lines to print; 0: all");

namespace {

// Returns "" if the file does not exist yet.
std::string ReadVersion(const std::string& path) {
  std::string version;
  std::ifstream(path) >> version;
  return version;
}

// Replaces the file in one step, so that it is never half written.
absl::Status SaveVersion(const std::string& path, const std::string& version) {
  const std::string temporary = absl::StrCat(path, ".tmp");
  std::ofstream file(temporary);
  file << version << "\n";
  file.close();
  std::error_code error;
  if (file.good()) std::filesystem::rename(temporary, path, error);
  if (file.good() && !error) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat("write ", path, ": ", error.message()));
}

// Returns whether trying again does not help.
bool IsLasting(const absl::Status& status) {
  return kube::errors::IsForbidden(status) || kube::errors::IsUnauthorized(status) ||
         kube::errors::IsBadRequest(status) || kube::errors::IsMethodNotSupported(status) ||
         absl::IsFailedPrecondition(status);  // the file cannot be written
}

// Watches after `version`, and saves how far it has come, until the watch ends or nothing is `left`
// to print. A line is printed before it is saved: after a crash it may be printed again, but none
// is missing.
absl::Status WatchOnce(const kube::Context& ctx, const corev1::ConfigMapClient& config_maps,
                       const std::string& path, const std::string& version, int& left) {
  KUBE_ASSIGN_OR_RETURN(
      const std::unique_ptr<kube::watch::Watcher<corev1::ConfigMap>> watcher,
      config_maps.Watch(ctx, {.allow_watch_bookmarks = true, .resource_version = version}));
  while (left != 0) {
    KUBE_ASSIGN_OR_RETURN(const auto event, watcher->Next(ctx));
    if (!event.has_value()) break;  // the server ends watches now and then
    if (event->type == kube::watch::EventType::kError) return event->error;
    if (event->type != kube::watch::EventType::kBookmark) {
      std::cout << event->type << " " << event->object->metadata.name << std::endl;
      --left;
    }
    // Bookmarks come even if no config map changes: without them the version would become too old.
    KUBE_RETURN_IF_ERROR(SaveVersion(path, std::string(event->object->metadata.resource_version)));
  }
  return absl::OkStatus();
}

absl::Status Run(const kube::Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(
      kube::clientcmd::LoadedConfig loaded,
      kube::clientcmd::LoadDefaultConfigAndNamespace(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(auto client, kube::kubernetes::Clientset::Make(loaded.config));
  const auto config_maps = client.CoreV1().ConfigMaps(loaded.chosen_namespace.name);
  const std::string path = absl::GetFlag(FLAGS_file);

  // Up to 30 s, and up to as much again at random; short again after two minutes without a pause.
  kube::base::BackoffManager pauses({.duration = absl::Milliseconds(800),
                                     .factor = 2,
                                     .jitter = 1,
                                     .steps = 1000,
                                     .cap = absl::Seconds(30)},
                                    absl::Minutes(2));
  int left = absl::GetFlag(FLAGS_events) > 0 ? absl::GetFlag(FLAGS_events) : -1;
  while (left != 0) {
    std::string version = ReadVersion(path);
    if (version.empty()) {
      KUBE_ASSIGN_OR_RETURN(const corev1::ConfigMapList list, config_maps.List(ctx));
      for (const corev1::ConfigMap& config_map : list.items) {
        std::cout << "LISTED " << config_map.metadata.name << std::endl;
        if (left > 0) --left;
      }
      version = std::string(list.metadata.resource_version);
      KUBE_RETURN_IF_ERROR(SaveVersion(path, version));
    }
    const absl::Status status = WatchOnce(ctx, config_maps, path, version, left);
    if (status.ok() && (left == 0 || ReadVersion(path) != version)) continue;
    if (ctx.done() || IsLasting(status)) return status;
    if (!status.ok()) std::cerr << status.message() << "\n";
    if (kube::errors::IsResourceExpired(status)) {
      std::cout << "the saved resource version is too old" << std::endl;
      KUBE_RETURN_IF_ERROR(SaveVersion(path, ""));
    }
    KUBE_RETURN_IF_ERROR(kube::base::SleepFor(ctx, pauses.Step()));
  }
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  kube::clientcmd::ParseCommandLine(argc, argv);
  const kube::Context ctx = kube::SignalContext();
  const absl::Status status = Run(ctx);
  if (status.ok() || ctx.done()) return 0;
  std::cerr << status.message() << "\n";
  return 1;
}
