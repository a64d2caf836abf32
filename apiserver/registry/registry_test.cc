#include "apiserver/registry/registry.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/all_kinds.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/validation/field_error.h"
#include "apiserver/object.h"
#include "apiserver/registry/write_admission.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using testing::ElementsAre;
using testing::IsEmpty;

using Calls = std::vector<std::string>;

// Says when it is asked, and may change objects.
class Recorder final : public WriteAdmission {
 public:
  explicit Recorder(Calls& calls, std::function<void(Object& object)> change = nullptr)
      : calls_(calls), change_(std::move(change)) {}

  absl::StatusOr<bool> Mutate(const Object*, Object& object) override {
    calls_.push_back("mutate");
    if (change_ == nullptr) return false;
    change_(object);
    return true;
  }
  absl::Status MutateAgain(const Object*, Object&) override {
    calls_.push_back("mutate again");
    return absl::OkStatus();
  }
  absl::Status Validate(const Object*, const Object&) override {
    calls_.push_back("admit");
    return absl::OkStatus();
  }
  absl::Status Delete(const Object&) override {
    calls_.push_back("admit deletion");
    return absl::OkStatus();
  }

 private:
  Calls& calls_;
  const std::function<void(Object& object)> change_;
};

// Config maps of the namespace "n".
class RegistryTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_THAT(registry_.Create({.resource = resources_->Find("", "v1", "namespaces")},
                                 Decoded("Namespace", R"({"metadata":{"name":"n"}})")),
                IsOk());
  }

  static Object Decoded(absl::string_view kind, absl::string_view json) {
    absl::StatusOr<codec::AnyObject> object =
        codec::AnyObject::DecodeJson(*api::FindKind("v1", kind), json);
    KUBE_CHECK(object.ok()) << object.status();
    return Object(*std::move(object));
  }

  static Object NewMap(absl::string_view name, absl::string_view metadata = "") {
    return Decoded("ConfigMap",
                   absl::StrCat(R"({"metadata":{"name":")", name, "\"", metadata, "}}"));
  }

  Target TargetOf(absl::string_view name) const {
    return {.resource = resources_->Find("", "v1", "configmaps"),
            .namespace_name = "n",
            .name = std::string(name)};
  }

  // Returns options that say when they are asked.
  static WriteOptions Recording(Calls& calls, Recorder& recorder) {
    return {.admission = &recorder,
            .check =
                [&calls](const Object*, const Object&) {
                  calls.push_back("check");
                  return absl::OkStatus();
                },
            .validate =
                [&calls](const Object*, const Object&) {
                  calls.push_back("validate");
                  return validation::field::ErrorList();
                }};
  }

  // Sets a member of the data of a config map.
  absl::StatusOr<Written> Set(absl::string_view name, absl::string_view key,
                              const WriteOptions& options = {}) {
    return registry_.Update(
        TargetOf(name),
        [&](const StoredObject& current) -> absl::StatusOr<Object> {
          Object changed = current.object().Copy();
          changed.As<corev1::ConfigMap>()->data[key] = "x";
          return changed;
        },
        options);
  }

  ObjectPtr Stored(absl::string_view name) const {
    return storage_.Get("/configmaps", absl::StrCat("n/", name));
  }

  ResourceTable table_{Resources::BuiltIn()};
  const std::shared_ptr<const Resources> resources_ = table_.Get();
  Storage storage_;
  Registry registry_{storage_, table_};
};

TEST_F(RegistryTest, Create_AsksInOrder) {
  Calls calls;
  Recorder recorder(calls, [](Object& object) { object.metadata().labels["a"] = "b"; });
  ASSERT_THAT(registry_.Create(TargetOf("m"), NewMap("m"), Recording(calls, recorder)), IsOk());
  EXPECT_THAT(calls, ElementsAre("mutate", "mutate again", "check", "validate", "admit"));
  ASSERT_NE(Stored("m"), nullptr);
  EXPECT_TRUE(Stored("m")->metadata().labels.contains("a"));
}

TEST_F(RegistryTest, Update_AsksInOrder) {
  ASSERT_THAT(registry_.Create(TargetOf("m"), NewMap("m")), IsOk());
  Calls calls;
  Recorder recorder(calls);
  ASSERT_THAT(Set("m", "a", Recording(calls, recorder)), IsOk());
  EXPECT_THAT(calls, ElementsAre("mutate", "check", "validate", "admit"));
}

TEST_F(RegistryTest, Create_OfAnInvalidObject_IsNotAdmitted) {
  Calls calls;
  Recorder recorder(calls);
  const absl::Status refused =
      registry_.Create(TargetOf("M_"), NewMap("M_"), Recording(calls, recorder)).status();
  EXPECT_TRUE(errors::IsInvalid(refused)) << refused;
  EXPECT_THAT(calls, ElementsAre("mutate", "check"));
}

TEST_F(RegistryTest, Create_HidesFromAdmissionWhatOnlyTheServerSets) {
  Calls calls;
  std::string seen = "not asked";
  Recorder recorder(calls, [&](Object& object) { seen = std::string(object.metadata().uid); });
  const auto created = registry_.Create(
      TargetOf("m"), NewMap("m", R"(,"uid":"u","deletionTimestamp":"2026-01-02T03:04:05Z")"),
      {.admission = &recorder});
  ASSERT_THAT(created, IsOk());
  EXPECT_EQ(seen, "");
  EXPECT_NE((*created)->metadata().uid, "u");
  EXPECT_FALSE((*created)->metadata().deletion_timestamp.has_value());
}

