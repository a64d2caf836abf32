#include "listers/any_store.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "listers/internal/object_cursor.h"
#include "listers/internal/ref.h"
#include "listers/internal/snapshot_core.h"
#include "listers/internal/store_core.h"
#include "listers/internal/value_index.h"

namespace kube::listers {

using internal::AnyList;

AnySnapshot::AnySnapshot(const internal::ValueIndex::Context& context,
                         internal::Ref<const internal::State> state)
    : context_(context), state_(std::move(state)) {}

std::shared_ptr<const void> AnySnapshot::Get(absl::string_view namespace_name,
                                             absl::string_view name) const {
  return internal::GetObject(*state_, context_, {.namespace_name = namespace_name, .name = name});
}

void AnySnapshot::ForEach(
    absl::FunctionRef<void(const std::shared_ptr<const void>&)> function) const {
  for (AnyList::Cursor it((AnyList(state_))); !it.done(); it.Next()) function(it.value());
}

absl::Status AnyStore::CheckKey(absl::string_view namespace_name, absl::string_view name) {
  return internal::CheckKey({.namespace_name = namespace_name, .name = name});
}

}  // namespace kube::listers
