#include "apiserver/special/scale.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/all_kinds.h"
#include "api/apps/v1/types.kube.h"
#include "api/autoscaling/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/labels/label_selector.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/labels/set.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apiserver/call/call.h"
#include "apiserver/call/call_object.h"
#include "apiserver/call/core.h"
#include "apiserver/call/patch_head.h"
#include "apiserver/call/query_options.h"
#include "apiserver/call/respond.h"
#include "apiserver/custom_kind.h"
#include "apiserver/encoding/apply_body.h"
#include "apiserver/encoding/input.h"
#include "apiserver/encoding/patcher.h"
#include "apiserver/errors/plain_error.h"
#include "apiserver/errors/unknown_path.h"
#include "apiserver/object.h"
#include "apiserver/registry/registry.h"
#include "apiserver/registry/write_admission.h"
#include "apiserver/resources.h"
#include "apiserver/strategy/custom.h"
#include "apiserver/tracking/scale_tracker.h"
#include "apiserver/webhooks/webhook_admission.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace autoscalingv1 = api::autoscaling::v1;
namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
namespace field = validation::field;

const KindInfo& ScaleKind() { return *api::FindKind("autoscaling/v1", "Scale"); }

std::string TextOf(const Box<metav1::LabelSelector>& selector) {
  if (!selector) return "";
  const absl::StatusOr<labels::Selector> parsed = labels::LabelSelectorAsSelector(selector.get());
  return parsed.ok() ? parsed->ToString() : "";
}

struct Scaled {
  Opt<int32_t>* replicas = nullptr;
  int32_t current = 0;
  std::string selector = {};
};

// Returns the numbers in an object of a built-in kind, or nullopt if it has no scale.
std::optional<Scaled> ScaledOf(Object& object) {
  if (auto* of = object.As<appsv1::Deployment>()) {
    return Scaled{&of->spec.replicas, of->status.replicas, TextOf(of->spec.selector)};
  }
  if (auto* of = object.As<appsv1::ReplicaSet>()) {
    return Scaled{&of->spec.replicas, of->status.replicas, TextOf(of->spec.selector)};
  }
  if (auto* of = object.As<appsv1::StatefulSet>()) {
    return Scaled{&of->spec.replicas, of->status.replicas, TextOf(of->spec.selector)};
  }
  if (auto* of = object.As<corev1::ReplicationController>()) {
    return Scaled{&of->spec.replicas, of->status.replicas, labels::ToString(of->spec.selector)};
  }
  return std::nullopt;
}

// Fills in the scale from the object. With `must_be_there`, a custom resource without the replicas
// field is an error; an update may set it.
absl::Status Fill(const Resource& resource, const StoredObject& stored, bool must_be_there,
                  autoscalingv1::Scale& scale) {
  if (resource.custom == nullptr) {
    Object object = stored.object().Copy();
    const std::optional<Scaled> scaled = ScaledOf(object);
    if (!scaled.has_value()) return NoSuchResource();
    scale.spec.replicas = scaled->replicas->value_or(0);
    scale.status.replicas = scaled->current;
    scale.status.selector = scaled->selector;
    return absl::OkStatus();
  }
  const absl::StatusOr<CustomScale> custom = ScaleOf(*resource.custom, stored.object());
  if (!custom.ok()) return PlainError(custom.status().message());
  if (!custom->replicas.has_value() && must_be_there) {
    return errors::InternalError(absl::StrCat(
        "the spec replicas field \"", resource.custom->rules().scale()->spec_replicas_path.view(),
        "\" does not exist"));
  }
  scale.spec.replicas = static_cast<int32_t>(custom->replicas.value_or(0));
  scale.status.replicas = static_cast<int32_t>(custom->current);
  scale.status.selector = custom->selector;
  return absl::OkStatus();
}

absl::StatusOr<codec::AnyObject> ScaleFrom(const Resource& resource, const StoredObject& stored,
                                           bool must_be_there) {
  codec::AnyObject any(ScaleKind());
  auto& scale = *any.As<autoscalingv1::Scale>();
  const metav1::ObjectMeta& metadata = stored.metadata();
  scale.metadata.name = metadata.name;
  scale.metadata.namespace_ = metadata.namespace_;
  scale.metadata.uid = metadata.uid;
  scale.metadata.resource_version = metadata.resource_version;
  scale.metadata.creation_timestamp = metadata.creation_timestamp;
  KUBE_RETURN_IF_ERROR(Fill(resource, stored, must_be_there, scale));
  return any;
}

