// Compares with Go: what the helpers of apimachinery and client-go return for the same metadata.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/meta/conditions.h"
#include "apimachinery/meta/deletion.h"
#include "apimachinery/meta/list.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/meta/resource_version.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/time.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"

namespace kube::meta {
namespace {

namespace metav1 = api::meta::v1;
using codec::EncodeJson;
using oracle::Dice;
using oracle::GoCases;
using oracle::Hex;
using oracle::TextMaker;

constexpr uint64_t kSeed = 20'260'731;

class MetaDifferential : public testing::Test {
 protected:
  // An hour into 1970: the oracle replaces the current time by this.
  base::FakeClock clock_{absl::FromUnixSeconds(3600)};
  base::RuntimeScope scope_{clock_};
  testing::ScopedTrace trace_{__FILE__, __LINE__, kSeed};
  Dice dice_{kSeed};
  GoCases cases_{"meta_oracle"};

  template <size_t N>
  absl::string_view OneOf(const absl::string_view (&texts)[N]) {
    return texts[dice_.Below(N)];
  }
};

const char* YesNo(bool value) { return value ? "true" : "false"; }

std::string Refused(const absl::Status& error) {
  return absl::StrCat("refused: ", Hex(error.message()));
}

TEST_F(MetaDifferential, CompareResourceVersion) {
  TextMaker texts(kSeed, {"1", "9", "10", "1000", "999", "18446744073709551616", "", "0", "007"},
                  {"0", "1", "9", "-", "a", " ", "\xd9\xa1"});
  for (int i = 0; i < 3000; ++i) {
    std::string a = texts.Next();
    std::replace(a.begin(), a.end(), '\n', ' ');  // it would end the question
    const std::string b = dice_.Below(5) == 0 ? a : texts.Next();
    const auto order = CompareResourceVersion(a, b);
    std::string ours;
    if (order.ok()) {
      ours = *order < 0 ? "-1" : *order > 0 ? "1" : "0";
    } else {
      ours = Refused(order.status());
    }
    cases_.Add("compare", absl::StrCat(a, "\n", b), ours);
  }
  cases_.Check();
}

TEST_F(MetaDifferential, Keys) {
  TextMaker texts(kSeed, {"prod/web-0", "node-1", "/", "a/", "/b", "", "a/b/c"},
                  {"/", "a", "-", "\"", "\n", "\xff", "ü"});
  for (const std::string& key : texts.Make(2000)) {
    const absl::StatusOr<ObjectName> name = ParseObjectName(key);
    cases_.Add("key", key,
               name.ok() ? absl::StrCat(Hex(name->namespace_name), " ", Hex(name->name), " ",
                                        Hex(name->ToString()))
                         : Refused(name.status()));
  }
  cases_.Check();
}

metav1::Condition RandomCondition(Dice& dice) {
  constexpr absl::string_view kTypes[] = {"Ready", "Available", "Progressing"};
  constexpr absl::string_view kStatuses[] = {"True", "False", "Unknown"};
  constexpr absl::string_view kTexts[] = {"", "a", "b"};
  metav1::Condition condition = {.type = kTypes[dice.Below(3)],
                                 .status = kStatuses[dice.Below(3)],
                                 .observed_generation = static_cast<int64_t>(dice.Below(2)),
                                 .reason = kTexts[dice.Below(3)],
                                 .message = kTexts[dice.Below(3)]};
  if (dice.Below(2) == 0) {
    condition.last_transition_time = Time::FromUnixSeconds(static_cast<int64_t>(dice.Below(3000)));
  }
  return condition;
}

// Writes a list's JSON without the code under test.
std::string ListJson(const List<metav1::Condition>& conditions) {
  std::string json;
  for (const metav1::Condition& condition : conditions) {
    absl::StrAppend(&json, json.empty() ? "" : ",", *EncodeJson(condition));
  }
  return absl::StrCat("[", json, "]");
}

TEST_F(MetaDifferential, Conditions) {
  for (int i = 0; i < 3000; ++i) {
    // Types may come twice: nothing forbids it.
    List<metav1::Condition> conditions = List<metav1::Condition>::Empty();
    for (size_t n = dice_.Below(4); n > 0; --n) conditions.push_back(RandomCondition(dice_));
    const metav1::Condition condition = RandomCondition(dice_);
    std::string request = absl::StrCat("{\"conditions\":", ListJson(conditions));
    bool changed = false;
    if (dice_.Below(4) == 0) {
      absl::StrAppend(&request, ",\"remove\":\"", condition.type.view(), "\"}");
      changed = RemoveStatusCondition(conditions, condition.type.view());
    } else {
      absl::StrAppend(&request, ",\"set\":", *EncodeJson(condition), "}");
      changed = SetStatusCondition(conditions, condition);
    }
    cases_.Add("conditions", request,
               absl::StrCat(YesNo(changed), " ",
                            YesNo(IsStatusConditionTrue(conditions, condition.type.view())), " ",
                            YesNo(IsStatusConditionFalse(conditions, condition.type.view())), " ",
                            ListJson(conditions)));
  }
  cases_.Check();
}

metav1::ObjectMeta RandomMetadata(Dice& dice) {
  constexpr absl::string_view kTexts[] = {"", "a", "b", "a=b,c\\", "ü\""};
  const auto text = [&] { return kTexts[dice.Below(5)]; };
  metav1::ObjectMeta metadata;
  metadata.name = text();
  metadata.namespace_ = text();
  metadata.self_link = text();
  metadata.uid = text();
  metadata.resource_version = text();
  metadata.generation = static_cast<int64_t>(dice.Below(3));
  if (dice.Below(2) == 0) metadata.creation_timestamp = absl::FromUnixSeconds(5);
  if (dice.Below(2) == 0) metadata.deletion_timestamp = absl::FromUnixSeconds(7);
  if (dice.Below(2) == 0) metadata.deletion_grace_period_seconds = 30;
  if (dice.Below(2) == 0) metadata.labels["k"] = text();
  if (dice.Below(2) == 0) metadata.annotations["k"] = text();
  if (dice.Below(2) == 0) metadata.finalizers.push_back(text());
  if (dice.Below(2) == 0) metadata.managed_fields.push_back({.manager = text()});
  for (size_t n = dice.Below(4); n > 0; --n) {
    metav1::OwnerReference& owner = metadata.owner_references.emplace_back();
    owner = {.api_version = "v1", .kind = text(), .name = text(), .uid = text()};
    if (dice.Below(3) != 0) owner.controller = dice.Below(2) == 0;
    if (dice.Below(2) == 0) owner.block_owner_deletion = dice.Below(2) == 0;
  }
  return metadata;
}

TEST_F(MetaDifferential, Owners) {
  constexpr absl::string_view kGroups[] = {"", "apps", "example.com"};
  for (int i = 0; i < 2000; ++i) {
    const metav1::ObjectMeta owner = RandomMetadata(dice_);
    const metav1::ObjectMeta object = RandomMetadata(dice_);
    const schema::GroupVersionKind kind = {
        .group = std::string(OneOf(kGroups)), .version = "v1", .kind = "Web"};
    const metav1::OwnerReference* controller = GetControllerOf(object);
    cases_.Add("owners",
               absl::StrCat("{\"owner\":", *EncodeJson(owner), ",\"object\":", *EncodeJson(object),
                            ",\"group\":\"", kind.group, "\",\"version\":\"v1\",\"kind\":\"Web\"}"),
               absl::StrCat(YesNo(IsControlledBy(object, owner)), " ",
                            controller == nullptr ? "null" : *EncodeJson(*controller), " ",
                            *EncodeJson(NewControllerRef(owner, kind))));
  }
  cases_.Check();
}

TEST_F(MetaDifferential, Options) {
  for (int i = 0; i < 1000; ++i) {
    metav1::ObjectMeta metadata = RandomMetadata(dice_);
    const metav1::ObjectMeta existing = RandomMetadata(dice_);
    cases_.Add("single", *EncodeJson(metadata), *EncodeJson(SingleObject(metadata)));
    const std::string request = absl::StrCat("{\"metadata\":", *EncodeJson(metadata),
                                             ",\"existing\":", *EncodeJson(existing), "}");
    ResetForStatus(metadata, existing);
    cases_.Add("reset", request,
               absl::StrCat(YesNo(HasSystemFieldValues(metadata)), " ", *EncodeJson(metadata)));
  }
  for (int grace = -1; grace < 3; ++grace) {
    const std::string id = absl::StrCat("id-", grace);
    cases_.Add("delete",
               absl::StrCat("{\"uid\":\"", id, "\",\"resourceVersion\":\"", id,
                            "\",\"grace\":", grace, "}"),
               absl::StrCat("[", *EncodeJson(NewDeleteOptions(absl::Seconds(grace))), ",",
                            *EncodeJson(NewPreconditionDeleteOptions(id)), ",",
                            *EncodeJson(NewResourceVersionDeleteOptions(id)), "]"));
  }
  cases_.Check();
}

}  // namespace
}  // namespace kube::meta
