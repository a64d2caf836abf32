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

// The checks that an API server applies to the metadata of every object (client-go:
// `pkg/api/validation`).
//
//   const field::Path path("metadata");
//   const field::ErrorList errors =
//       ValidateObjectMeta(metadata, /*requires_namespace=*/true, NameIsDnsSubdomain, path);
//
// Each function returns the errors of the value, or an empty list. Errors of maps come in the order
// of the keys, where upstream's come in random order. Pure functions: thread-safe.
namespace kube::validation {

// Limit for the sum of all keys and values.
inline constexpr size_t kTotalAnnotationSizeLimitBytes = 256 * 1024;

// The rule for the names of a kind. If `prefix` is true, `name` is a generateName, to which the
// server adds characters: then a dash at the end is valid.
using ValidateNameFunc = absl::FunctionRef<Messages(absl::string_view name, bool prefix)>;

// Rules for ValidateObjectMeta. As upstream, in a prefix that ends in a dash the character before
// the dash is not checked.
[[nodiscard]] Messages NameIsDnsSubdomain(absl::string_view name, bool prefix);
[[nodiscard]] Messages NameIsDnsLabel(absl::string_view name, bool prefix);
[[nodiscard]] Messages NameIsDns1035Label(absl::string_view name, bool prefix);
// Accepts what fits into a URL, such as the names of RBAC roles (client-go:
// `path.ValidatePathSegmentName`).
[[nodiscard]] Messages NameIsPathSegment(absl::string_view name, bool prefix);

// Checks the metadata of an object to be created, after its name was generated if it has a
// generateName: names, namespace, generation, labels, annotations, owner references, finalizers and
// managed fields.
[[nodiscard]] field::ErrorList ValidateObjectMeta(const api::meta::v1::ObjectMeta& metadata,
                                                  bool requires_namespace,
                                                  ValidateNameFunc name_rule,
                                                  const field::Path& path);

// Checks an update of `old_metadata`: names and times must not change, the generation must not
// decrease, the resource version is required, and an object that is being deleted must not get new
// finalizers.
[[nodiscard]] field::ErrorList ValidateObjectMetaUpdate(
    const api::meta::v1::ObjectMeta& metadata, const api::meta::v1::ObjectMeta& old_metadata,
    const field::Path& path);

// Unlike the keys of labels, those of annotations may have upper case in their domain.
[[nodiscard]] field::ErrorList ValidateAnnotations(const Map<String>& annotations,
                                                   const field::Path& path);
// Each reference must be complete and must not be an Event, and at most one may be the controller.
[[nodiscard]] field::ErrorList ValidateOwnerReferences(
    const List<api::meta::v1::OwnerReference>& references, const field::Path& path);
// Finalizers must be qualified names, and must not include both of the garbage collector's.
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
