#include "apiserver/registry/selectors.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/fields/compiled_selector.h"
#include "apimachinery/fields/selector.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apiserver/custom_kind.h"
#include "apiserver/object.h"
#include "apiserver/resources.h"
#include "apiserver/strategy/custom.h"
#include "apiserver/strategy/strategy.h"

namespace kube::apiserver::internal {
namespace {

// A selectable field of core events that is not a member of theirs.
constexpr absl::string_view kSource = "source";

// Returns the component that reports an event. Events of the new API have it in another member
// (kube-apiserver: `ToSelectableFields`).
absl::string_view SourceOf(const Object& object) {
  const auto* event = object.As<api::core::v1::Event>();
  if (event == nullptr) return "";
  return event->source.component.empty() ? event->reporting_component.view()
                                         : event->source.component.view();
}

// Returns the path of a field that selectors call by another name.
std::string PlaceOf(absl::string_view field) {
  if (field == "spec.host") return "spec.nodeName";
  if (field == "status.podIPs") return "status.podIP";
  if (field == "status.successful") return "status.succeeded";
  return std::string(field);
}

// kube-apiserver: `crConverter.ConvertFieldLabel`.
absl::StatusOr<fields::FieldValue> ConvertCustom(const Resource& resource, absl::string_view field,
                                                 absl::string_view value) {
  const std::vector<std::string>& selectable = resource.custom->selectable();
  const bool known = field == "metadata.name" ||
                     (field == "metadata.namespace" && resource.namespaced()) ||
                     std::find(selectable.begin(), selectable.end(), field) != selectable.end();
  if (known) return fields::FieldValue{.field = std::string(field), .value = std::string(value)};
  return absl::InvalidArgumentError(absl::StrCat("field label not supported: ", field));
}

absl::StatusOr<fields::FieldValue> Convert(const Resource& resource, absl::string_view field,
                                           absl::string_view value) {
  if (resource.custom != nullptr) return ConvertCustom(resource, field, value);
  const auto selectable = StrategyOf(*resource.kind).selectable;
  // Kinds with selectable fields of their own have another message, and check the scope.
  const bool own = !selectable.empty();
  const bool known = field == "metadata.name" ||
                     (field == "metadata.namespace" && (!own || resource.namespaced())) ||
                     std::find(selectable.begin(), selectable.end(), field) != selectable.end();
  if (known) return fields::FieldValue{.field = PlaceOf(field), .value = std::string(value)};
  if (own) {
    return absl::InvalidArgumentError(absl::StrCat("field label not supported: ", field));
  }
  return absl::InvalidArgumentError(
      absl::StrCat("\"", field, "\" is not a known field selector: only \"metadata.name\", ",
                   "\"metadata.namespace\""));
}

}  // namespace

absl::StatusOr<Matcher> Matcher::Make(const Resource& resource, absl::string_view label_selector,
                                      absl::string_view field_selector) {
  Matcher matcher;
  absl::StatusOr<labels::Selector> labels = labels::Parse(label_selector);
  if (!labels.ok()) return errors::BadRequest(labels.status().message());
  matcher.labels_ = *std::move(labels);
  if (field_selector.empty()) return matcher;

  const absl::StatusOr<fields::Selector> fields = fields::ParseAndTransformSelector(
      field_selector, [&](absl::string_view field, absl::string_view value) {
        return Convert(resource, field, value);
      });
  if (!fields.ok()) return errors::BadRequest(fields.status().message());
  if (fields->empty()) return matcher;
  if (resource.custom != nullptr) {
    matcher.custom_fields_ = *fields;
    return matcher;
  }
  std::vector<fields::Requirement> members;
  for (const fields::Requirement& each : fields->requirements()) {
    (each.field == kSource ? matcher.sources_ : members).push_back(each);
  }
  if (members.empty()) return matcher;
  absl::StatusOr<fields::CompiledSelector> compiled = fields::CompiledSelector::MakeFor(
      fields::Selector(std::move(members)), *resource.kind->message);
  if (!compiled.ok()) return errors::BadRequest(compiled.status().message());
  matcher.fields_ = *std::move(compiled);
  return matcher;
}

bool Matcher::Matches(const StoredObject& object) const {
  if (!shard_.Matches(object.metadata().uid.view(), object.metadata().namespace_.view())) {
    return false;
  }
  if (!custom_fields_.empty()) {
    Map<String> values;
    for (const fields::Requirement& each : custom_fields_.requirements()) {
      values[each.field] = FieldOf(object.object(), each.field);
    }
    if (!custom_fields_.Matches(values)) return false;
  }
  for (const fields::Requirement& each : sources_) {
    const bool equals = SourceOf(object.object()) == each.value;
    if (equals != (each.op == fields::Operator::kEquals)) return false;
  }
  return labels_.Matches(object.metadata().labels) &&
         (!fields_.has_value() || fields_->MatchesObject(object.object().any().data()));
}

}  // namespace kube::apiserver::internal
