#ifndef APISERVER_STRATEGY_STRATEGY_H_
#define APISERVER_STRATEGY_STRATEGY_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/validation/messages.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"

// How the kinds of Kubernetes differ in what a server does with any object. (pkg/registry's
// strategies)
namespace kube::apiserver::internal {

struct Strategy {
  absl::string_view group = {};
  absl::string_view kind = {};
  // metadata.generation is 1 at first, and grows when anything but metadata and status changes.
  bool generation = false;
  // A change of annotations lets it grow, too.
  bool generation_of_annotations = false;
  // A change of labels does.
  bool generation_of_labels = false;
  // It stays at 1.
  bool generation_stays = false;
  // A deletion answers the object, not a Status.
  bool returns_deleted = false;
  // Updates need no resourceVersion.
  bool unconditional_update = true;
  // An update of what is not there creates it.
  bool create_on_update = false;
  // What a deletion without a policy does with dependents.
  bool orphans_dependents = false;
  // An update of the status leaves labels as they are.
  bool status_keeps_labels = false;
  // And all of the metadata that metav1.ResetObjectMetaForStatus lists.
  bool status_keeps_metadata = false;
  // A create keeps the status that was sent, although updates do not.
  bool creates_with_status = false;
  // The rule for names.
  validation::Messages (*name_rule)(absl::string_view name, bool prefix) = nullptr;
  // What a field selector may ask for beside metadata.name and metadata.namespace.
  absl::Span<const absl::string_view> selectable = {};
};

const Strategy& StrategyOf(const KindInfo& kind);

// Brings `object` into the state in which it is stored first: no status, a generation, and what the
// kind fills in. (PrepareForCreate)
void PrepareForCreate(const Resource& resource, Object& object);

// What an update of `subresource` may change of `old`; "" is the resource itself.
// (PrepareForUpdate)
void PrepareForUpdate(const Resource& resource, absl::string_view subresource, const Object& old,
                      Object& object);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_STRATEGY_STRATEGY_H_
