// Compares with Go on metadata, label selectors, conditions and options whose members are wrong at
// random. Go visits the entries of a map in random order, so both results are sorted.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/time.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/meta_v1.h"
#include "apimachinery/validation/object_meta.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"

namespace kube::validation {
namespace {

namespace metav1 = api::meta::v1;
using field::ErrorList;
using field::Path;
using oracle::Dice;
using oracle::GoCases;

constexpr uint64_t kSeed = 20240604;
constexpr int kCases = 1500;

Path At() { return Path("spec").Child("it"); }

std::string Sorted(const ErrorList& errors) {
  std::vector<std::string> lines;
  for (const field::Error& error : errors) {
    lines.push_back(absl::StrCat(error.ToString(), " (", error.origin, ")"));
  }
  std::sort(lines.begin(), lines.end());
  return absl::StrJoin(lines, " | ");
}

// Creates members of objects; now and then a member is wrong.
class Maker {
 public:
  bool Rarely() { return dice_.Below(6) == 0; }

  std::string Pick(std::vector<std::string> texts) { return texts[dice_.Below(texts.size())]; }

  std::string Name() {
    return Rarely() ? Pick({"", "Web", "a-", "-", "a..b", "a/b", std::string(254, 'n')})
                    : Pick({"web-0", "a.b", "kube-system"});
  }
  std::string Key() {
    return Rarely() ? Pick({"", "-a", "a/b/c", "/a", "b/", "A.B/c", std::string(64, 'k'), "<&>"})
                    : Pick({"app", "example.com/tier", "a", "b"});
  }
  std::string Value() { return Rarely() ? Pick({"-", "a b", "\"\\<\n"}) : Pick({"", "web", "1"}); }

  metav1::ObjectMeta Meta() {
    metav1::ObjectMeta meta;
    meta.name = Name();
    if (Rarely()) meta.generate_name = Pick({"web-", "-", "W-", "a--", "ok"});
    meta.namespace_ = Rarely() ? Name() : "default";
    meta.uid = Pick({"", "u1", "u2"});
    meta.resource_version = Pick({"", "5", "6"});
    meta.generation = static_cast<int64_t>(dice_.Below(4)) - 1;
    meta.creation_timestamp = Time::FromUnixSeconds(1767225600 + dice_.Below(2));
    if (Rarely()) meta.creation_timestamp = Time();
    if (dice_.Below(3) == 0) meta.deletion_timestamp = Time::FromUnixSeconds(dice_.Below(2));
    if (dice_.Below(3) == 0) meta.deletion_grace_period_seconds = dice_.Below(2);
    for (size_t n = dice_.Below(3); n > 0; --n) meta.labels[Key()] = Value();
    for (size_t n = dice_.Below(3); n > 0; --n) meta.annotations[Key()] = Value();
    if (dice_.Below(40) == 0) meta.annotations["big"] = std::string(256 * 1024, 'x');
    for (size_t n = dice_.Below(3); n > 0; --n) meta.owner_references.push_back(Owner());
    for (size_t n = dice_.Below(4); n > 0; --n) {
      meta.finalizers.push_back(Rarely() ? Key()
                                         : Pick({"orphan", "foregroundDeletion", "example.com/f"}));
    }
    for (size_t n = dice_.Below(3); n > 0; --n) meta.managed_fields.push_back(ManagedFields());
    return meta;
  }

  metav1::OwnerReference Owner() {
    metav1::OwnerReference owner = {
        .api_version = Rarely() ? Pick({"", "v1", "a/b/c", "/"}) : "apps/v1",
        .kind = Rarely() ? Pick({"", "Event"}) : "Deployment",
        .name = Rarely() ? "" : "web<>",
        .uid = Rarely() ? "" : "u"};
    if (owner.kind == "Event") owner.api_version = Pick({"v1", "events.k8s.io/v1"});
    if (dice_.Below(2) == 0) owner.controller = dice_.Below(3) != 0;
    return owner;
  }

  metav1::ManagedFieldsEntry ManagedFields() {
    return {.manager = Rarely() ? Pick({"a\nb\x7f", "\xe2\x80\xa8", std::string(129, 'm'),
                                        "\xf0\x9f\x98\x80"})
                                : "kubectl",
            .operation = Rarely() ? Pick({"", "apply", "<"}) : Pick({"Apply", "Update"}),
            .fields_type = Rarely() ? "V2" : Pick({"", "FieldsV1"}),
            .subresource = Rarely() ? std::string(257, 's') : ""};
  }

  metav1::LabelSelector Selector() {
    metav1::LabelSelector selector;
    for (size_t n = dice_.Below(3); n > 0; --n) selector.match_labels[Key()] = Value();
    for (size_t n = dice_.Below(3); n > 0; --n) {
      selector.match_expressions.push_back({.key = Key(), .operator_ = Operator()});
      for (size_t k = dice_.Below(3); k > 0; --k) {
        selector.match_expressions[selector.match_expressions.size() - 1].values.push_back(Value());
      }
    }
    return selector;
  }

  metav1::FieldSelectorRequirement FieldRequirement() {
    metav1::FieldSelectorRequirement requirement = {.key = Rarely() ? "" : "spec.nodeName",
                                                    .operator_ = Operator()};
    if (dice_.Below(2) == 0) requirement.values.push_back("x");
    return requirement;
  }

