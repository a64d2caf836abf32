#include "apiserver/call/controller_admission.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "apimachinery/base/context.h"
#include "apimachinery/types/kind_info.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/call/core.h"
#include "apiserver/call/request_admission.h"
#include "apiserver/registry/collector.h"
#include "apiserver/registry/write_admission.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/user.h"
#include "apiserver/webhooks/webhook_admission.h"

namespace kube::apiserver::internal {

std::unique_ptr<WriteAdmission> AdmissionOf(Core& core, const ControllerDeletion& deletion,
                                            const Context& ctx) {
  const KindInfo& kind = *deletion.resource->kind;
  RequestInfo info;
  info.is_resource_request = true;
  info.verb = "delete";
  info.group = std::string(kind.group);
  info.version = std::string(kind.version);
  info.resource = std::string(kind.plural);
  info.namespace_name = deletion.namespace_name;
  info.name = deletion.name;
  info.parts = {info.resource, info.name};
  std::shared_ptr<const Resources> resources = core.resources.Get();
  const Resource* const resource = resources->Find(info.group, info.version, info.resource);
  if (resource == nullptr) return nullptr;
  AdmissionPlugins plugins = PluginsFor(core, info, *resources);
  if (plugins.empty()) return nullptr;
  std::unique_ptr<WebhookAdmission> admission = MakeAdmission(ctx, core, std::move(plugins));
  const User user = Authenticated(
      {.name = deletion.account.empty()
                   ? "system:kube-controller-manager"
                   : absl::StrCat("system:serviceaccount:kube-system:", deletion.account)});
  admission->Begin(info, user, std::move(resources), *resource);
  admission->SetDeleteOptions(deletion.options);
  return admission;
}

}  // namespace kube::apiserver::internal
