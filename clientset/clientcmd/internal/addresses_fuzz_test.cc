// Random texts as the proxy-url of a kubeconfig: no error shows a user, a password or a token.

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "clientset/clientcmd/client_config.h"
#include "clientset/clientcmd/internal/addresses.h"
#include "clientset/clientcmd/kubeconfig.h"
#include "clientset/clientcmd/validation.h"

namespace kube::clientcmd::internal {
namespace {

constexpr absl::string_view kCanary = "s3cretcanary";

// Returns whether the canary must not be shown: it is before an "@", and not part of a scheme that
// "://" and a host follow.
bool IsSecret(absl::string_view text) {
  const size_t canary = text.find(kCanary);
  if (canary == absl::string_view::npos) return false;
  const size_t colon = text.find(':');
  const bool in_scheme = colon != absl::string_view::npos && canary < colon &&
                         absl::StartsWith(text.substr(colon), "://") &&
                         !absl::StartsWith(text.substr(colon), ":///");
  return !in_scheme && absl::StrContains(text.substr(canary), '@');
}

void CheckError(const absl::Status& status) {
  KUBE_CHECK(!absl::StrContains(status.ToString(), kCanary)) << status;
}

void Use(const std::string& text) {
  if (!IsSecret(text)) return;
  CheckError(ParseProxyUrl(text).status());
  Kubeconfig config;
  config.clusters["c"] = {.server = "https://h", .proxy_url = text};
  config.users["u"] = {};
  config.contexts["x"] = {.cluster = "c", .user = "u"};
  config.current_context = "x";
  CheckError(Validate(config));
  CheckError(DirectClientConfig(config).ToRestConfig().status());
  const std::string shown = WithoutUser(text);
  KUBE_CHECK(!absl::StrContains(shown, kCanary)) << shown;
}

}  // namespace
}  // namespace kube::clientcmd::internal

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using kube::clientcmd::internal::kCanary;
  if (size < 2) return 0;
  // The canary is anywhere in the text, or missing. It occurs only once, because its place decides
  // whether it is secret.
  std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (absl::StrContains(text, kCanary)) return 0;
  if (data[0] < text.size()) text.insert(data[0], kCanary.data(), kCanary.size());
  kube::clientcmd::internal::Use(text);
  return 0;
}
