#ifndef CLIENTSET_RESTMAPPER_SHORTCUT_EXPANDER_H_
#define CLIENTSET_RESTMAPPER_SHORTCUT_EXPANDER_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/context.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/schema/group_version.h"
#include "clientset/discovery/discovery.h"

namespace kube::restmapper {

// A RestMapper that also accepts the short names of resources: "po", "deploy", "cm". (client-go:
// `restmapper.NewShortcutExpander`)
//
//   const auto cache = std::make_shared<kube::discovery::MemoryCache>(
//       std::make_shared<kube::discovery::DiscoveryClient>(client.client()));
//   const kube::restmapper::ShortcutExpander mapper(
//       std::make_shared<kube::restmapper::DeferredDiscoveryRestMapper>(cache), cache);
//   KUBE_ASSIGN_OR_RETURN(const auto resource, mapper.ResourceFor(ctx, {.resource = name}));
//
// `client` is a kubernetes::Clientset. Full names take precedence over short names. If several
// resources have the same short name, the one of the first group is used, and `on_warning` is
// called with the others, on the caller's thread. Each call reads all of discovery: give it a
// cache. If discovery fails, names are passed on unchanged.
//
// Thread-safe if `on_warning` is.
class ShortcutExpander final : public ResettableRestMapper {
 public:
  // `on_warning` may be null.
  ShortcutExpander(std::shared_ptr<RestMapper> delegate,
                   std::shared_ptr<const discovery::Discovery> discovery,
                   std::function<void(absl::string_view)> on_warning = nullptr)
      : delegate_(std::move(delegate)),
        discovery_(std::move(discovery)),
        on_warning_(std::move(on_warning)) {}

  absl::StatusOr<schema::GroupVersionKind> KindFor(
      const Context& ctx, const schema::GroupVersionResource& partial) const override;
  absl::StatusOr<std::vector<schema::GroupVersionKind>> KindsFor(
      const Context& ctx, const schema::GroupVersionResource& partial) const override;
  absl::StatusOr<schema::GroupVersionResource> ResourceFor(
      const Context& ctx, const schema::GroupVersionResource& partial) const override;
  absl::StatusOr<std::vector<schema::GroupVersionResource>> ResourcesFor(
      const Context& ctx, const schema::GroupVersionResource& partial) const override;
  absl::StatusOr<RestMapping> RestMappingFor(const Context& ctx, const schema::GroupKind& kind,
                                             absl::Span<const std::string> versions) const override;
  absl::StatusOr<std::vector<RestMapping>> RestMappingsFor(
      const Context& ctx, const schema::GroupKind& kind,
      absl::Span<const std::string> versions) const override;
  absl::StatusOr<std::string> ResourceSingularizer(const Context& ctx,
                                                   absl::string_view resource) const override;
  void Reset() override { MaybeResetRestMapper(*delegate_); }

 private:
  schema::GroupVersionResource Expand(const Context& ctx,
                                      const schema::GroupVersionResource& resource) const;

  const std::shared_ptr<RestMapper> delegate_;
  const std::shared_ptr<const discovery::Discovery> discovery_;
  const std::function<void(absl::string_view)> on_warning_;
};

}  // namespace kube::restmapper

#endif  // CLIENTSET_RESTMAPPER_SHORTCUT_EXPANDER_H_
