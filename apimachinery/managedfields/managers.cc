#include "apimachinery/managedfields/managers.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/managedfields/field_set.h"
#include "apimachinery/managedfields/fields_v1.h"
#include "apimachinery/managedfields/fields_v1_cache.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/raw.h"

namespace kube::managedfields {
namespace {

namespace metav1 = api::meta::v1;
using metav1::ManagedFieldsEntry;

constexpr absl::string_view kFieldsType = "FieldsV1";

// The number of texts that a set is compared with before it is encoded. Objects have a few
// managers.
constexpr size_t kMaxTextsCompared = 64;

absl::string_view NameOf(Operation operation) {
  return operation == Operation::kApply ? metav1::kManagedFieldsOperationApply
                                        : metav1::kManagedFieldsOperationUpdate;
}

absl::Status InvalidEntry(size_t index, absl::string_view problem) {
  return absl::InvalidArgumentError(absl::StrCat(problem, " in managed fields entry ", index));
}

// Checks in the order of upstream, so that an entry with several defects gives the same error.
absl::StatusOr<ManagerId> ManagerOf(const ManagedFieldsEntry& entry, size_t index) {
  ManagerId id = {.name = std::string(entry.manager.view())};
  if (entry.operation == metav1::kManagedFieldsOperationApply) {
    id.operation = Operation::kApply;
  } else if (entry.operation == metav1::kManagedFieldsOperationUpdate) {
    id.operation = Operation::kUpdate;
    id.api_version = std::string(entry.api_version.view());
  } else {
    return InvalidEntry(index, "operation must be `Apply` or `Update`");
  }
  if (entry.api_version.empty()) return InvalidEntry(index, "apiVersion must not be empty");
  if (entry.fields_type.empty()) return InvalidEntry(index, "missing fieldsType");
  if (entry.fields_type != kFieldsType) {
    return InvalidEntry(
        index, absl::StrCat("invalid fieldsType ", text::Quoted(entry.fields_type.view())));
  }
  id.subresource = std::string(entry.subresource.view());
  return id;
}

// Returns what entries are sorted by. An entry without a time counts as one of 1970
// (apimachinery: `sortEncodedManagedFields`).
auto OrderOf(const ManagedFieldsEntry& entry) {
  const int64_t seconds = entry.time.has_value() ? entry.time->ToUnixSeconds() : 0;
  return std::make_tuple(entry.operation.view(), seconds, entry.manager.view(),
                         entry.api_version.view(), entry.subresource.view());
}

absl::StatusOr<FieldSet> DecodeFields(absl::string_view text, FieldsV1Cache* cache,
                                      std::vector<EncodedFieldsPtr>& texts) {
  if (cache == nullptr) return DecodeFieldsV1(text);
  KUBE_ASSIGN_OR_RETURN(EncodedFieldsPtr known, cache->Decode(text));
  FieldSet fields = known->fields;
  if (known->is_canonical) texts.push_back(std::move(known));
  return fields;
}

FieldsV1 EncodeFields(const FieldSet& fields, absl::Span<const EncodedFieldsPtr> texts,
                      FieldsV1Cache* cache) {
  // Sets that were not changed share their nodes with those that were decoded, so that nearly
  // nothing is compared. Of very many texts only some are looked at, because each set is compared
  // with each of them.
  for (const EncodedFieldsPtr& known : texts.first(std::min(texts.size(), kMaxTextsCompared))) {
    if (known->fields == fields) return FieldsV1(known->text);
  }
  if (cache == nullptr) return FieldsV1(EncodeFieldsV1(fields));
  return FieldsV1(cache->Encode(fields)->text);
}

}  // namespace

std::string ManagerId::ToString() const {
  std::string json = "{";
  const auto append = [&json](absl::string_view key, absl::string_view value) {
    if (value.empty()) return;
    absl::StrAppend(&json, json.size() == 1 ? "" : ",", "\"", key, "\":");
    text::AppendStandardJsonString(json, value);
  };
  append("manager", name);
  append("operation", NameOf(operation));
  append("apiVersion", api_version);
  append("subresource", subresource);
  json += '}';
  // As encoding/json by default. These characters can only be part of strings.
  return absl::StrReplaceAll(json, {{"<", "\\u003c"}, {">", "\\u003e"}, {"&", "\\u0026"}});
}

absl::StatusOr<Managed> DecodeManagedFields(const List<ManagedFieldsEntry>& entries,
                                            FieldsV1Cache* cache) {
  Managed managed;
  for (size_t i = 0; i < entries.size(); ++i) {
    const ManagedFieldsEntry& entry = entries[i];
    KUBE_ASSIGN_OR_RETURN(ManagerId id, ManagerOf(entry, i));
    OwnedFields owned;
    owned.api_version = std::string(entry.api_version.view());
    // An entry without fieldsV1 owns nothing, and is kept.
    if (entry.fields_v1.has_value()) {
      KUBE_ASSIGN_OR_RETURN(
          owned.fields, DecodeFields(entry.fields_v1->view(), cache, managed.texts),
          "error decoding versioned set from managed fields entry ", i, ": error decoding set");
    }
    if (entry.time.has_value()) {
      managed.times[id] = *entry.time;
    } else {
      managed.times.erase(id);  // of an earlier entry of this manager
    }
    managed.managers[std::move(id)] = std::move(owned);
  }
  return managed;
}

List<ManagedFieldsEntry> EncodeManagedFields(const Managed& managed, FieldsV1Cache* cache) {
  List<ManagedFieldsEntry> entries;
  entries.reserve(managed.managers.size());
  for (const auto& [id, owned] : managed.managers) {
    ManagedFieldsEntry& entry = entries.emplace_back();
    entry.manager = id.name;
    entry.operation = NameOf(id.operation);
    entry.api_version = owned.api_version;
    entry.subresource = id.subresource;
    entry.fields_type = kFieldsType;
    entry.fields_v1 = EncodeFields(owned.fields, managed.texts, cache);
    const auto written = managed.times.find(id);
    if (written != managed.times.end()) entry.time = written->second;
  }
  std::sort(entries.begin(), entries.end(),
            [](const ManagedFieldsEntry& a, const ManagedFieldsEntry& b) {
              return OrderOf(a) < OrderOf(b);
            });
  return entries;
}

}  // namespace kube::managedfields
