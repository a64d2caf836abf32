#ifndef APISERVER_STRATEGY_STRATEGY_H_
#define APISERVER_STRATEGY_STRATEGY_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/validation/messages.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"

// How the built-in kinds differ in the processing of objects (kube-apiserver: the strategies in
// `pkg/registry`).
namespace kube::apiserver::internal {

struct Strategy {
  absl::string_view group = {};
  absl::string_view kind = {};
  // metadata.generation starts at 1, and is incremented if anything except metadata and status
  // changes.
  bool generation = false;
  // A change of annotations increments it too.
  bool generation_of_annotations = false;
  // A change of labels increments it too.
  bool generation_of_labels = false;
  // It stays at 1.
  bool generation_stays = false;
  // A delete returns the object instead of a Status.
  bool returns_deleted = false;
  // Updates need no resourceVersion.
  bool unconditional_update = true;
  // An update creates a missing object.
  bool create_on_update = false;
  // A delete without a policy orphans dependents.
  bool orphans_dependents = false;
  // An update of the status keeps labels.
  bool status_keeps_labels = false;
  // An update of the status keeps all metadata that apimachinery's metav1.ResetObjectMetaForStatus
  // lists.
  bool status_keeps_metadata = false;
  // A create keeps the status that was sent, although updates do not.
  bool creates_with_status = false;
  // Validates names. If null, NameIsDnsSubdomain does.
  validation::Messages (*name_rule)(absl::string_view name, bool prefix) = nullptr;
  // The fields that field selectors support besides metadata.name and metadata.namespace.
  absl::Span<const absl::string_view> selectable = {};
};

const Strategy& StrategyOf(const KindInfo& kind);

// Prepares a new object: removes the status, sets the generation, and fills in what the kind needs
// (kube-apiserver: `PrepareForCreate`).
void PrepareForCreate(const Resource& resource, Object& object);

// Restricts an update of `old` to what `subresource` may change; "" is the resource itself
// (kube-apiserver: `PrepareForUpdate`).
void PrepareForUpdate(const Resource& resource, absl::string_view subresource, const Object& old,
                      Object& object);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_STRATEGY_STRATEGY_H_
