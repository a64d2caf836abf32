#ifndef APISERVER_SPECIAL_SPECIAL_ANSWER_H_
#define APISERVER_SPECIAL_SPECIAL_ANSWER_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/any_object.h"
#include "apiserver/call/call.h"
#include "net/httpserver/exchange.h"

// What is read and answered beside the objects of a resource.
namespace kube::apiserver::internal {

// The Status of a subresource that has no object to answer with: 201.
httpserver::Response Success(const Call& call);

// The answer with an object that is not stored.
absl::StatusOr<httpserver::Response> RespondAny(int code, codec::AnyObject object,
                                                const Call& call);

// The body of a request, of a kind that is not the resource's.
absl::StatusOr<codec::AnyObject> BodyOf(const Call& call, absl::string_view api_version,
                                        absl::string_view kind);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_SPECIAL_SPECIAL_ANSWER_H_
