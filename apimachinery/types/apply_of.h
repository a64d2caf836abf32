#ifndef APIMACHINERY_TYPES_APPLY_OF_H_
#define APIMACHINERY_TYPES_APPLY_OF_H_

namespace kube {

// The apply configuration of the API struct T. The header foo/types.applies.kube.h specializes it
// for the structs of foo/types.kube.h. Besides Type, the specialization for a kind has the texts
// kApiVersion ("apps/v1") and kKind ("Deployment").
template <typename T>
struct ApplyConfigurationOf;

// What a program sends to apply a T, or a part of it (client-go: `DeploymentApplyConfiguration` of
// `applyconfigurations/apps/v1`). It has the members of T, all of them optional, so that it can
// name some fields and leave the others to their owners. What is set is sent, also 0, "" and an
// empty list or map; what is absent or null is not.
//
//   const ApplyOf<appsv1::Deployment> web = {.metadata = {{.name = "web"}},
//                                            .spec = {{.replicas = 0}}};
//
// Structs in it are Boxes, which take two pairs of braces. It exists where the applies header of T
// is included, such as "api/apps/v1/types.applies.kube.h", whose library is
// //api/apps/v1:v1_applies.
template <typename T>
using ApplyOf = typename ApplyConfigurationOf<T>::Type;

}  // namespace kube

#endif  // APIMACHINERY_TYPES_APPLY_OF_H_
