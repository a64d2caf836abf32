#include "apiserver/special/component_status.h"

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/errors/errors.h"
#include "apiserver/call/call.h"
#include "apiserver/call/list_options.h"
#include "apiserver/call/list_page.h"
#include "apiserver/call/respond.h"
#include "apiserver/object.h"
#include "apiserver/registry/selectors.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;

// Returns the status of a component as kube-apiserver reports it. No other components run here, so
// probes of their ports would be refused.
corev1::ComponentStatus StatusOf(absl::string_view name, int port) {
  corev1::ComponentStatus status;
  status.metadata.name = name;
  corev1::ComponentCondition condition;
  condition.type = "Healthy";
  condition.status = port == 0 ? "True" : "False";
  condition.message = port == 0 ? "ok"
                                : absl::StrCat("Get \"https://127.0.0.1:", port,
                                               "/healthz\": dial tcp 127.0.0.1:", port,
                                               ": connect: connection refused");
  status.conditions = {condition};
  return status;
}

}  // namespace

absl::StatusOr<httpserver::Response> ServeComponentStatus(Call& call) {
  const corev1::ComponentStatus statuses[] = {StatusOf("controller-manager", 10257),
                                              StatusOf("etcd-0", 0), StatusOf("scheduler", 10259)};
  KUBE_ASSIGN_OR_RETURN(const metav1::ListOptions options, ListOptionsOf(call, /*watch=*/false));
  KUBE_ASSIGN_OR_RETURN(
      const Matcher matcher,
      Matcher::Make(*call.resource, options.label_selector.view(), options.field_selector.view()));
  Page page;
  for (const corev1::ComponentStatus& each : statuses) {
    codec::AnyObject any(*call.resource->kind);
    *any.As<corev1::ComponentStatus>() = each;
    auto object = std::make_shared<const StoredObject>(Object(std::move(any)));
    if (call.info.verb == "get" && each.metadata.name == call.info.name) {
      return RespondObject(200, *object, call);
    }
    if (matcher.Matches(*object)) page.items.push_back(std::move(object));
  }
  if (call.info.verb == "list") return RespondPage(page, call);
  return errors::NotFound({.group = "", .resource = "componentstatus"}, call.info.name);
}

}  // namespace kube::apiserver::internal