absl::Status CheckScale(const autoscalingv1::Scale& scale, const Call& call) {
  field::ErrorList wrong;
  if (scale.spec.replicas < 0) {
    wrong.push_back(field::Invalid(field::Path("spec").Child("replicas"),
                                   int64_t{scale.spec.replicas},
                                   "must be greater than or equal to 0"));
  }
  if (wrong.empty()) return absl::OkStatus();
  return errors::Invalid({.group = "autoscaling", .kind = "Scale"}, call.info.name, wrong);
}

// Returns a Conflict if the scale has the uid of another object. Custom resources do not look at
// it, as upstream.
absl::Status CheckUid(const autoscalingv1::Scale& scale, const metav1::ObjectMeta& current,
                      const Call& call) {
  const String& sent = scale.metadata.uid;
  if (sent.empty() || sent == current.uid) return absl::OkStatus();
  auto resource = call.resource->group_resource();
  absl::StrAppend(&resource.resource, "/scale");
  return errors::Conflict(resource, call.info.name,
                          absl::StrCat("Precondition failed: UID in precondition: ", sent.view(),
                                       ", UID in object meta: ", current.uid.view()));
}

// Returns the object with the scale's replicas, and with `entries` as its managed fields. A
// resourceVersion in the scale is a precondition.
absl::StatusOr<Object> WithScale(const StoredObject& current, const autoscalingv1::Scale& scale,
                                 ManagedFields entries, const Call& call) {
  Object object = current.object().Copy();
  object.metadata().managed_fields = std::move(entries);
  if (const auto& custom = call.resource->custom; custom != nullptr) {
    // Validation of the custom resource rejects a number that is too small.
    const absl::Status set = SetReplicas(*custom, scale.spec.replicas, object);
    if (!set.ok()) return PlainError(set.message());
  } else {
    KUBE_RETURN_IF_ERROR(CheckScale(scale, call));
    KUBE_RETURN_IF_ERROR(CheckUid(scale, current.metadata(), call));
    const std::optional<Scaled> scaled = ScaledOf(object);
    if (!scaled.has_value()) return NoSuchResource();
    *scaled->replicas = scale.spec.replicas;
  }
  if (!scale.metadata.resource_version.empty()) {
    object.metadata().resource_version = scale.metadata.resource_version;
  }
  return object;
}

// Asks the webhooks about the scales of the objects that a write stores. They have changed the new
// scale before it was put into the object.
class ScaleAdmission final : public WriteAdmission {
 public:
  explicit ScaleAdmission(const Call& call) : call_(call) {}

  absl::StatusOr<bool> Mutate(const Object*, Object&) override { return false; }
  absl::Status MutateAgain(const Object*, Object&) override { return absl::OkStatus(); }
  absl::Status Validate(const Object* old, const Object& object) override {
    KUBE_ASSIGN_OR_RETURN(const codec::AnyObject before, ScaleOfCopy(*old));
    KUBE_ASSIGN_OR_RETURN(const codec::AnyObject after, ScaleOfCopy(object));
    return call_.admission->ValidateOther(&before, after);
  }
  absl::Status Delete(const Object&) override { return absl::OkStatus(); }

 private:
  absl::StatusOr<codec::AnyObject> ScaleOfCopy(const Object& object) const {
    return ScaleFrom(*call_.resource, StoredObject(object.Copy()), /*must_be_there=*/false);
  }

  const Call& call_;
};

// Lets the webhooks change the scale that a client wants.
absl::Status MutateScale(const Call& call, const codec::AnyObject& live, codec::AnyObject& scale) {
  if (call.admission == nullptr) return absl::OkStatus();
  return call.admission->MutateOther(&live, scale);
}

// Returns the object after an update of its scale by the field manager.
absl::StatusOr<Object> Updated(const StoredObject& current, const codec::AnyObject& any,
                               absl::string_view field_manager, const Call& call) {
  KUBE_ASSIGN_OR_RETURN(const codec::AnyObject live,
                        ScaleFrom(*call.resource, current, /*must_be_there=*/false));
  ManagedFields entries =
      TrackScale(call, current.metadata().managed_fields, *live.As<autoscalingv1::Scale>(),
                 *any.As<autoscalingv1::Scale>(), field_manager);
  codec::AnyObject wanted = any.Copy();
  KUBE_RETURN_IF_ERROR(MutateScale(call, live, wanted));
  return WithScale(current, *wanted.As<autoscalingv1::Scale>(), std::move(entries), call);
}

absl::StatusOr<httpserver::Response> RespondScale(codec::AnyObject scale, const Call& call) {
  return RespondObject(200, StoredObject(Object(std::move(scale))), call);
}

