#include "clientset/generic/create_or_patch.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "api/policy/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/finalizers.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/restmapper/default_rest_mapper.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/testing/at.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apiserver/handler.h"
#include "clientset/generic/client.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/kubernetes/policy/v1/client.h"
#include "clientset/rest/client.h"
#include "clientset/typed/reader.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::generic {
namespace {

namespace corev1 = api::core::v1;
namespace policyv1 = api::policy::v1;
using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using unstructured::Unstructured;
using Budget = policyv1::PodDisruptionBudget;

const schema::GroupVersionKind kBudget = {
    .group = "policy", .version = "v1", .kind = "PodDisruptionBudget"};

// The example of the header.
template <AnyKind K>
absl::Status Mark(const Context& ctx, const Client& client, const K& object) {
  const auto change = [&](K& marked) {
    meta::AddFinalizer(marked, "example.com/mark");
    return absl::OkStatus();
  };
  return generic::CreateOrPatch(ctx, client, object, change).status();
}

class CreateOrPatchTest : public testing::Test {
 protected:
  static std::shared_ptr<const restmapper::DefaultRestMapper> Mapper() {
    auto mapper = std::make_shared<restmapper::DefaultRestMapper>(
        std::vector<schema::GroupVersion>{{.group = "policy", .version = "v1"}});
    mapper->Add(kBudget, Scope::kNamespaced);
    return mapper;
  }
  // Returns the requests since the last call, such as "patch" or "patch /status".
  std::vector<std::string> Requests() {
    std::vector<std::string> texts;
    for (const apiserver::LoggedRequest& logged : server_.Requests()) {
      texts.push_back(
          absl::StrCat(logged.verb, logged.subresource.empty() ? "" : " /", logged.subresource));
    }
    server_.ClearRequests();
    return texts;
  }
  // Sets the number of available pods, and if `healthy` is not negative, the status.
  absl::StatusOr<Patched<Budget>> SetBudget(int32_t available, int32_t healthy) {
    return CreateOrPatch(ctx_, client_, Budget{.metadata = {.name = "web"}}, [&](Budget& budget) {
      budget.spec.min_available = available;
      if (healthy >= 0) budget.status.current_healthy = healthy;
      return absl::OkStatus();
    });
  }

  const Context ctx_ = {};
  apiserver::ApiHandler server_;
  const rest::Client rest_ = *rest::MakeClient(envtest::InProcessConfig(server_));
  const Client client_ = Client(rest_, Mapper()).Namespaced("default");
};

// behaviour.md: UTIL-7, UTIL-12
TEST_F(CreateOrPatchTest, EachResult_WithItsRequests) {
  const struct {
    const char* name;
    int32_t available;
    int32_t healthy;
    OperationResult result;
    std::vector<std::string> requests;
  } kRows[] = {
      {"created, with a status",
       1,
       3,
       OperationResult::kCreated,
       {"get", "create", "patch /status"}},
      {"the same", 1, 3, OperationResult::kUnchanged, {"get"}},
      {"the object", 2, -1, OperationResult::kUpdated, {"get", "patch"}},
      {"the status", 2, 4, OperationResult::kUpdatedStatusOnly, {"get", "patch /status"}},
      {"both", 3, 5, OperationResult::kUpdatedStatus, {"get", "patch", "patch /status"}},
  };
  int32_t healthy = 0;
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    if (row.healthy >= 0) healthy = row.healthy;
    const absl::StatusOr<Patched<Budget>> patched = SetBudget(row.available, row.healthy);
    ASSERT_THAT(patched, IsOk());
    EXPECT_EQ(OperationResultName(patched->result), OperationResultName(row.result));
    EXPECT_EQ(Requests(), row.requests);
    const auto now =
        client_.Get<Budget>(ctx_, meta::ObjectName{.namespace_name = "", .name = "web"});
    ASSERT_THAT(now, IsOk());
    EXPECT_EQ(patched->object, **now);
    EXPECT_EQ((*now)->status.current_healthy, healthy);
    server_.ClearRequests();
  }
}

TEST_F(CreateOrPatchTest, ADryRunOfANewObject_HasItsStatusWithoutARequest) {
  const auto change = [](Budget& budget) {
    budget.spec.min_available = 1;
    budget.status.current_healthy = 3;
    return absl::OkStatus();
  };
  const Budget wanted = {.metadata = {.name = "web"}};
  const absl::StatusOr<Patched<Budget>> patched =
      CreateOrPatch(ctx_, client_.DryRun(), wanted, change);
  ASSERT_THAT(patched, IsOk());
  EXPECT_EQ(patched->result, OperationResult::kCreated);
  EXPECT_EQ(patched->object.status.current_healthy, 3);
  EXPECT_NE(patched->object.metadata.uid, "");
  EXPECT_THAT(Requests(), ElementsAre("get", "create"));
  EXPECT_TRUE(errors::IsNotFound(client_.Refresh(ctx_, patched->object).status()));
}

