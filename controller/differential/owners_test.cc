// Which keys the events of random objects with owner references add, and with which priorities,
// ours and controller-runtime's.
//
// controller-runtime stops at a malformed reference and skips those behind it; ours skips it alone.
// So the references behind the first malformed one are left out of what ours is asked, and in the
// test of `controller`, where only one reference counts, they are not. References are not empty and
// have versions that exist, and dependents of namespaced owners have a namespace: ours skips what
// leads nowhere.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/meta/object_name.h"
#include "clientset/kubernetes/apps/v1/client.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "controller/triggers/enqueue_owner.h"
#include "controller/triggers/trigger.h"
#include "gtest/gtest.h"
#include "informers/event_handler.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"

namespace kube::controller {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;

struct Kind {
  const char* api_version;
  const char* kind;
};

// The last two are malformed.
constexpr Kind kKinds[] = {{"apps/v1", "Deployment"},
                           {"apps/v1", "Deployment"},
                           {"apps/v1beta1", "Deployment"},
                           {"v1", "Node"},
                           {"v1", "Node"},
                           {"v1", "Deployment"},
                           {"example.com/v1", "Node"},
                           {"apps/v1", "StatefulSet"},
                           {"a/b/c", "Node"},
                           {"apps/v1/v2", "Deployment"}};

// A pod, as controller-runtime gets it and as ours does.
struct Pod {
  std::string json;
  std::shared_ptr<const corev1::Pod> object;
  std::string version;
};

std::string PodJson(const std::string& head, const std::vector<std::string>& references) {
  return absl::StrCat(R"({"metadata":{)", head, R"(,"ownerReferences":[)",
                      absl::StrJoin(references, ","), "]}}");
}

Pod RandomPod(oracle::Dice& dice, bool only_controller) {
  std::vector<std::string> references;
  std::vector<std::string> known;  // those before the first malformed one
  bool is_behind = false;
  for (size_t count = dice.Below(5); count > 0; --count) {
    const size_t kind = dice.Below(std::size(kKinds));
    is_behind = is_behind || kind >= std::size(kKinds) - 2;
    references.push_back(
        absl::StrCat(R"({"apiVersion":")", kKinds[kind].api_version, R"(","kind":")",
                     kKinds[kind].kind, R"(","name":"owner-)", dice.Below(4), R"(","uid":"u")",
                     dice.Below(3) == 0 ? R"(,"controller":true})" : R"(,"controller":false})"));
    if (!is_behind || only_controller) known.push_back(references.back());
  }
  const std::string version = absl::StrCat(1 + dice.Below(3));
  const std::string head =
      absl::StrCat(R"("name":"web","namespace":")", dice.Below(2) == 0 ? "prod" : "test",
                   R"(","resourceVersion":")", version, "\"");
  const std::string known_json = PodJson(head, known);
  absl::StatusOr<corev1::Pod> object =
      codec::DecodeJson<corev1::Pod>(absl::string_view(known_json));
  EXPECT_THAT(object, base::IsOk()) << known_json;
  return {.json = PodJson(head, references),
          .object = std::make_shared<const corev1::Pod>(*std::move(object)),
          .version = version};
}

// Returns the sorted keys that `send` makes the handler of the trigger add.
template <typename Send>
std::string Added(const Trigger<corev1::Pod>& trigger, const Send& send) {
  std::vector<std::string> added;
  const informers::EventHandler<corev1::Pod> handler = HandlerFor<corev1::Pod, meta::ObjectName>(
      trigger, {}, [&added](const meta::ObjectName& key, int16_t priority, const TriggerEvent&) {
        added.push_back(absl::StrCat(key.ToString(), "@", priority));
      });
  send(handler);
  std::sort(added.begin(), added.end());
  return absl::StrJoin(added, " ");
}

Trigger<corev1::Pod> TriggerOf(absl::string_view owner, bool only_controller) {
  const OwnerOptions options = {.every_owner = !only_controller};
  return owner == "Node" ? EnqueueOwner<corev1::Node, corev1::Pod>(options)
                         : EnqueueOwner<appsv1::Deployment, corev1::Pod>(options);
}

void AddCase(oracle::Dice& dice, oracle::GoCases& cases) {
  const absl::string_view owner = dice.Below(2) == 0 ? "Node" : "Deployment";
  const bool only_controller = dice.Below(2) == 0;
  const Trigger<corev1::Pod> trigger = TriggerOf(owner, only_controller);
  const Pod after = RandomPod(dice, only_controller);
  const std::string head = absl::StrCat(R"({"owner":")", owner, R"(","controller":)",
                                        only_controller ? "true" : "false");
  if (dice.Below(2) == 0) {
    const bool is_initial = dice.Below(2) == 0;
    cases.Add("owners",
              absl::StrCat(head, R"(,"initial":)", is_initial ? "true" : "false", R"(,"new":)",
                           after.json, "}"),
              Added(trigger, [&](const informers::EventHandler<corev1::Pod>& handler) {
                handler.on_add({.object = after.object, .is_in_initial_list = is_initial});
              }));
    return;
  }
  const Pod before = RandomPod(dice, only_controller);
  cases.Add("owners", absl::StrCat(head, R"(,"old":)", before.json, R"(,"new":)", after.json, "}"),
            Added(trigger, [&](const informers::EventHandler<corev1::Pod>& handler) {
              handler.on_update({.old_object = before.object,
                                 .object = after.object,
                                 .is_resync = before.version == after.version});
            }));
}

// behaviour.md: HND-2, HND-7
TEST(OwnersDifferentialTest, RandomReferences_AddKeysAsControllerRuntimes) {
  oracle::GoCases cases("@controller_oracles//:controller_runtime_oracle");
  oracle::Dice dice(2026);
  for (int i = 0; i < 2000; ++i) AddCase(dice, cases);
  cases.Check();
}

}  // namespace
}  // namespace kube::controller
