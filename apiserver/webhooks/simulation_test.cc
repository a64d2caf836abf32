// Many clients and a mutating webhook in virtual time: the seed decides which thread runs when. Run
// more seeds with KUBE_SIM_SEEDS, and one again with KUBE_SIM_SEED.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/handler.h"
#include "apiserver/testing/fake_exchange.h"
#include "apiserver/testing/webhook_world.h"
#include "gtest/gtest.h"

namespace kube::apiserver {
namespace {

using unstructured::Value;

constexpr char kMaps[] = "/api/v1/namespaces/default/configmaps";
constexpr char kMap[] = "/api/v1/namespaces/default/configmaps/m";
constexpr char kMergePatch[] = "application/merge-patch+json";
constexpr int kClients = 4;
constexpr int kUpdates = 3;

Value Read(WebhookWorld& world) {
  const absl::StatusOr<Value> map = unstructured::ParseJson(world.Send("GET", kMap)->body());
  return map.ok() ? *map : Value();
}

int64_t CountOf(const Value& map, absl::string_view key) {
  return static_cast<int64_t>(map["data"][key].text().value_or("").size());
}

// Takes its time, and adds one to "seen" for each update that it is asked about. Only those that
// are stored may be in it.
absl::StatusOr<std::string> Count(const Context& ctx, absl::string_view body) {
  KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, absl::Milliseconds(base::UniformInt(0, 5))));
  const Value request = RequestOf(body);
  const std::string seen =
      absl::StrCat(request["oldObject"]["data"]["seen"].text().value_or(""), "I");
  return PatchReview(body,
                     absl::StrCat(R"([{"op":"add","path":"/data/seen","value":")", seen, "\"}]"));
}

// Adds one to a number of its own by patches, which cannot conflict.
absl::Status Patches(WebhookWorld& world, int id) {
  for (int i = 1; i <= kUpdates; ++i) {
    const auto exchange = world.Send("PATCH", kMap,
                                     absl::StrCat(R"({"data":{"p)", id, R"(":")",
                                                  std::string(static_cast<size_t>(i), 'I'), "\"}}"),
                                     kMergePatch);
    if (exchange->status() != 200) return absl::InternalError(exchange->body());
  }
  return absl::OkStatus();
}

// Adds one to a number that all share by reading and replacing, again after each conflict.
absl::Status Replaces(WebhookWorld& world) {
  for (int i = 0; i < kUpdates;) {
    Value map = Read(world);
    Value* const data = map.Find("data");
    if (data == nullptr) return absl::InternalError("no data");
    (*data->object())["shared"] = absl::StrCat((*data)["shared"].text().value_or(""), "I");
    KUBE_ASSIGN_OR_RETURN(const std::string body, unstructured::EncodeJson(map));
    const auto exchange = world.Send("PUT", kMap, body);
    if (exchange->status() == 200) ++i;
    if (exchange->status() != 200 && exchange->status() != 409) {
      return absl::InternalError(exchange->body());
    }
  }
  return absl::OkStatus();
}

absl::Status RunClients() {
  WebhookWorld world;
  world.Expect(201, "POST", kMaps, R"({"metadata":{"name":"m"},"data":{"shared":""}})");
  world.Configure("Mutating", "count", Count);
  base::ThreadGroup clients((Context()));
  for (int i = 0; i < kClients; ++i) {
    clients.Go("patches", [&world, i](const Context&) { return Patches(world, i); });
    clients.Go("replaces", [&world](const Context&) { return Replaces(world); });
  }
  KUBE_RETURN_IF_ERROR(clients.Wait());
  const Value map = Read(world);
  const int64_t all = kClients * kUpdates;
  if (CountOf(map, "shared") != all) return absl::DataLossError("a replacement is lost");
  for (int i = 0; i < kClients; ++i) {
    if (CountOf(map, absl::StrCat("p", i)) != kUpdates) {
      return absl::DataLossError("a patch is lost");
    }
  }
  // One for each update that was stored, and none for those that were tried again.
  if (CountOf(map, "seen") != 2 * all) return absl::DataLossError("a mutation is lost");
  return absl::OkStatus();
}

TEST(WebhookSimulation, LosesNothing) {
  const auto program = [](base::SimRuntime& sim) -> absl::Status {
    absl::Status outcome;
    KUBE_RETURN_IF_ERROR(sim.Run([&] { outcome = RunClients(); }));
    return outcome;
  };
  EXPECT_THAT(base::SearchSeeds(program, {.seeds = base::SimulationSeeds(50)}), base::IsOk());
}

// The server goes away, or restarts, while webhooks are asked.
TEST(WebhookSimulation, EndsInTheMiddle) {
  const auto program = [](base::SimRuntime& sim) -> absl::Status {
    return sim.Run([&] {
      WebhookWorld world;
      world.Configure(
          "Validating", "slow",
          [](const Context& ctx, absl::string_view body) -> absl::StatusOr<std::string> {
            base::SleepFor(ctx, absl::Seconds(1)).IgnoreError();
            return AllowReview(body);
          });
      std::vector<std::shared_ptr<FakeExchange>> exchanges;
      for (int i = 0; i < 4; ++i) {
        exchanges.push_back(
            world.Begin("POST", kMaps, absl::StrCat(R"({"metadata":{"name":"m)", i, "\"}}")));
      }
      base::SleepFor(Context(), absl::Milliseconds(base::UniformInt(0, 2000))).IgnoreError();
      if (sim.seed() % 2 == 0) world.handler().Restart();
      world.EndHandler();
    });
  };
  EXPECT_THAT(base::SearchSeeds(program, {.seeds = base::SimulationSeeds(50)}), base::IsOk());
}

}  // namespace
}  // namespace kube::apiserver
