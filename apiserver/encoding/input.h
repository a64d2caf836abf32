#ifndef APISERVER_ENCODING_INPUT_H_
#define APISERVER_ENCODING_INPUT_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/codec/type_meta.h"
#include "apimachinery/types/kind_info.h"
#include "net/httpserver/exchange.h"

// What requests bring: bodies in any of the formats. Errors carry the Status for the client. Pure
// functions: thread-safe.
namespace kube::apiserver::internal {

// What to do about fields that a kind does not have. (the parameter fieldValidation)
enum class FieldPolicy { kIgnore, kWarn, kStrict };
FieldPolicy FieldPolicyOf(absl::string_view field_validation);

struct Body {
  codec::AnyObject object;
  // For headers of that name, as `unknown field "bogus"`.
  std::vector<std::string> warnings = {};
};

// An object of that kind. Where the body does not say what it is, it is taken for one. 400, or 415
// for a Content-Type that is unknown.
absl::StatusOr<Body> DecodeBody(const httpserver::Request& request, const KindInfo& kind,
                                FieldPolicy policy);

// The JSON of a body, of one that is YAML too, and what it says it is: an object of that kind,
// perhaps. `scratch` holds the text if it is not that of the request. 400, or 415; 400 also for
// protobuf.
struct BodyText {
  absl::string_view json = {};
  codec::TypeMeta sent = {};
};
absl::StatusOr<BodyText> TextOfBody(const httpserver::Request& request, const KindInfo& kind,
                                    FieldPolicy policy, std::string& scratch);

// Two answers to a body that is none. (400)
absl::Status Unrecognized(const KindInfo& kind, absl::string_view cause, absl::string_view body);
absl::Status CannotHandle(const codec::TypeMeta& sent, const KindInfo& kind,
                          absl::string_view cause);

// Why a body that says this kind and version is none of `kind`; "" if it may be one.
std::string KindMismatch(const codec::TypeMeta& sent, const KindInfo& kind);

// The JSON of an object, of a body that is YAML too, as an object of that kind. An error is
// INVALID_ARGUMENT without a Status. `strict_errors` gets what is unknown or comes twice.
absl::StatusOr<codec::AnyObject> DecodeText(absl::string_view json, const KindInfo& kind,
                                            std::vector<std::string>* strict_errors);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_ENCODING_INPUT_H_
