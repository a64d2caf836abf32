#ifndef CODEGEN_NAMES_H_
#define CODEGEN_NAMES_H_

// What things are called in generated code. Pure functions: thread-safe.

#include <string>

#include "absl/strings/string_view.h"

namespace kube::codegen {

// A name of the IDL as a C++ identifier: what C++ or a system's header takes for itself gets an
// underscore at its end. "namespace" is "namespace_", "linux" is "linux_".
std::string CppName(absl::string_view name);

// "kube.example.v1" is "kube::example::v1".
std::string CppNamespace(absl::string_view package);

// The inline namespace of a release of Kubernetes: "1.36" is "k1_36". Empty if `release` is not two
// numbers and a dot.
std::string InlineNamespace(absl::string_view release);

// "Widget" is "WidgetApplyConfiguration".
std::string ApplyConfigurationName(absl::string_view name);

// "PodRunning" is "kPodRunning". Empty if `name` cannot be part of an identifier.
std::string ConstantName(absl::string_view name);

// "foo/bar/types.proto" is "foo/bar/types.kube.h", and "foo/bar/types.kube.cc".
std::string HeaderPath(absl::string_view proto_path);
std::string SourcePath(absl::string_view proto_path);

// "foo/bar/types.proto" is "foo/bar/types.kinds.kube.h", and "foo/bar/types.kinds.kube.cc".
std::string KindsHeaderPath(absl::string_view proto_path);
std::string KindsSourcePath(absl::string_view proto_path);

// "foo/bar/types.proto" is "foo/bar/types.client.kube.h".
std::string ClientHeaderPath(absl::string_view proto_path);

// What the objects of a kind are called together, as client-gen does it: "Pods" of "Pod",
// "NetworkPolicies", "Ingresses"; "Endpoints" of "Endpoints", whose resource is "endpoints".
std::string PluralName(absl::string_view kind, absl::string_view resource);

// A group and version, as client-gen calls them: "AppsV1" of "apps" and "v1", "CoreV1" of "",
// "RbacV1beta1" of "rbac.authorization.k8s.io".
std::string GroupVersionName(absl::string_view group, absl::string_view version);

// The first part of that, and the second: "Rbac" and "V1beta1".
std::string GroupName(absl::string_view group);
std::string VersionName(absl::string_view version);

// What a subresource is called in the names of functions: "Scale" of "scale".
std::string SubresourceName(absl::string_view subresource);

// "foo/bar/types.kube.h" is "FOO_BAR_TYPES_KUBE_H_".
std::string HeaderGuard(absl::string_view header_path);

}  // namespace kube::codegen

#endif  // CODEGEN_NAMES_H_
