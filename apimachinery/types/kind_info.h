#ifndef APIMACHINERY_TYPES_KIND_INFO_H_
#define APIMACHINERY_TYPES_KIND_INFO_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/table/message.h"

namespace kube {

// Whether the objects of a kind are in a namespace. apimachinery: `meta.RESTScopeName`.
enum class Scope {
  kNone,        // the kind is only sent or received: DeleteOptions, Status
  kNamespaced,  // in a namespace
  kCluster,     // cluster-scoped, such as nodes
};

// A subresource, such as that of the path "pods/NAME/status". apimachinery: `metav1.APIResource`.
struct SubresourceInfo {
  absl::string_view name = {};                     // "status", "scale", "log"
  absl::Span<const absl::string_view> verbs = {};  // as KindInfo::verbs
  absl::string_view input = {};   // the kind sent, if another: "policy/v1 Eviction"
  absl::string_view result = {};  // the kind returned, if another
};

// The properties of a kind: its names, its resource and, in `message`, its type. Objects of Kinds()
// are immutable and never destroyed, so pointers to them stay valid.
//
// The kinds of a file foo/types.proto, whose target is //foo:NAME, are returned by
// kube::...::Kinds() of foo/types.kinds.kube.h in //foo:NAME_kinds. A program that uses the types
// of kinds does not need it; one that calls it links every kind of the file. The first call builds
// the objects from about fifty bytes of text per kind. Thread-safe.
//
//   for (const KindInfo& kind : kube::api::apps::v1::Kinds()) {
//     out << kind.kind << " " << kind.plural << "\n";  // "Deployment deployments" ...
//   }
//
// It replaces three things of Go: the known types of runtime.Scheme, which AddToScheme registers;
// the metav1.APIResource from a server's discovery; and methods such as APILifecycleDeprecated.
struct KindInfo {
  // The contents of apiVersion and kind: "apps", "v1" and "Deployment". The core group is "".
  // apimachinery: `schema.GroupVersionKind`.
  absl::string_view group = {};
  absl::string_view version = {};
  absl::string_view kind = {};

  // The resource. For Scope::kNone the fields up to `subresources` are empty. apimachinery:
  // `schema.GroupVersionResource`.
  Scope scope = Scope::kNone;
  absl::string_view plural = {};                         // "deployments"
  absl::string_view singular = {};                       // "deployment"
  absl::Span<const absl::string_view> short_names = {};  // {"deploy"}
  absl::Span<const absl::string_view> categories = {};   // {"all"}
  // The verbs that a server allows: get, list, watch, create, update, patch, delete,
  // deletecollection.
  absl::Span<const absl::string_view> verbs = {};
  absl::Span<const SubresourceInfo> subresources = {};

  // For a list, the kind of its items, which has the same group and version: "Deployment" for
  // DeploymentList. Otherwise empty.
  absl::string_view list_of = {};

  // The Kubernetes releases that first served, deprecated and removed the kind, such as "1.21", and
  // its replacement, such as "policy/v1 PodDisruptionBudget". Empty if unknown or if it does not
  // apply.
  absl::string_view introduced = {};
  absl::string_view deprecated = {};
  absl::string_view removed = {};
  absl::string_view replacement = {};

  // The type, for codec::AnyObject and the functions over field tables. Never null.
  const table::Message* message = nullptr;
};

}  // namespace kube

#endif  // APIMACHINERY_TYPES_KIND_INFO_H_
