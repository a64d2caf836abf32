#include "apiserver/registry/collector.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/all_kinds.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/errors/errors.h"
#include "apiserver/object.h"
#include "apiserver/registry/registry.h"
#include "apiserver/registry/write_admission.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;
using base::IsOk;
using testing::ElementsAre;

// Refuses all deletions.
class Refusal final : public WriteAdmission {
 public:
  absl::StatusOr<bool> Mutate(const Object*, Object&) override { return false; }
  absl::Status MutateAgain(const Object*, Object&) override { return absl::OkStatus(); }
  absl::Status Validate(const Object*, const Object&) override { return absl::OkStatus(); }
  absl::Status Delete(const Object&) override {
    return errors::Forbidden({.group = "", .resource = "configmaps"}, "m", "not yet");
  }
};

// Config maps of the namespace "n".
class CollectorTest : public testing::Test {
 protected:
  CollectorTest()
      : table_(Resources::BuiltIn()), resources_(table_.Get()), registry_(storage_, table_) {}

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

  Target TargetOf(absl::string_view name) const {
    return {.resource = resources_->Find("", "v1", "configmaps"),
            .namespace_name = "n",
            .name = std::string(name)};
  }

  // Creates a config map with these owners, and returns its UID.
  std::string Create(absl::string_view name, const std::vector<std::string>& owners = {}) {
    Object object = Decoded("ConfigMap", absl::StrCat(R"({"metadata":{"name":")", name, "\"}}"));
    for (const std::string& uid : owners) {
      metav1::OwnerReference owner;
      owner.api_version = "v1";
      owner.kind = "ConfigMap";
      const auto named = names_.find(uid);
      owner.name = named == names_.end() ? std::string("none") : named->second;
      owner.uid = uid;
      object.metadata().owner_references.push_back(std::move(owner));
    }
    const absl::StatusOr<ObjectPtr> created = registry_.Create(TargetOf(name), std::move(object));
    KUBE_CHECK(created.ok()) << created.status();
    std::string uid((*created)->metadata().uid);
    names_[uid] = std::string(name);
    registry_.collector().Settle();
    return uid;
  }

  void Delete(absl::string_view name, absl::string_view policy = "Background") {
    metav1::DeleteOptions options;
    options.propagation_policy = policy;
    EXPECT_THAT(registry_.Delete(TargetOf(name), options), IsOk());
    registry_.collector().Settle();
  }

  bool Exists(absl::string_view name) const {
    return storage_.Get("/configmaps", absl::StrCat("n/", name)) != nullptr;
  }

  Storage storage_;
  ResourceTable table_;
  const std::shared_ptr<const Resources> resources_;
  Registry registry_;
  std::map<std::string, std::string> names_;
};

TEST_F(CollectorTest, DependentsGoWithTheirOwner) {
  const std::string owner = Create("owner");
  const std::string child = Create("child", {owner});
  Create("grandchild", {child});
  Delete("owner");
  EXPECT_FALSE(Exists("child"));
  EXPECT_FALSE(Exists("grandchild"));
}

TEST_F(CollectorTest, AnotherOwnerKeepsThem) {
  const std::string first = Create("first");
  const std::string second = Create("second");
  Create("child", {first, second});
  Delete("first");
  ASSERT_TRUE(Exists("child"));
  const ObjectPtr child = storage_.Get("/configmaps", "n/child");
  ASSERT_EQ(child->metadata().owner_references.size(), 1u);
  EXPECT_EQ(child->metadata().owner_references[0].uid, second);
  Delete("second");
  EXPECT_FALSE(Exists("child"));
}

TEST_F(CollectorTest, OwnersThatDoNotExistOwnNothing) {
  Create("child", {"0"});
  EXPECT_FALSE(Exists("child"));
}

TEST_F(CollectorTest, OrphansStay) {
  Create("child", {Create("owner")});
  Delete("owner", "Orphan");
  EXPECT_FALSE(Exists("owner"));
  ASSERT_TRUE(Exists("child"));
  EXPECT_TRUE(storage_.Get("/configmaps", "n/child")->metadata().owner_references.empty());
}

TEST_F(CollectorTest, ANamespaceIsEmptied) {
  Create("m");
  EXPECT_THAT(
      registry_.Delete({.resource = resources_->Find("", "v1", "namespaces"), .name = "n"}, {}),
      IsOk());
  registry_.collector().Settle();
  EXPECT_FALSE(Exists("m"));
  EXPECT_EQ(storage_.Get("/namespaces", "n"), nullptr);
}

TEST_F(CollectorTest, RefusedDeletionsAreTriedAgainASecondLater) {
  base::FakeClock clock;
  const base::RuntimeScope scope(clock);
  std::vector<std::string> accounts;
  bool refuses = true;
  registry_.collector().set_admit_deletion(
      [&](const ControllerDeletion& deletion) -> std::unique_ptr<WriteAdmission> {
        accounts.push_back(absl::StrCat(deletion.account, " ", deletion.name));
        if (!refuses) return nullptr;
        return std::make_unique<Refusal>();
      });
  Create("child", {Create("owner")});
  Delete("owner");
  EXPECT_TRUE(Exists("child"));
  refuses = false;
  clock.Step(absl::Milliseconds(999));
  registry_.collector().Settle();
  EXPECT_TRUE(Exists("child")) << "it delays no other write meanwhile";
  clock.Step(absl::Milliseconds(1));
  registry_.collector().Settle();
  EXPECT_FALSE(Exists("child"));
  EXPECT_THAT(accounts,
              ElementsAre("generic-garbage-collector child", "generic-garbage-collector child"));
}

TEST_F(CollectorTest, DoesNothingIfItIsOff) {
  registry_.collector().set_enabled(false);
  Create("child", {Create("owner")});
  Delete("owner");
  EXPECT_TRUE(Exists("child"));
}

}  // namespace
}  // namespace kube::apiserver::internal
