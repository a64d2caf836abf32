#include "apiserver/strategy/custom.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/crd_schema/custom_resource.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/meta/finalizers.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/label.h"
#include "apiserver/custom_converter.h"
#include "apiserver/custom_kind.h"
#include "apiserver/defaults/defaults.h"
#include "apiserver/errors/plain_error.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/strategy/conversion.h"

namespace kube::apiserver::internal {
namespace {

namespace field = validation::field;
using unstructured::Unstructured;
using unstructured::Value;

// Makes an object in a version of the resource's definition.
absl::StatusOr<Object> MakeObject(const Resource& resource, const CustomKind& version,
                                  Unstructured object) {
  return Object::MakeCustom(std::shared_ptr<const KindInfo>(resource.custom, &version.kind()),
                            std::move(object));
}

// Takes over what a strategy changed in an object: the content, and of the metadata the generation.
void Assign(Unstructured changed, Object& object) {
  object.metadata().generation = changed.generation();
  for (absl::string_view member : {"apiVersion", "kind", "metadata"}) changed.object.erase(member);
  *object.As<Unstructured>() = std::move(changed);
}

// Splits ".spec.replicas" into {"spec", "replicas"}.
std::vector<absl::string_view> Members(absl::string_view path) {
  return absl::StrSplit(absl::StripPrefix(path, "."), '.');
}

bool IsOfKind(const Object& object, const KindInfo& kind) {
  return object.kind().message == kind.message;
}

absl::Status CheckKind(const Resource& resource, const Unstructured& object) {
  const KindInfo& kind = *resource.kind;
  field::ErrorList wrong;
  if (object.kind() != kind.kind) {
    wrong.push_back(field::Invalid(field::Path("kind"), std::string(object.kind()),
                                   absl::StrCat("must be ", kind.kind)));
  }
  if (object.api_version() != resource.ApiVersion()) {
    wrong.push_back(field::Invalid(field::Path("apiVersion"), std::string(object.api_version()),
                                   absl::StrCat("must be ", resource.ApiVersion())));
  }
  if (wrong.empty()) return absl::OkStatus();
  return errors::Invalid(
      {.group = std::string(object.gvk().group), .kind = std::string(object.kind())}, object.name(),
      wrong);
}

std::string ApiVersionOf(const CustomKind& version) {
  return absl::StrCat(version.kind().group, "/", version.kind().version);
}

// Gives an error of a webhook the Status that upstream makes of a plain error.
absl::Status AsClientError(const absl::Status& error) {
  return errors::StatusOf(error).has_value() ? error : PlainError(error.message());
}

// Converts objects, which all have another version, by the webhook of their definition.
absl::StatusOr<std::vector<Unstructured>> ByWebhook(const CustomKind& version,
                                                    const ConversionSubject& subject,
                                                    const std::vector<Unstructured>& objects) {
  absl::StatusOr<std::vector<Unstructured>> converted =
      version.converter()->Convert(subject, objects, ApiVersionOf(version));
  if (!converted.ok()) return AsClientError(converted.status());
  return converted;
}

ObjectPtr AsBuiltIn(const Resource& resource, ObjectPtr stored) {
  if (resource.stored_kind == nullptr || IsOfKind(stored->object(), *resource.kind)) {
    return stored;
  }
  Object converted = Converted(stored->object().Copy(), *resource.kind);
  // An object that is not stored has no revision.
  if (stored->revision() == 0) return std::make_shared<const StoredObject>(std::move(converted));
  return std::make_shared<const StoredObject>(std::move(converted), stored->revision());
}

// Replaces an object by one with this content, in the version of `resource`.
void Replace(const Resource& resource, Unstructured content, ObjectPtr& object) {
  absl::StatusOr<Object> made = MakeObject(resource, *resource.custom, std::move(content));
  if (!made.ok()) return;
  object = std::make_shared<const StoredObject>(*std::move(made), object->revision());
}

// Reads an object in the version that it was stored in, with the present definition. Returns
// whether it has to be sent to a webhook, with `content`; otherwise it is converted.
bool ReadOne(const Resource& resource, ObjectPtr& object, Unstructured& content) {
  const CustomKind& custom = *resource.custom;
  const CustomKind* version = custom.Find(object->object().kind().version);
  const bool known = version != nullptr;
  if (!known) version = &custom.stored();
  content = object->object().ToUnstructured();
  absl::Status read = version->rules().Read(content);
  const bool is_other = !known || version != &custom;
  if (is_other && custom.converter() != nullptr) {
    if (!read.ok()) content = object->object().ToUnstructured();
    return true;
  }
  if (read.ok() && version != &custom) read = custom.rules().Convert(content);
  // An object that cannot be read with the present schema stays as it is stored.
  if (!read.ok()) content = object->object().ToUnstructured();
  Replace(resource, std::move(content), object);
  return false;
}

absl::Status ReadCustom(const Resource& resource, bool is_list,
                        const std::vector<ObjectPtr*>& objects) {
  std::vector<Unstructured> sent;
  std::vector<ObjectPtr*> places;
  for (ObjectPtr* each : objects) {
    Unstructured content;
    if (&(*each)->object().kind() == resource.kind || !ReadOne(resource, *each, content)) continue;
    sent.push_back(std::move(content));
    places.push_back(each);
  }
  if (sent.empty()) return absl::OkStatus();
  ConversionSubject subject = {.api_version = std::string(sent[0].api_version()),
                               .kind = std::string(sent[0].kind()),
                               .is_list = is_list};
  if (is_list) {
    subject.api_version = resource.ApiVersion();
    subject.kind = std::string(resource.list_kind->kind);
  }
  KUBE_ASSIGN_OR_RETURN(std::vector<Unstructured> converted,
                        ByWebhook(*resource.custom, subject, sent));
  for (size_t i = 0; i < places.size(); ++i) {
    const absl::Status fits = resource.custom->rules().Convert(converted[i]);
    if (!fits.ok()) return AsClientError(fits);
    Replace(resource, std::move(converted[i]), *places[i]);
  }
  return absl::OkStatus();
}

}  // namespace

Object NewObject(const Resource& resource) {
  if (resource.custom == nullptr) return Object(codec::AnyObject(*resource.kind));
  absl::StatusOr<Object> made = MakeObject(resource, *resource.custom, Unstructured());
  KUBE_CHECK_OK(made);
  return *std::move(made);
}

absl::StatusOr<Unstructured> InVersion(const CustomKind& version, Unstructured object) {
  if (version.converter() != nullptr && object.api_version() != ApiVersionOf(version)) {
    const ConversionSubject subject = {.api_version = std::string(object.api_version()),
                                       .kind = std::string(object.kind())};
    KUBE_ASSIGN_OR_RETURN(std::vector<Unstructured> converted,
                          ByWebhook(version, subject, {std::move(object)}));
    object = std::move(converted[0]);
  }
  KUBE_RETURN_IF_ERROR(version.rules().Convert(object));
  return object;
}

absl::StatusOr<ObjectPtr> AsResource(const Resource& resource, ObjectPtr stored) {
  if (stored == nullptr) return stored;
  if (resource.custom == nullptr) return AsBuiltIn(resource, std::move(stored));
  KUBE_RETURN_IF_ERROR(ReadCustom(resource, /*is_list=*/false, {&stored}));
  return stored;
}

absl::Status ReadItems(const Resource& resource, std::vector<ListItem>& items) {
  std::vector<ObjectPtr*> objects;
  for (ListItem& item : items) {
    if (resource.custom == nullptr) {
      item.object = AsBuiltIn(resource, std::move(item.object));
    } else {
      objects.push_back(&item.object);
    }
  }
  return objects.empty() ? absl::OkStatus() : ReadCustom(resource, /*is_list=*/true, objects);
}

absl::StatusOr<Object> AsStored(const Resource& resource, Object object) {
  if (resource.custom == nullptr) {
    if (resource.stored_kind == nullptr) return object;
    object = Converted(std::move(object), *resource.stored_kind);
    // A stored object would be read as that version, which sets its defaults.
    SetDefaults(object.any());
    return object;
  }
  const CustomKind& version = resource.custom->stored();
  if (&object.kind() == &version.kind()) return object;
  absl::StatusOr<Unstructured> converted = InVersion(version, object.ToUnstructured());
  if (!converted.ok()) {
    if (version.converter() != nullptr) return AsClientError(converted.status());
    return object;
  }
  absl::StatusOr<Object> made = MakeObject(resource, version, *std::move(converted));
  if (!made.ok()) return object;
  return made;
}

absl::StatusOr<Decoded> DecodeCustom(const Resource& resource, Unstructured object) {
  const CustomKind& custom = *resource.custom;
  KUBE_ASSIGN_OR_RETURN(std::vector<std::string> unknown, custom.rules().Decode(object));
  KUBE_RETURN_IF_ERROR(CheckKind(resource, object));
  KUBE_ASSIGN_OR_RETURN(Object made, MakeObject(resource, custom, std::move(object)));
  return Decoded{.object = std::move(made), .unknown = std::move(unknown)};
}

void PrepareCustomForCreate(const CustomKind& custom, Object& object) {
  Unstructured whole = object.ToUnstructured();
  custom.rules().PrepareForCreate(whole);
  // A status that was sent is dropped. If the schema has a default for it, a real server sets that
  // when it reads the stored object; here it is stored.
  if (Unstructured read = whole; custom.rules().Read(read).ok()) whole = std::move(read);
  Assign(std::move(whole), object);
}

void PrepareCustomForUpdate(const CustomKind& custom, absl::string_view subresource,
                            const Object& old, Object& object) {
  Unstructured whole = object.ToUnstructured();
  const Unstructured before = old.ToUnstructured();
  if (subresource == "status") {
    custom.rules().PrepareForStatusUpdate(whole, before);
    // All metadata stays, except for the precondition of this request and for who owns the status.
    api::meta::v1::ObjectMeta metadata = old.metadata();
    metadata.resource_version = object.metadata().resource_version;
    metadata.managed_fields = std::move(object.metadata().managed_fields);
    object.metadata() = std::move(metadata);
    whole.set_generation(old.metadata().generation);
  } else {
    // Clients cannot change the generation.
    whole.set_generation(old.metadata().generation);
    custom.rules().PrepareForUpdate(whole, before);
  }
  Assign(std::move(whole), object);
}

field::ErrorList ValidateCustomCreate(const CustomKind& custom, const Object& object) {
  return custom.rules().Validate(object.ToUnstructured());
}

crd_schema::UpdateFindings ValidateCustomUpdate(const CustomKind& custom,
                                                absl::string_view subresource, const Object& object,
                                                const Object& old) {
  const Unstructured now = object.ToUnstructured();
  const Unstructured before = old.ToUnstructured();
  return subresource == "status" ? custom.rules().ValidateStatusUpdate(now, before)
                                 : custom.rules().ValidateUpdate(now, before);
}

// kube-apiserver: `generateWarningsFromObj`.
std::vector<std::string> CustomWarnings(const Object& object, const Object* old) {
  std::set<std::string> added;
  for (const String& name : object.metadata().finalizers) {
    const bool known = old != nullptr && meta::ContainsFinalizer(old->metadata(), name.view());
    if (!known) added.insert(std::string(name));
  }
  std::vector<std::string> warnings;
  const auto warn = [&](absl::string_view name, absl::string_view message) {
    warnings.push_back(absl::StrCat("metadata.finalizers: \"", name, "\": ", message));
  };
  for (const std::string& name : added) {
    for (const std::string& message : validation::IsQualifiedName(name)) warn(name, message);
    const bool standard = name == "orphan" || name == "foregroundDeletion" || name == "kubernetes";
    if (standard || absl::StrContains(name, "/")) continue;
    const absl::string_view path =
        absl::StrContains(name, ".") ? "name including a path (/) to" : "name to";
    warn(name, absl::StrCat("prefer a domain-qualified finalizer ", path,
                            " avoid accidental conflicts with other finalizer writers"));
  }
  return warnings;
}

std::string FieldOf(const Object& object, absl::string_view field) {
  if (field == "metadata.name") return object.metadata().name;
  if (field == "metadata.namespace") return object.metadata().namespace_;
  const absl::StatusOr<const Value*> found =
      unstructured::NestedField(object.As<Unstructured>()->object, Members(field));
  if (!found.ok() || *found == nullptr) return "";
  const Value& value = **found;
  if (const auto text = value.text()) return std::string(*text);
  if (const auto number = value.integer()) return absl::StrCat(*number);
  if (const auto flag = value.boolean()) return *flag ? "true" : "false";
  return "";
}

absl::StatusOr<CustomScale> ScaleOf(const CustomKind& custom, const Object& object) {
  const auto& paths = *custom.rules().scale();
  const Map<Value>& content = object.As<Unstructured>()->object;
  CustomScale scale;
  KUBE_ASSIGN_OR_RETURN(
      scale.replicas, unstructured::NestedInt64(content, Members(paths.spec_replicas_path.view())));
  KUBE_ASSIGN_OR_RETURN(
      const std::optional<int64_t> current,
      unstructured::NestedInt64(content, Members(paths.status_replicas_path.view())));
  scale.current = current.value_or(0);
  if (!paths.label_selector_path.has_value() || paths.label_selector_path->empty()) return scale;
  KUBE_ASSIGN_OR_RETURN(
      const std::optional<absl::string_view> selector,
      unstructured::NestedString(content, Members(paths.label_selector_path->view())));
  scale.selector = std::string(selector.value_or(""));
  return scale;
}

absl::Status SetReplicas(const CustomKind& custom, int64_t replicas, Object& object) {
  return unstructured::SetNestedField(object.As<Unstructured>()->object, replicas,
                                      Members(custom.rules().scale()->spec_replicas_path.view()));
}

}  // namespace kube::apiserver::internal
