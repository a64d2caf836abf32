#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apiserver/auth/rbac_policy_cache.h"
#include "apiserver/call/controller_admission.h"
#include "apiserver/call/core.h"
#include "apiserver/cluster/bootstrap.h"
#include "apiserver/cluster/cluster_objects.h"
#include "apiserver/handler.h"
#include "apiserver/internal/handler_impl.h"
#include "apiserver/printers/table_printer.h"
#include "apiserver/registry/collector.h"
#include "apiserver/request_info.h"
#include "apiserver/tokens/token_secrets.h"
#include "apiserver/type_checking/policy_status.h"
#include "apiserver/user.h"
#include "apiserver/webhooks/conversion_webhook.h"

namespace kube::apiserver {

void ApiHandler::Impl::SetUpControllers(apiserver::internal::Core& made) {
  made.registry.collector().set_enabled(options.controllers);
  made.registry.aggregator().set_enabled(options.controllers);
  made.definitions.set_make_converter(
      [caller = webhook_caller,
       scope = webhook_scope](const api::apiextensions::v1::CustomResourceDefinition& definition) {
        return apiserver::internal::ConversionWebhook::Make(definition, caller, scope);
      });
  if (!options.controllers) return;
  const apiserver::internal::AdmitDeletion admit_deletion =
      [the_core = &made,
       scope = webhook_scope](const apiserver::internal::ControllerDeletion& deletion) {
        const Context ctx = WithTimeout(scope->context(), apiserver::internal::kRequestTimeout);
        return apiserver::internal::AdmissionOf(*the_core, deletion, ctx);
      };
  made.registry.collector().set_admit_deletion(admit_deletion);
  made.token_secrets =
      std::make_unique<apiserver::internal::TokenSecrets>(apiserver::internal::TokenSecrets::Parts{
          .registry = &made.registry,
          .resources = &made.resources,
          .tokens = account_tokens,
          .root_ca = [known = address] { return known->Get().server_ca; },
          .admit_deletion = admit_deletion});
  made.policy_status =
      std::make_unique<apiserver::internal::PolicyStatus>(made.registry, made.resources);
}

std::shared_ptr<apiserver::internal::Core> ApiHandler::Impl::MakeCore() {
  auto made = std::make_shared<apiserver::internal::Core>(
      options.storage, options.tables == nullptr ? printers::PlainTables() : *options.tables);
  made->managed_fields = options.managed_fields;
  made->sharded_lists = options.sharded_lists;
  made->containers = containers;
  made->account_tokens = account_tokens;
  made->webhook_caller = webhook_caller;
  made->address = [known = address] { return known->Get(); };
  made->check_token = [this, the_core = made.get()](absl::string_view token,
                                                    const std::vector<std::string>& audiences) {
    return access.CheckToken(the_core->storage, token, audiences);
  };
  if (options.authorization == Authorization::kRbac) {
    made->policies = std::make_unique<apiserver::internal::RbacPolicyCache>(made->storage);
  }
  made->authorize = [this, the_core = made.get()](const User& user, const RequestInfo& info) {
    return access.Decide(user, info, the_core->policies.get());
  };
  SetUpControllers(*made);
  made->registry.set_account_admission(options.service_account_admission);
  made->definitions.set_changed(
      [this, the_core = made.get()] { EndStaleWatches(*the_core->resources.Get()); });
  apiserver::internal::Bootstrap(made->registry, *made->resources.Get());
  if (options.cluster_objects) {
    apiserver::internal::CreateClusterObjects(
        made->storage, *made->resources.Get(),
        {.created = base::WallNow(), .address = made->address, .controllers = options.controllers});
    // After the first namespaces were created, which have theirs.
    if (options.controllers) {
      made->registry.collector().KeepNamespaceObjects(
          [known = address] { return known->Get().server_ca; });
    }
  }
  return made;
}

std::shared_ptr<apiserver::internal::Core> ApiHandler::Impl::Core() const {
  base::MutexLock lock(mutex);
  return core;
}

}  // namespace kube::apiserver
