#ifndef WEBHOOK_CONVERSION_H_
#define WEBHOOK_CONVERSION_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/value.h"
#include "clientset/typed/resource_traits.h"

namespace kube::webhook {

namespace internal {

// The functions of one version of a kind. Objects of the hub's type are passed as void.
struct ConvertibleVersion {
  schema::GroupVersionKind gvk = {};
  std::function<absl::StatusOr<std::shared_ptr<void>>(const unstructured::Value& object)> to_hub =
      nullptr;
  std::function<absl::StatusOr<unstructured::Value>(const void* hub)> from_hub = nullptr;
};

}  // namespace internal

// A kind whose objects can be converted: a struct with metadata, of a kind that can be listed.
template <typename T>
concept ConvertibleKind = typed::ResourceKind<T> && meta::Object<T>;

// Converts objects between the versions of their kind. One version of each kind is its hub, and all
// others, its spokes, are converted to it and from it; a spoke is converted to another one by way
// of the hub. (controller-runtime: package `webhook/conversion`, `conversion.NewHubSpokeConverter`)
//
//   Conversions dogs;
//   KUBE_RETURN_IF_ERROR((dogs.Add<Dog, OldDog>(FromOldDog, ToOldDog)));
//   return dogs.Convert(object, "example.com/v2");
//
// The functions need not think of metadata: they get an object that has the metadata of the other
// one, and may change its labels and annotations. Whatever else they do to metadata has no effect,
// because an API server would refuse it. Members that a version's type lacks are lost, so what a
// version cannot say must be kept elsewhere, such as in an annotation.
//
// Thread-compatible: several threads may convert at the same time, while none calls Add.
class Conversions {
 public:
  // Adds a spoke. `to` converts a spoke to the hub, `from` the hub to a spoke; they are called on
  // any thread, also at the same time, and fail with a message for the client. Returns
  // INVALID_ARGUMENT if the two are of different kinds or of the same version or if a function is
  // null, and ALREADY_EXISTS if the kind has another hub or the version has functions.
  // (controller-runtime: `conversion.NewSpokeConverter`)
  template <ConvertibleKind Hub, ConvertibleKind Spoke>
  absl::Status Add(std::function<absl::Status(const Spoke&, Hub&)> to,
                   std::function<absl::Status(const Hub&, Spoke&)> from) {
    if (to == nullptr || from == nullptr) {
      return NullFunction(typed::KindOf<Spoke>());
    }
    return AddVersions(HubVersion<Hub>(), SpokeVersion<Hub, Spoke>(std::move(to), std::move(from)));
  }

  // Returns the object in the version `api_version`, such as "example.com/v2". Blocks as long as
  // the functions do. Returns INVALID_ARGUMENT if the object is not one of a kind and version that
  // were added, or is of that version, and the errors of the functions.
  absl::StatusOr<unstructured::Value> Convert(const unstructured::Value& object,
                                              absl::string_view api_version) const;

  bool empty() const { return kinds_.empty(); }
  // Return the hubs, in their order, and the versions of a hub's kind, the hub's first.
  std::vector<schema::GroupVersionKind> Hubs() const;
  std::vector<std::string> VersionsOf(const schema::GroupVersionKind& hub) const;

 private:
  struct Versions {
    schema::GroupVersionKind hub = {};
    std::map<std::string, internal::ConvertibleVersion> by_version = {};
  };

  template <ConvertibleKind Hub>
  static internal::ConvertibleVersion HubVersion() {
    return {
        .gvk = typed::KindOf<Hub>(),
        .to_hub = [](const unstructured::Value& object) -> absl::StatusOr<std::shared_ptr<void>> {
          KUBE_ASSIGN_OR_RETURN(Hub hub, unstructured::FromValue<Hub>(object));
          return std::shared_ptr<void>(std::make_shared<Hub>(std::move(hub)));
        },
        .from_hub =
            [](const void* hub) { return unstructured::ToValue(*static_cast<const Hub*>(hub)); }};
  }

  template <ConvertibleKind Hub, ConvertibleKind Spoke>
  static internal::ConvertibleVersion SpokeVersion(
      std::function<absl::Status(const Spoke&, Hub&)> to,
      std::function<absl::Status(const Hub&, Spoke&)> from) {
    return {
        .gvk = typed::KindOf<Spoke>(),
        .to_hub = [to = std::move(to)](
                      const unstructured::Value& object) -> absl::StatusOr<std::shared_ptr<void>> {
          KUBE_ASSIGN_OR_RETURN(const Spoke spoke, unstructured::FromValue<Spoke>(object));
          auto hub = std::make_shared<Hub>();
          hub->metadata = spoke.metadata;
          KUBE_RETURN_IF_ERROR(to(spoke, *hub));
          return std::shared_ptr<void>(std::move(hub));
        },
        .from_hub =
            [from = std::move(from)](const void* erased) -> absl::StatusOr<unstructured::Value> {
          const Hub& hub = *static_cast<const Hub*>(erased);
          Spoke spoke;
          spoke.metadata = hub.metadata;
          KUBE_RETURN_IF_ERROR(from(hub, spoke));
          return unstructured::ToValue(spoke);
        }};
  }

  static absl::Status NullFunction(const schema::GroupVersionKind& spoke);
  absl::Status AddVersions(internal::ConvertibleVersion hub, internal::ConvertibleVersion spoke);
  absl::StatusOr<const internal::ConvertibleVersion*> Find(
      const schema::GroupVersionKind& kind) const;

  std::map<schema::GroupKind, Versions> kinds_;
};

// Returns the answer to the body of a request to /convert: a ConversionReview of v1 or v1beta1,
// with all objects in the order of the question, or, if one of them cannot be converted, with the
// failure and no object. Blocks as long as the functions do. Returns INVALID_ARGUMENT if the body
// is not a review with a request, which is HTTP's 400, and the error of `ctx` once that is done.
absl::StatusOr<std::string> AnswerConversionReview(const Context& ctx,
                                                   const Conversions& conversions,
                                                   absl::string_view body);

}  // namespace kube::webhook

#endif  // WEBHOOK_CONVERSION_H_
