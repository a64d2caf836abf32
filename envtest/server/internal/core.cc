#include "envtest/server/internal/core.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/all_kinds.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/queryparams/queryparams.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/meta_v1.h"
#include "envtest/server/internal/custom_input.h"
#include "envtest/server/internal/defaults.h"
#include "envtest/server/internal/input.h"
#include "envtest/server/internal/output.h"
#include "envtest/server/internal/strategy.h"
#include "envtest/server/object.h"
#include "net/httpserver/exchange.h"

namespace kube::envtest::internal {
namespace {

namespace metav1 = api::meta::v1;
namespace field = validation::field;

absl::Status Generic(int code, absl::string_view reason, absl::string_view message) {
  metav1::Status status;
  status.status = "Failure";
  status.reason = reason;
  status.message = message;
  status.details.emplace();
  status.code = code;
  return errors::FromStatus(status);
}

}  // namespace

void Core::Settle() {
  do {
    registry.collector().Settle();
  } while (definitions.Settle());
}

std::string WarningHeader(absl::string_view text) {
  std::string escaped = "299 - \"";
  for (char c : text) {
    if (c == '"' || c == '\\') escaped.push_back('\\');
    // No text from outside may become a header of its own.
    if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) escaped.push_back(c);
  }
  escaped.push_back('"');
  return escaped;
}

absl::Status NoSuchResource() {
  return Generic(404, "NotFound", "the server could not find the requested resource");
}

absl::Status NoSuchMethod() {
  return Generic(405, "MethodNotAllowed",
                 "the server does not allow this method on the requested resource");
}

absl::Status InvalidOptions(absl::string_view kind, const field::ErrorList& wrong) {
  return errors::Invalid({.group = "meta.k8s.io", .kind = std::string(kind)}, "", wrong);
}

namespace {

void AddWarningHeaders(const Call& call, httpserver::Response& response) {
  for (const std::string& warning : call.warnings) {
    response.headers.Add("warning", WarningHeader(warning));
  }
}

}  // namespace

Response RespondObject(int code, const StoredObject& object, const Call& call) {
  KUBE_ASSIGN_OR_RETURN(std::string body, EncodeObject(object, call.output));
  httpserver::Response response = Respond(code, std::move(body), call.output);
  AddWarningHeaders(call, response);
  return response;
}

httpserver::Response RespondError(const absl::Status& error, const Call& call) {
  httpserver::Response response = ErrorResponse(error, call.output);
  AddWarningHeaders(call, response);
  return response;
}

Response RespondPage(const Page& page, const Call& call) {
  KUBE_ASSIGN_OR_RETURN(std::string body,
                        EncodeList(*call.resource, page.metadata, page.items, call.output));
  return Respond(200, std::move(body), call.output);
}

Response RespondDeleted(const Deleted& deleted, const Call& call) {
  if (!deleted.gone || StrategyOf(*call.resource->kind).returns_deleted) {
    return RespondObject(200, *deleted.object, call);
  }
  metav1::Status status;
  status.kind = "Status";
  status.api_version = "v1";
  status.status = "Success";
  metav1::StatusDetails& details = status.details.emplace();
  details.name = call.info.name;
  details.group = call.resource->kind->group;
  details.kind = call.resource->kind->plural;
  details.uid = deleted.object->metadata().uid;
  Output plain = call.output;
  plain.transform = Transform::kNone;
  return Respond(200, EncodeStruct(status, plain), plain);
}

absl::StatusOr<metav1::DeleteOptions> DeleteOptionsOf(const Call& call) {
  metav1::DeleteOptions options;
  if (call.request->body.empty()) {
    absl::StatusOr<metav1::DeleteOptions> decoded =
        queryparams::DecodeParameters<metav1::DeleteOptions>(call.info.query);
    if (!decoded.ok()) return errors::BadRequest(decoded.status().message());
    options = *std::move(decoded);
  } else {
    KUBE_ASSIGN_OR_RETURN(
        Body body,
        DecodeBody(*call.request, *api::FindKind("v1", "DeleteOptions"), FieldPolicy::kIgnore));
    options = std::move(*body.object.As<metav1::DeleteOptions>());
  }
  // All members of preconditions are optional, and so are they.
  if (options.preconditions && !options.preconditions->uid.has_value() &&
      !options.preconditions->resource_version.has_value()) {
    options.preconditions.reset();
  }
  const field::ErrorList wrong = validation::ValidateDeleteOptions(options);
  if (!wrong.empty()) return InvalidOptions("DeleteOptions", wrong);
  return options;
}

absl::StatusOr<Object> ObjectOf(Call& call, absl::string_view field_validation) {
  if (call.resource->custom != nullptr) {
    return DecodeCustomBody(*call.request, *call.resource, FieldPolicyOf(field_validation),
                            &call.warnings);
  }
  KUBE_ASSIGN_OR_RETURN(
      Body body, DecodeBody(*call.request, *call.resource->kind, FieldPolicyOf(field_validation)));
  for (std::string& warning : body.warnings) call.warnings.push_back(std::move(warning));
  SetDefaults(body.object);
  return Object(std::move(body.object));
}

absl::StatusOr<bool> IsDryRun(const Call& call) {
  const absl::StatusOr<metav1::UpdateOptions> options =
      queryparams::DecodeParameters<metav1::UpdateOptions>(call.info.query);
  if (!options.ok()) return errors::BadRequest(options.status().message());
  return !options->dry_run.empty();
}

absl::Status CheckName(const metav1::ObjectMeta& metadata, const Call& call) {
  if (metadata.name.empty()) {
    return errors::BadRequest(absl::StrCat("the name of the object (", call.info.name,
                                           " based on URL) was undeterminable: name must be "
                                           "provided"));
  }
  if (metadata.name != call.info.name) {
    return errors::BadRequest(absl::StrCat("the name of the object (", metadata.name.view(),
                                           ") does not match the name on the URL (", call.info.name,
                                           ")"));
  }
  return absl::OkStatus();
}

}  // namespace kube::envtest::internal
