// Custom resources that a webhook in the process converts: v1 of a Dog has spec.size, and v2 has
// spec.body.size.

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/handler.h"
#include "apiserver/testing/fake_exchange.h"
#include "apiserver/testing/kennel.h"
#include "apiserver/testing/webhook_world.h"
#include "apiserver/webhook.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver {
namespace {

using base::IsOk;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using unstructured::Value;

TEST(ConversionWebhooks, ReadsAndWritesBothVersions) {
  Kennel kennel;
  WebhookWorld& world = kennel.world;
  world.Expect(201, "POST", kOldDogs, DogJson("v1", "rex", 1));
  EXPECT_THAT(kennel.converter.TakeCalls(), IsEmpty());
  const std::string rex = absl::StrCat(kNewDogs, "/rex");
  const Value read = world.Expect(200, "GET", rex);
  EXPECT_EQ(read["apiVersion"].text(), "example.com/v2");
  EXPECT_EQ(read["spec"]["body"]["size"].integer(), 1);
  EXPECT_EQ(read["metadata"]["annotations"]["converted"].text(), "example.com/v2");
  EXPECT_THAT(kennel.converter.TakeCalls(), ElementsAre(1));

  const Value patched =
      world.Expect(200, "PATCH", rex, R"({"spec":{"body":{"size":2}}})", kMergePatch);
  EXPECT_EQ(patched["spec"]["body"]["size"].integer(), 2);
  const Value stored = world.Expect(200, "GET", absl::StrCat(kOldDogs, "/rex"));
  EXPECT_EQ(stored["spec"]["size"].integer(), 2);
  EXPECT_EQ(stored["metadata"]["generation"].integer(), 2);

  const Value status =
      world.Expect(200, "PATCH", rex + "/status", R"({"status":{"seen":true}})", kMergePatch);
  EXPECT_EQ(status["status"]["seen"].boolean(), true);
  EXPECT_EQ(status["spec"]["body"]["size"].integer(), 2);
  world.Expect(200, "DELETE", rex);
  world.Expect(404, "GET", absl::StrCat(kOldDogs, "/rex"));
}

TEST(ConversionWebhooks, OneCallForAList) {
  Kennel kennel;
  WebhookWorld& world = kennel.world;
  for (absl::string_view name : {"a", "b", "c"}) {
    world.Expect(201, "POST", kOldDogs, DogJson("v1", name, 3));
  }
  const Value list = world.Expect(200, "GET", kNewDogs);
  ASSERT_EQ(list["items"].list()->size(), 3u);
  for (const Value& each : *list["items"].list()) {
    EXPECT_EQ(each["spec"]["body"]["size"].integer(), 3);
  }
  EXPECT_THAT(kennel.converter.TakeCalls(), ElementsAre(3));
  world.Expect(200, "GET", kOldDogs);
  EXPECT_THAT(kennel.converter.TakeCalls(), IsEmpty());
}

// Only the objects that are stored in another version are sent.
TEST(ConversionWebhooks, StorageVersionChanges) {
  Kennel kennel;
  WebhookWorld& world = kennel.world;
  world.Expect(201, "POST", kOldDogs, DogJson("v1", "old", 1));
  const std::string versions =
      R"([{"op":"replace","path":"/spec/versions/0/storage","value":false},)"
      R"({"op":"replace","path":"/spec/versions/1/storage","value":true}])";
  const Value definition =
      world.Expect(200, "PATCH", absl::StrCat(kDefinitions, "/dogs.example.com"), versions,
                   "application/json-patch+json");
  EXPECT_EQ(definition["status"]["storedVersions"], Value(List<Value>{"v1", "v2"}));
  world.Expect(201, "POST", kNewDogs, DogJson("v2", "young", 2));
  EXPECT_THAT(kennel.converter.TakeCalls(), IsEmpty());
  const Value list = world.Expect(200, "GET", kNewDogs);
  EXPECT_EQ(list["items"].list()->size(), 2u);
  EXPECT_THAT(kennel.converter.TakeCalls(), ElementsAre(1));
  // A write stores it in the new version.
  world.Expect(200, "PATCH", absl::StrCat(kNewDogs, "/old"), R"({"spec":{"body":{"size":4}}})",
               kMergePatch);
  kennel.converter.TakeCalls();
  world.Expect(200, "GET", kNewDogs);
  EXPECT_THAT(kennel.converter.TakeCalls(), IsEmpty());
}

TEST(ConversionWebhooks, Failures) {
  Kennel kennel;
  WebhookWorld& world = kennel.world;
  world.Expect(201, "POST", kOldDogs, DogJson("v1", "rex", 1));
  kennel.converter.Break("connection refused");
  const std::string cause =
      "failed: Post \"https://hooks.default.svc:443/convert?timeout=30s\": connection refused";
  struct Row {
    std::string name;
    std::string method;
    std::string target;
    std::string body;
    std::string error;
  };
  const std::string rex = absl::StrCat(kNewDogs, "/rex");
  const std::vector<Row> rows = {
      {"get", "GET", rex, "", "conversion webhook for example.com/v1, Kind=Dog "},
      {"list", "GET", kNewDogs, "", "conversion webhook for example.com/v2, Kind=DogList "},
      {"create", "POST", kNewDogs, DogJson("v2", "tom", 1),
       "conversion webhook for example.com/v2, Kind=Dog "},
      {"dry run", "POST", absl::StrCat(kNewDogs, "?dryRun=All"), DogJson("v2", "tom", 1),
       "conversion webhook for example.com/v2, Kind=Dog "},
      {"delete", "DELETE", rex, "", "conversion webhook for example.com/v1, Kind=Dog "},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const Value status = world.Expect(500, row.method, row.target, row.body);
    EXPECT_EQ(status["message"].text(), row.error + cause);
    EXPECT_TRUE(status["reason"].is_null());
  }
  world.Expect(404, "GET", absl::StrCat(kOldDogs, "/tom"));
  // The stored version needs nobody.
  world.Expect(200, "DELETE", absl::StrCat(kOldDogs, "/rex"));
}

// A definition with such a bundle can be created, but is not served.
TEST(ConversionWebhooks, BundlesMustHaveCertificates) {
  constexpr char kService[] =
      R"({"service":{"namespace":"default","name":"hooks","path":"/convert"},)"
      R"("caBundle":"bm9uZQ=="})";
  WebhookWorld world;
  const std::string dogs = absl::StrCat(kDefinitions, "/dogs.example.com");
  world.Expect(201, "POST", kDefinitions, DogDefinition("v1", kService));
  const Value read = world.Expect(200, "GET", dogs);
  ASSERT_TRUE(read["status"]["conditions"].is_list());
  std::vector<std::string> reasons;
  for (const Value& each : *read["status"]["conditions"].list()) {
    reasons.emplace_back(each["reason"].text().value_or(""));
  }
  EXPECT_THAT(reasons, ElementsAre("NoConflicts", "InvalidCABundle"));
  world.Expect(404, "GET", kOldDogs);

  constexpr char kWithout[] =
      R"({"spec":{"conversion":{"webhook":{"clientConfig":{"caBundle":null}}}}})";
  world.Expect(200, "PATCH", dogs, kWithout, kMergePatch);
  world.Expect(200, "GET", kOldDogs);
  // What is served stays so.
  constexpr char kInvalid[] =
      R"({"spec":{"conversion":{"webhook":{"clientConfig":{"caBundle":"bm9uZQ=="}}}}})";
  EXPECT_EQ(MessageOf(world.Expect(422, "PATCH", dogs, kInvalid, kMergePatch)),
            "CustomResourceDefinition.apiextensions.k8s.io \"dogs.example.com\" is invalid: "
            "spec.conversion.webhookClientConfig.caBundle: Invalid value: \"bm9uZQ==\": unable to "
            "load root certificates: unable to parse bytes as PEM block");
}

TEST(ConversionWebhooks, WatchesConvertEachEvent) {
  Kennel kennel;
  WebhookWorld& world = kennel.world;
  world.Expect(201, "POST", kOldDogs, DogJson("v1", "first", 1));
  const auto watch = world.Begin("GET", absl::StrCat(kNewDogs, "?watch=true"));
  const Context ctx = WithTimeout(Context(), absl::Minutes(1));
  ASSERT_THAT(watch->WaitForLines(ctx, 1), IsOk());
  world.Expect(201, "POST", kOldDogs, DogJson("v1", "second", 2));
  ASSERT_THAT(watch->WaitForLines(ctx, 2), IsOk());
  world.Expect(200, "DELETE", absl::StrCat(kOldDogs, "/first"));
  ASSERT_THAT(watch->WaitForLines(ctx, 3), IsOk());
  for (const std::string& line : watch->lines()) {
    EXPECT_THAT(line, HasSubstr(R"("apiVersion":"example.com/v2")"));
  }
  // An event that cannot be converted ends the watch.
  kennel.converter.Break("no");
  world.Expect(201, "POST", kOldDogs, DogJson("v1", "third", 3));
  EXPECT_THAT(watch->Wait(ctx), IsOk());
  EXPECT_EQ(watch->lines().size(), 3u);
}

TEST(ConversionWebhooks, DeletesTheObjectsOfADefinitionWithoutIt) {
  Kennel kennel("v2");
  WebhookWorld& world = kennel.world;
  world.Expect(201, "POST", kNewDogs, DogJson("v2", "rex", 1));
  kennel.converter.Break("no");
  world.Expect(200, "DELETE", absl::StrCat(kDefinitions, "/dogs.example.com"));
  world.Expect(404, "GET", absl::StrCat(kDefinitions, "/dogs.example.com"));
}

// The webhook asks the server that waits for it.
TEST(ConversionWebhooks, MayCallTheServer) {
  Kennel kennel;
  WebhookWorld& world = kennel.world;
  world.handler().SetWebhook(
      "default", "hooks", "/convert",
      [&](const Context&, absl::string_view body) -> absl::StatusOr<std::string> {
        world.Expect(200, "GET", "/api/v1/namespaces/default");
        return kennel.converter.Call(body);
      });
  world.Expect(201, "POST", kOldDogs, DogJson("v1", "rex", 1));
  world.Expect(200, "GET", absl::StrCat(kNewDogs, "/rex"));
}

// Writers of two versions change one object; a slow webhook loses no write.
absl::Status RunWriters() {
  Kennel kennel;
  WebhookWorld& world = kennel.world;
  world.Expect(201, "POST", kOldDogs, DogJson("v1", "rex", 0));
  base::ThreadGroup writers((Context()));
  for (int i = 1; i <= 3; ++i) {
    writers.Go("writes", [&world, i](const Context&) {
      const auto exchange =
          world.Send("PATCH", absl::StrCat(i % 2 == 0 ? kOldDogs : kNewDogs, "/rex"),
                     absl::StrCat(R"({"metadata":{"labels":{"l)", i, R"(":"x"}}})"), kMergePatch);
      return exchange->status() == 200 ? absl::OkStatus() : absl::InternalError(exchange->body());
    });
  }
  KUBE_RETURN_IF_ERROR(writers.Wait());
  const absl::StatusOr<Value> rex =
      unstructured::ParseJson(world.Send("GET", absl::StrCat(kNewDogs, "/rex"))->body());
  KUBE_RETURN_IF_ERROR(rex.status());
  const Map<Value>* const labels = (*rex)["metadata"]["labels"].object();
  if (labels == nullptr || labels->size() != 3) return absl::DataLossError("a label is lost");
  return absl::OkStatus();
}

TEST(ConversionWebhooksSimulation, LosesNothing) {
  const auto program = [](base::SimRuntime& sim) -> absl::Status {
    absl::Status outcome;
    KUBE_RETURN_IF_ERROR(sim.Run([&] { outcome = RunWriters(); }));
    return outcome;
  };
  EXPECT_THAT(base::SearchSeeds(program, {.seeds = base::SimulationSeeds(30)}), IsOk());
}

}  // namespace
}  // namespace kube::apiserver
