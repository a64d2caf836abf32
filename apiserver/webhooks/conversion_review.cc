#include "apiserver/webhooks/conversion_review.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/go_format.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/meta_v1.h"
#include "apimachinery/validation/object_meta.h"
#include "apiserver/custom_converter.h"
#include "apiserver/webhooks/review_type.h"

namespace kube::apiserver::internal {
namespace {

namespace field = validation::field;
using text::Quoted;
using unstructured::GoType;
using unstructured::Unstructured;
using unstructured::Value;

constexpr absl::string_view kKind = "ConversionReview";

ReviewType TypeOf(absl::string_view version) {
  return {.group = "apiextensions.k8s.io", .version = version, .kind = kKind};
}

absl::string_view TextOf(const Value& value) { return value.text().value_or(""); }

std::string NameOf(const ConversionSubject& subject) {
  return GvkText(subject.api_version, subject.kind);
}

// Returns the object in an answer, as client-go decodes one of an unknown kind.
absl::StatusOr<Unstructured> ObjectIn(Value value) {
  if (TextOf(value["kind"]).empty()) {
    KUBE_ASSIGN_OR_RETURN(const std::string json, unstructured::EncodeJson(value));
    return absl::InvalidArgumentError(absl::StrCat("Object 'Kind' is missing in '", json, "'"));
  }
  Unstructured object;
  object.object = std::move(*value.object());
  return object;
}

// Checks what a webhook must not change (apiextensions-apiserver: `validateConvertedObject`).
absl::Status CheckIdentity(const Unstructured& in, const Unstructured& out) {
  struct Row {
    absl::string_view name;
    absl::string_view before;
    absl::string_view after;
  };
  for (const Row& row : {Row{"kind", in.kind(), out.kind()}, Row{"name", in.name(), out.name()},
                         Row{"namespace", in.namespace_name(), out.namespace_name()},
                         Row{"UID", in.uid(), out.uid()}}) {
    if (row.before == row.after) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("must have the same ", row.name, ": ", row.before, " != ", row.after));
  }
  return absl::OkStatus();
}

// Takes over the labels or annotations of an answer, and validates them if they have changed.
absl::Status TakeStrings(absl::string_view member, const Map<Value>& answered,
                         Map<Value>& metadata) {
  const Value* const found = answered.find(member);
  if (found == nullptr || found->is_null()) {
    metadata.erase(member);
    return absl::OkStatus();
  }
  if (!found->is_object()) {
    return absl::InvalidArgumentError(absl::StrCat("invalid metadata.", member, " of type ",
                                                   GoType(*found), " in converted object"));
  }
  Map<String> strings;
  for (const auto& [key, value] : *found->object()) {
    if (!value.is_string()) {
      return absl::InvalidArgumentError(absl::StrCat("metadata.", member, "[", key.view(),
                                                     "] must be a string, but is ", GoType(value),
                                                     " in converted object"));
    }
    strings[key] = TextOf(value);
  }
  const Value* const original = metadata.find(member);
  if (original == nullptr || !(*original == *found)) {
    const field::Path path("metadata");
    // The name of the second path is upstream's.
    KUBE_RETURN_IF_ERROR(field::ToAggregate(
        member == "labels" ? validation::ValidateLabels(strings, path.Child("labels"))
                           : validation::ValidateAnnotations(strings, path.Child("annotation"))));
  }
  metadata.insert_or_assign(member, *found);
  return absl::OkStatus();
}

// apiextensions-apiserver: `restoreObjectMeta`.
absl::Status RestoreMetadata(const Unstructured& original, Unstructured& converted) {
  const Value* const answered = converted.object.find("metadata");
  if (answered == nullptr) {
    return absl::InvalidArgumentError("missing metadata in converted object");
  }
  if (!answered->is_object()) {
    return absl::InvalidArgumentError(
        absl::StrCat("invalid metadata of type ", GoType(*answered), " in converted object"));
  }
  Value metadata = Map<Value>::Empty();
  if (const Value* const before = original.object.find("metadata"); before != nullptr) {
    metadata = *before;
  }
  if (!metadata.is_object()) {
    return absl::InvalidArgumentError(
        absl::StrCat("invalid metadata of type ", GoType(metadata), " in input object"));
  }
  for (absl::string_view member : {"labels", "annotations"}) {
    KUBE_RETURN_IF_ERROR(TakeStrings(member, *answered->object(), *metadata.object()));
  }
  converted.object.insert_or_assign("metadata", std::move(metadata));
  return absl::OkStatus();
}

// Checks one object; `what` names it in errors.
absl::Status CheckOne(const AskedConversion& asked, const std::string& what,
                      const Unstructured& original, Unstructured& converted) {
  if (converted.api_version() != asked.api_version) {
    return absl::InvalidArgumentError(absl::StrCat(what, ": invalid groupVersion (expected ",
                                                   asked.api_version, ", received ",
                                                   converted.api_version(), ")"));
  }
  if (converted.kind() != original.kind()) {
    return absl::InvalidArgumentError(absl::StrCat(
        what, ": invalid kind (expected ", original.kind(), ", received ", converted.kind(), ")"));
  }
  return absl::OkStatus();
}

// Says of an object of a single conversion, or of one in a list, what is wrong with it.
absl::StatusOr<Unstructured> CheckedObject(const AskedConversion& asked,
                                           const ConversionSubject& subject, size_t index,
                                           const Unstructured& original, Value value) {
  const std::string start = absl::StrCat("conversion webhook for ", NameOf(subject), " returned ");
  const std::string at = absl::StrCat(" at index ", index);
  const bool is_list = subject.is_list;
  absl::StatusOr<Unstructured> object = ObjectIn(std::move(value));
  if (!object.ok()) {
    if (!is_list) return object.status();
    return absl::InvalidArgumentError(
        absl::StrCat(start, "invalid converted object", at, ": ", object.status().message()));
  }
  KUBE_RETURN_IF_ERROR(CheckOne(
      asked, absl::StrCat(start, is_list ? "invalid converted object" : "invalid object", at),
      original, *object));
  if (const absl::Status same = CheckIdentity(original, *object); !same.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        start, is_list ? absl::StrCat("invalid converted object", at) : "invalid object", ": ",
        same.message()));
  }
  if (const absl::Status restored = RestoreMetadata(original, *object); !restored.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        start, is_list ? absl::StrCat("invalid metadata in object", at) : "invalid metadata", ": ",
        restored.message()));
  }
  return object;
}

}  // namespace

