#include "apiserver/type_checking/policy_status.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/types/list.h"
#include "apiserver/object.h"
#include "apiserver/registry/registry.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/type_checking/type_check.h"

namespace kube::apiserver::internal {
namespace {

namespace admissionv1 = api::admissionregistration::v1;

constexpr absl::string_view kGroup = "admissionregistration.k8s.io";
constexpr absl::string_view kPlural = "validatingadmissionpolicies";
constexpr absl::string_view kStorage = "admissionregistration.k8s.io/validatingadmissionpolicies";
// How many changes are looked up at a time.
constexpr size_t kMaxChanges = 100;

}  // namespace

bool PolicyStatus::Settle() {
  {
    base::MutexLock lock(mutex_);
    again_ = true;
    if (settling_) return false;
    settling_ = true;
  }
  bool worked = false;
  while (true) {
    {
      base::MutexLock lock(mutex_);
      if (!again_) {
        settling_ = false;
        return worked;
      }
      again_ = false;
    }
    while (ProcessChanges()) worked = true;
  }
}

bool PolicyStatus::ProcessChanges() {
  const Storage& storage = registry_.storage();
  const absl::StatusOr<ChangesResult> changes = storage.ChangesAfter(kStorage, seen_, kMaxChanges);
  if (!changes.ok()) {
    // The history is shorter than what was not looked at: looks at all that is there.
    const absl::StatusOr<ListResult> list = storage.List(kStorage, {});
    if (!list.ok()) return false;
    seen_ = list->revision;
    for (const ListItem& item : list->items) Process(item.key);
    return true;
  }
  for (const ChangePtr& change : changes->changes) {
    seen_ = change->revision;
    Process(change->key);
  }
  return !changes->changes.empty();
}

void PolicyStatus::Process(absl::string_view key) {
  const ObjectPtr object = registry_.storage().Get(kStorage, key);
  if (object == nullptr) return;
  const auto* const policy = object->object().As<admissionv1::ValidatingAdmissionPolicy>();
  if (policy == nullptr || policy->metadata.generation <= policy->status.observed_generation) {
    return;
  }
  Write(*object);
}

void PolicyStatus::Write(const StoredObject& policy) {
  const std::shared_ptr<const Resources> resources = resources_.Get();
  List<admissionv1::ExpressionWarning> warnings =
      CheckTypes(*policy.object().As<admissionv1::ValidatingAdmissionPolicy>(), *resources);
  registry_
      .Update({.resource = resources->Find(kGroup, "v1", kPlural),
               .name = std::string(policy.metadata().name),
               .subresource = "status"},
              [&](const StoredObject& current) -> absl::StatusOr<Object> {
                // It was changed meanwhile, which leads to another look.
                if (current.revision() != policy.revision()) {
                  return absl::CancelledError("policy was modified");
                }
                Object changed = current.object().Copy();
                auto& written = *changed.As<admissionv1::ValidatingAdmissionPolicy>();
                written.status.observed_generation = written.metadata.generation;
                written.status.type_checking.emplace().expression_warnings = std::move(warnings);
                return changed;
              })
      .IgnoreError();
}

}  // namespace kube::apiserver::internal
