#ifndef APISERVER_ENCODING_CUSTOM_INPUT_H_
#define APISERVER_ENCODING_CUSTOM_INPUT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/encoding/input.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"
#include "net/httpserver/exchange.h"

// Decodes custom resources in requests; input.h does so for built-in kinds. `resource` must be a
// custom one. Pure and thread-safe.
namespace kube::apiserver::internal {

// Decodes the body. Unknown and duplicate fields are added to `warnings`. Returns 400 or 415 for a
// body that cannot be decoded, and 422 if it is of another kind.
absl::StatusOr<Object> DecodeCustomBody(const httpserver::Request& request,
                                        const Resource& resource, FieldPolicy policy,
                                        std::vector<std::string>* warnings);

// Decodes the result of a patch. Returns INVALID_ARGUMENT without a Status if it is not an object,
// or has unknown fields that `policy` forbids; otherwise the errors of DecodeCustomBody.
absl::StatusOr<Object> CustomFromPatch(unstructured::Value patched, const Resource& resource,
                                       FieldPolicy policy, std::vector<std::string>* warnings);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_ENCODING_CUSTOM_INPUT_H_
