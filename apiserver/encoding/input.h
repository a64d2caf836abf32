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

// Decodes the bodies of requests, in any of the formats. Errors carry a Status for the client. Pure
// and thread-safe.
namespace kube::apiserver::internal {

// What to do about fields that a kind does not have: the parameter fieldValidation.
enum class FieldPolicy { kIgnore, kWarn, kStrict };
FieldPolicy FieldPolicyOf(absl::string_view field_validation);

struct Body {
  codec::AnyObject object;
  // Texts for Warning headers, such as `unknown field "bogus"`.
  std::vector<std::string> warnings = {};
};

// Decodes an object of the kind. apiVersion and kind may be missing in the body. Returns 400 if it
// cannot be decoded, and 415 for an unknown Content-Type.
absl::StatusOr<Body> DecodeBody(const httpserver::Request& request, const KindInfo& kind,
                                FieldPolicy policy);

// The JSON of a body, also of one in YAML, and the type that it states, which may be another than
// `kind`. `scratch` holds the text if it is not that of the request. Returns 400 or 415; protobuf
// is a 400.
struct BodyText {
  absl::string_view json = {};
  codec::TypeMeta sent = {};
};
absl::StatusOr<BodyText> TextOfBody(const httpserver::Request& request, const KindInfo& kind,
                                    FieldPolicy policy, std::string& scratch);

// Return the two errors, both 400, for a body that cannot be decoded as the kind.
absl::Status Unrecognized(const KindInfo& kind, absl::string_view cause, absl::string_view body);
absl::Status CannotHandle(const codec::TypeMeta& sent, const KindInfo& kind,
                          absl::string_view cause);

// Returns why a body that states `sent` cannot be of `kind`, or "".
std::string KindMismatch(const codec::TypeMeta& sent, const KindInfo& kind);

// Decodes a JSON text as an object of the kind. Returns INVALID_ARGUMENT without a Status. Unknown
// and duplicate fields are added to `strict_errors`, unless it is null.
absl::StatusOr<codec::AnyObject> DecodeText(absl::string_view json, const KindInfo& kind,
                                            std::vector<std::string>* strict_errors);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_ENCODING_INPUT_H_
