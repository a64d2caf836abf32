#include "apiserver/special/special.h"

#include <optional>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/kind_info.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/errors/unknown_path.h"
#include "apiserver/special/access_review.h"
#include "apiserver/special/binding.h"
#include "apiserver/special/component_status.h"
#include "apiserver/special/eviction.h"
#include "apiserver/special/pod_log.h"
#include "apiserver/special/scale.h"
#include "apiserver/special/token.h"
#include "apiserver/special/user_review.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

std::optional<absl::StatusOr<httpserver::Response>> ServePodSubresource(Core& core, Call& call) {
  const absl::string_view name = call.info.subresource;
  if (name == "binding") return ServeBinding(core, call);
  if (name == "eviction") return ServeEviction(core, call);
  if (name == "log") return ServeLog(core, call);
  if (name == "exec" || name == "attach" || name == "portforward" || name == "proxy") {
    return NoSuchMethod();
  }
  return std::nullopt;
}

}  // namespace

std::optional<absl::StatusOr<httpserver::Response>> ServeSpecial(Core& core, Call& call) {
  const KindInfo& kind = *call.resource->kind;
  if (!call.info.subresource.empty()) {
    if (call.info.subresource == "scale") return ServeScale(core, call);
    if (kind.group.empty() && kind.kind == "Pod") return ServePodSubresource(core, call);
    if (call.info.subresource == "token") return ServeToken(core, call);
    if (call.info.subresource == "proxy") return NoSuchMethod();
    return std::nullopt;
  }
  if (kind.kind == "ComponentStatus") return ServeComponentStatus(call);
  if (kind.kind == "Binding") return ServeBinding(core, call);
  if (kind.kind == "SelfSubjectReview") return ServeSelfSubjectReview(call);
  if (kind.kind == "TokenReview") return ServeTokenReview(core, call);
  if (kind.kind == "SubjectAccessReview" || kind.kind == "LocalSubjectAccessReview" ||
      kind.kind == "SelfSubjectAccessReview") {
    return ServeAccessReview(core, call);
  }
  if (kind.kind == "SelfSubjectRulesReview") {
    return ServeRulesReview(call);
  }
  return std::nullopt;
}

}  // namespace kube::apiserver::internal
