#include "apiserver/tracking/field_tracker.h"

#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/base/text/utf8.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/managedfields/field_manager.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/defaults/defaults.h"
#include "apiserver/errors/plain_error.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"
#include "apiserver/strategy/custom.h"
#include "apiserver/tracking/kind_versions.h"
#include "apiserver/tracking/object_value.h"
#include "apiserver/tracking/object_write.h"
#include "apiserver/tracking/reset_fields.h"

namespace kube::apiserver::internal {
namespace {

using managedfields::FieldManager;
using managedfields::TrackedObject;
using unstructured::Value;

// The longest name of a field manager that a server makes of a User-Agent
// (apimachinery: `validation.FieldManagerMaxLength`).
constexpr size_t kMaxManagerBytes = 128;

managedfields::FieldManagerOptions OptionsFor(const Call& call, const KindVersions& versions) {
  const Resource& resource = *call.resource;
  managedfields::FieldManagerOptions options = {.converter = &versions,
                                                .api_version = resource.ApiVersion(),
                                                .kind = std::string(resource.kind->kind),
                                                .subresource = call.info.subresource,
                                                .cache = call.fields_cache};
  const managedfields::FieldFilter& reset = ResetFieldsOf(resource, call.info.subresource);
  if (!reset.empty()) options.reset_fields.emplace(options.api_version, reset);
  return options;
}

// Returns the field manager of an apply to `live`, which may be null.
FieldManager ApplierFor(const Call& call, const KindVersions& versions, const StoredObject* live) {
  const Resource& resource = *call.resource;
  managedfields::FieldManagerOptions options = OptionsFor(call, versions);
  // Objects that are tracked already are not compared with a new one.
  if (live == nullptr || live->metadata().managed_fields.empty()) {
    // As upstream, what a Go struct always has when it is encoded is not owned by who creates it.
    absl::StatusOr<Value> zero = ToValue(resource, NewObject(resource));
    if (zero.ok()) options.zero_object = *std::move(zero);
  }
  return FieldManager(std::move(options));
}

absl::StatusOr<TrackedObject> Track(const Resource& resource, Object object) {
  TrackedObject tracked = {.managed_fields = std::move(object.metadata().managed_fields)};
  object.metadata().managed_fields = {};
  KUBE_ASSIGN_OR_RETURN(tracked.object, ToValue(resource, object));
  return tracked;
}

// Makes the typed object of a merged one, with defaults.
absl::StatusOr<Object> WithDefaults(const Resource& resource, Value merged) {
  if (resource.custom != nullptr) {
    unstructured::Unstructured custom;
    custom.object = std::move(*merged.object());
    KUBE_ASSIGN_OR_RETURN(Decoded decoded, DecodeCustom(resource, std::move(custom)));
    return std::move(decoded.object);
  }
  absl::StatusOr<Object> object = ToObject(resource, merged);
  if (!object.ok()) {
    return PlainError(
        absl::StrCat("failed to convert new typed object to object: ", object.status().message()));
  }
  SetDefaults(object->any());
  return object;
}

}  // namespace

std::string ManagerOf(absl::string_view field_manager, const Call& call) {
  if (!field_manager.empty()) return std::string(field_manager);
  absl::string_view agent = call.request->headers.Get("user-agent").value_or("");
  agent = agent.substr(0, agent.find('/'));
  std::string name;
  while (!agent.empty()) {
    const text::Rune rune = text::DecodeRune(agent);
    agent.remove_prefix(rune.size);
    if (!text::IsPrint(rune.value)) continue;
    const size_t size = name.size();
    text::AppendRune(name, rune.value);
    if (name.size() <= kMaxManagerBytes) continue;
    name.resize(size);
    break;
  }
  return name;
}

void TrackWrite(const Core& core, const Call& call, const StoredObject* live,
                absl::string_view field_manager, Object& object) {
  List<api::meta::v1::ManagedFieldsEntry>& entries = object.metadata().managed_fields;
  // Nothing is tracked in an object that was never applied and has no managed fields.
  const bool untracked = live == nullptr
                             ? !core.managed_fields
                             : live->metadata().managed_fields.empty() && entries.empty();
  if (untracked) {
    entries = {};
    return;
  }
  const Resource& resource = *call.resource;
  const KindVersions versions(*call.resources, resource);
  const ObjectWrite write(resource, live == nullptr ? nullptr : &live->object(), object);
  entries = FieldManager(OptionsFor(call, versions))
                .UpdateNoErrors(
                    write, {.manager = ManagerOf(field_manager, call), .now = base::WallNow()});
}

absl::StatusOr<Object> ApplyConfiguration(const Call& call, const StoredObject* live,
                                          const Value& configuration,
                                          absl::string_view field_manager, bool force) {
  const Resource& resource = *call.resource;
  const KindVersions versions(*call.resources, resource);
  TrackedObject before;
  if (live != nullptr) {
    KUBE_ASSIGN_OR_RETURN(before, Track(resource, live->object().Copy()));
  }
  absl::StatusOr<TrackedObject> applied =
      ApplierFor(call, versions, live)
          .Apply(before, configuration,
                 {.manager = std::string(field_manager), .now = base::WallNow(), .force = force});
  if (!applied.ok()) {
    if (errors::StatusOf(applied.status()).has_value()) return applied.status();
    return PlainError(applied.status().message());
  }
  KUBE_ASSIGN_OR_RETURN(Object object, WithDefaults(resource, std::move(applied->object)));
  object.metadata().managed_fields = std::move(applied->managed_fields);
  return object;
}

}  // namespace kube::apiserver::internal
