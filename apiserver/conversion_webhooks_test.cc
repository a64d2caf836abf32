// Custom resources that a webhook in the process converts: v1 of a Dog has spec.size, and v2 has
// spec.body.size.

#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
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

constexpr char kDefinitions[] = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr char kOld[] = "/apis/example.com/v1/namespaces/default/dogs";
constexpr char kNew[] = "/apis/example.com/v2/namespaces/default/dogs";
constexpr char kMergePatch[] = "application/merge-patch+json";

// Returns the definition; objects are stored in the version `stored`.
std::string Definition(absl::string_view stored) {
  const auto version = [&](absl::string_view name, absl::string_view spec) {
    return absl::StrCat(
        R"({"name":")", name, R"(","served":true,"storage":)", name == stored ? "true" : "false",
        R"(,"subresources":{"status":{}},"schema":{"openAPIV3Schema":)",
        R"({"type":"object","properties":{"spec":{"type":"object","properties":)", spec,
        R"(},"status":{"type":"object","properties":{"seen":)", R"({"type":"boolean"}}}}}}})");
  };
  return absl::StrCat(
      R"({"metadata":{"name":"dogs.example.com"},"spec":{"group":"example.com",)",
      R"("scope":"Namespaced","names":{"plural":"dogs","kind":"Dog"},"versions":[)",
      version("v1", R"({"size":{"type":"integer"}})"), ",",
      version("v2", R"({"body":{"type":"object","properties":{"size":{"type":"integer"}}}})"),
      R"(],"conversion":{"strategy":"Webhook","webhook":{"conversionReviewVersions":["v1"],)",
      R"("clientConfig":{"service":{"namespace":"default","name":"hooks","path":"/convert"}}}}}})");
}

std::string Dog(absl::string_view version, absl::string_view name, int size) {
  return absl::StrCat(R"({"apiVersion":"example.com/)", version, R"(","kind":"Dog","metadata":)",
                      R"({"name":")", name, R"("},"spec":)",
                      version == "v1" ? absl::StrCat(R"({"size":)", size, "}")
                                      : absl::StrCat(R"({"body":{"size":)", size, "}}"),
                      "}");
}

// Converts an object as a webhook does, and notes that in an annotation.
Value Converted(Value object, absl::string_view api_version) {
  Map<Value>& members = *object.object();
  members["apiVersion"] = api_version;
  const Value spec = object["spec"];
  Value* const metadata = object.Find("metadata");
  (*metadata->object())["annotations"] = Map<Value>{{"converted", api_version}};
  if (api_version == "example.com/v2") {
    members["spec"] = Map<Value>{{"body", Map<Value>{{"size", spec["size"]}}}};
  } else {
    members["spec"] = Map<Value>{{"size", spec["body"]["size"]}};
  }
  return object;
}

// A webhook that remembers how many objects each call had. Thread-safe.
class Converter {
 public:
  absl::StatusOr<std::string> Call(absl::string_view body) {
    const Value request = RequestOf(body);
    List<Value> converted;
    for (const Value& each : *request["objects"].list()) {
      converted.push_back(Converted(each, request["desiredAPIVersion"].text().value_or("")));
    }
    {
      base::MutexLock lock(mutex_);
      calls_.push_back(static_cast<int>(converted.size()));
      if (!broken_.empty()) return absl::UnavailableError(broken_);
    }
    return unstructured::EncodeJson(
        Value(Map<Value>{{"kind", "ConversionReview"},
                         {"apiVersion", "apiextensions.k8s.io/v1"},
                         {"response", Map<Value>{{"uid", request["uid"]},
                                                 {"convertedObjects", std::move(converted)},
                                                 {"result", Map<Value>{{"status", "Success"}}}}}}));
  }

  // Makes all calls fail with this cause; "" makes them succeed again.
  void Break(absl::string_view cause) {
    base::MutexLock lock(mutex_);
    broken_ = std::string(cause);
  }
  std::vector<int> TakeCalls() {
    base::MutexLock lock(mutex_);
    return std::exchange(calls_, {});
  }

 private:
  base::Mutex mutex_;
  std::vector<int> calls_ ABSL_GUARDED_BY(mutex_);
  std::string broken_ ABSL_GUARDED_BY(mutex_);
};

