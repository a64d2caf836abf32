#ifndef APIMACHINERY_TYPES_KIND_INFO_H_
#define APIMACHINERY_TYPES_KIND_INFO_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/table/message.h"

namespace kube {

// Where the objects of a kind are. (meta.RESTScopeName)
enum class Scope {
  kNone,        // Nowhere: it is only sent or received, as DeleteOptions and Status are.
  kNamespaced,  // In a namespace.
  kCluster,     // In none, as nodes are.
};

// A subresource: what a path such as "pods/NAME/status" leads to. (metav1.APIResource)
struct SubresourceInfo {
  absl::string_view name = {};                     // "status", "scale", "log"
  absl::Span<const absl::string_view> verbs = {};  // as KindInfo's
  absl::string_view input = {};   // what is sent, if it is not the resource: "policy/v1 Eviction"
  absl::string_view result = {};  // what comes back, likewise
};

// What is known of a kind: its names, its resource and, behind `message`, its type. Those that
// Kinds() has never change and live as long as the program, so that pointers to them may be kept.
//
// For a file foo/types.proto whose target is //foo:NAME, kube::...::Kinds() of
// foo/types.kinds.kube.h, in //foo:NAME_kinds, has them all. A program that names a kind's type
// does not need them, and one that asks for them links every kind of the file. The first call makes
// them, of text of some fifty bytes a kind; all are thread-safe.
//
//   for (const KindInfo& kind : kube::api::apps::v1::Kinds()) {
//     std::cout << kind.kind << " " << kind.plural << "\n";  // "Deployment deployments" ...
//   }
//
// It stands for what client-go keeps in three places: the runtime.Scheme's known types, which
// AddToScheme fills; the metav1.APIResource that a server's discovery gives; and the lifecycle that
// APILifecycleDeprecated and its like tell.
struct KindInfo {
  // What is in apiVersion and kind: "apps", "v1" and "Deployment". The core group is "".
  // (schema.GroupVersionKind)
  absl::string_view group = {};
  absl::string_view version = {};
  absl::string_view kind = {};

  // The resource. (schema.GroupVersionResource) Without a scope, what follows is empty.
  Scope scope = Scope::kNone;
  absl::string_view plural = {};                         // "deployments"
  absl::string_view singular = {};                       // "deployment"
  absl::Span<const absl::string_view> short_names = {};  // {"deploy"}
  absl::Span<const absl::string_view> categories = {};   // {"all"}
  // What a server allows: get, list, watch, create, update, patch, delete, deletecollection.
  absl::Span<const absl::string_view> verbs = {};
  absl::Span<const SubresourceInfo> subresources = {};

  // Of a list: the kind of its items, in the same group and version. "Deployment" of
  // DeploymentList.
  absl::string_view list_of = {};

  // The releases that began to serve it, deprecated it, and serve it no more, as "1.21"; and what
  // to use instead, as "policy/v1 PodDisruptionBudget". Empty: unknown, or not so.
  absl::string_view introduced = {};
  absl::string_view deprecated = {};
  absl::string_view removed = {};
  absl::string_view replacement = {};

  // The type, for codec::AnyObject and the engine. Never null.
  const table::Message* message = nullptr;
};

}  // namespace kube

#endif  // APIMACHINERY_TYPES_KIND_INFO_H_
