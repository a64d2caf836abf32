#include "apimachinery/managedfields/internal/prior_managed.h"

#include <utility>

#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/managedfields/fields_v1_cache.h"
#include "apimachinery/managedfields/managers.h"
#include "apimachinery/types/list.h"

namespace kube::managedfields::internal {
namespace {

using api::meta::v1::ManagedFieldsEntry;

bool IsEmpty(const ManagedFieldsEntry& entry) {
  return entry.manager.empty() && entry.operation.empty() && entry.api_version.empty() &&
         !entry.time.has_value() && entry.fields_type.empty() && !entry.fields_v1.has_value() &&
         entry.subresource.empty();
}

bool ClearsEntries(const List<ManagedFieldsEntry>& entries) {
  if (entries.empty()) return !entries.is_null();
  return entries.size() == 1 && IsEmpty(entries.front());
}

Managed DecodedOrEmpty(const List<ManagedFieldsEntry>& entries, FieldsV1Cache* cache) {
  // Nearly all writes to untracked objects come here.
  if (entries.empty()) return {};
  absl::StatusOr<Managed> managed = DecodeManagedFields(entries, cache);
  return managed.ok() ? *std::move(managed) : Managed();
}

}  // namespace

Managed PriorManaged(const List<ManagedFieldsEntry>& live, const List<ManagedFieldsEntry>& request,
                     bool is_subresource, FieldsV1Cache* cache) {
  if (is_subresource) return DecodedOrEmpty(live, cache);
  if (ClearsEntries(request)) return {};
  Managed managed = DecodedOrEmpty(request, cache);
  if (managed.managers.empty()) return DecodedOrEmpty(live, cache);
  return managed;
}

}  // namespace kube::managedfields::internal
