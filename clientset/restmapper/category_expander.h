#ifndef CLIENTSET_RESTMAPPER_CATEGORY_EXPANDER_H_
#define CLIENTSET_RESTMAPPER_CATEGORY_EXPANDER_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/schema/group_version.h"
#include "clientset/discovery/discovery.h"

namespace kube::restmapper {

// Returns the resources of a category such as "all". Implementations are thread-safe. (client-go:
// `restmapper.CategoryExpander`)
class CategoryExpander {
 public:
  virtual ~CategoryExpander() = default;

  // Returns nullopt if the category does not exist or discovery has failed.
  virtual std::optional<std::vector<schema::GroupResource>> Expand(
      const Context& ctx, absl::string_view category) const = 0;
};

// Expands categories from a fixed table. (client-go: `restmapper.SimpleCategoryExpander`)
class SimpleCategoryExpander final : public CategoryExpander {
 public:
  using Expansions = std::map<std::string, std::vector<schema::GroupResource>>;

  explicit SimpleCategoryExpander(Expansions expansions) : expansions_(std::move(expansions)) {}

  std::optional<std::vector<schema::GroupResource>> Expand(
      const Context& ctx, absl::string_view category) const override;

 private:
  const Expansions expansions_;
};

// Expands the categories that the server declares, such as "all" in `kubectl get all`. Blocks while
// the server is asked: give it a cache. As in client-go, a resource that exists in several versions
// is contained several times. (client-go: `restmapper.NewDiscoveryCategoryExpander`)
class DiscoveryCategoryExpander final : public CategoryExpander {
 public:
  explicit DiscoveryCategoryExpander(std::shared_ptr<const discovery::Discovery> discovery)
      : discovery_(std::move(discovery)) {}

  std::optional<std::vector<schema::GroupResource>> Expand(
      const Context& ctx, absl::string_view category) const override;

 private:
  const std::shared_ptr<const discovery::Discovery> discovery_;
};

// Joins the results of several expanders, with each resource once. (client-go:
// `restmapper.UnionCategoryExpander`)
class UnionCategoryExpander final : public CategoryExpander {
 public:
  explicit UnionCategoryExpander(std::vector<std::shared_ptr<const CategoryExpander>> expanders)
      : expanders_(std::move(expanders)) {}

  std::optional<std::vector<schema::GroupResource>> Expand(
      const Context& ctx, absl::string_view category) const override;

 private:
  const std::vector<std::shared_ptr<const CategoryExpander>> expanders_;
};

}  // namespace kube::restmapper

#endif  // CLIENTSET_RESTMAPPER_CATEGORY_EXPANDER_H_
