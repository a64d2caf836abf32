#include "clientset/generic/client.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/table/message.h"
#include "apimachinery/unstructured/unstructured.h"
#include "clientset/generic/call.h"
#include "clientset/generic/internal/client_core.h"
#include "clientset/typed/reader.h"

namespace kube::generic {

namespace metav1 = api::meta::v1;
using internal::ClientCore;
using internal::KindClient;
using unstructured::Unstructured;

Client Client::Namespaced(absl::string_view name) const {
  auto core = std::make_shared<ClientCore>(*core_);
  core->policy().namespace_name = std::string(name);
  return Client(std::shared_ptr<const ClientCore>(std::move(core)));
}

Client Client::DryRun() const {
  auto core = std::make_shared<ClientCore>(*core_);
  core->policy().dry_run = true;
  return Client(std::shared_ptr<const ClientCore>(std::move(core)));
}

Client Client::WithFieldOwner(absl::string_view owner) const {
  auto core = std::make_shared<ClientCore>(*core_);
  core->policy().field_owner = std::string(owner);
  return Client(std::shared_ptr<const ClientCore>(std::move(core)));
}

Client Client::WithFieldValidation(absl::string_view validation) const {
  auto core = std::make_shared<ClientCore>(*core_);
  core->policy().field_validation = std::string(validation);
  return Client(std::shared_ptr<const ClientCore>(std::move(core)));
}

Client Client::Subresource(absl::string_view name) const {
  auto core = std::make_shared<ClientCore>(*core_);
  core->policy().subresource = std::string(name);
  return Client(std::shared_ptr<const ClientCore>(std::move(core)));
}

Client Client::WithInterceptor(Interceptor interceptor) const {
  auto core = std::make_shared<ClientCore>(*core_);
  core->AddInterceptor(std::move(interceptor));
  return Client(std::shared_ptr<const ClientCore>(std::move(core)));
}

Client Client::WithReaderOf(const kube::table::Message& type, schema::GroupVersionKind kind,
                            std::shared_ptr<const void> reader) const {
  auto core = std::make_shared<ClientCore>(*core_);
  core->AddReader(type, std::move(kind), std::move(reader));
  return Client(std::shared_ptr<const ClientCore>(std::move(core)));
}

absl::StatusOr<Unstructured> Client::Apply(const Context& ctx, const Unstructured& configuration,
                                           const metav1::ApplyOptions& options) const {
  if (!configuration.managed_fields().empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("apply \"", configuration.name(),
                     "\": cannot apply an object with managed fields already set"));
  }
  KUBE_ASSIGN_OR_RETURN(const KindClient kind, ClientOf(ctx, configuration));
  return ApplyOfKind<Unstructured>(ctx, kind, meta::ObjectNameOf(configuration), configuration,
                                   options);
}

absl::Status Client::DeleteAll(const Context& ctx, const schema::GroupVersionKind& kind,
                               const typed::ReadOptions& scope,
                               const metav1::DeleteOptions& options) const {
  KUBE_ASSIGN_OR_RETURN(const KindClient client, core_->UnstructuredClientOf(ctx, kind));
  return DeleteAllOf(ctx, client, scope, options);
}

absl::Status Client::DeleteOf(const Context& ctx, const KindClient& kind, meta::ObjectName name,
                              const metav1::DeleteOptions& options) const {
  KUBE_RETURN_IF_ERROR(core_->Complete(kind, Verb::kDelete, name));
  return core_->Do(ctx, kind, Verb::kDelete, name, [&] {
    return core_->At(kind, name.namespace_name).Delete(ctx, name.name, core_->Complete(options));
  });
}

// The text of a selector that matches nothing is empty, which a server would read as "all".
absl::Status Client::DeleteAllOf(const Context& ctx, const KindClient& kind,
                                 const typed::ReadOptions& scope,
                                 const metav1::DeleteOptions& options) const {
  KUBE_ASSIGN_OR_RETURN(const std::string namespace_name,
                        core_->NamespaceOf(kind, Verb::kDeleteAll, scope.namespace_name));
  if (scope.selector.MatchesNothing()) return absl::OkStatus();
  const meta::ObjectName name = {.namespace_name = namespace_name, .name = ""};
  return core_->Do(ctx, kind, Verb::kDeleteAll, name, [&] {
    return core_->At(kind, namespace_name)
        .DeleteCollection(ctx, core_->Complete(options),
                          {.label_selector = scope.selector.ToString()});
  });
}

}  // namespace kube::generic
