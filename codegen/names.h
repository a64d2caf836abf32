#ifndef CODEGEN_NAMES_H_
#define CODEGEN_NAMES_H_

// The names in generated code. Pure and thread-safe.

#include <string>

#include "absl/strings/string_view.h"

namespace kube::codegen {

// Returns a name of the IDL as a C++ identifier. A name that C++ or a system header reserves gets
// an underscore: "namespace" becomes "namespace_", "linux" becomes "linux_".
std::string CppName(absl::string_view name);

// Returns "kube::example::v1" for "kube.example.v1".
std::string CppNamespace(absl::string_view package);

// Returns the inline namespace of a release of Kubernetes, "k1_36" for "1.36", or "" if `release`
// is not two numbers with a dot between them.
std::string InlineNamespace(absl::string_view release);

// Returns "WidgetApplyConfiguration" for "Widget".
std::string ApplyConfigurationName(absl::string_view name);

// Returns "kPodRunning" for "PodRunning", or "" if `name` cannot be part of an identifier.
std::string ConstantName(absl::string_view name);

// Return "foo/bar/types.kube.h" and "foo/bar/types.kube.cc" for "foo/bar/types.proto".
std::string HeaderPath(absl::string_view proto_path);
std::string SourcePath(absl::string_view proto_path);

// Return "foo/bar/types.kinds.kube.h" and "foo/bar/types.kinds.kube.cc" for "foo/bar/types.proto".
std::string KindsHeaderPath(absl::string_view proto_path);
std::string KindsSourcePath(absl::string_view proto_path);

// Return "foo/bar/types.applies.kube.h" and "foo/bar/types.applies.kube.cc" for
// "foo/bar/types.proto".
std::string AppliesHeaderPath(absl::string_view proto_path);
std::string AppliesSourcePath(absl::string_view proto_path);

// Returns "foo/bar/types.client.kube.h" for "foo/bar/types.proto".
std::string ClientHeaderPath(absl::string_view proto_path);

// Returns the plural of a kind as client-gen forms it: "Pods" for "Pod", "NetworkPolicies",
// "Ingresses", and "Endpoints" for "Endpoints", whose resource is "endpoints".
std::string PluralName(absl::string_view kind, absl::string_view resource);

// Returns client-gen's name of a group and version: "AppsV1" for "apps" and "v1", "CoreV1" for ""
// and "v1", "RbacV1beta1" for "rbac.authorization.k8s.io" and "v1beta1".
std::string GroupVersionName(absl::string_view group, absl::string_view version);

// Return the two parts of that name, such as "Rbac" and "V1beta1".
std::string GroupName(absl::string_view group);
std::string VersionName(absl::string_view version);

// Returns the name of a subresource in function names, such as "Scale" for "scale".
std::string SubresourceName(absl::string_view subresource);

// Returns the beginning of the names of a file's definitions in OpenAPI documents:
// "io.k8s.api.apps.v1." for the Go package "k8s.io/api/apps/v1"; if that is "", the name of the
// group as in documents of CRDs, "com.example.v1." for "example.com" and "v1".
std::string DefinitionPrefix(absl::string_view go_package, absl::string_view group,
                             absl::string_view version);

// Returns "FOO_BAR_TYPES_KUBE_H_" for "foo/bar/types.kube.h".
std::string HeaderGuard(absl::string_view header_path);

}  // namespace kube::codegen

#endif  // CODEGEN_NAMES_H_
