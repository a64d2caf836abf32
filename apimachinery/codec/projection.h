#ifndef APIMACHINERY_CODEC_PROJECTION_H_
#define APIMACHINERY_CODEC_PROJECTION_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/internal/projection_node.h"
#include "apimachinery/table/message.h"

namespace kube::codec {

struct ProjectionOptions {
  // Fields to leave out: "metadata.managedFields", "status", "spec.containers.env".
  std::vector<absl::string_view> drop = {};
  // The only fields to keep, with all that is in them; none: all. kind, apiVersion and, of
  // metadata, name, namespace, uid and resourceVersion are kept anyhow: caches cannot do without.
  // What `drop` names is left out of these too.
  std::vector<absl::string_view> keep = {};
};

// Fields that a decoder leaves out, before it spends memory or time on them: what a controller does
// not look at need not be in its cache. client-go's SetTransform does it after decoding.
//
//   absl::StatusOr<Projection> projection =
//       Projection::Make<corev1::Pod>({.drop = {"metadata.managedFields", "status.conditions"}});
//   SharedDecoder decoder({.projection = &*projection});
//
// Paths are JSON names joined by dots. Through lists and maps they go to what is in them:
// "spec.containers.env" is that of each container. One entry of a map is named at the end of a
// path: "metadata.annotations[kubectl.kubernetes.io/last-applied-configuration]". An object so
// decoded must not be written back as a whole: what is not in it would be removed. Send a patch.
//
// Thread-safe: immutable once made.
class Projection {
 public:
  // INVALID_ARGUMENT where a path names no field of a T, goes through one that has no fields, or
  // names a key of what is no map.
  template <typename T>
  static absl::StatusOr<Projection> Make(const ProjectionOptions& options) {
    return Make(T::kMessage, options);
  }
  static absl::StatusOr<Projection> Make(const kube::table::Message& message,
                                         const ProjectionOptions& options);

  // For decoders. Whether it was made for this type.
  bool Fits(const kube::table::Message& message) const { return &message == message_; }
  const internal::ProjectionNode* root() const { return nodes_.front().get(); }

 private:
  explicit Projection(const kube::table::Message& message) : message_(&message) {}

  const kube::table::Message* message_;

  // The first is that of the object.
  std::vector<std::unique_ptr<internal::ProjectionNode>> nodes_;
};

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_PROJECTION_H_
