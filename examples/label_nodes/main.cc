// label_nodes KEY=VALUE|KEY- [--selector SELECTOR]: gives the nodes that a label selector selects a
// label, or takes it from them, as `kubectl label nodes --overwrite` does. A merge patch changes
// the label alone, whatever others change at the same time.
//
//   labeled node-0: disk=ssd
//   labeled node-2: disk=ssd
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/pager/pager.h"

namespace corev1 = kube::api::core::v1;
namespace unstructured = kube::unstructured;

ABSL_FLAG(std::string, selector, "", "selects the nodes by their labels; default: all nodes");

namespace {

// In a merge patch, null removes a member.
absl::Status LabelNodes(const kube::Context& ctx, absl::string_view key,
                        const unstructured::Value& value) {
  KUBE_ASSIGN_OR_RETURN(const auto config,
                        kube::clientcmd::LoadDefaultConfig(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(const auto client, kube::kubernetes::Clientset::Make(config));
  unstructured::Unstructured patch;
  KUBE_RETURN_IF_ERROR(
      unstructured::SetNestedField(patch.object, value, {"metadata", "labels", key}));
  KUBE_ASSIGN_OR_RETURN(const std::string json, kube::codec::EncodeJson(patch));

  const auto nodes = client.CoreV1().Nodes();
  const auto label = [&](const corev1::Node& node) -> absl::Status {
    const absl::Status patched =
        nodes.Patch(ctx, node.metadata.name, kube::patch::PatchType::kMerge, json).status();
    if (kube::errors::IsNotFound(patched)) return absl::OkStatus();  // deleted since it was listed
    KUBE_RETURN_IF_ERROR(patched);
    std::cout << (value.is_null() ? "unlabeled " : "labeled ") << node.metadata.name << ": " << key;
    if (!value.is_null()) std::cout << "=" << *value.text();
    std::cout << "\n";
    return absl::OkStatus();
  };
  return kube::pager::PagerOf(nodes.typed_client())
      .EachItem(ctx, {.label_selector = absl::GetFlag(FLAGS_selector)}, label);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<char*> arguments = kube::clientcmd::ParseCommandLine(argc, argv);
  const absl::string_view argument = arguments.size() == 2 ? arguments[1] : "";
  const std::pair<std::string, std::string> label =
      absl::StrSplit(argument, absl::MaxSplits('=', 1));
  const kube::Context ctx = kube::WithTimeout(kube::SignalContext(), absl::Minutes(5));
  absl::Status status;
  if (absl::StrContains(argument, '=')) {
    status = LabelNodes(ctx, label.first, label.second);
  } else if (absl::EndsWith(argument, "-")) {
    status = LabelNodes(ctx, absl::StripSuffix(argument, "-"), nullptr);
  } else {
    std::cerr << "usage: label_nodes KEY=VALUE|KEY- [--selector SELECTOR]\n";
    return 2;
  }
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
