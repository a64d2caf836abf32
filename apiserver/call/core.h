#ifndef APISERVER_CALL_CORE_H_
#define APISERVER_CALL_CORE_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/managedfields/fields_v1_cache.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/auth/rbac_policy_cache.h"
#include "apiserver/containers/container_table.h"
#include "apiserver/containers/pod_logs.h"
#include "apiserver/openapi/openapi.h"
#include "apiserver/policies/policy_set.h"
#include "apiserver/printers/table_printer.h"
#include "apiserver/registry/definitions.h"
#include "apiserver/registry/registry.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/server_address.h"
#include "apiserver/storage.h"
#include "apiserver/tokens/account_tokens.h"
#include "apiserver/tokens/token_secrets.h"
#include "apiserver/type_checking/policy_status.h"
#include "apiserver/user.h"
#include "apiserver/webhooks/webhook_caller.h"
#include "apiserver/webhooks/webhook_set.h"

namespace kube::apiserver::internal {

// The state that the verbs work on: all data of a server. Thread-safe.
struct Core {
  // `printer` must outlive the core.
  Core(StorageOptions options, const printers::TablePrinter& printer)
      : tables(printer),
        resources(Resources::BuiltIn()),
        storage(options),
        registry(storage, resources),
        definitions(registry, storage, resources) {}

  // Carries out what the latest writes entail: garbage collection, the deletion of namespaces,
  // the rules of aggregated roles, tokens in Secrets, changes of definitions, and the status of
  // admission policies. If another thread is doing so, it may return earlier. With webhooks that
  // are asked about deletions it may wait for them: then it does nothing unless `may_block`, and
  // leaves it to the next call that may.
  void Settle(bool may_block);

  const printers::TablePrinter& tables;
  ResourceTable resources;
  Storage storage;
  Registry registry;
  Definitions definitions;
  OpenApi openapi;
  WebhookSource webhooks{storage};
  PolicySource admission_policies{storage};
  PolicySource mutating_policies{storage, PolicyKind::kMutating};

  // Whether the fields of objects that were never applied are tracked: see
  // HandlerOptions::managed_fields.
  bool managed_fields = true;
  managedfields::FieldsV1Cache fields_cache;
  // Whether shard selectors are evaluated: see HandlerOptions::sharded_lists.
  bool sharded_lists = false;

  // Looks up the user of a bearer token that is good for one of the audiences; the error says why
  // it is not, in upstream's words. Set before the first request.
  std::function<absl::StatusOr<AuthenticatedToken>(absl::string_view token,
                                                   const std::vector<std::string>& audiences)>
      check_token;
  // Decides whether a user may send a request. Set before the first request.
  std::function<Decision(const User& user, const RequestInfo& info)> authorize;
  // The roles by which `authorize` decides. Null if roles do not matter.
  std::unique_ptr<RbacPolicyCache> policies;
  // Returns where clients reach the server. Set before the first request.
  std::function<ServerAddress()> address;

  // The containers of pods and their logs, as far as a test provides them. Never null; shared with
  // sessions, which may outlive the core. The containers are set before the first request if they
  // are those of another core.
  std::shared_ptr<ContainerTable> containers = std::make_shared<ContainerTable>();
  const std::shared_ptr<PodLogs> logs = std::make_shared<PodLogs>();

  // The tokens of service accounts. Never null; shared with later cores, so that a restarted server
  // has the same key.
  std::shared_ptr<AccountTokens> account_tokens = std::make_shared<AccountTokens>();

  // Fills Secrets with tokens. Null if the controllers are off. Set before the first request.
  std::unique_ptr<TokenSecrets> token_secrets;

  // Checks the types of admission policies. Null if the controllers are off. Set before the first
  // request.
  std::unique_ptr<PolicyStatus> policy_status;

  // Never null. Set before the first request if it is that of another core.
  std::shared_ptr<WebhookCaller> webhook_caller = std::make_shared<WebhookCaller>();
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CALL_CORE_H_