  metav1::Condition Condition() {
    return {.type = Key(),
            .status = Rarely() ? Pick({"", "true", "<"}) : Pick({"True", "False", "Unknown"}),
            .observed_generation = static_cast<int64_t>(dice_.Below(5)) - 1,
            .last_transition_time = Rarely() ? Time() : Time::FromUnixSeconds(1),
            .reason = Rarely() ? Pick({"", "1a", "a,", "a b", std::string(1025, 'r')})
                               : Pick({"Ready", "A,b:c_", "x"}),
            .message = Rarely() ? std::string(32 * 1024 + 1, 'm') : ""};
  }

  metav1::DeleteOptions DeleteOptions() {
    metav1::DeleteOptions options;
    if (Rarely()) options.grace_period_seconds = 5;
    if (Rarely()) options.preconditions.emplace();
    if (Rarely()) options.orphan_dependents = true;
    if (dice_.Below(2) == 0) {
      options.propagation_policy = Pick({"Orphan", "Background", "Foreground", "", "nil", "x<"});
    }
    SetDryRun(options);
    if (dice_.Below(3) == 0) {
      options.ignore_store_read_error_with_cluster_breaking_potential = dice_.Below(3) != 0;
    }
    return options;
  }

  template <typename Options>
  Options WriteOptions() {
    Options options;
    SetDryRun(options);
    options.field_manager = Rarely() ? Pick({"", "\t", std::string(129, 'm')}) : "me";
    options.field_validation = Rarely() ? Pick({"strict", "\""}) : Pick({"", "Strict", "Warn"});
    return options;
  }

  metav1::PatchOptions PatchOptions() {
    auto options = WriteOptions<metav1::PatchOptions>();
    if (dice_.Below(3) == 0) options.force = dice_.Below(2) == 0;
    return options;
  }

  metav1::TableOptions TableOptions() {
    return {.include_object = Pick({"", "None", "Metadata", "Object", "object", "&"})};
  }

 private:
  std::string Operator() {
    return Rarely() ? Pick({"", "in", "Gt"}) : Pick({"In", "NotIn", "Exists", "DoesNotExist"});
  }

  template <typename Options>
  void SetDryRun(Options& options) {
    for (size_t n = dice_.Below(3); n > 0; --n) {
      options.dry_run.push_back(Rarely() ? Pick({"", "all", "<&"}) : "All");
    }
  }

  Dice dice_{kSeed};
};

std::string Json(const auto& object) { return codec::EncodeJson(object).value(); }

TEST(ObjectsAgainstGo, ObjectMeta) {
  std::cout << "seed " << kSeed << std::endl;
  Maker maker;
  GoCases cases("validation_oracle");
  for (int i = 0; i < kCases; ++i) {
    const metav1::ObjectMeta meta = maker.Meta();
    const std::string json = Json(meta);
    const auto validate = [&](bool namespaced) {
      return Sorted(ValidateObjectMeta(meta, namespaced, NameIsDnsSubdomain, Path("metadata")));
    };
    cases.Add("object_meta", json, validate(true));
    cases.Add("cluster_object_meta", json, validate(false));
    const metav1::ObjectMeta old = maker.Rarely() ? meta : maker.Meta();
    cases.Add("object_meta_update", absl::StrCat("{\"New\":", json, ",\"Old\":", Json(old), "}"),
              Sorted(ValidateObjectMetaUpdate(meta, old, Path("metadata"))));
  }
  cases.Check();
}

TEST(ObjectsAgainstGo, SelectorsAndConditions) {
  std::cout << "seed " << kSeed << std::endl;
  Maker maker;
  GoCases cases("validation_oracle");
  for (int i = 0; i < kCases; ++i) {
    const metav1::LabelSelector selector = maker.Selector();
    cases.Add("label_selector", Json(selector), Sorted(ValidateLabelSelector(selector, At())));
    cases.Add(
        "label_selector_lax", Json(selector),
        Sorted(ValidateLabelSelector(
            selector, At(), {.allow_invalid_label_value = true, .allow_unknown_operator = true})));
    const metav1::FieldSelectorRequirement requirement = maker.FieldRequirement();
    cases.Add("field_requirement", Json(requirement),
              Sorted(ValidateFieldSelectorRequirement(requirement, At())));
    const List<metav1::Condition> conditions = {maker.Condition(), maker.Condition()};
    cases.Add("conditions", absl::StrCat("[", Json(conditions[0]), ",", Json(conditions[1]), "]"),
              Sorted(ValidateConditions(conditions, At())));
  }
  cases.Check();
}

TEST(ObjectsAgainstGo, Options) {
  std::cout << "seed " << kSeed << std::endl;
  Maker maker;
  GoCases cases("validation_oracle");
  for (int i = 0; i < kCases; ++i) {
    const auto remove = maker.DeleteOptions();
    cases.Add("delete_options", Json(remove), Sorted(ValidateDeleteOptions(remove)));
    const auto create = maker.WriteOptions<metav1::CreateOptions>();
    cases.Add("create_options", Json(create), Sorted(ValidateCreateOptions(create)));
    const auto update = maker.WriteOptions<metav1::UpdateOptions>();
    cases.Add("update_options", Json(update), Sorted(ValidateUpdateOptions(update)));
    const auto patch = maker.PatchOptions();
    cases.Add("patch_options", Json(patch), Sorted(ValidatePatchOptions(patch, false)));
    cases.Add("apply_options", Json(patch), Sorted(ValidatePatchOptions(patch, true)));
    const auto table = maker.TableOptions();
    cases.Add("table_options", Json(table), Sorted(ValidateTableOptions(table)));
  }
  cases.Check();
}

}  // namespace
}  // namespace kube::validation
