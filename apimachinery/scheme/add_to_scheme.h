#ifndef APIMACHINERY_SCHEME_ADD_TO_SCHEME_H_
#define APIMACHINERY_SCHEME_ADD_TO_SCHEME_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/scheme/scheme.h"
#include "apimachinery/types/kind_info.h"

namespace kube::scheme {

// Adds the kinds of a group-version, and those that every group-version has (see
// AddToGroupVersion).
//
//   Scheme scheme("my-controller");
//   KUBE_RETURN_IF_ERROR(AddToScheme(scheme, appsv1::Kinds()));
//
// Returns the errors of Scheme::AddKinds; after an error some of the kinds may have been added.
// client-go has one `AddToScheme` in each group's package; here there is one function, so that the
// types of an API do not depend on a scheme.
absl::Status AddToScheme(Scheme& scheme, absl::Span<const KindInfo> kinds);

// Adds the kinds that a server accepts and sends in every group-version: WatchEvent and the options
// of requests under `version`; and, unversioned in "v1", Status, APIVersions and the lists of
// discovery. Returns the errors of Scheme::AddKinds. (client-go: `metav1.AddToGroupVersion`)
absl::Status AddToGroupVersion(Scheme& scheme, const schema::GroupVersion& version);

// Adds Table, TableOptions, PartialObjectMetadata and PartialObjectMetadataList of meta.k8s.io/v1.
// Programs that request these from a server need it. (client-go: `metav1.AddMetaToScheme`)
absl::Status AddMetaToScheme(Scheme& scheme);

}  // namespace kube::scheme

#endif  // APIMACHINERY_SCHEME_ADD_TO_SCHEME_H_
