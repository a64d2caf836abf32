#include "apiserver/verbs/dispatch.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/types/kind_info.h"
#include "apiserver/call/answer.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/call/warning_header.h"
#include "apiserver/call/write_record.h"
#include "apiserver/custom_kind.h"
#include "apiserver/discovery/discovery.h"
#include "apiserver/discovery/open_id.h"
#include "apiserver/encoding/output.h"
#include "apiserver/errors/unknown_path.h"
#include "apiserver/faults/read_faults.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/special/special.h"
#include "apiserver/user.h"
#include "apiserver/verbs/create.h"
#include "apiserver/verbs/creation.h"
#include "apiserver/verbs/delete.h"
#include "apiserver/verbs/get.h"
#include "apiserver/verbs/list.h"
#include "apiserver/verbs/patch.h"
#include "apiserver/verbs/update.h"
#include "apiserver/verbs/watch.h"
#include "apiserver/webhooks/webhook_admission.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

// Maximum size of a request body (kube-apiserver: `genericapiserver.Config.MaxRequestBodyBytes`).
constexpr size_t kMaxBodyBytes = 3 * 1024 * 1024;

bool Contains(absl::Span<const absl::string_view> verbs, absl::string_view verb) {
  for (absl::string_view each : verbs) {
    if (each == verb) return true;
  }
  return false;
}

// Returns whether objects can only be created, as reviews: they have no name and so no path.
bool IsOnlyCreated(const Resource& resource) {
  return resource.kind->verbs.size() == 1 && resource.HasVerb("create");
}

// Returns 404 if there is no such path, or 405 if it does not support the verb.
absl::Status CheckPath(const Call& call) {
  const RequestInfo& info = call.info;
  const Resource& resource = *call.resource;
  if (info.parts.size() > 3) return NoSuchResource();
  if (call.request->method == "HEAD") return NoSuchMethod();
  const bool has_namespace = !info.namespace_name.empty();
  // The path of a namespace looks like a path within that namespace.
  const bool is_namespace = resource.kind->kind == "Namespace" && resource.kind->group.empty();
  if (!resource.namespaced() && has_namespace && !(is_namespace && info.names_one())) {
    return NoSuchResource();
  }
  if (info.names_one() && call.subresource == nullptr && IsOnlyCreated(resource)) {
    return NoSuchResource();
  }
  if (info.names_one() && resource.namespaced() && !has_namespace) return NoSuchResource();
  if (call.subresource != nullptr) {
    return Contains(call.subresource->verbs, info.verb) ? absl::OkStatus() : NoSuchMethod();
  }
  const bool is_of_all = resource.namespaced() && !has_namespace;
  if (is_of_all && info.verb != "list" && info.verb != "watch") return NoSuchMethod();
  if (info.verb == "create" && info.names_one()) return NoSuchMethod();
  if ((info.verb == "update" || info.verb == "patch") && !info.names_one()) return NoSuchMethod();
  return resource.HasVerb(info.verb) ? absl::OkStatus() : NoSuchMethod();
}

// Custom resources have errors of their own (kube-apiserver: `crdHandler.ServeHTTP`).
absl::Status CheckCustomPath(const Call& call) {
  const RequestInfo& info = call.info;
  const Resource& resource = *call.resource;
  const schema::GroupResource named = resource.group_resource();
  const bool known = info.parts.size() <= 3 && (info.subresource.empty() || call.subresource);
  if (!known) return errors::NotFound(named, info.name);
  const bool allowed = call.subresource != nullptr ? Contains(call.subresource->verbs, info.verb)
                                                   : resource.HasVerb(info.verb);
  if (!allowed) return errors::MethodNotSupported(named, info.verb);
  if ((info.verb == "update" || info.verb == "patch") && !info.names_one()) {
    return errors::BadRequest("name must be provided");
  }
  return info.verb == "create" ? CheckCreation(call) : absl::OkStatus();
}

// Returns whether the path exists for a custom resource of this scope.
bool IsOfDefinition(const Resource& resource, const RequestInfo& info) {
  const bool has_namespace = !info.namespace_name.empty();
  if (!resource.namespaced()) return !has_namespace;
  return has_namespace || info.verb == "list" || info.verb == "watch";
}

absl::StatusOr<Answer> ToAnswer(absl::StatusOr<httpserver::Response> response) {
  if (!response.ok()) return response.status();
  return Answer(*std::move(response));
}

absl::StatusOr<Answer> ServeVerb(Core& core, Call& call) {
  if (std::optional<absl::StatusOr<Answer>> special = ServeSpecial(core, call)) {
    return *std::move(special);
  }
  const absl::string_view verb = call.info.verb;
  if (verb == "get") return ServeGet(core, call);
  if (verb == "list") return ServeList(core, call);
  if (verb == "watch") return ServeWatch(core, call);
  if (verb == "create") return ToAnswer(ServeCreate(core, call));
  if (verb == "update") return ToAnswer(ServeUpdate(core, call));
  if (verb == "patch") return ToAnswer(ServePatch(core, call));
  if (verb == "delete") return ToAnswer(ServeDelete(core, call));
  if (verb == "deletecollection") return ToAnswer(ServeDeleteCollection(core, call));
  return NoSuchMethod();
}

