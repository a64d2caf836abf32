#ifndef APIMACHINERY_MANAGEDFIELDS_TESTING_UPDATER_FIXTURE_H_
#define APIMACHINERY_MANAGEDFIELDS_TESTING_UPDATER_FIXTURE_H_

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/managedfields/compare.h"
#include "apimachinery/managedfields/comparison.h"
#include "apimachinery/managedfields/conflict.h"
#include "apimachinery/managedfields/fields_v1.h"
#include "apimachinery/managedfields/managers.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/managedfields/testing/schema_builder.h"
#include "apimachinery/managedfields/updater.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// What the tests of Updater share: an object with its managers, in versions that rename fields, and
// sequences of writes to it.
namespace kube::managedfields {

inline constexpr absl::string_view kTypes = R"(
types:
- name: root
  map:
    fields:
    - name: image
      type: {scalar: string}
    - name: replicas
      type: {scalar: numeric}
    - name: rows
      type: {namedType: rows}
    - name: selector
      type: {map: {elementType: {scalar: string}, elementRelationship: atomic}}
    - name: spec
      type: {namedType: spec}
    - name: tree
      type: {namedType: tree}
- name: rows
  list:
    elementRelationship: associative
    keys: [name]
    elementType: {namedType: row}
- name: row
  map:
    fields:
    - name: name
      type: {scalar: string}
    - name: value
      type: {scalar: numeric}
    - name: tags
      type: {list: {elementType: {scalar: string}, elementRelationship: associative}}
- name: spec
  map:
    fields:
    - name: name
      type: {scalar: string}
    - name: value
      type: {scalar: numeric}
- name: tree
  map:
    elementType: {namedType: tree}
)";

// The field of VERSION is renamed from one version to the next.
inline constexpr absl::string_view kVersionedTypes = R"(
types:
- name: root
  map:
    fields:
    - name: name
      type: {scalar: string}
    - name: rows
      type: {list: {elementRelationship: associative, keys: [name],
                    elementType: {namedType: row}}}
    - name: size_VERSION
      type: {scalar: numeric}
    - name: spec_VERSION
      type: {namedType: spec}
- name: row
  map:
    fields:
    - name: name
      type: {scalar: string}
- name: spec
  map:
    fields:
    - name: name
      type: {scalar: string}
)";

using Schemas = std::map<std::string, BuiltSchema, std::less<>>;

inline BuiltSchema Parse(absl::string_view types) { return *ParseSchema(types, "root"); }

// Three versions with the same schema.
inline Schemas OneSchema(absl::string_view types = kTypes) {
  return {{"v1", Parse(types)}, {"v2", Parse(types)}, {"v3", Parse(types)}};
}

inline Schemas RenamingSchemas() {
  Schemas schemas;
  for (const char* version : {"v1", "v2", "v3"}) {
    schemas[version] = Parse(absl::StrReplaceAll(kVersionedTypes, {{"VERSION", version}}));
  }
  return schemas;
}

// Makes size_v2 of size_v1 when it converts to v2, and so on.
class RenamingConverter : public VersionConverter {
 public:
  explicit RenamingConverter(Schemas schemas) : schemas_(std::move(schemas)) {}

  const Schema* SchemaOf(absl::string_view api_version) const override {
    const auto found = schemas_.find(api_version);
    return found == schemas_.end() ? nullptr : found->second.schema;
  }
  absl::StatusOr<unstructured::Value> Convert(const unstructured::Value& object,
                                              absl::string_view api_version) const override {
    ++conversions_;
    if (api_version == broken_version_) return absl::InternalError("the webhook is away");
    KUBE_ASSIGN_OR_RETURN(const std::string json, unstructured::EncodeJson(object));
    const std::string suffix = absl::StrCat("_", api_version, "\":");
    return unstructured::ParseJson(
        absl::StrReplaceAll(json, {{"_v1\":", suffix}, {"_v2\":", suffix}, {"_v3\":", suffix}}));
  }

  Schemas& schemas() { return schemas_; }
  void Break(std::string version) { broken_version_ = std::move(version); }
  int conversions() const { return conversions_; }

 private:
  Schemas schemas_;
  std::string broken_version_;
  mutable int conversions_ = 0;
};

inline ManagerId UpdaterId(const std::string& name, const std::string& version) {
  return {.name = name, .operation = Operation::kUpdate, .api_version = version};
}
inline ManagerId ApplierId(const std::string& name) {
  return {.name = name, .operation = Operation::kApply};
}

// Two Values that compare themselves, and count how often Values are asked for.
class ValueObjects : public WrittenObjects {
 public:
  // All must outlive this. `schema` may be null: then they cannot be compared.
  ValueObjects(const unstructured::Value& before, const unstructured::Value& after,
               const Schema* schema)
      : before_(before), after_(after), schema_(schema) {}

  absl::StatusOr<Comparison> Compare() const override {
    if (schema_ == nullptr) return absl::InvalidArgumentError("no schema");
    return managedfields::Compare(before_, after_, *schema_);
  }
  absl::StatusOr<unstructured::Value> Before() const override {
    ++values_;
    return before_;
  }
  absl::StatusOr<unstructured::Value> After() const override {
    ++values_;
    return after_;
  }
  int values() const { return values_; }