// A server with the definition and its webhook.
struct Kennel {
  explicit Kennel(absl::string_view stored = "v1") {
    world.handler().SetWebhook(
        "default", "hooks", "/convert",
        [this](const Context&, absl::string_view body) { return converter.Call(body); });
    world.Expect(201, "POST", kDefinitions, Definition(stored));
  }

  // Goes last: the server may call it until it ends.
  Converter converter;
  WebhookWorld world;
};

TEST(ConversionWebhooks, ReadsAndWritesBothVersions) {
  Kennel kennel;
  WebhookWorld& world = kennel.world;
  world.Expect(201, "POST", kOld, Dog("v1", "rex", 1));
  EXPECT_THAT(kennel.converter.TakeCalls(), IsEmpty());
  const std::string rex = absl::StrCat(kNew, "/rex");
  const Value read = world.Expect(200, "GET", rex);
  EXPECT_EQ(read["apiVersion"].text(), "example.com/v2");
  EXPECT_EQ(read["spec"]["body"]["size"].integer(), 1);
  EXPECT_EQ(read["metadata"]["annotations"]["converted"].text(), "example.com/v2");
  EXPECT_THAT(kennel.converter.TakeCalls(), ElementsAre(1));

  const Value patched =
      world.Expect(200, "PATCH", rex, R"({"spec":{"body":{"size":2}}})", kMergePatch);
  EXPECT_EQ(patched["spec"]["body"]["size"].integer(), 2);
  const Value stored = world.Expect(200, "GET", absl::StrCat(kOld, "/rex"));
  EXPECT_EQ(stored["spec"]["size"].integer(), 2);
  EXPECT_EQ(stored["metadata"]["generation"].integer(), 2);

  const Value status =
      world.Expect(200, "PATCH", rex + "/status", R"({"status":{"seen":true}})", kMergePatch);
  EXPECT_EQ(status["status"]["seen"].boolean(), true);
  EXPECT_EQ(status["spec"]["body"]["size"].integer(), 2);
  world.Expect(200, "DELETE", rex);
  world.Expect(404, "GET", absl::StrCat(kOld, "/rex"));
}

TEST(ConversionWebhooks, OneCallForAList) {
  Kennel kennel;
  WebhookWorld& world = kennel.world;
  for (absl::string_view name : {"a", "b", "c"}) {
    world.Expect(201, "POST", kOld, Dog("v1", name, 3));
  }
  const Value list = world.Expect(200, "GET", kNew);
  ASSERT_EQ(list["items"].list()->size(), 3u);
  for (const Value& each : *list["items"].list()) {
    EXPECT_EQ(each["spec"]["body"]["size"].integer(), 3);
  }
  EXPECT_THAT(kennel.converter.TakeCalls(), ElementsAre(3));
  world.Expect(200, "GET", kOld);
  EXPECT_THAT(kennel.converter.TakeCalls(), IsEmpty());
}

// Only the objects that are stored in another version are sent.
TEST(ConversionWebhooks, StorageVersionChanges) {
  Kennel kennel;
  WebhookWorld& world = kennel.world;
  world.Expect(201, "POST", kOld, Dog("v1", "old", 1));
  const std::string versions =
      R"([{"op":"replace","path":"/spec/versions/0/storage","value":false},)"
      R"({"op":"replace","path":"/spec/versions/1/storage","value":true}])";
  const Value definition =
      world.Expect(200, "PATCH", absl::StrCat(kDefinitions, "/dogs.example.com"), versions,
                   "application/json-patch+json");
  EXPECT_EQ(definition["status"]["storedVersions"], Value(List<Value>{"v1", "v2"}));
  world.Expect(201, "POST", kNew, Dog("v2", "young", 2));
  EXPECT_THAT(kennel.converter.TakeCalls(), IsEmpty());
  const Value list = world.Expect(200, "GET", kNew);
  EXPECT_EQ(list["items"].list()->size(), 2u);
  EXPECT_THAT(kennel.converter.TakeCalls(), ElementsAre(1));
  // A write stores it in the new version.
  world.Expect(200, "PATCH", absl::StrCat(kNew, "/old"), R"({"spec":{"body":{"size":4}}})",
               kMergePatch);
  kennel.converter.TakeCalls();
  world.Expect(200, "GET", kNew);
  EXPECT_THAT(kennel.converter.TakeCalls(), IsEmpty());
}

