#ifndef APISERVER_OPENAPI_GNOSTIC_H_
#define APISERVER_OPENAPI_GNOSTIC_H_

#include <string>

#include "apimachinery/unstructured/value.h"

// Writes OpenAPI documents in the protobuf form in which Kubernetes sends them: the messages of
// gnostic (Go: `openapi_v3.ParseDocument` and `openapi_v2.ParseDocument`, and what proto.Marshal
// makes of the result). Members that gnostic does not know are left out; the servers' documents
// have none. Values of any type, such as those of x-kubernetes-…, are JSON, which is YAML too. Pure
// and thread-safe.
namespace kube::apiserver::internal {

// Returns an openapi.v3.Document.
std::string EncodeGnosticV3(const unstructured::Value& document);

// Returns an openapi.v2.Document.
std::string EncodeGnosticV2(const unstructured::Value& document);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_OPENAPI_GNOSTIC_H_
