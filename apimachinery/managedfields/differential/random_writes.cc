#include "apimachinery/managedfields/differential/random_writes.h"

#include <cstddef>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/types/raw.h"
#include "apimachinery/unstructured/testing/at.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"

namespace kube::managedfields {
namespace {

using api::meta::v1::ManagedFieldsEntry;
using api::meta::v1::ObjectMeta;
using unstructured::At;
using unstructured::Value;

constexpr absl::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";
constexpr absl::string_view kManagers[] = {"kubectl", "ctl", "we\"ird <&> \u00e4", "ctl", ""};
constexpr int64_t kPauses[] = {0, 0, 300, 700, 1000, 5000, 61000};

std::string Json(const Value& value) { return unstructured::EncodeJson(value).value(); }

// The managed fields as a server stores them; "null" if there are none.
std::string EntriesJson(const List<ManagedFieldsEntry>& entries) {
  if (entries.empty()) return "null";
  return absl::StrCat("[",
                      absl::StrJoin(entries, ",",
                                    [](std::string* out, const ManagedFieldsEntry& entry) {
                                      *out += codec::EncodeJson(entry).value();
                                    }),
                      "]");
}

List<ManagedFieldsEntry> ParseEntries(absl::string_view json) {
  return codec::DecodeJson<ObjectMeta>(absl::StrCat(R"({"managedFields":)", json, "}"))
      .value()
      .managed_fields;
}

Value Metadata() {
  List<Value> owners = List<Value>::Empty();
  for (const absl::string_view uid : {"u1", "u2"}) {
    owners.push_back(
        Value(Map<Value>{{"apiVersion", "v1"}, {"kind", "Owner"}, {"name", "o"}, {"uid", uid}}));
  }
  return Map<Value>{{"labels", Map<Value>{{"a", "1"}, {"b.c/d", "2"}, {"\u00e4<", ""}}},
                    {"annotations", Map<Value>{{"note", "x"}, {"more", "<&>"}}},
                    {"finalizers", List<Value>{"f1", "f2", "f3"}},
                    {"ownerReferences", std::move(owners)}};
}

Value FieldPaths(absl::string_view name) {
  if (name.empty()) return Value();
  List<Value> path = List<Value>::Empty();
  path.push_back(Value(Map<Value>{{"f", name}}));
  List<Value> paths = List<Value>::Empty();
  paths.push_back(Value(std::move(path)));
  return Value(std::move(paths));
}

std::vector<std::string> DescribeError(const absl::Status& error) {
  const std::optional<api::meta::v1::Status> status = errors::StatusOf(error);
  // Errors without a reason are plain errors upstream.
  if (!status.has_value() || status->reason.empty()) {
    return {"error", std::string(error.message())};
  }
  std::vector<std::string> described = {"status", absl::StrCat(status->code),
                                        std::string(status->reason.view()),
                                        std::string(status->message.view())};
  std::set<std::string> causes;
  if (status->details) {
    for (const api::meta::v1::StatusCause& cause : status->details->causes) {
      causes.insert(
          absl::StrCat(cause.reason.view(), "|", cause.field.view(), "|", cause.message.view()));
    }
  }
  described.insert(described.end(), causes.begin(), causes.end());
  return described;
}

}  // namespace

// ---- Versions.

const Schema* SubjectConverter::SchemaOf(absl::string_view api_version) const {
  const auto found = subject_->versions.find(api_version);
  return found == subject_->versions.end() ? nullptr : found->second;
}

absl::StatusOr<Value> SubjectConverter::Convert(const Value& object,
                                                absl::string_view api_version) const {
  Value converted = object;
  Value& version = At(converted, {"apiVersion"});
  const std::string from(version.text().value_or(""));
  version = Value(api_version);
  const auto old_name = subject_->renamed.find(from);
  const auto new_name = subject_->renamed.find(api_version);
  Value* spec = converted.Find("spec");
  if (old_name == subject_->renamed.end() || new_name == subject_->renamed.end() ||
      spec == nullptr || !spec->is_object() || old_name->second == new_name->second) {
    return converted;
  }
  if (const Value* member = spec->Find(old_name->second); member != nullptr) {
    Value moved = *member;
    spec->object()->erase(old_name->second);
    (*spec->object())[new_name->second] = std::move(moved);
  }
  return converted;
}

// ---- What is written.

void SequenceMaker::MakeUniverse() {
  const auto& [version, schema] = *subject_->versions.begin();
  Map<Value> universe = Map<Value>::Empty();
  for (const FieldSchema& field : schema->map->fields) {
    if (field.name == "apiVersion" || field.name == "kind" || field.name == "metadata") continue;
    universe[field.name] = maker_.Make(*field.schema, 6);
  }
  if (universe.empty() && schema->map->element != nullptr) {
    universe["spec"] = Map<Value>{{"a", maker_.Make(*schema->map->element, 4)},
                                  {"b", maker_.Make(*schema->map->element, 4)}};
    universe["data"] = maker_.Make(*schema->map->element, 4);
    universe["status"] = maker_.Make(*schema->map->element, 4);
  }
  const auto renamed = subject_->renamed.find(version);
  if (renamed != subject_->renamed.end() && universe["spec"].is_object()) {
    (*universe["spec"].object())[renamed->second] = 3;
  }
  universe["metadata"] = Metadata();
  universe_ = std::move(universe);
  Identify(universe_, version);
  // Members of the Go struct that are not pointers are there before anything is written.
  Map<Value> zero = Map<Value>::Empty();
  if (maker_.Chance(60)) {
    zero["metadata"] = Map<Value>::Empty();
    for (const absl::string_view name : {"spec", "status"}) {
      const Schema* part = schema->map->FindField(name);
      if (part != nullptr && part->map != nullptr) zero[name] = Map<Value>::Empty();
    }
  }
  zero_object_ = std::move(zero);
}

Value SequenceMaker::UniverseIn(absl::string_view version) const {
  return converter_.Convert(universe_, version).value();
}

void SequenceMaker::Identify(Value& object, absl::string_view version) const {
  if (!object.is_object()) object = Map<Value>::Empty();
  (*object.object())["apiVersion"] = version;
  (*object.object())["kind"] = subject_->kind;
  Value& metadata = (*object.object())["metadata"];
  if (!metadata.is_object()) metadata = Map<Value>::Empty();
  // They are written beside the object, and only well formed: see RequestedEntries.
  metadata.object()->erase("managedFields");
  (*metadata.object())["name"] = "n";
  (*metadata.object())["namespace"] = "ns";
}

std::string SequenceMaker::PickVersion() {
  if (maker_.Chance(70)) return subject_->versions.begin()->first;
  const auto at = static_cast<std::ptrdiff_t>(maker_.dice().Below(subject_->versions.size()));
  return std::next(subject_->versions.begin(), at)->first;
}

std::string SequenceMaker::PickManager() {
  return std::string(kManagers[maker_.dice().Below(std::size(kManagers))]);
}

Value SequenceMaker::MakeConfiguration(const std::string& manager, const std::string& version) {
  const Schema& schema = SchemaOf(version);
  Value configuration;
  const auto own = configurations_.find(maker_.Chance(85) ? manager : PickManager());
  if (maker_.Chance(6)) {
    configuration = Map<Value>::Empty();
  } else if (own != configurations_.end() && maker_.Chance(70)) {
    configuration = converter_.Convert(own->second, version).value();
    configuration = maker_.Vary(configuration, UniverseIn(version), schema, 8);
  } else {
    configuration = maker_.Subset(UniverseIn(version), schema, 55);
    configuration = maker_.Vary(configuration, Value(), schema, 5);
  }
  Identify(configuration, version);
  return configuration;
}

// Makes the object look as if kubectl had applied a part of it without the server.
void SequenceMaker::AddLastApplied(Value& object, const std::string& version) {
  Value applied = maker_.Subset(object, SchemaOf(version), 60);
  Identify(applied, version);
  At(object, {"metadata", "annotations"}) = Map<Value>{{kLastApplied, Json(applied)}};
}

SequenceMaker::Entries SequenceMaker::Tampered(Entries entries) {
  if (entries.empty()) entries.push_back({.manager = "made up"});
  ManagedFieldsEntry& entry = entries[maker_.dice().Below(entries.size())];
  switch (maker_.dice().Below(10)) {
    case 0:
      entry.operation = "Patch";
      break;
    case 1:
      entry.fields_type = "FieldsV2";
      break;
    case 2:
      entry.api_version = "";
      break;
    case 3:
      entry.api_version = "gone.example.com/v1";
      break;
    case 4:
      entry.fields_v1 = FieldsV1(R"({"x":{}})");
      break;
    case 5:
      entry.fields_v1 = FieldsV1(R"({"f:spec":{".":{},"f:a":{}},"f:metadata":{"f:name":{}}})");
      break;
    case 6:
      entry.fields_v1.reset();
      break;
    case 7:
      entry.manager = "renamed";
      break;
    case 8:
      entry.time.reset();
      break;
    default: {
      ManagedFieldsEntry again = entry;
      again.fields_v1 = FieldsV1(R"({"f:data":{}})");
      entries.push_back(std::move(again));
    }
  }
  return entries;
}

// Returns the managed fields that a client sends back with an object that it has read and changed.
SequenceMaker::Entries SequenceMaker::RequestedEntries() {
  const size_t roll = maker_.dice().Below(100);
  if (roll < 55) return live_.managed_fields;
  if (roll < 78) return {};
  if (roll < 81) return Entries::Empty();
  if (roll < 83) return Entries{ManagedFieldsEntry()};
  if (roll < 93) return Tampered(live_.managed_fields);
  Entries some;
  for (const ManagedFieldsEntry& entry : live_.managed_fields) {
    if (maker_.Chance(60)) some.push_back(entry);
  }
  return some;
}

void SequenceMaker::AddFilter(Write& write) {
  if (write.subresource.empty()) {
    if (maker_.Chance(50)) write.excluded = "status";
  } else if (maker_.Chance(50)) {
    write.excluded = "spec";
  } else {
    write.included = "status";
  }
}

void SequenceMaker::MakeApply(Write& write) {
  write.force = maker_.Chance(35);
  Value configuration = MakeConfiguration(write.manager, write.version);
  configurations_[write.manager] = configuration;
  if (maker_.Chance(2)) (*configuration.object())["apiVersion"] = "wrong.example.com/v9";
  write.object.object = std::move(configuration);
  if (maker_.Chance(2)) write.object.managed_fields = Entries::Empty();
}

void SequenceMaker::MakeUpdate(Write& write) {
  const Schema& schema = SchemaOf(write.version);
  const Value universe = UniverseIn(write.version);
  Value object;
  if (live_.object.is_null() || write.is_new) {
    object = maker_.Subset(universe, schema, 70);
  } else {
    object = converter_.Convert(live_.object, write.version).value();
    if (write.subresource.empty()) {
      object = maker_.Vary(object, universe, schema, maker_.Chance(50) ? 3 : 12);
    } else if (const Schema* status = schema.map->Find("status"); status != nullptr) {
      (*object.object())["status"] = maker_.Vary(object["status"], universe["status"], *status, 30);
    }
  }
  Identify(object, write.version);
  if (write.manager == "kubectl" && maker_.Chance(40)) AddLastApplied(object, write.version);
  const Value& uid = live_.object["metadata"]["uid"];
  if (!write.is_new && uid.is_string()) At(object, {"metadata", "uid"}) = uid;
  write.object.object = std::move(object);
  write.object.managed_fields = RequestedEntries();
}

SequenceMaker::Write SequenceMaker::MakeWrite(const SequenceOptions& options, int index) {
  *clock_ += kPauses[maker_.dice().Below(std::size(kPauses))];
  Write write;
  write.version = PickVersion();
  write.manager = options.many_managers ? absl::StrCat("m", index % 14) : PickManager();
  write.is_new = index > 0 && !options.many_managers && maker_.Chance(4);
  const bool creates = live_.object.is_null() || write.is_new;
  // Without a uid an update looks like a create.
  if (creates && maker_.Chance(85)) write.uid = "u";
  if (!creates && maker_.Chance(12)) write.subresource = "status";
  AddFilter(write);
  write.apply = maker_.Chance(options.many_managers ? 10 : 50);
  if (write.apply) {
    MakeApply(write);
  } else {
    MakeUpdate(write);
  }
  return write;
}

// ---- Writing.

Value SequenceMaker::Describe(const Write& write) const {
  const Entries& entries = write.object.managed_fields;
  Value managed;
  if (!entries.is_null()) {
    managed = entries.empty() ? Value(List<Value>::Empty())
                              : unstructured::ParseJson(EntriesJson(entries)).value();
  }
  return Map<Value>{{"apply", write.apply},
                    {"force", write.force},
                    {"new", write.is_new},
                    {"at", *clock_},
                    {"version", write.version},
                    {"subresource", write.subresource},
                    {"manager", write.manager},
                    {"uid", write.uid},
                    {"object", write.object.object},
                    {"managed", managed},
                    {"excluded", FieldPaths(write.excluded)},
                    {"included", FieldPaths(write.included)}};
}

absl::StatusOr<TrackedObject> SequenceMaker::CarryOut(const FieldManager& manager,
                                                      const Write& write,
                                                      const WriteOptions& options) {
  if (!write.apply) return manager.Update(live_, write.object, options);
  Value configuration = write.object.object;
  if (!write.object.managed_fields.is_null()) {
    At(configuration, {"metadata", "managedFields"}) = List<Value>::Empty();
  }
  return manager.Apply(live_, configuration, options);
}

void SequenceMaker::Store(TrackedObject object, const std::string& uid) {
  if (!uid.empty()) At(object.object, {"metadata", "uid"}) = uid;
  live_ = {.object = std::move(object.object),
           .managed_fields = ParseEntries(EntriesJson(object.managed_fields))};
}

std::vector<std::string> SequenceMaker::Do(const Write& write) {
  uses_cache_ = !uses_cache_;
  if (write.is_new) live_ = {};
  if (!live_.object.is_null()) {
    live_.object = converter_.Convert(live_.object, write.version).value();
  }
  FieldFilter filter;
  if (!write.excluded.empty()) filter.excluded.Insert({PathElement::Field(write.excluded)});
  if (!write.included.empty()) {
    filter.included_patterns.push_back(
        PathPattern{{.element = PathElement::Field(write.included)}});
  }
  Value zero = zero_object_;
  (*zero.object())["apiVersion"] = write.version;
  (*zero.object())["kind"] = subject_->kind;
  const FieldManager manager({.converter = &converter_,
                              .api_version = write.version,
                              .kind = subject_->kind,
                              .subresource = write.subresource,
                              .reset_fields = {{write.version, filter}},
                              .zero_object = std::move(zero),
                              .cache = uses_cache_ ? &cache_ : nullptr});
  const WriteOptions options = {
      .manager = write.manager, .now = absl::FromUnixMillis(*clock_), .force = write.force};
  absl::StatusOr<TrackedObject> result = CarryOut(manager, write, options);
  if (result.ok()) {
    Store(*std::move(result), write.uid);
    return {"ok", ExactJson(live_.object), EntriesJson(live_.managed_fields)};
  }
  if (!write.apply) {
    TrackedObject untracked = manager.UpdateNoErrors(live_, write.object, options);
    EXPECT_TRUE(untracked.managed_fields.is_null());
    Store(std::move(untracked), write.uid);
  }
  return DescribeError(result.status());
}

Sequence SequenceMaker::Make(const SequenceOptions& options) {
  live_ = {};
  configurations_.clear();
  MakeUniverse();
  Sequence sequence;
  List<Value> writes = List<Value>::Empty();
  for (int i = 0; i < options.writes; ++i) {
    const Write write = MakeWrite(options, i);
    sequence.writes.push_back(Describe(write));
    writes.push_back(sequence.writes.back());
    sequence.results.push_back(Do(write));
  }
  List<Value> versions = List<Value>::Empty();
  for (const auto& [version, schema] : subject_->versions) versions.push_back(Value(version));
  sequence.question = {"writes", ExactJson(Map<Value>{{"schema", subject_->schema},
                                                      {"definition", subject_->definition},
                                                      {"kind", subject_->kind},
                                                      {"versions", std::move(versions)},
                                                      {"renamed", Map<Value>(subject_->renamed)},
                                                      {"zero", zero_object_},
                                                      {"writes", std::move(writes)}})};
  return sequence;
}

// ---- Comparison.

void CheckSequence(const Sequence& sequence, const Value& go, ResultCounts& counts) {
  ASSERT_TRUE(go.is_list());
  ASSERT_EQ(go.list()->size(), sequence.results.size());
  for (size_t i = 0; i < sequence.results.size(); ++i) {
    const std::vector<std::string>& ours = sequence.results[i];
    const List<Value>& theirs = *(*go.list())[i].list();
    std::vector<std::string> texts;
    for (const Value& each : theirs) {
      texts.push_back(each.is_string() ? std::string(*each.text()) : ExactJson(each));
    }
    ++counts[absl::StrCat(sequence.writes[i]["apply"].boolean() == true ? "apply: " : "update: ",
                          texts[0], texts[0] == "status" ? absl::StrCat(" ", texts[1]) : "")];
    const bool same =
        ours[0] == "error" ? texts[0] == "error" && IsPlausible(ours[1], theirs) : ours == texts;
    if (same) continue;
    ADD_FAILURE() << "write " << i << " of " << sequence.results.size() << ": "
                  << ExactJson(sequence.writes[i]) << "\n  before: "
                  << (i == 0 ? "nothing" : absl::StrJoin(sequence.results[i - 1], "\n    "))
                  << "\n  ours:   " << absl::StrJoin(ours, "\n    ")
                  << "\n  Go:     " << absl::StrJoin(texts, "\n    ");
    return;
  }
}

}  // namespace kube::managedfields
