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

// Custom resources that requests bring: what input.h is for others. `resource` is a custom one.
// Pure functions: thread-safe.
namespace kube::apiserver::internal {

// An object of the resource; `warnings` gets what is unknown in it. 400, 415, or 422 for another
// kind.
absl::StatusOr<Object> DecodeCustomBody(const httpserver::Request& request,
                                        const Resource& resource, FieldPolicy policy,
                                        std::vector<std::string>* warnings);

// What a patch made of one. An error is INVALID_ARGUMENT without a Status where it is no object, or
// has what is unknown and must not; else the same.
absl::StatusOr<Object> CustomFromPatch(unstructured::Value patched, const Resource& resource,
                                       FieldPolicy policy, std::vector<std::string>* warnings);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_ENCODING_CUSTOM_INPUT_H_
