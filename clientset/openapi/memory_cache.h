#ifndef CLIENTSET_OPENAPI_MEMORY_CACHE_H_
#define CLIENTSET_OPENAPI_MEMORY_CACHE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "clientset/openapi/openapi.h"

namespace kube::openapi {

// Reads the index and each document once, and keeps them until Invalidate: a document by its media
// type. (client-go: `cached.NewClient` of openapi/cached, which cannot be invalidated)
//
//   const auto cache = std::make_shared<openapi::MemoryCache>(
//       std::make_shared<openapi::OpenApiClient>(clientset.client()));
//
// One thread at a time asks the server for the same thing; the others wait for its result, as long
// as their own contexts allow. Errors are not kept; client-go keeps them too. A server changes its
// documents when a CustomResourceDefinition changes: a program that needs the new one calls
// Invalidate. References of Paths keep their own documents, also after that.
//
// Thread-safe.
class MemoryCache final : public OpenApi {
 public:
  // If the delegate is a cache, Invalidate is passed on to it.
  explicit MemoryCache(std::shared_ptr<OpenApi> delegate);
  ~MemoryCache() override;

  absl::StatusOr<GroupVersions> Paths(const Context& ctx) const override;
  absl::StatusOr<Document> SchemaV2(const Context& ctx,
                                    absl::string_view content_type) const override;
  void Invalidate() override;

 private:
  struct State;

  const std::shared_ptr<OpenApi> delegate_;
  const std::unique_ptr<State> state_;
};

}  // namespace kube::openapi

#endif  // CLIENTSET_OPENAPI_MEMORY_CACHE_H_
