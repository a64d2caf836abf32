#ifndef API_ALL_KINDS_H_
#define API_ALL_KINDS_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/types/kind_info.h"

// The kinds of Kubernetes, for programs that take any of them. Whoever includes this links the
// tables of all, some hundred kilobytes; a program that knows its groups takes their own
// types.kinds.kube.h.

namespace kube::api {

// Every kind of every group-version in api/, by group-version as their folders are named; within
// one, as it declares them. (client-go: kubernetes/scheme.Scheme.AllKnownTypes)
std::vector<const KindInfo*> AllKinds();

// The kind that an object with this apiVersion and this kind has, or null:
//
//   const KindInfo* kind = FindKind("apps/v1", "Deployment");
//
// Client-go has the types of meta/v1 in every group, so that an apiVersion of "apps/v1" and a kind
// of "DeleteOptions" are one, too; here they have the apiVersion that is written: "v1" of Status
// and of options, "meta.k8s.io/v1" of tables and partial metadata. (runtime.Scheme.New)
//
// Both are pure: thread-safe.
const KindInfo* FindKind(absl::string_view api_version, absl::string_view kind);

}  // namespace kube::api

#endif  // API_ALL_KINDS_H_
