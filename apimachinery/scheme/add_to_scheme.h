#ifndef APIMACHINERY_SCHEME_ADD_TO_SCHEME_H_
#define APIMACHINERY_SCHEME_ADD_TO_SCHEME_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/scheme/scheme.h"
#include "apimachinery/types/kind_info.h"

namespace kube::scheme {

// The kinds of a group-version, and what every group-version has besides: AddToGroupVersion.
//
//   KUBE_RETURN_IF_ERROR(AddToScheme(scheme, kube::api::apps::v1::Kinds()));
//
// Errors as Scheme::AddKinds; then the scheme may have a part. (client-go: appsv1.AddToScheme. It
// is one function here, and not one in each group's library, so that the types of an API depend on
// no scheme.)
absl::Status AddToScheme(Scheme& scheme, absl::Span<const KindInfo> kinds);

// What a server takes and sends in any group-version: WatchEvent and the options of requests, whose
// bodies name the group-version of what they are about; and, in "v1" and unversioned, Status,
// APIVersions and the lists of discovery. (metav1.AddToGroupVersion)
absl::Status AddToGroupVersion(Scheme& scheme, const schema::GroupVersion& version);

// Table, TableOptions, PartialObjectMetadata and its list, in meta.k8s.io/v1. Programs that ask
// servers for these add them. (metav1.AddMetaToScheme)
absl::Status AddMetaToScheme(Scheme& scheme);

}  // namespace kube::scheme

#endif  // APIMACHINERY_SCHEME_ADD_TO_SCHEME_H_
