// A conversion goes from JSON to the type of the object's version, to the hub's, to that of the
// wanted version, and back to JSON. The metadata takes another way: an API server accepts no other
// change of it than of labels and annotations, so all else is taken from the original's JSON, also
// members that the types do not know.

#include "webhook/conversion.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/status.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

namespace kube::webhook {
namespace {

using internal::ConvertibleVersion;
using schema::GroupVersionKind;
using unstructured::Value;

absl::string_view TextOf(const Value& value) { return value.text().value_or(""); }

// Returns the kind that an object says it is.
absl::StatusOr<GroupVersionKind> KindOf(const Value& object) {
  const absl::string_view kind = TextOf(object["kind"]);
  if (kind.empty()) return absl::InvalidArgumentError("Object 'Kind' is missing");
  KUBE_ASSIGN_OR_RETURN(const schema::GroupVersion version,
                        schema::ParseGroupVersion(TextOf(object["apiVersion"])));
  return version.WithKind(kind);
}

// Gives `converted` the metadata of `original`, except for labels and annotations.
void KeepMetadata(const Value& original, Map<Value>& converted) {
  Map<Value> metadata = Map<Value>::Empty();
  if (const Map<Value>* const before = original["metadata"].object(); before != nullptr) {
    metadata = *before;
  }
  Value changed;
  if (Value* const found = converted.find("metadata"); found != nullptr) {
    changed = std::move(*found);
  }
  for (const absl::string_view member : {"labels", "annotations"}) {
    const Value* const found = changed.Find(member);
    if (found == nullptr || found->is_null()) {
      metadata.erase(member);
    } else {
      metadata.insert_or_assign(member, *found);
    }
  }
  converted.insert_or_assign("metadata", Value(std::move(metadata)));
}

// A review's request, as it was read.
struct ConversionQuestion {
  absl::string_view uid = {};
  absl::string_view desired = {};
  // Null if there are no objects.
  const List<Value>* objects = nullptr;
};

absl::StatusOr<ConversionQuestion> QuestionIn(const Value& review) {
  const Value& request = review["request"];
  if (request.is_null()) return absl::InvalidArgumentError("conversion request is nil");
  if (!request.is_object()) {
    return absl::InvalidArgumentError("read ConversionReview: request is no object");
  }
  for (const absl::string_view member : {"uid", "desiredAPIVersion"}) {
    const Value& value = request[member];
    if (value.is_string() || value.is_null()) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("read ConversionReview: request.", member, " is no string"));
  }
  const Value& objects = request["objects"];
  if (!objects.is_list() && !objects.is_null()) {
    return absl::InvalidArgumentError("read ConversionReview: request.objects is no list");
  }
  return ConversionQuestion{.uid = TextOf(request["uid"]),
                            .desired = TextOf(request["desiredAPIVersion"]),
                            .objects = objects.list()};
}

absl::StatusOr<List<Value>> ConvertAll(const Context& ctx, const Conversions& conversions,
                                       const ConversionQuestion& question) {
  List<Value> converted;
  if (question.objects == nullptr) return converted;
  for (const Value& object : *question.objects) {
    KUBE_RETURN_IF_ERROR(ctx.status());
    KUBE_ASSIGN_OR_RETURN(Value one, conversions.Convert(object, question.desired));
    converted.push_back(std::move(one));
  }
  return converted;
}

// Returns the answer, in the version of the question.
Value AnswerTo(const Value& review, absl::string_view uid, Value objects, Value result) {
  Map<Value> answer;
  answer.insert_or_assign("response", Value(Map<Value>{{"uid", uid},
                                                       {"convertedObjects", std::move(objects)},
                                                       {"result", std::move(result)}}));
  for (const absl::string_view member : {"apiVersion", "kind"}) {
    if (const Value* const found = review.Find(member); found != nullptr) {
      answer.insert_or_assign(member, *found);
    }
  }
  return Value(std::move(answer));
}

}  // namespace

absl::Status Conversions::NullFunction(const GroupVersionKind& spoke) {
  return absl::InvalidArgumentError(absl::StrCat("failed to create hub spoke converter for ",
                                                 spoke.kind, ": a function for version ",
                                                 spoke.version, " is null"));
}

absl::Status Conversions::AddVersions(ConvertibleVersion hub, ConvertibleVersion spoke) {
  const std::string start =
      absl::StrCat("failed to create hub spoke converter for ", hub.gvk.kind, ": ");
  const schema::GroupKind kind = hub.gvk.group_kind();
  if (kind != spoke.gvk.group_kind()) {
    return absl::InvalidArgumentError(
        absl::StrCat(start, "spoke converter GroupKind ", spoke.gvk.group_kind().ToString(),
                     " does not match hub GroupKind ", kind.ToString()));
  }
  if (hub.gvk.version == spoke.gvk.version) {
    return absl::InvalidArgumentError(
        absl::StrCat(start, "hub and spoke are both of version ", hub.gvk.version));
  }
  if (const auto found = kinds_.find(kind); found != kinds_.end()) {
    if (found->second.hub != hub.gvk) {
      return absl::AlreadyExistsError(
          absl::StrCat(start, "multiple hubs defined for group-kind '", kind.ToString(),
                       "': ", found->second.hub.version, " and ", hub.gvk.version));
    }
    if (found->second.by_version.count(spoke.gvk.version) != 0) {
      return absl::AlreadyExistsError(
          absl::StrCat(start, "duplicate spoke converter for version ", spoke.gvk.version));
    }
  }
  Versions& versions = kinds_[kind];
  versions.hub = hub.gvk;
  const std::string hub_version = hub.gvk.version;
  const std::string spoke_version = spoke.gvk.version;
  versions.by_version.try_emplace(hub_version, std::move(hub));
  versions.by_version.try_emplace(spoke_version, std::move(spoke));
  return absl::OkStatus();
}