absl::StatusOr<std::string> ReviewVersionOf(const std::vector<std::string>& versions) {
  for (const std::string& version : versions) {
    if (version == "v1" || version == "v1beta1") return version;
  }
  return absl::InvalidArgumentError("no supported conversion review versions");
}

absl::StatusOr<std::string> EncodeConversionReview(const AskedConversion& asked,
                                                   const std::vector<Unstructured>& objects) {
  List<Value> values;
  for (const Unstructured& each : objects) values.push_back(Value(each.object));
  // As upstream, with an empty response.
  return unstructured::EncodeJson(Value(Map<Value>{
      {"kind", kKind},
      {"apiVersion", TypeOf(asked.version).ApiVersion()},
      {"request", Map<Value>{{"uid", asked.uid},
                             {"desiredAPIVersion", asked.api_version},
                             {"objects", std::move(values)}}},
      {"response", Map<Value>{{"uid", ""},
                              {"convertedObjects", nullptr},
                              {"result", Map<Value>{{"metadata", Map<Value>::Empty()}}}}}}));
}

absl::StatusOr<List<Value>> ReadConversionReview(const AskedConversion& asked,
                                                 absl::string_view body) {
  const ReviewType type = TypeOf(asked.version);
  KUBE_RETURN_IF_ERROR(CheckReviewType(type, body));
  KUBE_ASSIGN_OR_RETURN(Value review, unstructured::ParseJson(body));
  // The older version has fewer rules.
  const bool strict = asked.version == "v1";
  const std::string wanted = type.ApiVersion();
  if (strict && (TextOf(review["kind"]) != kKind || TextOf(review["apiVersion"]) != wanted)) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected webhook response of ", GvkText(wanted, kKind), ", got ",
                     GvkText(TextOf(review["apiVersion"]), TextOf(review["kind"]))));
  }
  Value* const response = review.Find("response");
  if (response == nullptr || !response->is_object()) {
    return absl::InvalidArgumentError("no response provided");
  }
  if (strict && TextOf((*response)["uid"]) != asked.uid) {
    return absl::InvalidArgumentError(absl::StrCat("expected response.uid=", Quoted(asked.uid),
                                                   ", got ", Quoted(TextOf((*response)["uid"]))));
  }
  const Value& result = (*response)["result"];
  if (const absl::string_view status = TextOf(result["status"]); status != "Success") {
    const absl::string_view message = TextOf(result["message"]);
    return absl::InvalidArgumentError(
        !message.empty()
            ? std::string(message)
            : absl::StrCat("response.result.status was '", status, "', not 'Success'"));
  }
  Value* const objects = response->Find("convertedObjects");
  if (objects == nullptr || objects->is_null()) return List<Value>();
  if (!objects->is_list()) {
    return absl::InvalidArgumentError(
        absl::StrCat("response.convertedObjects is of type ", GoType(*objects)));
  }
  return std::move(*objects->list());
}

absl::StatusOr<std::vector<Unstructured>> CheckConverted(const AskedConversion& asked,
                                                         const ConversionSubject& subject,
                                                         const std::vector<Unstructured>& originals,
                                                         List<Value> converted) {
  if (converted.size() != originals.size()) {
    return absl::InvalidArgumentError(absl::StrCat("conversion webhook for ", NameOf(subject),
                                                   " returned ", converted.size(),
                                                   " objects, expected ", originals.size()));
  }
  std::vector<Unstructured> checked;
  checked.reserve(originals.size());
  for (size_t i = 0; i < originals.size(); ++i) {
    KUBE_ASSIGN_OR_RETURN(Unstructured object,
                          CheckedObject(asked, subject, i, originals[i], std::move(converted[i])));
    checked.push_back(std::move(object));
  }
  return checked;
}

}  // namespace kube::apiserver::internal
