// structured_logging [-v LEVEL]: the log of the program and of the library as lines of JSON, as
// Kubernetes' components write it, in place of klog's text on standard error. Another sink counts
// the warnings and errors on their way. With -v=6 each request is logged.
//
//   $ structured_logging -v=2
//   {"ts":1700538819123.456,"caller":"structured_logging/main.cc:70","msg":"starting","v":0,...}
//   {...,"msg":"listed config maps","v":2,"namespace":"default","count":1}
//   {...,"msg":"config map","v":2,"configMap":{"name":"settings","namespace":"default"},"keys":2}
//   {...,"msg":"v1 ComponentStatus is deprecated in v1.19+",...,"namespace":"default"}
//   {...,"msg":"unable to get config map",...,"err":"... configmaps \"missing\" not found"}
//   1 warnings, 1 errors
#include <unistd.h>

#include <atomic>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/context_fields.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/log/log_record.h"
#include "apimachinery/base/log/log_sink.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"

namespace corev1 = kube::api::core::v1;

namespace {

// Counts records by severity and passes them on. A sink for another logging system looks the same:
// it takes severity, message and fields of each record. Called by any thread that logs.
class CountingSink final : public kube::log::Sink {
 public:
  explicit CountingSink(std::shared_ptr<kube::log::Sink> next) : next_(std::move(next)) {}

  void Write(const kube::log::Record& record) override {
    if (record.severity == kube::log::Severity::kWarning) ++warnings_;
    if (record.severity == kube::log::Severity::kError) ++errors_;
    next_->Write(record);
  }

  int warnings() const { return warnings_; }
  int errors() const { return errors_; }

 private:
  const std::shared_ptr<kube::log::Sink> next_;
  std::atomic<int> warnings_ = 0;
  std::atomic<int> errors_ = 0;
};

absl::Status Run(const kube::Context& parent) {
  KUBE_ASSIGN_OR_RETURN(
      kube::clientcmd::LoadedConfig loaded,
      kube::clientcmd::LoadDefaultConfigAndNamespace(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(auto client, kube::kubernetes::Clientset::Make(loaded.config));
  const std::string& ns = loaded.chosen_namespace.name;

  // A constant message; what it is about are fields, so that it can be searched for. Fields of the
  // context are in all lines that are written with it, also in those of the library.
  const kube::Context ctx = kube::WithLogFields(parent, {{"namespace", ns}});
  kube::log::Info(ctx, "starting");
  KUBE_ASSIGN_OR_RETURN(const corev1::ConfigMapList list, client.CoreV1().ConfigMaps(ns).List(ctx));
  KUBE_VLOG_CTX(ctx, 2, "listed config maps", {"count", list.items.size()});
  for (const corev1::ConfigMap& config_map : list.items) {
    KUBE_VLOG(2, "config map", {"configMap", kube::log::KRef(ns, config_map.metadata.name.view())},
              {"keys", config_map.data.size()});
    KUBE_VLOG(4, "config map has data", {"data", config_map.data.value_or("level", "").view()});
  }

  // The server warns that this kind is deprecated, which the library logs.
  KUBE_RETURN_IF_ERROR(client.CoreV1().ComponentStatuses().List(ctx));

  const absl::Status missing = client.CoreV1().ConfigMaps(ns).Get(ctx, "missing").status();
  kube::log::Error(missing, "unable to get config map",
                   {{"configMap", kube::log::KRef(ns, "missing")}});
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  kube::clientcmd::ParseCommandLine(argc, argv);  // -v sets the verbosity
  const auto sink =
      std::make_shared<CountingSink>(std::make_shared<kube::log::JsonSink>(STDOUT_FILENO));
  kube::log::SetSink(sink);
  const absl::Status status = Run(kube::WithTimeout(kube::SignalContext(), absl::Minutes(1)));
  if (!status.ok()) kube::log::Error(status, "ended");
  std::cout << sink->warnings() << " warnings, " << sink->errors() << " errors\n";
  return status.ok() ? 0 : 1;
}