absl::StatusOr<httpserver::Response> Store(Core& core, Call& call, const Target& target,
                                           Registry::Change change) {
  KUBE_ASSIGN_OR_RETURN(const bool dry_run, IsDryRun(call));
  ScaleAdmission admission(call);
  const WriteOptions write = {.dry_run = dry_run,
                              .admission = call.admission == nullptr ? nullptr : &admission,
                              .warnings = &call.warnings};
  KUBE_ASSIGN_OR_RETURN(const Written written, core.registry.Update(target, change, write));
  KUBE_ASSIGN_OR_RETURN(codec::AnyObject scale,
                        ScaleFrom(*call.resource, *written.object, /*must_be_there=*/false));
  return RespondScale(std::move(scale), call);
}

absl::StatusOr<httpserver::Response> ApplyScale(Core& core, Call& call,
                                                const metav1::PatchOptions& options) {
  KUBE_ASSIGN_OR_RETURN(const ApplyBody body,
                        ApplyBodyOf(call.request->body, options.field_validation.view()));
  return Store(core, call, call.target(),
               [&](const StoredObject& current) -> absl::StatusOr<Object> {
                 call.warnings.clear();
                 KUBE_ASSIGN_OR_RETURN(const codec::AnyObject live,
                                       ScaleFrom(*call.resource, current, /*must_be_there=*/false));
                 KUBE_ASSIGN_OR_RETURN(
                     AppliedScale applied,
                     ApplyToScale(call, current.metadata().managed_fields,
                                  *live.As<autoscalingv1::Scale>(), body.configuration,
                                  options.field_manager.view(), options.force.value_or(false)));
                 KUBE_RETURN_IF_ERROR(body.duplicates);
                 if (!body.warning.empty()) call.warnings.push_back(body.warning);
                 KUBE_RETURN_IF_ERROR(CheckNamespace(applied.scale.metadata, call));
                 KUBE_RETURN_IF_ERROR(CheckName(applied.scale.metadata, call));
                 codec::AnyObject wanted(ScaleKind());
                 *wanted.As<autoscalingv1::Scale>() = std::move(applied.scale);
                 KUBE_RETURN_IF_ERROR(MutateScale(call, live, wanted));
                 return WithScale(current, *wanted.As<autoscalingv1::Scale>(),
                                  std::move(applied.entries), call);
               });
}

}  // namespace

absl::StatusOr<httpserver::Response> ServeScale(Core& core, Call& call) {
  const Target target = call.target();
  if (call.info.verb == "get") {
    KUBE_ASSIGN_OR_RETURN(const ObjectPtr object, core.registry.Get(target));
    KUBE_ASSIGN_OR_RETURN(codec::AnyObject scale,
                          ScaleFrom(*call.resource, *object, /*must_be_there=*/true));
    return RespondScale(std::move(scale), call);
  }
  if (call.info.verb == "update") {
    KUBE_ASSIGN_OR_RETURN(const Body body,
                          DecodeBody(*call.request, ScaleKind(), FieldPolicy::kIgnore));
    const metav1::ObjectMeta& metadata = body.object.As<autoscalingv1::Scale>()->metadata;
    KUBE_RETURN_IF_ERROR(CheckNamespace(metadata, call));
    KUBE_RETURN_IF_ERROR(CheckName(metadata, call));
    KUBE_ASSIGN_OR_RETURN(const auto options, QueryOptions<metav1::UpdateOptions>(call));
    return Store(core, call, target, [&](const StoredObject& current) -> absl::StatusOr<Object> {
      const String& uid = current.metadata().uid;
      if (!metadata.uid.empty() && metadata.uid != uid) {
        return UidConflict(target, metadata.uid.view(), uid.view());
      }
      return Updated(current, body.object, options.field_manager.view(), call);
    });
  }
  KUBE_ASSIGN_OR_RETURN(const PatchHead head, PatchHeadOf(call));
  if (head.type == patch::PatchType::kApply) return ApplyScale(core, call, head.options);
  KUBE_ASSIGN_OR_RETURN(const Patcher patcher,
                        Patcher::Make(head.type, call.request->body, ScaleKind(),
                                      FieldPolicyOf(head.options.field_validation.view())));
  return Store(core, call, target, [&](const StoredObject& current) -> absl::StatusOr<Object> {
    KUBE_ASSIGN_OR_RETURN(const codec::AnyObject scale,
                          ScaleFrom(*call.resource, current, /*must_be_there=*/false));
    KUBE_ASSIGN_OR_RETURN(const codec::AnyObject patched, patcher.Apply(scale, &call.warnings));
    return Updated(current, patched, head.options.field_manager.view(), call);
  });
}

}  // namespace kube::apiserver::internal
