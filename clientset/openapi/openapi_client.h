#ifndef CLIENTSET_OPENAPI_OPENAPI_CLIENT_H_
#define CLIENTSET_OPENAPI_OPENAPI_CLIENT_H_

#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "clientset/openapi/openapi.h"
#include "clientset/rest/client.h"

namespace kube::openapi {

struct OpenApiClientOptions {
  // The time limit of each request; the server is told as well. If zero, the rest::Client's own.
  // The default is that of client-go's discovery client, which sends these requests there.
  absl::Duration timeout = absl::Seconds(32);
};

// Asks the server each time. (client-go: `openapi.NewClient`, `DiscoveryClient.OpenAPIV3`)
//
//   const openapi::OpenApiClient documents(clientset.client());
//   KUBE_ASSIGN_OR_RETURN(const openapi::GroupVersions paths, documents.Paths(ctx));
//
// The URLs in a server's index are relative to the server. If the client's own base URL has a path,
// because the server is behind a proxy, it is put before them unless they begin with it. client-go
// leaves it away before URLs outside /openapi/v3, which no server has.
//
// A handle: cheap to copy. Thread-safe.
class OpenApiClient final : public OpenApi {
 public:
  explicit OpenApiClient(rest::Client client, const OpenApiClientOptions& options = {})
      : client_(std::move(client)), options_(options) {}

  // The references that are returned share the rest::Client, and may outlive this.
  absl::StatusOr<GroupVersions> Paths(const Context& ctx) const override;
  absl::StatusOr<Document> SchemaV2(const Context& ctx,
                                    absl::string_view content_type) const override;

 private:
  rest::Client client_;
  OpenApiClientOptions options_;
};

}  // namespace kube::openapi

#endif  // CLIENTSET_OPENAPI_OPENAPI_CLIENT_H_
