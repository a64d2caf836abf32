#include "apiserver/tracking/scale_tracker.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "api/autoscaling/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/managedfields/field_manager.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/scale_handler.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/table_schema.h"
#include "apimachinery/managedfields/updater.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/messages.h"
#include "apiserver/call/call.h"
#include "apiserver/custom_kind.h"
#include "apiserver/errors/plain_error.h"
#include "apiserver/resources.h"
#include "apiserver/tracking/field_tracker.h"

namespace kube::apiserver::internal {
namespace {

namespace field = validation::field;
using api::autoscaling::v1::Scale;
using managedfields::FieldManager;
using managedfields::ScaleHandler;
using managedfields::TrackedObject;
using unstructured::Value;

constexpr absl::string_view kScaleVersion = "autoscaling/v1";

// The only version of Scale that is served.
class ScaleVersions : public managedfields::VersionConverter {
 public:
  const managedfields::Schema* SchemaOf(absl::string_view api_version) const override {
    return api_version == kScaleVersion ? &managedfields::SchemaOf(Scale::kMessage) : nullptr;
  }
  absl::StatusOr<Value> Convert(const Value&, absl::string_view api_version) const override {
    return absl::NotFoundError(absl::StrCat("convert Scale to ", api_version, ": no such version"));
  }
};

managedfields::Path FieldsOf(absl::string_view path) {
  managedfields::Path elements;
  for (absl::string_view name : absl::StrSplit(absl::StripPrefix(path, "."), '.')) {
    elements.push_back(managedfields::PathElement::Field(name));
  }
  return elements;
}

// Returns the path of the replicas in a version, which is empty if the version has no scale.
managedfields::Path ReplicasPathOf(const CustomKind& version) {
  const auto& scale = version.rules().scale();
  return scale.has_value() ? FieldsOf(scale->spec_replicas_path.view()) : managedfields::Path();
}

// Returns the path of the replicas in the version of the request, and in those that the entries
// name: an entry of a version without a path would be dropped.
managedfields::ReplicasPaths ReplicasPathsOf(const Resource& resource,
                                             const ManagedFields& entries) {
  managedfields::ReplicasPaths paths;
  if (resource.custom == nullptr) {
    paths[resource.ApiVersion()] = FieldsOf(".spec.replicas");
    return paths;
  }
  paths[resource.ApiVersion()] = ReplicasPathOf(*resource.custom);
  for (const api::meta::v1::ManagedFieldsEntry& entry : entries) {
    absl::string_view name = entry.api_version.view();
    if (!absl::ConsumePrefix(&name, resource.kind->group) || !absl::ConsumePrefix(&name, "/")) {
      continue;
    }
    const CustomKind* version = resource.custom->Find(name);
    if (version == nullptr) continue;
    paths[std::string(entry.api_version.view())] = ReplicasPathOf(*version);
  }
  return paths;
}

ScaleHandler HandlerOf(const Call& call, const ManagedFields& entries) {
  return ScaleHandler(entries, call.resource->ApiVersion(),
                      ReplicasPathsOf(*call.resource, entries), call.fields_cache);
}

absl::StatusOr<TrackedObject> Track(const Scale& scale, ManagedFields entries) {
  Scale plain = scale;
  plain.metadata.managed_fields = {};
  TrackedObject tracked = {.managed_fields = std::move(entries)};
  KUBE_ASSIGN_OR_RETURN(tracked.object, unstructured::ToValue(plain));
  Map<Value>& members = *tracked.object.object();
  members["kind"] = "Scale";
  members["apiVersion"] = std::string(kScaleVersion);
  return tracked;
}

FieldManager ManagerFor(const ScaleVersions& versions) {
  return FieldManager({.converter = &versions,
                       .api_version = std::string(kScaleVersion),
                       .kind = "Scale",
                       .subresource = "scale"});
}

template <typename Number>
absl::Status InvalidReplicas(absl::string_view name, Number replicas) {
  constexpr int32_t kMax = std::numeric_limits<int32_t>::max();
  const field::ErrorList wrong = {field::Invalid(field::Path("spec").Child("replicas"), replicas,
                                                 validation::InclusiveRangeError(0, kMax))};
  return errors::Invalid({.group = "autoscaling", .kind = "Scale"}, name, wrong);
}

// Returns 422 if the replicas of a merged Scale are a number for which it has no room. Upstream
// keeps the low 32 bits of such a number: it refuses it if they are negative, and stores another
// number than the one that was applied otherwise.
absl::Status CheckReplicas(const Value& scale, absl::string_view name) {
  constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
  constexpr int32_t kMax = std::numeric_limits<int32_t>::max();
  const Value& replicas = scale["spec"]["replicas"];
  const std::optional<double> number = replicas.number();
  if (!number.has_value() || (*number >= kMin && *number <= kMax)) return absl::OkStatus();
  if (replicas.is_int()) return InvalidReplicas(name, *replicas.integer());
  return InvalidReplicas(name, *number);
}

// Errors of the update itself are logged, and nobody owns the replicas then. Returns
// INVALID_ARGUMENT if the entries of the object cannot be decoded.
absl::StatusOr<ManagedFields> Tracked(const Call& call, const ManagedFields& entries,
                                      const Scale& live, const Scale& scale,
                                      absl::string_view field_manager) {
  const ScaleHandler handler = HandlerOf(call, entries);
  KUBE_ASSIGN_OR_RETURN(ManagedFields of_scale, handler.ToSubresource());
  KUBE_ASSIGN_OR_RETURN(const TrackedObject before, Track(live, of_scale));
  KUBE_ASSIGN_OR_RETURN(TrackedObject after, Track(scale, std::move(of_scale)));
  const ScaleVersions versions;
  after = ManagerFor(versions).UpdateNoErrors(
      before, std::move(after),
      {.manager = ManagerOf(field_manager, call), .now = base::WallNow()});
  return handler.ToParent(after.managed_fields);
}

}  // namespace

ManagedFields TrackScale(const Call& call, const ManagedFields& entries, const Scale& live,
                         const Scale& scale, absl::string_view field_manager) {
  absl::StatusOr<ManagedFields> tracked = Tracked(call, entries, live, scale, field_manager);
  if (tracked.ok()) return *std::move(tracked);
  const std::string kind =
      absl::StrCat(call.resource->ApiVersion(), ", Kind=", call.resource->kind->kind);
  log::Error(
      tracked.status(), "[SHOULD NOT HAPPEN] failed to update managedFields",
      {{"versionKind", kind}, {"namespace", call.info.namespace_name}, {"name", call.info.name}});
  return {};
}

absl::StatusOr<AppliedScale> ApplyToScale(const Call& call, const ManagedFields& entries,
                                          const Scale& live, const Value& configuration,
                                          absl::string_view field_manager, bool force) {
  const ScaleHandler handler = HandlerOf(call, entries);
  KUBE_ASSIGN_OR_RETURN(ManagedFields of_scale, handler.ToSubresource());
  KUBE_ASSIGN_OR_RETURN(const TrackedObject before, Track(live, std::move(of_scale)));
  const ScaleVersions versions;
  absl::StatusOr<TrackedObject> applied = ManagerFor(versions).Apply(
      before, configuration,
      {.manager = std::string(field_manager), .now = base::WallNow(), .force = force});
  if (!applied.ok()) {
    if (errors::StatusOf(applied.status()).has_value()) return applied.status();
    return PlainError(applied.status().message());
  }
  KUBE_RETURN_IF_ERROR(CheckReplicas(applied->object, call.info.name));
  absl::StatusOr<Scale> scale = unstructured::FromValue<Scale>(applied->object);
  if (!scale.ok()) {
    return PlainError(
        absl::StrCat("failed to convert new typed object to object: ", scale.status().message()));
  }
  AppliedScale result = {.scale = *std::move(scale), .entries = {}};
  KUBE_ASSIGN_OR_RETURN(result.entries, handler.ToParent(applied->managed_fields));
  return result;
}

}  // namespace kube::apiserver::internal
