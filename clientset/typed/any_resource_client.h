#ifndef CLIENTSET_TYPED_ANY_RESOURCE_CLIENT_H_
#define CLIENTSET_TYPED_ANY_RESOURCE_CLIENT_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/utility/utility.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/watch/stream_watcher.h"
#include "apimachinery/watch/watcher.h"
#include "clientset/typed/options.h"
#include "clientset/typed/typed_core.h"

namespace kube::typed {

// The common base of dynamic::ResourceClient and metadata::ResourceClient: the verbs of a resource
// that is only known at run time, with objects of type T and lists of type ListT.
//
// If `subresources` is not empty, the call addresses that subresource of the object: {"status"},
// {"scale"}. Each method does what TypedClient's method of the same name does, blocks like it and
// returns the same errors.
//
// A handle: cheap to copy. Thread-safe.
template <ApiStruct T, ApiStruct ListT>
class AnyResourceClient {
 public:
  absl::StatusOr<T> Get(const Context& ctx, absl::string_view name,
                        const api::meta::v1::GetOptions& options = {},
                        const std::vector<std::string>& subresources = {}) const {
    absl::StatusOr<T> object(absl::in_place);
    KUBE_RETURN_IF_ERROR(
        core_.AtSubresource(subresources).Get(ctx, name, "", options, AnyTarget::Of(*object)));
    return object;
  }

  // Lists all objects. Items without kind and apiVersion get those of the list.
  absl::StatusOr<ListT> List(const Context& ctx,
                             const api::meta::v1::ListOptions& options = {}) const {
    absl::StatusOr<ListT> list(absl::in_place);
    KUBE_RETURN_IF_ERROR(core_.List(ctx, options, AnyTarget::Of(*list)));
    return list;
  }

  // Lists objects for a cache: they are decoded while the response arrives. See
  // TypedClient::ListPage.
  absl::StatusOr<Page<T, ListT>> ListPage(const Context& ctx,
                                          const api::meta::v1::ListOptions& options = {},
                                          const PageOptions& page_options = {}) const {
    absl::StatusOr<Page<T, ListT>> page(absl::in_place);
    KUBE_RETURN_IF_ERROR(
        core_.ListPage(ctx, options, page_options, T::kMessage, AnyTarget::Of(page->list),
                       [&page](std::shared_ptr<const void> item) {
                         page->items.push_back(std::static_pointer_cast<const T>(std::move(item)));
                         return absl::OkStatus();
                       }));
    return page;
  }

  absl::StatusOr<std::unique_ptr<watch::Watcher<T>>> Watch(
      const Context& ctx, const api::meta::v1::ListOptions& options = {},
      const WatchStreamOptions& watch_options = {}) const {
    KUBE_ASSIGN_OR_RETURN(WatchBody body, core_.Watch(ctx, options, watch_options));
    if (body.stream == nullptr) return std::make_unique<watch::EmptyWatcher<T>>();
    return std::make_unique<watch::StreamWatcher<T>>(
        body.content_type, std::move(body.stream),
        MakeStreamWatcherOptions(watch_options, T::kMessage));
  }

  absl::Status Delete(const Context& ctx, absl::string_view name,
                      const api::meta::v1::DeleteOptions& options = {},
                      const std::vector<std::string>& subresources = {}) const {
    return core_.AtSubresource(subresources).Delete(ctx, name, options);
  }
  absl::Status DeleteCollection(const Context& ctx,
                                const api::meta::v1::DeleteOptions& options = {},
                                const api::meta::v1::ListOptions& list_options = {}) const {
    return core_.DeleteCollection(ctx, options, list_options);
  }

  // Applies the patch `data`, which may change fields that T does not have, and returns the
  // resulting object as a T.
  absl::StatusOr<T> Patch(const Context& ctx, absl::string_view name, patch::PatchType type,
                          absl::string_view data, const api::meta::v1::PatchOptions& options = {},
                          const std::vector<std::string>& subresources = {}) const {
    absl::StatusOr<T> patched(absl::in_place);
    KUBE_RETURN_IF_ERROR(
        core_.Patch(ctx, name, type, data, options, subresources, AnyTarget::Of(*patched)));
    return patched;
  }

  const schema::GroupVersionResource& resource() const { return core_.resource(); }
  // "" means all namespaces.
  const std::string& namespace_name() const { return core_.namespace_name(); }

  // The part of this client that does not depend on a type, for code that is generic over types,
  // such as informers.
  const TypedCore& core() const { return core_; }

 protected:
  explicit AnyResourceClient(TypedCore core) : core_(std::move(core)) {}

 private:
  TypedCore core_;
};

}  // namespace kube::typed

#endif  // CLIENTSET_TYPED_ANY_RESOURCE_CLIENT_H_
