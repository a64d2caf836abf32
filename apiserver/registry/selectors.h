#ifndef APISERVER_REGISTRY_SELECTORS_H_
#define APISERVER_REGISTRY_SELECTORS_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/fields/compiled_selector.h"
#include "apimachinery/fields/selector.h"
#include "apimachinery/labels/selector.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"

namespace kube::apiserver::internal {

// Which objects of a resource a list or watch wants. Immutable, and thread-safe.
class Matcher {
 public:
  // Of the parameters labelSelector and fieldSelector; an error is a 400 with its Status.
  static absl::StatusOr<Matcher> Make(const Resource& resource, absl::string_view label_selector,
                                      absl::string_view field_selector);

  // `object` is one of the resource, as AsResource makes it.
  bool Matches(const StoredObject& object) const;
  // Whether it does so with all.
  bool everything() const {
    return labels_.empty() && !fields_.has_value() && sources_.empty() && custom_fields_.empty();
  }

 private:
  labels::Selector labels_;
  std::optional<fields::CompiledSelector> fields_;
  // Those on the source of events.
  std::vector<fields::Requirement> sources_;
  // Of custom resources, which are of no type that could be compiled for.
  fields::Selector custom_fields_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_REGISTRY_SELECTORS_H_
