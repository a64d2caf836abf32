#include "clientset/clientcmd/overrides.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/types/duration.h"
#include "apimachinery/types/parse.h"
#include "clientset/clientcmd/environment.h"
#include "clientset/clientcmd/kubeconfig.h"

namespace kube::clientcmd {
namespace {

// Accepts digits with an optional sign, as Go's strconv.ParseInt does; SimpleAtoi also skips
// blanks.
bool LooksLikeInteger(absl::string_view text) {
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == absl::string_view::npos;
}

}  // namespace

ClusterInfo LegacyClusterDefaults(const Environment& environment) {
  const std::string& master = environment.kubernetes_master;
  return {.server = master.empty() ? "http://localhost:8080" : master};
}

absl::StatusOr<absl::Duration> ParseTimeout(absl::string_view text) {
  int64_t seconds = 0;
  if (LooksLikeInteger(text) && absl::SimpleAtoi(text, &seconds) && seconds >= 0) {
    return absl::Seconds(seconds);
  }
  const absl::StatusOr<Duration> duration = ParseDuration(text);
  if (duration.ok()) return duration->ToAbslDuration();
  return absl::InvalidArgumentError(
      "Invalid timeout value. Timeout must be a single integer in seconds, or an integer followed "
      "by a corresponding time unit (e.g. 1s | 2m | 3h)");
}

std::string RemoveNamespacesPrefix(absl::string_view text) {
  for (const absl::string_view prefix : {"namespaces/", "namespace/", "ns/"}) {
    if (text.size() > prefix.size() && absl::StartsWithIgnoreCase(text, prefix)) {
      return std::string(text.substr(prefix.size()));
    }
  }
  return std::string(text);
}

}  // namespace kube::clientcmd
