#ifndef CLIENTSET_TYPED_RESOURCE_H_
#define CLIENTSET_TYPED_RESOURCE_H_

#include "absl/strings/string_view.h"
#include "apimachinery/types/kind_info.h"

namespace kube::typed {

// What a client must know about a resource: its path, and the kind of its objects.
//
//   constexpr typed::Resource kDeployments = {.group = "apps",
//                                             .version = "v1",
//                                             .plural = "deployments",
//                                             .kind = "Deployment",
//                                             .built_in = true};
//
// Clients copy the texts.
struct Resource {
  absl::string_view group = {};  // "" is the core group
  absl::string_view version = {};
  absl::string_view plural = {};
  absl::string_view kind = {};
  // Whether the objects are in namespaces. Default: yes.
  bool namespaced = true;
  // Whether the kind is part of Kubernetes: servers accept protobuf and strategic merge patches for
  // these. Default: no, as for custom resources. If it is set wrongly, one request is wasted, and
  // the client repeats it in JSON.
  bool built_in = false;
};

// Returns the resource of a kind that is looked up at run time (kube::api::FindKind, Kinds()). The
// kind counts as built-in if it has a protobuf form and its group has no dot or ends in ".k8s.io";
// set `built_in` yourself if that is wrong.
Resource ResourceOf(const KindInfo& kind);

// A subresource whose object has a kind of its own. For example, "scale" of deployments is an
// autoscaling/v1 Scale.
struct Subresource {
  absl::string_view name = {};  // "scale", "eviction"
  // The kind of the object that is sent.
  absl::string_view group = {};
  absl::string_view version = {};
  absl::string_view kind = {};
};

}  // namespace kube::typed

#endif  // CLIENTSET_TYPED_RESOURCE_H_
