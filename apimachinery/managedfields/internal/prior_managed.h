#ifndef APIMACHINERY_MANAGEDFIELDS_INTERNAL_PRIOR_MANAGED_H_
#define APIMACHINERY_MANAGEDFIELDS_INTERNAL_PRIOR_MANAGED_H_

#include "api/meta/v1/types.kube.h"
#include "apimachinery/managedfields/fields_v1_cache.h"
#include "apimachinery/managedfields/managers.h"
#include "apimachinery/types/list.h"

namespace kube::managedfields::internal {

// Returns who owned what before an ordinary write. That is what the request says, so that clients
// can edit the entries; but what the live object says if the request says nothing, so that clients
// that do not know the field do not erase it, or if the write is to a subresource. Entries that
// cannot be decoded count as absent. A request clears the entries with a list that is empty but not
// null, or that has one empty entry, as a merge patch can write it. `cache` may be null
// (apimachinery: `decodeLiveOrNew`).
Managed PriorManaged(const List<api::meta::v1::ManagedFieldsEntry>& live,
                     const List<api::meta::v1::ManagedFieldsEntry>& request, bool is_subresource,
                     FieldsV1Cache* cache = nullptr);

}  // namespace kube::managedfields::internal

#endif  // APIMACHINERY_MANAGEDFIELDS_INTERNAL_PRIOR_MANAGED_H_
