#ifndef APISERVER_OPENAPI_OPENAPI_H_
#define APISERVER_OPENAPI_OPENAPI_H_

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/schema/group_version.h"
#include "apiserver/resources.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// Serves the OpenAPI documents of a server: /openapi/v3, an index of the documents of all group
// versions with the hashes of their contents, these documents, and /openapi/v2, one document of
// everything. All come as JSON, documents also as protobuf (kube-openapi: `handler3.OpenAPIService`
// and `handler.OpenAPIService`).
//
// A document is made when it is first needed and kept until a definition of its group version has
// changed; the index needs all of them, which takes a tenth of a second. Thread-safe; a request
// waits while another one makes documents.
class OpenApi {
 public:
  // Returns nullopt for other paths. `path` is that of the request, unescaped.
  std::optional<httpserver::Response> Serve(const Resources& resources,
                                            const httpserver::Request& request,
                                            absl::string_view path) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // The custom kinds that a document was made of. If they are the same, so is the document.
  using Kinds = std::vector<std::shared_ptr<const CustomKind>>;
  struct Document {
    Kinds kinds = {};
    std::string json = {};
    std::string hash = {};      // of the JSON: SHA-512, in capital letters
    std::string protobuf = {};  // empty until it is asked for
  };

  httpserver::Response ServeIndex(const Resources& resources, const httpserver::Request& request)
      ABSL_LOCKS_EXCLUDED(mutex_);
  httpserver::Response ServeVersion(const Resources& resources, const httpserver::Request& request,
                                    absl::string_view name) ABSL_LOCKS_EXCLUDED(mutex_);
  httpserver::Response ServeV2(const Resources& resources, const httpserver::Request& request)
      ABSL_LOCKS_EXCLUDED(mutex_);

  Document& DocumentOf(const Resources& resources, const schema::GroupVersion& version)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Drops the documents of group versions that there are no longer, and that of everything if it is
  // of other definitions: documents keep the definitions that they were made of.
  void DropOthers(const Resources& resources) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  base::Mutex mutex_;
  // By the names of group versions: "apis/apps/v1".
  std::map<std::string, Document, std::less<>> documents_ ABSL_GUARDED_BY(mutex_);
  Document v2_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_OPENAPI_OPENAPI_H_
