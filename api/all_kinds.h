#ifndef API_ALL_KINDS_H_
#define API_ALL_KINDS_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/types/kind_info.h"

// All kinds of Kubernetes, for programs that handle any of them. Including this header links the
// tables of all kinds, some hundred kilobytes; a program that needs certain groups should include
// their types.kinds.kube.h instead.

namespace kube::api {

// Returns every kind of every group-version in api/, sorted by the names of their folders, and
// within a group-version in the order of declaration. Thread-safe.
// (client-go: `kubernetes/scheme.Scheme.AllKnownTypes`)
std::vector<const KindInfo*> AllKinds();

// Returns the kind with this apiVersion and kind, or null:
//
//   const KindInfo* kind = FindKind("apps/v1", "Deployment");
//
// client-go registers the types of meta/v1 in every group, so that "apps/v1" with "DeleteOptions"
// is a kind there. Here they have only the apiVersion that objects contain: "v1" for Status and
// options, "meta.k8s.io/v1" for tables and partial metadata. Thread-safe.
// (client-go: `runtime.Scheme.New`)
const KindInfo* FindKind(absl::string_view api_version, absl::string_view kind);

}  // namespace kube::api

#endif  // API_ALL_KINDS_H_
