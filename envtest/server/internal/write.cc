// create, update, patch, delete and deletecollection.

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"
#include "api/certificates/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/queryparams/queryparams.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/dns.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/messages.h"
#include "apimachinery/validation/meta_v1.h"
#include "envtest/server/internal/core.h"
#include "envtest/server/internal/custom.h"
#include "envtest/server/internal/input.h"
#include "envtest/server/internal/output.h"
#include "envtest/server/internal/patcher.h"
#include "envtest/server/internal/registry.h"
#include "envtest/server/internal/strategy.h"
#include "envtest/server/object.h"
#include "envtest/server/schema/structural.h"
#include "envtest/server/user.h"
#include "net/httpserver/exchange.h"

namespace kube::envtest::internal {
namespace {

namespace certificatesv1 = api::certificates::v1;
namespace metav1 = api::meta::v1;
namespace field = validation::field;
using api::apiextensions::v1::CustomResourceDefinition;

template <typename Options>
absl::StatusOr<Options> QueryOptions(const Call& call) {
  absl::StatusOr<Options> options = queryparams::DecodeParameters<Options>(call.info.query);
  if (!options.ok()) return errors::BadRequest(options.status().message());
  return options;
}

absl::Status SetNamespace(Object& object, const Call& call) {
  metav1::ObjectMeta& metadata = object.metadata();
  const std::string wanted = call.resource->namespaced() ? call.info.namespace_name : "";
  if (metadata.namespace_.empty()) metadata.namespace_ = wanted;
  if (metadata.namespace_ == wanted) return absl::OkStatus();
  return errors::BadRequest(
      "the namespace of the provided object does not match the namespace sent on the request");
}

bool HasRules(const CustomResourceDefinition& crd) {
  for (const auto& version : crd.spec.versions) {
    if (!version.schema || !version.schema->open_api_v3_schema) continue;
    const auto schema = crd_schema::Structural::Make(*version.schema->open_api_v3_schema);
    if (schema.ok() && (*schema)->has_rules()) return true;
  }
  return false;
}

// What the object itself gives reason to say; `old` is null for a creation.
void AddWarnings(const Object& object, const Object* old, Call& call) {
  if (object.is_custom() && call.info.subresource.empty()) {
    for (std::string& each : CustomWarnings(object, old)) call.warnings.push_back(std::move(each));
  }
  const auto* crd = object.As<CustomResourceDefinition>();
  if (crd != nullptr && call.info.subresource.empty() && HasRules(*crd)) {
    call.warnings.push_back(
        "this embedded API server does not evaluate x-kubernetes-validations: objects that break "
        "them are valid");
  }
}

// The names of pods are those of hosts, which are DNS labels, although a pod's may be longer. Of a
// generated name nothing is known before the object is made.
void AddNameWarning(absl::string_view name, Call& call) {
  if (!call.info.subresource.empty()) return;
  const KindInfo& kind = *call.resource->kind;
  const auto is_one_of = [&](absl::string_view group,
                             std::initializer_list<absl::string_view> kinds) {
    return kind.group == group && std::find(kinds.begin(), kinds.end(), kind.kind) != kinds.end();
  };
  const bool pod = is_one_of("", {"Pod"});
  if (!pod && !is_one_of("", {"ReplicationController"}) &&
      !is_one_of("apps", {"Deployment", "ReplicaSet"}) && !is_one_of("batch", {"CronJob", "Job"})) {
    return;
  }
  const validation::Messages wrong = validation::IsDns1123Label(name);
  if (wrong.empty()) return;
  call.warnings.push_back(absl::StrCat(
      "metadata.name: this is used in ", pod ? "the Pod's hostname" : "Pod names and hostnames",
      ", which can result in surprising behavior; a DNS label is recommended: [",
      absl::StrJoin(wrong, " "), "]"));
}

// Who signs wants to know who asked; nobody can say it for himself.
void SetRequestor(Object& object, const User& user) {
  auto* request = object.As<certificatesv1::CertificateSigningRequest>();
  if (request == nullptr) return;
  request->spec.username = user.name;
  request->spec.uid = user.uid;
  request->spec.groups = {};
  for (const std::string& group : user.groups) request->spec.groups.push_back(group);
  request->spec.extra = {};
  for (const auto& [key, values] : user.extra) {
    List<String>& all = request->spec.extra[key];
    for (const std::string& value : values) all.push_back(value);
  }
}

// What a PUT or PATCH answers, and for which code.
Response RespondWritten(const Written& written, const Call& call) {
  return RespondObject(written.created ? 201 : 200, *written.object, call);
}

absl::Status UnsupportedMediaType(absl::string_view message, bool details = true) {
  metav1::Status status;
  status.status = "Failure";
  status.reason = "UnsupportedMediaType";
  status.message = message;
  if (details) status.details.emplace();
  status.code = 415;
  return errors::FromStatus(status);
}

constexpr absl::string_view kPatchesOfCustom =
    "the body of the request was in an unknown format - accepted media types include: "
    "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml";

absl::StatusOr<patch::PatchType> PatchTypeOf(const Call& call) {
  absl::string_view type = call.request->headers.Get("content-type").value_or("");
  type = absl::StripAsciiWhitespace(type.substr(0, type.find(';')));
  const std::optional<patch::PatchType> parsed = patch::ParseMediaType(type);
  // Of what has no type nobody knows how to merge its lists.
  if (call.resource->custom != nullptr &&
      (!parsed.has_value() || *parsed == patch::PatchType::kStrategicMerge)) {
    return UnsupportedMediaType(kPatchesOfCustom, /*details=*/false);
  }
  if (!parsed.has_value()) return UnsupportedMediaType("415: Unsupported Media Type");
  return *parsed;
}

}  // namespace

absl::StatusOr<PatchHead> PatchHeadOf(const Call& call) {
  KUBE_ASSIGN_OR_RETURN(auto options, QueryOptions<metav1::PatchOptions>(call));
  KUBE_ASSIGN_OR_RETURN(const patch::PatchType type, PatchTypeOf(call));
  const bool apply = type == patch::PatchType::kApply;
  if (const field::ErrorList wrong = validation::ValidatePatchOptions(options, apply);
      !wrong.empty()) {
    return InvalidOptions("PatchOptions", wrong);
  }
  if (apply) {
    return UnsupportedMediaType(
        "this embedded API server has no server-side apply: send a merge patch or an update");
  }
  return PatchHead{.type = type, .options = std::move(options)};
}

Response ServeCreate(Core& core, Call& call) {
  KUBE_ASSIGN_OR_RETURN(const auto options, QueryOptions<metav1::CreateOptions>(call));
  if (const field::ErrorList wrong = validation::ValidateCreateOptions(options); !wrong.empty()) {
    return InvalidOptions("CreateOptions", wrong);
  }
  KUBE_ASSIGN_OR_RETURN(Object object, ObjectOf(call, options.field_validation.view()));
  KUBE_RETURN_IF_ERROR(SetNamespace(object, call));
  AddWarnings(object, nullptr, call);
  SetRequestor(object, call.user);
  const absl::StatusOr<ObjectPtr> created =
      core.registry.Create(call.target(), std::move(object), {.dry_run = !options.dry_run.empty()});
  if (created.ok()) {
    AddNameWarning((*created)->metadata().name.view(), call);
    return RespondObject(201, **created, call);
  }
  if (!errors::IsAlreadyExists(created.status())) return created.status();
  // Warnings come before the storage finds that there is such an object.
  AddNameWarning(errors::StatusOf(created.status())->details->name.view(), call);
  return RespondError(created.status(), call);
}

Response ServeUpdate(Core& core, Call& call) {
  KUBE_ASSIGN_OR_RETURN(const auto options, QueryOptions<metav1::UpdateOptions>(call));
  if (const field::ErrorList wrong = validation::ValidateUpdateOptions(options); !wrong.empty()) {
    return InvalidOptions("UpdateOptions", wrong);
  }
  KUBE_ASSIGN_OR_RETURN(Object object, ObjectOf(call, options.field_validation.view()));
  KUBE_RETURN_IF_ERROR(SetNamespace(object, call));
  KUBE_RETURN_IF_ERROR(CheckName(object.metadata(), call));
  const WriteOptions write = {.dry_run = !options.dry_run.empty()};
  const size_t warnings = call.warnings.size();
  absl::StatusOr<Written> written = core.registry.Update(
      call.target(),
      [&](const StoredObject& current) -> absl::StatusOr<Object> {
        call.warnings.resize(warnings);
        AddWarnings(object, &current.object(), call);
        return object.Copy();
      },
      write);
  const bool creates =
      call.info.subresource.empty() && StrategyOf(*call.resource->kind).create_on_update;
  if (creates && errors::IsNotFound(written.status())) {
    // What is not there has no UID, which a client that sends one expects.
    if (!object.metadata().uid.empty()) {
      return UidConflict(call.target(), object.metadata().uid.view(), "");
    }
    object.metadata().resource_version = "";
    KUBE_ASSIGN_OR_RETURN(ObjectPtr created,
                          core.registry.Create(call.target(), std::move(object), write));
    written = Written{.object = std::move(created), .created = true};
  }
  if (!written.ok()) return written.status();
  return RespondWritten(*written, call);
}

Response ServePatch(Core& core, Call& call) {
  KUBE_ASSIGN_OR_RETURN(const PatchHead head, PatchHeadOf(call));
  const metav1::PatchOptions& options = head.options;
  KUBE_ASSIGN_OR_RETURN(const Patcher patcher,
                        Patcher::Make(head.type, call.request->body, *call.resource->kind,
                                      FieldPolicyOf(options.field_validation.view())));
  KUBE_ASSIGN_OR_RETURN(
      const Written written,
      core.registry.Update(call.target(),
                           [&](const StoredObject& current) -> absl::StatusOr<Object> {
                             call.warnings.clear();
                             KUBE_ASSIGN_OR_RETURN(
                                 Object patched,
                                 patcher.Apply(*call.resource, current, &call.warnings));
                             KUBE_RETURN_IF_ERROR(SetNamespace(patched, call));
                             KUBE_RETURN_IF_ERROR(CheckName(patched.metadata(), call));
                             AddWarnings(patched, &current.object(), call);
                             return patched;
                           },
                           {.dry_run = !options.dry_run.empty(), .patch = true}));
  return RespondWritten(written, call);
}

Response ServeDelete(Core& core, Call& call) {
  KUBE_ASSIGN_OR_RETURN(const metav1::DeleteOptions options, DeleteOptionsOf(call));
  const bool silent =
      !options.propagation_policy.has_value() && !options.orphan_dependents.has_value();
  if (silent && call.resource->kind->kind == "Job") {
    call.warnings.push_back(
        "child pods are preserved by default when jobs are deleted; set "
        "propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress "
        "this warning");
  }
  KUBE_ASSIGN_OR_RETURN(
      const Deleted deleted,
      core.registry.Delete(call.target(), options, {.dry_run = !options.dry_run.empty()}));
  return RespondDeleted(deleted, call);
}

Response ServeDeleteCollection(Core& core, Call& call) {
  KUBE_ASSIGN_OR_RETURN(const metav1::ListOptions list, ListOptionsOf(call, /*watch=*/false));
  KUBE_ASSIGN_OR_RETURN(const metav1::DeleteOptions options, DeleteOptionsOf(call));
  KUBE_ASSIGN_OR_RETURN(const Page page, ListPage(core, call, list));
  for (const ObjectPtr& object : page.items) {
    Target target = call.target();
    target.namespace_name = object->metadata().namespace_;
    target.name = object->metadata().name;
    const absl::Status deleted =
        core.registry.Delete(target, options, {.dry_run = !options.dry_run.empty()}).status();
    if (!deleted.ok() && !errors::IsNotFound(deleted)) return deleted;
  }
  return RespondPage(page, call);
}

}  // namespace kube::envtest::internal
