#ifndef APIMACHINERY_CODEC_PROJECTION_H_
#define APIMACHINERY_CODEC_PROJECTION_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/internal/projection_node.h"
#include "apimachinery/table/message.h"

namespace kube::codec {

// The fields that a Projection drops or keeps; see Projection for the syntax of paths.
struct ProjectionOptions {
  // Fields to drop: "metadata.managedFields", "status", "spec.containers.env".
  std::vector<absl::string_view> drop = {};
  // The only fields to keep, with everything in them. Empty, the default, keeps all. kind,
  // apiVersion and metadata's name, namespace, uid and resourceVersion are always kept, because
  // caches need them. A field that `drop` names too is dropped.
  std::vector<absl::string_view> keep = {};
};

// A set of fields that decoders skip, without spending memory or time on them: a cache need not
// hold what its controller does not read. (client-go: `SetTransform` removes fields after
// decoding.)
//
//   const absl::StatusOr<codec::Projection> projection =
//       codec::Projection::Make<corev1::Pod>({.drop = {"metadata.managedFields", "status"}});
//   ...
//   codec::SharedDecoder decoder({.projection = &*projection}, &store);
//
// A path consists of JSON names joined by dots. It leads through lists and maps to all their
// elements: "spec.containers.env" is the env of every container. A path may end with one key of a
// map: "metadata.annotations[kubectl.kubernetes.io/last-applied-configuration]". Do not update an
// object that was decoded with a projection: an update would remove the skipped fields. Send a
// patch.
//
// Immutable, and therefore thread-safe.
class Projection {
 public:
  // Compiles the paths of `options` for the type T. Returns INVALID_ARGUMENT if a path names a
  // field that does not exist, leads through a field that has no fields, or has a key for a field
  // that is not a map.
  template <typename T>
  static absl::StatusOr<Projection> Make(const ProjectionOptions& options) {
    return Make(T::kMessage, options);
  }
  static absl::StatusOr<Projection> Make(const kube::table::Message& message,
                                         const ProjectionOptions& options);

  // Returns whether the projection was made for this type. Fits and root are for decoders.
  bool Fits(const kube::table::Message& message) const { return &message == message_; }
  const internal::ProjectionNode* root() const { return nodes_.front().get(); }

 private:
  explicit Projection(const kube::table::Message& message) : message_(&message) {}

  const kube::table::Message* message_;

  // The nodes; the object's own comes first.
  std::vector<std::unique_ptr<internal::ProjectionNode>> nodes_;
};

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_PROJECTION_H_
