#ifndef APISERVER_REGISTRY_SELECTORS_H_
#define APISERVER_REGISTRY_SELECTORS_H_

#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/fields/compiled_selector.h"
#include "apimachinery/fields/selector.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/sharding/selector.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"

namespace kube::apiserver::internal {

// Selects the objects of a resource that a list or watch asks for. Immutable and thread-safe.
class Matcher {
 public:
  // Parses the parameters labelSelector and fieldSelector. Returns a 400 if they are not valid.
  static absl::StatusOr<Matcher> Make(const Resource& resource, absl::string_view label_selector,
                                      absl::string_view field_selector);

  // Lets it select only the objects of a shard, too.
  void Narrow(sharding::Selector shard) { shard_ = std::move(shard); }
  // Returns the shard; it is empty if the request names no shard.
  const sharding::Selector& shard() const { return shard_; }

  // `object` must be one of the resource, in the form that AsResource returns.
  bool Matches(const StoredObject& object) const;
  // Returns whether it matches all objects.
  bool everything() const {
    return labels_.empty() && !fields_.has_value() && sources_.empty() && custom_fields_.empty() &&
           shard_.empty();
  }

 private:
  labels::Selector labels_;
  std::optional<fields::CompiledSelector> fields_;
  // Requirements on the source of events.
  std::vector<fields::Requirement> sources_;
  // Requirements on custom resources, which have no type to compile for.
  fields::Selector custom_fields_;
  sharding::Selector shard_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_REGISTRY_SELECTORS_H_
