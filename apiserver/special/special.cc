#include "apiserver/special/special.h"

#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/kind_info.h"
#include "apiserver/call/answer.h"
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
#include "apiserver/streaming/port_forward.h"
#include "apiserver/streaming/remote_command.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

using Served = std::optional<absl::StatusOr<Answer>>;

absl::StatusOr<Answer> ToAnswer(absl::StatusOr<httpserver::Response> response) {
  if (!response.ok()) return response.status();
  return Answer(*std::move(response));
}

Served ServePodSubresource(Core& core, Call& call) {
  const absl::string_view name = call.info.subresource;
  if (name == "binding") return ToAnswer(ServeBinding(core, call));
  if (name == "eviction") return ToAnswer(ServeEviction(core, call));
  if (name == "log") return ServeLog(core, call);
  if (name == "exec") return ServeExec(core, call);
  if (name == "attach") return ServeAttach(core, call);
  if (name == "portforward") return ServePortForward(core, call);
  if (name == "proxy") return NoSuchMethod();
  return std::nullopt;
}

}  // namespace

Served ServeSpecial(Core& core, Call& call) {
  const KindInfo& kind = *call.resource->kind;
  if (!call.info.subresource.empty()) {
    if (call.info.subresource == "scale") return ToAnswer(ServeScale(core, call));
    if (kind.group.empty() && kind.kind == "Pod") return ServePodSubresource(core, call);
    if (call.info.subresource == "token") return ToAnswer(ServeToken(core, call));
    if (call.info.subresource == "proxy") return NoSuchMethod();
    return std::nullopt;
  }
  if (kind.kind == "ComponentStatus") return ToAnswer(ServeComponentStatus(call));
  if (kind.kind == "Binding") return ToAnswer(ServeBinding(core, call));
  if (kind.kind == "SelfSubjectReview") return ToAnswer(ServeSelfSubjectReview(call));
  if (kind.kind == "TokenReview") return ToAnswer(ServeTokenReview(core, call));
  if (kind.kind == "SubjectAccessReview" || kind.kind == "LocalSubjectAccessReview" ||
      kind.kind == "SelfSubjectAccessReview") {
    return ToAnswer(ServeAccessReview(core, call));
  }
  if (kind.kind == "SelfSubjectRulesReview") {
    return ToAnswer(ServeRulesReview(core, call));
  }
  return std::nullopt;
}

}  // namespace kube::apiserver::internal
