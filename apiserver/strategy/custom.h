#ifndef APISERVER_STRATEGY_CUSTOM_H_
#define APISERVER_STRATEGY_CUSTOM_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/crd_schema/custom_resource.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/validation/field_error.h"
#include "apiserver/custom_kind.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"

// What a server does with custom resources where built-in kinds have types and strategies of their
// own. `resource` must be a custom one, except for NewObject, AsResource, ReadItems and AsStored
// (apiextensions-apiserver: `customresource` registry and handler). Thread-safe, and pure but for
// the webhooks of definitions.
namespace kube::apiserver::internal {

// Returns an empty object.
Object NewObject(const Resource& resource);

// ---- versions

// These convert objects between versions. They fail, with a Status for the client, only if the
// webhook of a definition does; a call of it blocks for up to half a minute.

// Converts a custom resource to another version of its definition.
absl::StatusOr<unstructured::Unstructured> InVersion(const CustomKind& version,
                                                     unstructured::Unstructured object);
// Converts a stored object to the version of `resource`. A custom resource is read with the present
// definition.
absl::StatusOr<ObjectPtr> AsResource(const Resource& resource, ObjectPtr stored);
// Does so for all objects of a list, with one call of the webhook.
absl::Status ReadItems(const Resource& resource, std::vector<ListItem>& items);
// Converts an object to the version that is stored: that of the definition, or the stored kind of a
// built-in resource.
absl::StatusOr<Object> AsStored(const Resource& resource, Object object);

// ---- what clients send

struct Decoded {
  Object object;
  // `unknown field "spec.foo"` errors, sorted.
  std::vector<std::string> unknown = {};
};
// Prunes an object and sets its defaults. Returns INVALID_ARGUMENT if the metadata is not valid,
// and a 422 for another kind or version.
absl::StatusOr<Decoded> DecodeCustom(const Resource& resource, unstructured::Unstructured object);

// ---- strategies

void PrepareCustomForCreate(const CustomKind& custom, Object& object);
void PrepareCustomForUpdate(const CustomKind& custom, absl::string_view subresource,
                            const Object& old, Object& object);
[[nodiscard]] validation::field::ErrorList ValidateCustomCreate(const CustomKind& custom,
                                                                const Object& object);
[[nodiscard]] crd_schema::UpdateFindings ValidateCustomUpdate(const CustomKind& custom,
                                                              absl::string_view subresource,
                                                              const Object& object,
                                                              const Object& old);

// Returns the warnings for a write: about the finalizers that it adds. `old` is null for a create.
std::vector<std::string> CustomWarnings(const Object& object, const Object* old);

// ---- fields

// Returns the value of a selectable field such as "spec.color", as field selectors compare it.
std::string FieldOf(const Object& object, absl::string_view field);

struct CustomScale {
  // Nullopt if the object does not set it.
  std::optional<int64_t> replicas = {};
  int64_t current = 0;
  std::string selector = {};
};
// Return an error without a Status if the object's fields have other types.
absl::StatusOr<CustomScale> ScaleOf(const CustomKind& custom, const Object& object);
absl::Status SetReplicas(const CustomKind& custom, int64_t replicas, Object& object);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_STRATEGY_CUSTOM_H_