TEST_F(RegistryTest, DryRuns_ChangeNothing) {
  ASSERT_THAT(registry_.Create(TargetOf("m"), NewMap("m")), IsOk());
  const int64_t revision = storage_.revision();
  const WriteOptions dry = {.dry_run = true};
  const auto created = registry_.Create(TargetOf("new"), NewMap("new"), dry);
  ASSERT_THAT(created, IsOk());
  EXPECT_EQ((*created)->metadata().name, "new");
  EXPECT_TRUE(errors::IsAlreadyExists(registry_.Create(TargetOf("m"), NewMap("m"), dry).status()));
  const auto updated = Set("m", "a", dry);
  ASSERT_THAT(updated, IsOk());
  EXPECT_FALSE(updated->changed);
  EXPECT_TRUE(updated->object->object().As<corev1::ConfigMap>()->data.contains("a"));
  const auto deleted = registry_.Delete(TargetOf("m"), {}, dry);
  ASSERT_THAT(deleted, IsOk());
  EXPECT_TRUE(deleted->gone);
  EXPECT_FALSE(deleted->changed);
  EXPECT_EQ(storage_.revision(), revision);
}

TEST_F(RegistryTest, Update_ThatMeetsAnotherWrite_IsMadeAgainOfTheNewState) {
  ASSERT_THAT(registry_.Create(TargetOf("m"), NewMap("m")), IsOk());
  int tries = 0;
  const auto written =
      registry_.Update(TargetOf("m"), [&](const StoredObject& current) -> absl::StatusOr<Object> {
        Object changed = current.object().Copy();
        // As a patch, which has no version of its own.
        changed.metadata().resource_version = "";
        changed.As<corev1::ConfigMap>()->data["ours"] = "x";
        if (++tries == 1) {
          EXPECT_THAT(Set("m", "theirs"), IsOk());
        }
        return changed;
      });
  ASSERT_THAT(written, IsOk());
  EXPECT_EQ(tries, 2);
  const auto& data = Stored("m")->object().As<corev1::ConfigMap>()->data;
  EXPECT_TRUE(data.contains("ours"));
  EXPECT_TRUE(data.contains("theirs"));
}

TEST_F(RegistryTest, Update_OfAnOldVersion_IsAConflict) {
  const auto created = registry_.Create(TargetOf("m"), NewMap("m"));
  ASSERT_THAT(created, IsOk());
  ASSERT_THAT(Set("m", "theirs"), IsOk());
  const absl::Status refused = registry_
                                   .Update(TargetOf("m"),
                                           [&](const StoredObject&) -> absl::StatusOr<Object> {
                                             return (*created)->object().Copy();
                                           })
                                   .status();
  EXPECT_TRUE(errors::IsConflict(refused)) << refused;
}

TEST_F(RegistryTest, Update_OfAnotherUid_IsAConflictAndAPatchOfItInvalid) {
  ASSERT_THAT(registry_.Create(TargetOf("m"), NewMap("m")), IsOk());
  const auto change = [](const StoredObject& current) -> absl::StatusOr<Object> {
    Object changed = current.object().Copy();
    changed.metadata().uid = "other";
    return changed;
  };
  EXPECT_TRUE(errors::IsConflict(registry_.Update(TargetOf("m"), change).status()));
  EXPECT_TRUE(errors::IsInvalid(registry_.Update(TargetOf("m"), change, {.patch = true}).status()));
}

TEST_F(RegistryTest, Update_ThatChangesNothing_WritesNothing) {
  ASSERT_THAT(registry_.Create(TargetOf("m"), NewMap("m")), IsOk());
  ASSERT_THAT(Set("m", "a"), IsOk());
  const int64_t revision = storage_.revision();
  const auto written = Set("m", "a");
  ASSERT_THAT(written, IsOk());
  EXPECT_FALSE(written->changed);
  EXPECT_EQ(storage_.revision(), revision);
}

TEST_F(RegistryTest, AnObjectWithFinalizers_GoesWithTheLast) {
  ASSERT_THAT(registry_.Create(TargetOf("m"), NewMap("m", R"(,"finalizers":["example.com/a"])")),
              IsOk());
  const auto marked = registry_.Delete(TargetOf("m"), {});
  ASSERT_THAT(marked, IsOk());
  EXPECT_FALSE(marked->gone);
  EXPECT_TRUE(marked->changed);
  const auto again = registry_.Delete(TargetOf("m"), {});
  ASSERT_THAT(again, IsOk());
  EXPECT_FALSE(again->gone);
  EXPECT_FALSE(again->changed);
  const auto released =
      registry_.Update(TargetOf("m"), [](const StoredObject& current) -> absl::StatusOr<Object> {
        Object changed = current.object().Copy();
        changed.metadata().finalizers = {};
        return changed;
      });
  ASSERT_THAT(released, IsOk());
  EXPECT_TRUE(released->changed);
  EXPECT_EQ(Stored("m"), nullptr);
}

TEST_F(RegistryTest, Delete_OfWhatIsNotThere_AsksNobody) {
  Calls calls;
  Recorder recorder(calls);
  const absl::Status gone =
      registry_.Delete(TargetOf("none"), {}, {.admission = &recorder}).status();
  EXPECT_TRUE(errors::IsNotFound(gone)) << gone;
  EXPECT_THAT(calls, IsEmpty());
  ASSERT_THAT(registry_.Create(TargetOf("m"), NewMap("m")), IsOk());
  ASSERT_THAT(registry_.Delete(TargetOf("m"), {}, {.admission = &recorder}), IsOk());
  EXPECT_THAT(calls, ElementsAre("admit deletion"));
}

}  // namespace
}  // namespace kube::apiserver::internal