// Turns a watch of the old form /watch/.../NAME into one with a field selector.
void SelectByName(RequestInfo& info) {
  if (info.verb != "watch" || !info.names_one()) return;
  info.query["fieldSelector"] = {absl::StrCat("metadata.name=", info.name)};
  info.parts.resize(1);
}

// Only these storages implement TableConvertor in kube-apiserver.
Transforms TransformsOf(const Call& call) {
  if (call.resource->list_kind == nullptr) return Transforms::kMetadata;
  const absl::string_view name = call.info.subresource;
  return name.empty() || name == "status" || name == "scale" ? Transforms::kAll
                                                             : Transforms::kMetadata;
}

absl::StatusOr<Answer> ServeResource(Core& core, Call& call) {
  SelectByName(call.info);
  const RequestInfo& info = call.info;
  call.resource = call.resources->Find(info.group, info.version, info.resource);
  const bool custom = call.resource != nullptr && call.resource->custom != nullptr;
  if (call.resource == nullptr || (custom && !IsOfDefinition(*call.resource, info))) {
    call.resource = nullptr;
    if (!call.resources->IsBuiltInGroup(info.group)) return Answer(PageNotFound());
    return NoSuchResource();
  }
  if (!info.subresource.empty()) {
    call.subresource = call.resource->FindSubresource(info.subresource);
    if (call.subresource == nullptr && !custom) return NoSuchResource();
  }
  KUBE_RETURN_IF_ERROR(custom ? CheckCustomPath(call) : CheckPath(call));
  absl::StatusOr<Output> output = NegotiateOutput(*call.request, TransformsOf(call), custom);
  if (!output.ok()) {
    call.output = Output{.pretty = true};
    return NothingAcceptable(*call.request, output.status());
  }
  call.output = *std::move(output);
  call.output.custom = call.resource->custom;
  call.output.tables = &core.tables;
  if (info.verb != "watch") {
    const bool is_list = info.verb == "list" || info.verb == "deletecollection";
    const absl::Status fits = CheckTransform(call.output, *call.resource->kind, is_list);
    if (!fits.ok()) {
      call.output = Output{};
      return fits;
    }
  }
  if (call.request->body.size() > kMaxBodyBytes) {
    return errors::RequestEntityTooLarge(absl::StrCat("limit is ", kMaxBodyBytes));
  }
  if (call.admission != nullptr) {
    call.admission->Begin(info, call.user, call.resources, *call.resource);
  }
  return ServeVerb(core, call);
}

// Adds a warning if the resource is deprecated, whatever the response is (kube-apiserver:
// `deprecation.WarningMessage`).
void AddDeprecation(const Resource* resource, httpserver::Response& response) {
  if (resource == nullptr) return;
  if (resource->custom != nullptr) {
    const std::string& warning = resource->custom->deprecation();
    if (!warning.empty()) response.headers.Add("warning", WarningHeader(warning));
    return;
  }
  if (resource->kind->deprecated.empty()) return;
  const KindInfo& kind = *resource->kind;
  std::string text = absl::StrCat(resource->ApiVersion(), " ", kind.kind, " is deprecated in v",
                                  kind.deprecated, "+");
  if (!kind.removed.empty()) absl::StrAppend(&text, ", unavailable in v", kind.removed, "+");
  if (!kind.replacement.empty()) absl::StrAppend(&text, "; use ", kind.replacement);
  response.headers.Add("warning", WarningHeader(text));
}

// Adds what webhooks tell the client, also one whose request is refused.
void AddWarnings(const std::vector<std::string>& warnings, httpserver::Response& response) {
  for (const std::string& each : warnings) response.headers.Add("warning", WarningHeader(each));
}

}  // namespace

Answer Dispatch(Core& core, const httpserver::Request& request, const RequestInfo& info,
                const User& user, bool has_waited, ReadFaults* faults, WebhookAdmission* admission,
                bool may_block, WriteRecord* record) {
  std::shared_ptr<const Resources> resources = core.resources.Get();
  if (!info.is_resource_request || !resources->HasGroup(info.group)) {
    std::optional<httpserver::Response> response;
    if (!info.is_resource_request) {
      response = ServeOpenId(*core.account_tokens, core.address(), request, info);
      if (!response) response = ServeNonResource(core.openapi, *resources, request, info);
    }
    return response.has_value() ? *std::move(response) : PageNotFound();
  }
  Call call{
      .request = &request, .info = info, .user = user, .has_waited = has_waited, .faults = faults};
  call.resources = std::move(resources);
  call.fields_cache = &core.fields_cache;
  call.admission = admission;
  call.record = record;
  // The format of errors until the resource is known.
  if (absl::StatusOr<Output> output = NegotiateOutput(request, Transforms::kNone); output.ok()) {
    call.output = *output;
  }
  absl::StatusOr<Answer> served = ServeResource(core, call);
  core.Settle(may_block);
  Answer answer =
      served.ok() ? *std::move(served) : Answer(ErrorResponse(served.status(), call.output));
  if (auto* response = std::get_if<httpserver::Response>(&answer)) {
    AddDeprecation(call.resource, *response);
    if (admission != nullptr) AddWarnings(admission->warnings(), *response);
  }
  return answer;
}

}  // namespace kube::apiserver::internal
