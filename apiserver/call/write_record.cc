#include "apiserver/call/write_record.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/object.h"

namespace kube::apiserver::internal {

using unstructured::Value;

namespace {

// Returns the resourceVersion that a JSON patch tests or sets.
std::string VersionIn(const List<Value>& operations) {
  for (const Value& each : operations) {
    if (each["path"].text().value_or("") != "/metadata/resourceVersion") continue;
    return std::string(each["value"].text().value_or(""));
  }
  return "";
}

}  // namespace

void RecordWrite(const StoredObject& object, bool changed, WriteRecord* record) {
  if (record == nullptr) return;
  record->changed = changed;
  record->object_name = std::string(object.metadata().name.view());
  if (record->max_object_bytes == 0 || object.json().size() > record->max_object_bytes) return;
  absl::StatusOr<Value> value = unstructured::ParseJson(object.json());
  if (!value.ok()) return;
  if (Map<Value>* const members = value->object(); members != nullptr) {
    const KindInfo& kind = object.object().kind();
    (*members)["apiVersion"] = kind.group.empty() ? std::string(kind.version)
                                                  : absl::StrCat(kind.group, "/", kind.version);
    (*members)["kind"] = kind.kind;
  }
  record->object = std::make_shared<const Value>(*std::move(value));
}

void RecordName(absl::string_view name, WriteRecord* record) {
  if (record != nullptr) record->object_name = std::string(name);
}

void RecordDenial(absl::string_view verb, WriteRecord* record) {
  if (record != nullptr) record->denied_verb = std::string(verb);
}

void RecordChange(WriteRecord* record) {
  if (record != nullptr) record->changed = true;
}

void RecordSentVersion(absl::string_view version, WriteRecord* record) {
  if (record != nullptr) record->sent_version = std::string(version);
}

void RecordPatchVersion(absl::string_view body, WriteRecord* record) {
  if (record == nullptr || record->max_object_bytes == 0) return;
  const absl::StatusOr<Value> patch = unstructured::ParseYaml(body);
  if (!patch.ok()) return;
  if (const List<Value>* const operations = patch->list(); operations != nullptr) {
    return RecordSentVersion(VersionIn(*operations), record);
  }
  RecordSentVersion((*patch)["metadata"]["resourceVersion"].text().value_or(""), record);
}

}  // namespace kube::apiserver::internal
