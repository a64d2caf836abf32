#include "envtest/fake/internal/kinds.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/all_kinds.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/watch/event.h"

namespace kube::fake::internal {
namespace {

using unstructured::Value;

void SetIfEmpty(Map<Value>& members, absl::string_view name, absl::string_view text) {
  const Value* value = members.find(name);
  if (value == nullptr || value->text().value_or("").empty()) {
    members.insert_or_assign(name, Value(text));
  }
}

}  // namespace

const KindInfo* KindOf(const kube::table::Message& message) {
  static const auto kinds = [] {
    std::map<const kube::table::Message*, const KindInfo*> made;
    for (const KindInfo* kind : api::AllKinds()) made.emplace(kind->message, kind);
    return made;
  }();
  const auto found = kinds.find(&message);
  return found == kinds.end() ? nullptr : found->second;
}

absl::StatusOr<std::string> WithKind(absl::StatusOr<std::string> json,
                                     const kube::table::Message& message) {
  const KindInfo* kind = KindOf(message);
  if (!json.ok() || kind == nullptr) return json;
  KUBE_ASSIGN_OR_RETURN(Value object, unstructured::ParseJson(*json), "decode object");
  SetIfEmpty(*object.object(), "kind", kind->kind);
  SetIfEmpty(*object.object(), "apiVersion",
             absl::StrCat(kind->group, kind->group.empty() ? "" : "/", kind->version));
  return unstructured::EncodeJson(object);
}

absl::StatusOr<std::string> EncodeEvents(const std::vector<EncodedEvent>& events) {
  std::string lines;
  for (const EncodedEvent& event : events) {
    KUBE_ASSIGN_OR_RETURN(std::string object, event.object, "encode event");
    if (!event.error.ok()) {
      KUBE_ASSIGN_OR_RETURN(EncodedError error, EncodeError(event.error), "encode event");
      object = std::move(error.json);
    }
    absl::StrAppend(&lines, R"({"type":")", watch::ToString(event.type), R"(","object":)", object,
                    "}\n");
  }
  return lines;
}

absl::StatusOr<EncodedError> EncodeError(const absl::Status& error) {
  std::optional<api::meta::v1::Status> status = errors::StatusOf(error);
  if (!status.has_value()) {
    return absl::NotFoundError(absl::StrCat("not a server error: ", error.message()));
  }
  if (status->code == 0) status->code = 500;
  KUBE_ASSIGN_OR_RETURN(std::string json,
                        WithKind(codec::EncodeJson(*status), api::meta::v1::Status::kMessage),
                        "encode error");
  return EncodedError{.code = static_cast<int>(status->code), .json = std::move(json)};
}

}  // namespace kube::fake::internal
