// patch_with_retry_on_conflict [--namespace NS]: two threads count in the same config map, in two
// ways that lose no update; then a patch that is based on an old state is refused.
//
//   two writers added 20 each: 40
//   not patched: the config map has changed since it was read
//   patched: 41
//   deleted counter
#include <iostream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/backoff.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/patch/patch_type.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/retry/retry.h"

namespace corev1 = kube::api::core::v1;

namespace {

constexpr int kCounts = 20;
// The default of five tries is for objects that are rarely written; this one always is.
constexpr kube::base::Backoff kPatient = {
    .duration = absl::Milliseconds(2), .factor = 1.5, .jitter = 1, .steps = 20};

absl::Status Increment(corev1::ConfigMap& counter) {
  int n = 0;
  if (!absl::SimpleAtoi(counter.data["n"].view(), &n)) {
    return absl::InvalidArgumentError("read counter: not a number");
  }
  counter.data["n"] = absl::StrCat(n + 1);
  return absl::OkStatus();
}

// Edit reads, sends only the difference, as a patch of the state it has read, and begins again if
// that is not the state any more. Members that this program does not know stay as they are.
absl::Status CountByEdit(const kube::Context& ctx, const corev1::ConfigMapClient& config_maps) {
  for (int i = 0; i < kCounts; ++i) {
    KUBE_RETURN_IF_ERROR(config_maps.Edit(ctx, "counter", Increment, {.backoff = kPatient}));
  }
  return absl::OkStatus();
}

// The way of client-go: the update has the resource version of the object that was read.
absl::Status CountByUpdate(const kube::Context& ctx, const corev1::ConfigMapClient& config_maps) {
  for (int i = 0; i < kCounts; ++i) {
    KUBE_RETURN_IF_ERROR(kube::retry::OnConflict(ctx, kPatient, [&]() -> absl::Status {
      KUBE_ASSIGN_OR_RETURN(corev1::ConfigMap counter, config_maps.Get(ctx, "counter"));
      KUBE_RETURN_IF_ERROR(Increment(counter));
      return config_maps.Update(ctx, counter).status();
    }));
  }
  return absl::OkStatus();
}

absl::Status Run(const kube::Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(
      kube::clientcmd::LoadedConfig loaded,
      kube::clientcmd::LoadDefaultConfigAndNamespace(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(auto client, kube::kubernetes::Clientset::Make(loaded.config));
  const auto config_maps = client.CoreV1().ConfigMaps(loaded.chosen_namespace.name);
  KUBE_ASSIGN_OR_RETURN(
      const corev1::ConfigMap created,
      config_maps.Create(ctx, {.metadata = {.name = "counter"}, .data = {{"n", "0"}}}));

  kube::base::ThreadGroup writers(ctx);
  writers.Go("edit", [&](const kube::Context& c) { return CountByEdit(c, config_maps); });
  writers.Go("update", [&](const kube::Context& c) { return CountByUpdate(c, config_maps); });
  KUBE_RETURN_IF_ERROR(writers.Wait());
  KUBE_ASSIGN_OR_RETURN(corev1::ConfigMap counter, config_maps.Get(ctx, "counter"));
  std::cout << "two writers added " << kCounts << " each: " << counter.data["n"] << "\n";

  // A patch with a resource version holds for that state only; without one it holds for any.
  const auto patch = [&](const corev1::ConfigMap& based_on) {
    return config_maps.Patch(
        ctx, "counter", kube::patch::PatchType::kMerge,
        absl::StrCat(R"({"metadata":{"resourceVersion":")",
                     based_on.metadata.resource_version.view(), R"("},"data":{"n":"41"}})"));
  };
  const absl::Status stale = patch(created).status();
  if (stale.ok()) return absl::InternalError("patched counter on a version that is out of date");
  if (!kube::errors::IsConflict(stale)) return stale;
  std::cout << "not patched: the config map has changed since it was read\n";
  KUBE_ASSIGN_OR_RETURN(counter, patch(counter));
  std::cout << "patched: " << counter.data["n"] << "\n";

  KUBE_RETURN_IF_ERROR(config_maps.Delete(ctx, "counter"));
  std::cout << "deleted counter\n";
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  kube::clientcmd::ParseCommandLine(argc, argv);
  const absl::Status status = Run(kube::WithTimeout(kube::SignalContext(), absl::Minutes(1)));
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
