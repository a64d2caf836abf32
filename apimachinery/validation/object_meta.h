#ifndef APIMACHINERY_VALIDATION_OBJECT_META_H_
#define APIMACHINERY_VALIDATION_OBJECT_META_H_

#include <cstddef>
#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/messages.h"

// What an API server checks of the metadata of every object. (pkg/api/validation)
//
//   const field::ErrorList errors =
//       ValidateObjectMeta(pod.metadata, /*requires_namespace=*/true, NameIsDnsSubdomain,
//                          field::Path("metadata"));
//
// Errors of maps come by key, where upstream's come in a random order. Pure functions: thread-safe.
namespace kube::validation {

// Of keys and values together.
inline constexpr size_t kTotalAnnotationSizeLimitBytes = 256 * 1024;

// The rule for a kind's names. With `prefix` the name is one of generateName, to which the server
// adds characters: a dash at its end is no mistake.
using ValidateNameFunc = absl::FunctionRef<Messages(absl::string_view name, bool prefix)>;

// As upstream, of a prefix with a dash at its end the character before the dash is not looked at.
[[nodiscard]] Messages NameIsDnsSubdomain(absl::string_view name, bool prefix);
[[nodiscard]] Messages NameIsDnsLabel(absl::string_view name, bool prefix);
[[nodiscard]] Messages NameIsDns1035Label(absl::string_view name, bool prefix);
// What need only fit into a URL: names of RBAC's roles. (path.ValidatePathSegmentName)
[[nodiscard]] Messages NameIsPathSegment(absl::string_view name, bool prefix);

// The metadata of an object that is to be created, whose name was generated already if it was to
// be. Looks at names, generation, labels, annotations, owners, finalizers and managed fields.
[[nodiscard]] field::ErrorList ValidateObjectMeta(const api::meta::v1::ObjectMeta& metadata,
                                                  bool requires_namespace,
                                                  ValidateNameFunc name_rule,
                                                  const field::Path& path);

// What may become of `old_metadata`: names and times stay, generations do not fall, no finalizer
// comes to an object that is being deleted.
[[nodiscard]] field::ErrorList ValidateObjectMetaUpdate(
    const api::meta::v1::ObjectMeta& metadata, const api::meta::v1::ObjectMeta& old_metadata,
    const field::Path& path);

// Keys may have upper case in their domain, unlike those of labels.
[[nodiscard]] field::ErrorList ValidateAnnotations(const Map<String>& annotations,
                                                   const field::Path& path);
// Complete, no Event, and at most one of them the controller.
[[nodiscard]] field::ErrorList ValidateOwnerReferences(
    const List<api::meta::v1::OwnerReference>& references, const field::Path& path);
// Qualified names, and not both of the garbage collector's.
[[nodiscard]] field::ErrorList ValidateFinalizers(const List<String>& finalizers,
                                                  const field::Path& path);
[[nodiscard]] field::ErrorList ValidateFinalizerName(absl::string_view name,
                                                     const field::Path& path);
[[nodiscard]] field::ErrorList ValidateNoNewFinalizers(const List<String>& finalizers,
                                                       const List<String>& old_finalizers,
                                                       const field::Path& path);
[[nodiscard]] field::ErrorList ValidateNonnegativeField(int64_t value, const field::Path& path);

}  // namespace kube::validation

#endif  // APIMACHINERY_VALIDATION_OBJECT_META_H_