TEST(OperationResultNameTest, IsThatOfControllerRuntime) {
  EXPECT_EQ(OperationResultName(OperationResult::kUnchanged), "unchanged");
  EXPECT_EQ(OperationResultName(OperationResult::kCreated), "created");
  EXPECT_EQ(OperationResultName(OperationResult::kUpdated), "updated");
  EXPECT_EQ(OperationResultName(OperationResult::kUpdatedStatus), "updatedStatus");
  EXPECT_EQ(OperationResultName(OperationResult::kUpdatedStatusOnly), "updatedStatusOnly");
}

TEST_F(CreateOrPatchTest, AnUnstructured_HasItsStatusByTheSubresource) {
  Unstructured budget;
  budget.set_gvk(kBudget);
  budget.set_name("web");
  int32_t healthy = 1;
  const auto change = [&](Unstructured& object) {
    At(object.object, {"spec", "minAvailable"}) = 1;
    At(object.object, {"status", "currentHealthy"}) = healthy;
    return absl::OkStatus();
  };
  absl::StatusOr<Patched<Unstructured>> patched = CreateOrPatch(ctx_, client_, budget, change);
  ASSERT_THAT(patched, IsOk());
  EXPECT_EQ(patched->result, OperationResult::kCreated);
  Requests();
  healthy = 2;
  patched = CreateOrPatch(ctx_, client_, budget, change);
  ASSERT_THAT(patched, IsOk());
  EXPECT_EQ(patched->result, OperationResult::kUpdatedStatusOnly);
  EXPECT_THAT(Requests(), ElementsAre("get", "patch /status"));
}

TEST_F(CreateOrPatchTest, AKindWithoutAStatus_AsInTheHeader) {
  const corev1::ConfigMap map = {.metadata = {.name = "a"}};
  EXPECT_THAT(Mark(ctx_, client_, map), IsOk());
  EXPECT_THAT(Mark(ctx_, client_, map), IsOk());
  EXPECT_THAT(Requests(), ElementsAre("get", "create", "get"));
}

// behaviour.md: UTIL-8
TEST_F(CreateOrPatchTest, TheFunctionMayNotRename) {
  const corev1::ConfigMap map = {.metadata = {.name = "a"}};
  const auto rename = [](corev1::ConfigMap& object) {
    object.metadata.name = "b";
    return absl::OkStatus();
  };
  EXPECT_THAT(CreateOrPatch(ctx_, client_, map, rename),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "change \"a\": the function must not change the name or the namespace, but "
                       "it set \"b\""));
  EXPECT_THAT(Requests(), ElementsAre("get"));
}

TEST_F(CreateOrPatchTest, TheErrorOfTheFunctionIsReturned) {
  const corev1::ConfigMap map = {.metadata = {.name = "a"}};
  const auto fail = [](corev1::ConfigMap&) { return absl::DataLossError("no"); };
  EXPECT_THAT(CreateOrPatch(ctx_, client_, map, fail), StatusIs(absl::StatusCode::kDataLoss, "no"));
}

// Has what it was made with, like a cache that is behind.
class OldObject final : public typed::Reader<corev1::ConfigMap> {
 public:
  explicit OldObject(Object object) : object_(std::move(object)) {}
  absl::StatusOr<Object> Get(const Context&, absl::string_view, absl::string_view) const override {
    if (object_ == nullptr) return errors::NotFound({.group = "", .resource = "configmaps"}, "a");
    return object_;
  }
  absl::StatusOr<std::vector<Object>> List(const Context&,
                                           const typed::ReadOptions&) const override {
    return std::vector<Object>();
  }

 private:
  const Object object_;
};

// behaviour.md: UTIL-9
TEST_F(CreateOrPatchTest, WithACacheThatIsBehind_IsAnErrorThatIsNotTriedAgain) {
  const corev1::ConfigMap map = {.metadata = {.name = "a", .namespace_ = "default"}};
  const absl::StatusOr<corev1::ConfigMap> created = client_.Create(ctx_, map);
  ASSERT_THAT(created, IsOk());
  corev1::ConfigMap changed = *created;
  changed.data["x"] = "1";
  ASSERT_THAT(client_.Update(ctx_, changed), IsOk());
  Requests();

  const auto reading = [&](std::shared_ptr<const corev1::ConfigMap> old) {
    return client_.WithReader<corev1::ConfigMap>(std::make_shared<const OldObject>(std::move(old)));
  };
  EXPECT_TRUE(errors::IsConflict(
      Mark(ctx_, reading(std::make_shared<const corev1::ConfigMap>(*created)), map)));
  EXPECT_THAT(Requests(), ElementsAre("patch"));
  EXPECT_TRUE(errors::IsAlreadyExists(Mark(ctx_, reading(nullptr), map)));
  EXPECT_THAT(Requests(), ElementsAre("create"));
}

}  // namespace
}  // namespace kube::generic
