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

// What a category such as "all" stands for. (restmapper.CategoryExpander) Implementations are
// thread-safe.
class CategoryExpander {
 public:
  virtual ~CategoryExpander() = default;

  // Nothing: there is no such category, or nobody could be asked.
  virtual std::optional<std::vector<schema::GroupResource>> Expand(
      const Context& ctx, absl::string_view category) const = 0;
};

// From a fixed table. (SimpleCategoryExpander)
class SimpleCategoryExpander final : public CategoryExpander {
 public:
  using Expansions = std::map<std::string, std::vector<schema::GroupResource>>;

  explicit SimpleCategoryExpander(Expansions expansions) : expansions_(std::move(expansions)) {}

  std::optional<std::vector<schema::GroupResource>> Expand(
      const Context& ctx, absl::string_view category) const override;

 private:
  const Expansions expansions_;
};

// What the server says: "all" of `kubectl get all`. Blocks while it is asked; give it a cache. A
// resource that several versions have is there as often, as upstream.
// (NewDiscoveryCategoryExpander)
class DiscoveryCategoryExpander final : public CategoryExpander {
 public:
  explicit DiscoveryCategoryExpander(std::shared_ptr<const discovery::Discovery> discovery)
      : discovery_(std::move(discovery)) {}

  std::optional<std::vector<schema::GroupResource>> Expand(
      const Context& ctx, absl::string_view category) const override;

 private:
  const std::shared_ptr<const discovery::Discovery> discovery_;
};

// What several know together, each resource once. (UnionCategoryExpander)
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
