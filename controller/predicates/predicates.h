#ifndef CONTROLLER_PREDICATES_PREDICATES_H_
#define CONTROLLER_PREDICATES_PREDICATES_H_

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/reflect.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/meta/accessor.h"
#include "clientset/typed/resource_traits.h"
#include "controller/predicates/internal/field_path.h"
#include "controller/predicates/internal/same_spec.h"
#include "controller/predicates/predicate.h"
#include "informers/event_handler.h"
#include "listers/stored_object.h"

// The usual predicates. (controller-runtime: package `predicate`)
//
//   const auto predicate =
//       And(GenerationChanged<appsv1::Deployment>(), Selected<appsv1::Deployment>(selector));
//
// Those named ...Changed judge updates alone: each add and each delete passes, and so does an
// update that begins a deletion. They drop resyncs. An update that replaces an object by another
// one of the same name passes, too, even if the two look alike. (controller-runtime drops it.)
//
// K is a kind, or metav1::PartialObjectMetadata or unstructured::Unstructured. All functions are
// thread-safe.
namespace kube::controller {

// Passes updates that change the object in more than its metadata and its status. Edits of labels,
// annotations, finalizers and owners do not pass; see SpecOrMetadataChanged. Compiles only for
// kinds whose generation the API server increments, because any other kind would never pass. Where
// that is not known before run time, or a projection has dropped the generation, objects that have
// none pass with each change. (controller-runtime: `GenerationChangedPredicate`)
template <listers::StoredObject K>
Predicate<K> GenerationChanged();

// Passes updates that change anything but the status and the metadata that a server keeps, such as
// resourceVersion and managedFields: what people and other controllers want of an object, and its
// labels, annotations, finalizers and owners. It is what most controllers need for the objects that
// they reconcile: their own writes of the status then do not call them again. Works for each kind.
// Objects without a generation are compared as a whole, except for their status; metadata of such
// objects passes with each change. (controller-runtime: `Or` of its generation, label and
// annotation predicates)
template <listers::StoredObject K>
Predicate<K> SpecOrMetadataChanged();

// Pass updates that change a label, or an annotation. (controller-runtime: `LabelChangedPredicate`,
// `AnnotationChangedPredicate`)
template <listers::StoredObject K>
Predicate<K> LabelsChanged();
template <listers::StoredObject K>
Predicate<K> AnnotationsChanged();

// Passes all updates but resyncs. (controller-runtime: `ResourceVersionChangedPredicate`)
template <listers::StoredObject K>
Predicate<K> ResourceVersionChanged();

// Passes updates that change the field at this path, such as "spec.replicas" or
// "metadata.annotations[example.com/size]": names in JSON, as in codec/reflect.h. An element of a
// list is named by its index. An absent field equals a null one and an empty list or map.
//
// A path that objects of kind K cannot have is a mistake in the program and ends it; for
// Unstructured, only a path that cannot be parsed is. Use MakeFieldChanged, which returns
// INVALID_ARGUMENT instead, for paths from configuration. (controller-runtime has no counterpart.)
template <listers::StoredObject K>
Predicate<K> FieldChanged(absl::string_view path);
template <listers::StoredObject K>
absl::StatusOr<Predicate<K>> MakeFieldChanged(absl::string_view path);

// Pass the events of objects that `selector` matches, or for which `selects` returns true; other
// objects are hidden, their deletion included. An object that leaves the selection passes once
// more, with the update in which it leaves. `selects` must not be null and must depend on nothing
// but the object. (controller-runtime: `LabelSelectorPredicate`, `NewPredicateFuncs`, which drop
// the update in which an object leaves)
//
// A label selector in the options of the watch saves memory, too; this one is for watches whose
// other users need all objects.
template <listers::StoredObject K>
Predicate<K> Selected(labels::Selector selector);
template <listers::StoredObject K>
Predicate<K> Selected(std::function<bool(const K&)> selects);

// Passes what all of the predicates pass, and everything if the list is empty. Hides deletions if
// one of them does.
template <listers::StoredObject K>
Predicate<K> And(std::vector<Predicate<K>> predicates);
template <listers::StoredObject K, std::same_as<Predicate<K>>... More>
Predicate<K> And(Predicate<K> first, More... more);

// Passes what at least one of the predicates passes. An empty list passes nothing but the
// beginnings of deletions. Hides deletions if all of them do.
template <listers::StoredObject K>
Predicate<K> Or(std::vector<Predicate<K>> predicates);
template <listers::StoredObject K, std::same_as<Predicate<K>>... More>
Predicate<K> Or(Predicate<K> first, More... more);

// Passes what the predicate does not pass, and the beginnings of deletions unless the predicate
// hides them: Not does not turn that rule around. To select the other objects, negate the selector
// or the function of Selected instead: that also passes objects that leave the selection.
template <listers::StoredObject K>
Predicate<K> Not(Predicate<K> predicate);

// ---- implementation

namespace internal {

// Types of objects of any kind, of which the compiler does not know whether they have a generation.
template <typename K>
inline constexpr bool kAnyKind =
    meta::DynamicObject<K> || std::same_as<K, api::meta::v1::PartialObjectMetadata>;

template <listers::StoredObject K>
int64_t GenerationOf(const K& object) {
  if constexpr (meta::Object<K>) {
    return object.metadata.generation;
  } else {
    return object.generation();
  }
}

template <listers::StoredObject K>
bool SameVersion(const K& before, const K& after) {
  return listers::ResourceVersionOf(before) == listers::ResourceVersionOf(after);
}
template <listers::StoredObject K>
bool SameLabels(const K& before, const K& after) {
  if constexpr (meta::Object<K>) {
    return before.metadata.labels == after.metadata.labels;
  } else {
    return before.labels() == after.labels();
  }
}
template <listers::StoredObject K>
bool SameAnnotations(const K& before, const K& after) {
  if constexpr (meta::Object<K>) {
    return before.metadata.annotations == after.metadata.annotations;
  } else {
    return before.annotations() == after.annotations();
  }
}
template <listers::StoredObject K>
bool SameFinalizersAndOwners(const K& before, const K& after) {
  if constexpr (meta::Object<K>) {
    return before.metadata.finalizers == after.metadata.finalizers &&
           before.metadata.owner_references == after.metadata.owner_references;
  } else {
    return before.finalizers() == after.finalizers() &&
           before.owner_references() == after.owner_references();
  }
}

// Compares what is neither metadata nor status: by the generation if there is one.
template <listers::StoredObject K>
bool SameSpec(const K& before, const K& after) {
  if (GenerationOf(before) != GenerationOf(after)) return false;
  if (GenerationOf(after) != 0) return true;
  if constexpr (std::same_as<K, api::meta::v1::PartialObjectMetadata>) {
    return SameVersion(before, after);
  } else if constexpr (meta::Object<K>) {
    return SameMembers(codec::View(before), codec::View(after));
  } else {
    return SameMembers(before, after);
  }
}

template <listers::StoredObject K>
bool SameGeneration(const K& before, const K& after) {
  if (GenerationOf(before) != GenerationOf(after)) return false;
  return GenerationOf(after) != 0 || SameVersion(before, after);
}

// Returns a predicate that drops the updates for which `same` returns true.
template <listers::StoredObject K, typename Same>
Predicate<K> UnlessSame(Same same) {
  return {.on_update = [same = std::move(same)](const informers::UpdateEvent<K>& event) {
    if (event.is_recreated) return true;
    return !event.is_resync && !same(*event.old_object, *event.object);
  }};
}

}  // namespace internal

template <listers::StoredObject K>
Predicate<K> GenerationChanged() {
  if constexpr (!internal::kAnyKind<K>) {
    static_assert(typed::ResourceTraits<K>::kHasGeneration,
                  "objects of this kind have no generation, so GenerationChanged would drop every "
                  "update: use SpecOrMetadataChanged");
  }
  return internal::UnlessSame<K>(internal::SameGeneration<K>);
}

template <listers::StoredObject K>
Predicate<K> SpecOrMetadataChanged() {
  return internal::UnlessSame<K>([](const K& before, const K& after) {
    return internal::SameSpec(before, after) && internal::SameLabels(before, after) &&
           internal::SameAnnotations(before, after) &&
           internal::SameFinalizersAndOwners(before, after);
  });
}

template <listers::StoredObject K>
Predicate<K> LabelsChanged() {
  return internal::UnlessSame<K>(internal::SameLabels<K>);
}

template <listers::StoredObject K>
Predicate<K> AnnotationsChanged() {
  return internal::UnlessSame<K>(internal::SameAnnotations<K>);
}

template <listers::StoredObject K>
Predicate<K> ResourceVersionChanged() {
  return internal::UnlessSame<K>(internal::SameVersion<K>);
}

template <listers::StoredObject K>
absl::StatusOr<Predicate<K>> MakeFieldChanged(absl::string_view path) {
  if constexpr (meta::Object<K>) {
    KUBE_RETURN_IF_ERROR(internal::CheckFieldPath<K>(path));
    return internal::UnlessSame<K>([path = std::string(path)](const K& before, const K& after) {
      return internal::SameField(codec::View(before), codec::View(after), path);
    });
  } else {
    KUBE_ASSIGN_OR_RETURN(std::vector<internal::FieldStep> steps, internal::ParseFieldPath(path));
    return internal::UnlessSame<K>([steps = std::move(steps)](const K& before, const K& after) {
      return internal::SameField(before, after, steps);
    });
  }
}

template <listers::StoredObject K>
Predicate<K> FieldChanged(absl::string_view path) {
  absl::StatusOr<Predicate<K>> made = MakeFieldChanged<K>(path);
  KUBE_CHECK_OK(made) << "in FieldChanged";
  return *std::move(made);
}

template <listers::StoredObject K>
Predicate<K> Selected(std::function<bool(const K&)> selects) {
  KUBE_CHECK(selects != nullptr) << "Selected needs a function";
  const auto shared = std::make_shared<const std::function<bool(const K&)>>(std::move(selects));
  return {
      .on_add = [shared](const informers::AddEvent<K>& event) { return (*shared)(*event.object); },
      .on_update =
          [shared](const informers::UpdateEvent<K>& event) {
            return (*shared)(*event.object) || (*shared)(*event.old_object);
          },
      .on_delete =
          [shared](const informers::DeleteEvent<K>& event) {
            return (*shared)(*event.object) ||
                   (event.old_object != nullptr && (*shared)(*event.old_object));
          },
      .hides_deletion = true};
}

template <listers::StoredObject K>
Predicate<K> Selected(labels::Selector selector) {
  return Selected<K>(
      std::function<bool(const K&)>([selector = std::move(selector)](const K& object) {
        if constexpr (meta::Object<K>) {
          return selector.Matches(object.metadata.labels);
        } else {
          return selector.Matches(object.labels());
        }
      }));
}

template <listers::StoredObject K>
Predicate<K> And(std::vector<Predicate<K>> predicates) {
  const auto parts = std::make_shared<const std::vector<Predicate<K>>>(std::move(predicates));
  const auto all_pass = [parts](const auto& event) {
    return std::all_of(parts->begin(), parts->end(),
                       [&](const Predicate<K>& part) { return part.Passes(event); });
  };
  const bool hides = std::any_of(parts->begin(), parts->end(),
                                 [](const Predicate<K>& part) { return part.hides_deletion; });
  return {
      .on_add = all_pass, .on_update = all_pass, .on_delete = all_pass, .hides_deletion = hides};
}

template <listers::StoredObject K, std::same_as<Predicate<K>>... More>
Predicate<K> And(Predicate<K> first, More... more) {
  return And<K>(std::vector<Predicate<K>>{std::move(first), std::move(more)...});
}

template <listers::StoredObject K>
Predicate<K> Or(std::vector<Predicate<K>> predicates) {
  const auto parts = std::make_shared<const std::vector<Predicate<K>>>(std::move(predicates));
  const auto one_passes = [parts](const auto& event) {
    return std::any_of(parts->begin(), parts->end(),
                       [&](const Predicate<K>& part) { return part.Passes(event); });
  };
  const bool hide = std::all_of(parts->begin(), parts->end(),
                                [](const Predicate<K>& part) { return part.hides_deletion; });
  return {.on_add = one_passes,
          .on_update = one_passes,
          .on_delete = one_passes,
          .hides_deletion = !parts->empty() && hide};
}

template <listers::StoredObject K, std::same_as<Predicate<K>>... More>
Predicate<K> Or(Predicate<K> first, More... more) {
  return Or<K>(std::vector<Predicate<K>>{std::move(first), std::move(more)...});
}

template <listers::StoredObject K>
Predicate<K> Not(Predicate<K> predicate) {
  const auto part = std::make_shared<const Predicate<K>>(std::move(predicate));
  const auto does_not_pass = [part](const auto& event) { return !part->Passes(event); };
  return {.on_add = does_not_pass,
          .on_update = does_not_pass,
          .on_delete = does_not_pass,
          .hides_deletion = part->hides_deletion};
}

}  // namespace kube::controller

#endif  // CONTROLLER_PREDICATES_PREDICATES_H_
