#ifndef APISERVER_SPECIAL_SPECIAL_ANSWER_H_
#define APISERVER_SPECIAL_SPECIAL_ANSWER_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/any_object.h"
#include "apiserver/call/call.h"
#include "net/httpserver/exchange.h"

// Bodies and responses of kinds other than the resource's.
namespace kube::apiserver::internal {

// Returns the 201 with a Status for a subresource that has no object to return.
httpserver::Response Success(const Call& call);

// Returns a response with an object that is not stored.
absl::StatusOr<httpserver::Response> RespondAny(int code, codec::AnyObject object,
                                                const Call& call);

// Decodes the body of a request whose kind is not the resource's, and lets webhooks change it.
absl::StatusOr<codec::AnyObject> BodyOf(const Call& call, absl::string_view api_version,
                                        absl::string_view kind);

// Asks the webhooks about a body that is valid. Returns the refusal of one.
absl::Status CheckWithWebhooks(const Call& call, const codec::AnyObject& body);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_SPECIAL_SPECIAL_ANSWER_H_
