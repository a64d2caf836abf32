#ifndef APISERVER_STRATEGY_CUSTOM_H_
#define APISERVER_STRATEGY_CUSTOM_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/validation/field_error.h"
#include "apiserver/custom_kind.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"

// What a server does with custom resources where others have types and strategies of their own.
// Resources here are custom ones, except for NewObject, AsResource and AsStored, which take any.
// (apiextensions-apiserver's customresource registry and handler) Pure: thread-safe.
namespace kube::apiserver::internal {

// An object without anything in it.
Object NewObject(const Resource& resource);

// ---- versions

// What was stored, as an object of `resource`: of its version, by what the definition of a custom
// resource says now.
ObjectPtr AsResource(const Resource& resource, ObjectPtr stored);
// An object as it is to be stored: of the version that the definition says, or a built-in kind's
// stored one.
Object AsStored(const Resource& resource, Object object);

// ---- what clients send

struct Decoded {
  Object object;
  // `unknown field "spec.foo"`, sorted.
  std::vector<std::string> unknown = {};
};
// Prunes, and sets defaults. INVALID_ARGUMENT where metadata is none; 422 with its Status for
// another kind or version.
absl::StatusOr<Decoded> DecodeCustom(const Resource& resource, unstructured::Unstructured object);

// ---- strategies

void PrepareCustomForCreate(const CustomKind& custom, Object& object);
void PrepareCustomForUpdate(const CustomKind& custom, absl::string_view subresource,
                            const Object& old, Object& object);
[[nodiscard]] validation::field::ErrorList ValidateCustomCreate(const CustomKind& custom,
                                                                const Object& object);
[[nodiscard]] validation::field::ErrorList ValidateCustomUpdate(const CustomKind& custom,
                                                                absl::string_view subresource,
                                                                const Object& object,
                                                                const Object& old);

// What whoever writes it is told: of finalizers that it did not have. `old` is null for a creation.
std::vector<std::string> CustomWarnings(const Object& object, const Object* old);

// ---- fields

// The value of a selectable field, such as "spec.color", as field selectors compare it.
std::string FieldOf(const Object& object, absl::string_view field);

struct CustomScale {
  // Nullopt: the object has none.
  std::optional<int64_t> replicas = {};
  int64_t current = 0;
  std::string selector = {};
};
// An error without a Status where the object's are of other types.
absl::StatusOr<CustomScale> ScaleOf(const CustomKind& custom, const Object& object);
absl::Status SetReplicas(const CustomKind& custom, int64_t replicas, Object& object);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_STRATEGY_CUSTOM_H_
