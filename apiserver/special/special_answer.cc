#include "apiserver/special/special_answer.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/all_kinds.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/any_object.h"
#include "apiserver/call/call.h"
#include "apiserver/call/respond.h"
#include "apiserver/encoding/input.h"
#include "apiserver/encoding/output.h"
#include "apiserver/object.h"
#include "apiserver/webhooks/webhook_admission.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;

}  // namespace

httpserver::Response Success(const Call& call) {
  metav1::Status status;
  status.kind = "Status";
  status.api_version = "v1";
  status.status = "Success";
  status.code = 201;
  Output plain = call.output;
  plain.transform = Transform::kNone;
  return Respond(201, EncodeStruct(status, plain), plain);
}

absl::StatusOr<httpserver::Response> RespondAny(int code, codec::AnyObject object,
                                                const Call& call) {
  return RespondObject(code, StoredObject(Object(std::move(object))), call);
}

absl::StatusOr<codec::AnyObject> BodyOf(const Call& call, absl::string_view api_version,
                                        absl::string_view kind) {
  KUBE_ASSIGN_OR_RETURN(Body body, DecodeBody(*call.request, *api::FindKind(api_version, kind),
                                              FieldPolicy::kIgnore));
  if (call.admission != nullptr) {
    KUBE_RETURN_IF_ERROR(call.admission->MutateOther(/*old=*/nullptr, body.object));
  }
  return std::move(body.object);
}

absl::Status CheckWithWebhooks(const Call& call, const codec::AnyObject& body) {
  if (call.admission == nullptr) return absl::OkStatus();
  return call.admission->ValidateOther(/*old=*/nullptr, body);
}

}  // namespace kube::apiserver::internal
