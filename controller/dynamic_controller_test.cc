// A controller of a kind for which the program has no type: what a custom resource is to it. Its
// objects come from a DynamicSharedInformerFactory, and all that it does with them are the
// functions of kube::meta and the handlers that controllers of structs use.
#include <functional>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/deletion.h"
#include "apimachinery/meta/dynamic_conditions.h"
#include "apimachinery/meta/finalizers.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/unstructured/nested.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apiserver/handler.h"
#include "clientset/dynamic/dynamic_client.h"
#include "clientset/rest/client.h"
#include "controller/enqueue.h"
#include "controller/workqueue/queue.h"
#include "controller/workqueue/run_workers.h"
#include "envtest/in_process_transport.h"
#include "gtest/gtest.h"
#include "informers/dynamic_shared_informer_factory.h"
#include "informers/shared_informer.h"

namespace kube::controller {
namespace {

using unstructured::Unstructured;
using workqueue::Result;

// Any kind with a status; the server has this one.
const schema::GroupVersionKind kBudget = {
    .group = "policy", .version = "v1", .kind = "PodDisruptionBudget"};
constexpr absl::string_view kFinalizer = "example.com/child";

schema::GroupVersionResource Budgets() {
  return {.group = "policy", .version = "v1", .resource = "poddisruptionbudgets"};
}
schema::GroupVersionResource Children() { return {.version = "v1", .resource = "configmaps"}; }

// Each budget has a ConfigMap of its name, and the condition Ready; the ConfigMap goes before it.
class BudgetController {
 public:
  explicit BudgetController(const dynamic::DynamicClient& client)
      : client_(client),
        factory_(client),
        budgets_(factory_.ForResource(Budgets())),
        children_(factory_.ForResource(Children())) {}

  absl::Status Run(const Context& ctx) {
    KUBE_RETURN_IF_ERROR(budgets_.AddEventHandler(EnqueueHandler<Unstructured>(queue_)).status());
    KUBE_RETURN_IF_ERROR(
        children_.AddEventHandler(EnqueueControllerHandler<Unstructured>(queue_, kBudget))
            .status());
    KUBE_RETURN_IF_ERROR(factory_.Start(ctx));
    KUBE_RETURN_IF_ERROR(factory_.WaitForCacheSync(ctx, {.fail_fast = true}));
    return workqueue::RunWorkers(ctx, 1, queue_,
                                 [this](const Context& work_ctx, const meta::ObjectName& name) {
                                   return Reconcile(work_ctx, name);
                                 });
  }

 private:
  absl::StatusOr<Result> Reconcile(const Context& ctx, const meta::ObjectName& name) {
    const auto cached = budgets_.lister().Namespace(name.namespace_name).Get(name.name);
    if (errors::IsNotFound(cached.status())) return Result{};
    KUBE_RETURN_IF_ERROR(cached.status());
    Unstructured budget = **cached;
    const auto budgets = client_.Resource(Budgets()).Namespace(name.namespace_name);
    const auto children = client_.Resource(Children()).Namespace(name.namespace_name);
    if (meta::IsBeingDeleted(budget)) {
      const absl::Status deleted = children.Delete(ctx, name.name);
      if (!deleted.ok() && !errors::IsNotFound(deleted)) return deleted;
      if (!meta::RemoveFinalizer(budget, kFinalizer)) return Result{};
      KUBE_RETURN_IF_ERROR(budgets.Update(ctx, budget).status());
      return Result{};
    }
    if (meta::AddFinalizer(budget, kFinalizer)) {
      KUBE_ASSIGN_OR_RETURN(budget, budgets.Update(ctx, budget));
    }
    if (children_.lister().Namespace(name.namespace_name).Get(name.name).status().ok()) {
      KUBE_ASSIGN_OR_RETURN(const bool changed,
                            meta::SetStatusCondition(budget, {.type = "Ready",
                                                              .status = "True",
                                                              .reason = "HasChild",
                                                              .message = "there is a child"}));
      if (changed) {
        KUBE_RETURN_IF_ERROR(budgets.UpdateStatus(ctx, budget).status());
      }
      return Result{};
    }
    Unstructured child;
    child.set_gvk({.version = "v1", .kind = "ConfigMap"});
    child.set_name(name.name);
    KUBE_RETURN_IF_ERROR(unstructured::SetNestedField(child.object, "1", {"data", "size"}));
    child.set_namespace(name.namespace_name);
    KUBE_RETURN_IF_ERROR(meta::SetControllerReference(budget, kBudget, child));
    const absl::Status created = children.Create(ctx, child).status();
    if (!created.ok() && !errors::IsAlreadyExists(created)) return created;
    return Result{};
  }

  const dynamic::DynamicClient client_;
  workqueue::Queue<meta::ObjectName> queue_;
  informers::DynamicSharedInformerFactory factory_;
  informers::SharedInformer<Unstructured>& budgets_;
  informers::SharedInformer<Unstructured>& children_;
};

void Await(absl::string_view what, const std::function<bool()>& condition) {
  const absl::Status status = base::PollUntilTimeout(
      Context(), absl::Milliseconds(100), absl::Minutes(10), base::FirstPoll::kAtOnce,
      [&](const Context&) -> absl::StatusOr<bool> { return condition(); });
  EXPECT_THAT(status, base::IsOk()) << what;
}

void TestLifeOfABudget() {
  apiserver::ApiHandler server;
  const auto rest_client = rest::MakeClient(envtest::InProcessConfig(server));
  ASSERT_THAT(rest_client, base::IsOk());
  const dynamic::DynamicClient client(*rest_client);
  const auto budgets = client.Resource(Budgets()).Namespace("default");
  const auto children = client.Resource(Children()).Namespace("default");
  BudgetController controller(client);
  CancelScope scope = WithCancel(Context());
  base::Thread thread;
  ASSERT_THAT(thread.Start(scope.context(), "controller",
                           [&](const Context& run_ctx) {
                             EXPECT_THAT(controller.Run(run_ctx), base::IsOk());
                           }),
              base::IsOk());

  Unstructured budget;
  budget.set_gvk(kBudget);
  budget.set_name("web");
  ASSERT_THAT(budgets.Create(Context(), budget), base::IsOk());
  const auto is_ready = [&] {
    const auto now = budgets.Get(Context(), "web");
    return now.ok() && meta::IsStatusConditionTrue(*now, "Ready");
  };
  Await("the budget is ready", is_ready);
  absl::StatusOr<Unstructured> child = children.Get(Context(), "web");
  ASSERT_THAT(child, base::IsOk());
  const std::string first_uid(child->uid());
  const std::optional<api::meta::v1::OwnerReference> owner = meta::GetControllerOf(*child);
  ASSERT_TRUE(owner.has_value());
  EXPECT_EQ(owner->name, "web");

  // The owner hears of its child.
  ASSERT_THAT(children.Delete(Context(), "web"), base::IsOk());
  Await("the child comes back", [&] {
    child = children.Get(Context(), "web");
    return child.ok() && child->uid() != first_uid;
  });

  ASSERT_THAT(budgets.Delete(Context(), "web"), base::IsOk());
  Await("the budget goes after its child", [&] {
    const bool is_gone = errors::IsNotFound(budgets.Get(Context(), "web").status());
    if (is_gone) {
      EXPECT_TRUE(errors::IsNotFound(children.Get(Context(), "web").status()));
    }
    return is_gone;
  });
  scope.Cancel();
}

TEST(DynamicController, DynamicController_CreateThenDelete_ChildGoesBeforeItsOwner) {
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run(TestLifeOfABudget), base::IsOk());
}

}  // namespace
}  // namespace kube::controller