absl::StatusOr<const ConvertibleVersion*> Conversions::Find(const GroupVersionKind& kind) const {
  if (const auto found = kinds_.find(kind.group_kind()); found != kinds_.end()) {
    const auto version = found->second.by_version.find(kind.version);
    if (version != found->second.by_version.end()) return &version->second;
  }
  return absl::InvalidArgumentError(absl::StrCat("no kind \"", kind.kind,
                                                 "\" is registered for version \"",
                                                 kind.group_version().ToString(), "\""));
}

absl::StatusOr<Value> Conversions::Convert(const Value& object,
                                           absl::string_view api_version) const {
  KUBE_ASSIGN_OR_RETURN(const GroupVersionKind from, KindOf(object));
  KUBE_ASSIGN_OR_RETURN(const schema::GroupVersion wanted, schema::ParseGroupVersion(api_version));
  const GroupVersionKind to = wanted.WithKind(from.kind);
  KUBE_ASSIGN_OR_RETURN(const ConvertibleVersion* const source, Find(from));
  KUBE_ASSIGN_OR_RETURN(const ConvertibleVersion* const target, Find(to));
  if (from == to) {
    return absl::InvalidArgumentError(
        absl::StrCat("conversion is not allowed between same type ", from.ToString()));
  }
  if (from.group != to.group) {
    return absl::InvalidArgumentError(absl::StrCat(
        "src ", from.ToString(), " and dst ", to.ToString(), " does not belong to same API Group"));
  }
  const GroupVersionKind& hub_kind = kinds_.find(from.group_kind())->second.hub;
  const bool by_hub = from != hub_kind && to != hub_kind;
  const absl::StatusOr<std::shared_ptr<void>> hub = source->to_hub(object);
  if (!hub.ok()) {
    if (!by_hub) return hub.status();
    return base::Annotate(hub.status(), absl::StrCat("failed to convert spoke ", from.ToString(),
                                                     " to hub ", hub_kind.ToString()));
  }
  absl::StatusOr<Value> converted = target->from_hub(hub->get());
  if (!converted.ok()) {
    if (!by_hub) return converted.status();
    return base::Annotate(
        converted.status(),
        absl::StrCat("failed to convert hub ", hub_kind.ToString(), " to spoke ", to.ToString()));
  }
  Map<Value>& members = *converted->object();
  members.insert_or_assign("apiVersion", Value(api_version));
  members.insert_or_assign("kind", Value(from.kind));
  KeepMetadata(object, members);
  return converted;
}

std::vector<GroupVersionKind> Conversions::Hubs() const {
  std::vector<GroupVersionKind> hubs;
  for (const auto& [kind, versions] : kinds_) hubs.push_back(versions.hub);
  return hubs;
}

std::vector<std::string> Conversions::VersionsOf(const GroupVersionKind& hub) const {
  std::vector<std::string> names;
  const auto found = kinds_.find(hub.group_kind());
  if (found == kinds_.end()) return names;
  names.push_back(found->second.hub.version);
  for (const auto& [version, functions] : found->second.by_version) {
    if (version != names.front()) names.push_back(version);
  }
  return names;
}

absl::StatusOr<std::string> AnswerConversionReview(const Context& ctx,
                                                   const Conversions& conversions,
                                                   absl::string_view body) {
  KUBE_ASSIGN_OR_RETURN(const Value review, unstructured::ParseJson(body));
  KUBE_ASSIGN_OR_RETURN(const ConversionQuestion question, QuestionIn(review));
  absl::StatusOr<List<Value>> converted = ConvertAll(ctx, conversions, question);
  KUBE_RETURN_IF_ERROR(ctx.status());
  if (!converted.ok()) {
    log::Error(ctx, converted.status(), "failed to convert", {{"request", question.uid}});
    return unstructured::EncodeJson(
        AnswerTo(review, question.uid, Value(),
                 Value(Map<Value>{{"metadata", Map<Value>::Empty()},
                                  {"status", "Failure"},
                                  {"message", converted.status().message()}})));
  }
  return unstructured::EncodeJson(
      AnswerTo(review, question.uid, Value(*std::move(converted)),
               Value(Map<Value>{{"metadata", Map<Value>::Empty()}, {"status", "Success"}})));
}

}  // namespace kube::webhook