TEST(ConversionWebhooks, Failures) {
  Kennel kennel;
  WebhookWorld& world = kennel.world;
  world.Expect(201, "POST", kOld, Dog("v1", "rex", 1));
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
  const std::string rex = absl::StrCat(kNew, "/rex");
  const std::vector<Row> rows = {
      {"get", "GET", rex, "", "conversion webhook for example.com/v1, Kind=Dog "},
      {"list", "GET", kNew, "", "conversion webhook for example.com/v2, Kind=DogList "},
      {"create", "POST", kNew, Dog("v2", "tom", 1),
       "conversion webhook for example.com/v2, Kind=Dog "},
      {"dry run", "POST", absl::StrCat(kNew, "?dryRun=All"), Dog("v2", "tom", 1),
       "conversion webhook for example.com/v2, Kind=Dog "},
      {"delete", "DELETE", rex, "", "conversion webhook for example.com/v1, Kind=Dog "},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const Value status = world.Expect(500, row.method, row.target, row.body);
    EXPECT_EQ(status["message"].text(), row.error + cause);
    EXPECT_TRUE(status["reason"].is_null());
  }
  world.Expect(404, "GET", absl::StrCat(kOld, "/tom"));
  // The stored version needs nobody.
  world.Expect(200, "DELETE", absl::StrCat(kOld, "/rex"));
}

TEST(ConversionWebhooks, WatchesConvertEachEvent) {
  Kennel kennel;
  WebhookWorld& world = kennel.world;
  world.Expect(201, "POST", kOld, Dog("v1", "first", 1));
  const auto watch = world.Begin("GET", absl::StrCat(kNew, "?watch=true"));
  const Context ctx = WithTimeout(Context(), absl::Minutes(1));
  ASSERT_THAT(watch->WaitForLines(ctx, 1), IsOk());
  world.Expect(201, "POST", kOld, Dog("v1", "second", 2));
  ASSERT_THAT(watch->WaitForLines(ctx, 2), IsOk());
  world.Expect(200, "DELETE", absl::StrCat(kOld, "/first"));
  ASSERT_THAT(watch->WaitForLines(ctx, 3), IsOk());
  for (const std::string& line : watch->lines()) {
    EXPECT_THAT(line, HasSubstr(R"("apiVersion":"example.com/v2")"));
  }
  // An event that cannot be converted ends the watch.
  kennel.converter.Break("no");
  world.Expect(201, "POST", kOld, Dog("v1", "third", 3));
  EXPECT_THAT(watch->Wait(ctx), IsOk());
  EXPECT_EQ(watch->lines().size(), 3u);
}

TEST(ConversionWebhooks, DeletesTheObjectsOfADefinitionWithoutIt) {
  Kennel kennel("v2");
  WebhookWorld& world = kennel.world;
  world.Expect(201, "POST", kNew, Dog("v2", "rex", 1));
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
  world.Expect(201, "POST", kOld, Dog("v1", "rex", 1));
  world.Expect(200, "GET", absl::StrCat(kNew, "/rex"));
}

// Writers of two versions change one object; a slow webhook loses no write.
absl::Status RunWriters() {
  Kennel kennel;
  WebhookWorld& world = kennel.world;
  world.Expect(201, "POST", kOld, Dog("v1", "rex", 0));
  base::ThreadGroup writers((Context()));
  for (int i = 1; i <= 3; ++i) {
    writers.Go("writes", [&world, i](const Context&) {
      const auto exchange =
          world.Send("PATCH", absl::StrCat(i % 2 == 0 ? kOld : kNew, "/rex"),
                     absl::StrCat(R"({"metadata":{"labels":{"l)", i, R"(":"x"}}})"), kMergePatch);
      return exchange->status() == 200 ? absl::OkStatus() : absl::InternalError(exchange->body());
    });
  }
  KUBE_RETURN_IF_ERROR(writers.Wait());
  const absl::StatusOr<Value> rex =
      unstructured::ParseJson(world.Send("GET", absl::StrCat(kNew, "/rex"))->body());
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
