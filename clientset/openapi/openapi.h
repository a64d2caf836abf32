#ifndef CLIENTSET_OPENAPI_OPENAPI_H_
#define CLIENTSET_OPENAPI_OPENAPI_H_

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"

namespace kube::openapi {

// The media types of documents. Those of protobuf are gnostic's messages openapi.v3.Document and
// openapi.v2.Document; any server understands these spellings, and answers with newer ones.
// (client-go: `runtime.ContentTypeJSON`, `openapi.ContentTypeOpenAPIV3PB`)
inline constexpr char kJson[] = "application/json";
inline constexpr char kProtobufV3[] = "application/com.github.proto-openapi.spec.v3@v1.0+protobuf";
inline constexpr char kProtobufV2[] = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

// A document as the server sent it. Never null.
using Document = std::shared_ptr<const std::string>;

// The OpenAPI v3 document of a group version: a reference that a server's index has, by which the
// document can be fetched. (client-go: `openapi.GroupVersion`)
//
// Implementations are thread-safe.
class GroupVersion {
 public:
  virtual ~GroupVersion() = default;

  // Returns the document in a media type such as kJson. Blocks until the server answers or `ctx` is
  // done, and returns the errors of rest::Client.
  virtual absl::StatusOr<Document> Schema(const Context& ctx,
                                          absl::string_view content_type) const = 0;

  // Returns path and query of the document, such as "/openapi/v3/apis/apps/v1?hash=0123". The hash
  // is that of the content, so that a cache of documents can use the URL as its key.
  virtual const std::string& ServerRelativeUrl() const = 0;
};

// The documents of a server by their names: "api/v1", "apis/apps/v1". Servers also have some for
// other paths, such as "apis/apps" and "version".
using GroupVersions = std::map<std::string, std::shared_ptr<const GroupVersion>, std::less<>>;

// Asks a server for its OpenAPI documents: the schemas of all kinds, custom ones too, and the paths
// of their resources. (client-go: `openapi.Client`, `discovery.OpenAPISchemaInterface`)
//
//   KUBE_ASSIGN_OR_RETURN(const openapi::GroupVersions paths, documents.Paths(ctx));
//   const auto apps = paths.find("apis/apps/v1");
//   if (apps == paths.end()) return absl::NotFoundError("the server has no apps/v1");
//   return apps->second->Schema(ctx, openapi::kJson);
//
// OpenApiClient asks the server each time; MemoryCache caches its answers. Root (root.h) parses
// them. All calls may block until the server answers or `ctx` is done, and return the errors of
// rest::Client: NOT_FOUND (errors::IsNotFound) from servers older than 1.24, which have no v3.
//
// Implementations are thread-safe.
class OpenApi {
 public:
  virtual ~OpenApi() = default;

  // Returns the index of the v3 documents. (client-go: `Paths`)
  virtual absl::StatusOr<GroupVersions> Paths(const Context& ctx) const = 0;

  // Returns the v2 document, which describes everything at once, in a media type such as kJson:
  // some megabytes, and the schemas of custom resources are reduced. (client-go: `OpenAPISchema`,
  // which parses it)
  virtual absl::StatusOr<Document> SchemaV2(const Context& ctx,
                                            absl::string_view content_type) const = 0;

  // Makes a cache forget everything. Later answers come from requests that are sent after this
  // call.
  virtual void Invalidate() {}
};

}  // namespace kube::openapi

#endif  // CLIENTSET_OPENAPI_OPENAPI_H_
