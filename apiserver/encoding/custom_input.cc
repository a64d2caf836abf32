#include "apiserver/encoding/custom_input.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/encoding/duplicate_fields.h"
#include "apiserver/encoding/input.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"
#include "apiserver/strategy/custom.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

using unstructured::Unstructured;
using unstructured::Value;

// Returns the object, unless `policy` forbids what is wrong with it: then returns INVALID_ARGUMENT
// without a Status.
absl::StatusOr<Object> Accept(Unstructured sent, const Resource& resource, FieldPolicy policy,
                              std::vector<std::string> wrong, std::vector<std::string>* warnings) {
  KUBE_ASSIGN_OR_RETURN(Decoded decoded, DecodeCustom(resource, std::move(sent)));
  if (policy == FieldPolicy::kIgnore) return std::move(decoded.object);
  for (std::string& each : decoded.unknown) wrong.push_back(std::move(each));
  if (policy == FieldPolicy::kStrict && !wrong.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("strict decoding error: ", absl::StrJoin(wrong, ", ")));
  }
  for (std::string& each : wrong) warnings->push_back(std::move(each));
  return std::move(decoded.object);
}

}  // namespace

absl::StatusOr<Object> DecodeCustomBody(const httpserver::Request& request,
                                        const Resource& resource, FieldPolicy policy,
                                        std::vector<std::string>* warnings) {
  const KindInfo& kind = *resource.kind;
  std::string scratch;
  KUBE_ASSIGN_OR_RETURN(const BodyText text, TextOfBody(request, kind, policy, scratch));
  if (text.sent.kind.empty()) {
    return Unrecognized(kind, absl::StrCat("Object 'Kind' is missing in '", text.json, "'"),
                        text.json);
  }
  if (text.sent.api_version != resource.ApiVersion()) {
    return errors::BadRequest(absl::StrCat("the API version in the data (", text.sent.api_version,
                                           ") does not match the expected API version (",
                                           resource.ApiVersion(), ")"));
  }
  absl::StatusOr<codec::AnyObject> any = DecodeText(text.json, kind, nullptr);
  if (!any.ok()) return CannotHandle(text.sent, kind, any.status().message());
  absl::StatusOr<Object> object = Accept(std::move(*any->As<Unstructured>()), resource, policy,
                                         DuplicateFields(text.json), warnings);
  if (object.ok() || errors::StatusOf(object.status()).has_value()) return object;
  return CannotHandle(text.sent, kind, object.status().message());
}

absl::StatusOr<Object> CustomFromPatch(Value patched, const Resource& resource, FieldPolicy policy,
                                       std::vector<std::string>* warnings) {
  Map<Value>* const members = patched.object();
  if (members == nullptr) return absl::InvalidArgumentError("expected an object");
  Unstructured object;
  object.object = std::move(*members);
  return Accept(std::move(object), resource, policy, {}, warnings);
}

}  // namespace kube::apiserver::internal