 private:
  const unstructured::Value& before_;
  const unstructured::Value& after_;
  const Schema* const schema_;
  mutable int values_ = 0;
};

// An object as a server stores it, with its managers.
class Stored {
 public:
  explicit Stored(Schemas schemas, FieldFilters filters = {})
      : converter_(std::move(schemas)), updater_(&converter_, std::move(filters)) {}

  absl::Status Update(const std::string& manager, const std::string& version,
                      absl::string_view yaml) {
    KUBE_RETURN_IF_ERROR(ConvertTo(version));
    KUBE_ASSIGN_OR_RETURN(unstructured::Value object, unstructured::ParseYaml(yaml));
    const ManagerId id = UpdaterId(manager, version);
    const ValueObjects objects(live_, object, converter_.SchemaOf(version));
    const absl::StatusOr<Managers> of_objects = updater_.Update(objects, version, managers_, id);
    absl::StatusOr<Managers> of_values = updater_.Update(live_, object, version, managers_, id);
    EXPECT_EQ(of_objects.ok(), of_values.ok()) << of_objects.status();
    if (!of_values.ok()) return of_values.status();
    EXPECT_TRUE(of_objects.ok() && *of_objects == *of_values);
    managers_ = *std::move(of_values);
    live_ = std::move(object);
    return absl::OkStatus();
  }

  // Returns "MANAGER PATH" for each conflict, with commas between; then nothing is stored.
  absl::StatusOr<std::string> Apply(const std::string& manager, const std::string& version,
                                    absl::string_view yaml, bool force) {
    KUBE_RETURN_IF_ERROR(ConvertTo(version));
    KUBE_ASSIGN_OR_RETURN(const unstructured::Value configuration, unstructured::ParseYaml(yaml));
    KUBE_ASSIGN_OR_RETURN(
        Updater::Applied applied,
        updater_.Apply(live_, configuration, version, managers_, ApplierId(manager), force));
    if (applied.conflicts.empty()) {
      changed_ = applied.changed;
      live_ = std::move(applied.object);
      managers_ = std::move(applied.managers);
    }
    std::vector<std::string> texts;
    for (const ManagerConflict& conflict : applied.conflicts) {
      for (const Path& path : conflict.fields.Paths()) {
        texts.push_back(absl::StrCat(conflict.manager.name, " ", PathText(path)));
      }
    }
    return absl::StrJoin(texts, ",");
  }

  // Changes all versions to this schema.
  void SetSchema(absl::string_view types) {
    for (auto& [version, schema] : converter_.schemas()) schema = Parse(types);
  }

  std::string ObjectJson() const { return *unstructured::EncodeJson(live_); }
  // Returns what each manager owns, as "VERSION FIELDSV1".
  std::map<std::string, std::string> Owners() const {
    std::map<std::string, std::string> owners;
    for (const auto& [id, owned] : managers_) {
      owners[id.name] = absl::StrCat(owned.api_version, " ", EncodeFieldsV1(owned.fields));
    }
    return owners;
  }

  bool changed() const { return changed_; }
  Managers& managers() { return managers_; }
  RenamingConverter& converter() { return converter_; }

 private:
  absl::Status ConvertTo(const std::string& version) {
    if (version_ == version) return absl::OkStatus();
    KUBE_ASSIGN_OR_RETURN(live_, converter_.Convert(live_, version));
    version_ = version;
    return absl::OkStatus();
  }

  RenamingConverter converter_;
  const Updater updater_;
  unstructured::Value live_ = Map<unstructured::Value>::Empty();
  std::string version_ = "v1";
  Managers managers_;
  bool changed_ = false;
};

enum class Verb { kApply, kForce, kUpdate };

struct Step {
  Verb verb;
  const char* manager;
  const char* version;
  const char* yaml;
  const char* conflicts = "";
};

struct SequenceCase {
  const char* name;
  std::vector<Step> steps;
  const char* object;  // in the version of the last step
  std::map<std::string, std::string> owners;
};

inline void RunSequence(const SequenceCase& sequence, Stored& stored) {
  for (const Step& step : sequence.steps) {
    if (step.verb == Verb::kUpdate) {
      ASSERT_THAT(stored.Update(step.manager, step.version, step.yaml), base::IsOk()) << step.yaml;
      continue;
    }
    const absl::StatusOr<std::string> conflicts =
        stored.Apply(step.manager, step.version, step.yaml, step.verb == Verb::kForce);
    ASSERT_TRUE(conflicts.ok()) << conflicts.status() << "\n" << step.yaml;
    ASSERT_EQ(*conflicts, step.conflicts) << step.yaml;
  }
  EXPECT_EQ(stored.ObjectJson(), sequence.object);
  EXPECT_EQ(stored.Owners(), sequence.owners);
}

inline std::string NameOf(const testing::TestParamInfo<SequenceCase>& row) {
  return row.param.name;
}

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_TESTING_UPDATER_FIXTURE_H_
