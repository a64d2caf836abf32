#include "clientset/generic/internal/client_core.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/schema/missing_kind.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/kind_info.h"
#include "clientset/dynamic/dynamic_client.h"
#include "clientset/generic/call.h"
#include "clientset/metadata/metadata_client.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/resource_traits.h"
#include "clientset/typed/typed_core.h"

namespace kube::generic::internal {

namespace metav1 = api::meta::v1;

namespace {

template <typename OptionsT>
void SetDryRun(const Policy& policy, OptionsT& options) {
  if (policy.dry_run && options.dry_run.empty()) options.dry_run.push_back(metav1::kDryRunAll);
}

template <typename OptionsT>
void SetOwner(const Policy& policy, OptionsT& options) {
  if (options.field_manager.empty()) options.field_manager = policy.field_owner;
}

template <typename OptionsT>
OptionsT WithAll(const Policy& policy, OptionsT options) {
  SetDryRun(policy, options);
  SetOwner(policy, options);
  if (options.field_validation.empty()) options.field_validation = policy.field_validation;
  return options;
}

// "get pods \"prod/web-0\"", as errors name a call.
std::string Describe(const KindClient& kind, Verb verb, const meta::ObjectName& name) {
  return absl::StrCat(VerbName(verb), " ", kind.core.resource().group_resource().ToString(), " \"",
                      name.ToString(), "\"");
}

}  // namespace

void ClientCore::AddReader(const kube::table::Message& type, schema::GroupVersionKind kind,
                           std::shared_ptr<const void> reader) {
  readers_.push_back({.type = &type, .kind = std::move(kind), .reader = std::move(reader)});
}

std::shared_ptr<const void> ClientCore::FindReader(const kube::table::Message& type,
                                                   const schema::GroupVersionKind& kind) const {
  for (auto each = readers_.rbegin(); each != readers_.rend(); ++each) {
    if (each->type == &type && each->kind == kind) return each->reader;
  }
  return nullptr;
}

KindClient ClientCore::ClientOf(const typed::Resource& resource,
                                const kube::table::Message& type) const {
  return {.kind = typed::KindOf(resource),
          .namespaced = resource.namespaced,
          .core = typed::TypedCore(client_, resource, type)};
}

absl::StatusOr<restmapper::RestMapping> ClientCore::Map(
    const Context& ctx, const schema::GroupVersionKind& kind) const {
  if (kind.kind.empty()) return schema::MissingKindError("the object");
  if (kind.version.empty()) return schema::MissingVersionError("the object");
  if (mapper_ == nullptr) {
    return absl::FailedPreconditionError(absl::StrCat(
        "find the resource of ", kind.ToString(), ": the client was made without a REST mapper"));
  }
  return mapper_->RestMappingFor(ctx, kind.group_kind(), {kind.version});
}

absl::StatusOr<KindClient> ClientCore::UnstructuredClientOf(
    const Context& ctx, const schema::GroupVersionKind& kind) const {
  KUBE_ASSIGN_OR_RETURN(const restmapper::RestMapping mapping, Map(ctx, kind));
  return KindClient{.kind = kind,
                    .namespaced = mapping.scope == Scope::kNamespaced,
                    .core = dynamic::DynamicClient(client_).Resource(mapping.resource).core()};
}

absl::StatusOr<KindClient> ClientCore::MetadataClientOf(
    const Context& ctx, const schema::GroupVersionKind& kind) const {
  KUBE_ASSIGN_OR_RETURN(const restmapper::RestMapping mapping, Map(ctx, kind));
  return KindClient{.kind = kind,
                    .namespaced = mapping.scope == Scope::kNamespaced,
                    .core = metadata::MetadataClient(client_).Resource(mapping.resource).core()};
}

// A write of a cluster-scoped object that has a namespace is refused, too, but not a read: as
// upstream. The server would not find the path of either.
absl::Status ClientCore::Complete(const KindClient& kind, Verb verb, meta::ObjectName& name) const {
  const std::string& own = policy_.namespace_name;
  const bool by_name = verb == Verb::kGet || verb == Verb::kApply;
  const bool differs = !own.empty() && !name.namespace_name.empty() && name.namespace_name != own;
  if (differs && (kind.namespaced || !by_name)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "namespace ", name.namespace_name, by_name ? " provided for" : " of", " the object ",
        name.name, " does not match the namespace ", own, " on the client"));
  }
  if (!kind.namespaced) {
    name.namespace_name.clear();
    return absl::OkStatus();
  }
  if (!own.empty()) name.namespace_name = own;
  if (!name.namespace_name.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(Describe(kind, verb, name), ": an empty namespace may not be set ",
                   verb == Verb::kCreate ? "during creation" : "when a resource name is provided"));
}

absl::StatusOr<std::string> ClientCore::NamespaceOf(const KindClient& kind, Verb verb,
                                                    absl::string_view wanted) const {
  if (!policy_.subresource.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(VerbName(verb), " ", kind.core.resource().group_resource().ToString(),
                     ": only single objects have the subresource \"", policy_.subresource, "\""));
  }
  if (!kind.namespaced) return std::string();
  std::string name = policy_.namespace_name.empty() ? std::string(wanted) : policy_.namespace_name;
  if (verb == Verb::kDeleteAll && name.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "delete ", kind.core.resource().group_resource().ToString(), ": a namespace is required"));
  }
  return name;
}

metav1::CreateOptions ClientCore::Complete(metav1::CreateOptions options) const {
  return WithAll(policy_, std::move(options));
}

metav1::UpdateOptions ClientCore::Complete(metav1::UpdateOptions options) const {
  return WithAll(policy_, std::move(options));
}

metav1::PatchOptions ClientCore::Complete(metav1::PatchOptions options) const {
  return WithAll(policy_, std::move(options));
}

metav1::ApplyOptions ClientCore::Complete(metav1::ApplyOptions options) const {
  SetDryRun(policy_, options);
  SetOwner(policy_, options);
  return options;
}

metav1::DeleteOptions ClientCore::Complete(metav1::DeleteOptions options) const {
  SetDryRun(policy_, options);
  return options;
}

typed::TypedCore ClientCore::At(const KindClient& kind, absl::string_view namespace_name) const {
  typed::TypedCore core = kind.core.InNamespace(namespace_name);
  if (policy_.subresource.empty()) return core;
  return core.AtSubresource({policy_.subresource});
}

absl::Status ClientCore::Do(const Context& ctx, const KindClient& kind, Verb verb,
                            const meta::ObjectName& name,
                            absl::FunctionRef<absl::Status()> send) const {
  const Call call = {.verb = verb,
                     .resource = kind.core.resource(),
                     .name = name,
                     .subresource = policy_.subresource};
  return Intercept(ctx, call, interceptors_.size(), send);
}

absl::Status ClientCore::Intercept(const Context& ctx, const Call& call, size_t interceptors,
                                   absl::FunctionRef<absl::Status()> send) const {
  if (interceptors == 0) return send();
  return interceptors_[interceptors - 1](
      ctx, call, [&] { return Intercept(ctx, call, interceptors - 1, send); });
}

absl::Status ClientCore::MetadataOnlyError(Verb verb) const {
  if (verb == Verb::kCreate) {
    return absl::InvalidArgumentError("cannot create using only metadata");
  }
  return absl::InvalidArgumentError(absl::StrCat("cannot update ", policy_.subresource,
                                                 policy_.subresource.empty() ? "" : " ",
                                                 "using only metadata -- did you mean to patch?"));
}

}  // namespace kube::generic::internal
