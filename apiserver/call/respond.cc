#include "apiserver/call/respond.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apiserver/call/call.h"
#include "apiserver/call/list_page.h"
#include "apiserver/call/warning_header.h"
#include "apiserver/call/write_record.h"
#include "apiserver/encoding/output.h"
#include "apiserver/object.h"
#include "apiserver/registry/registry.h"
#include "apiserver/strategy/strategy.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;

void AddWarningHeaders(const Call& call, httpserver::Response& response) {
  for (const std::string& warning : call.warnings) {
    response.headers.Add("warning", WarningHeader(warning));
  }
}

}  // namespace

absl::StatusOr<httpserver::Response> RespondObject(int code, const StoredObject& object,
                                                   const Call& call) {
  KUBE_ASSIGN_OR_RETURN(std::string body, EncodeObject(object, call.output));
  httpserver::Response response = Respond(code, std::move(body), call.output);
  AddWarningHeaders(call, response);
  return response;
}

absl::StatusOr<httpserver::Response> RespondWritten(const Written& written, const Call& call) {
  RecordWrite(*written.object, written.changed, call.record);
  return RespondObject(written.created ? 201 : 200, *written.object, call);
}

httpserver::Response RespondError(const absl::Status& error, const Call& call) {
  httpserver::Response response = ErrorResponse(error, call.output);
  AddWarningHeaders(call, response);
  return response;
}

absl::StatusOr<httpserver::Response> RespondPage(const Page& page, const Call& call) {
  KUBE_ASSIGN_OR_RETURN(std::string body,
                        EncodeList(*call.resource, page.metadata, page.items, call.output));
  return Respond(200, std::move(body), call.output);
}

absl::StatusOr<httpserver::Response> RespondDeleted(const Deleted& deleted, const Call& call) {
  RecordWrite(*deleted.object, deleted.changed, call.record);
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

}  // namespace kube::apiserver::internal
