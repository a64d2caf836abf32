#ifndef CLIENTSET_TYPED_RESOURCE_H_
#define CLIENTSET_TYPED_RESOURCE_H_

#include "absl/strings/string_view.h"
#include "apimachinery/types/kind_info.h"

namespace kube::typed {

// What a client must know of a resource: where it is, and what its objects say that they are.
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
  // Default: its objects are in namespaces.
  bool namespaced = true;
  // A kind of Kubernetes itself: a server takes it as protobuf, and strategic merge patches of it.
  // Default: no, as custom resources. A wrong yes costs a request: the client asks again in JSON.
  bool built_in = false;
};

// Of what a program learns at run time: kube::api::FindKind, Kinds(). A kind counts as built-in if
// it has a protobuf form and its group is one without a dot, or ends in ".k8s.io"; set `built_in`
// yourself where that is wrong.
Resource ResourceOf(const KindInfo& kind);

// What an object has to do with that its resource does not say: "scale" of deployments is an
// autoscaling/v1 Scale.
struct Subresource {
  absl::string_view name = {};  // "scale", "eviction"
  // Of what is sent.
  absl::string_view group = {};
  absl::string_view version = {};
  absl::string_view kind = {};
};

}  // namespace kube::typed

#endif  // CLIENTSET_TYPED_RESOURCE_H_
