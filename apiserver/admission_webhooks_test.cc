// Admission webhooks that are functions in the process: which are called, in which order, and what
// comes of their answers.

#include <atomic>
#include <functional>
#include <memory>
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
#include "apimachinery/base/event.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/handler.h"
#include "apiserver/testing/fake_exchange.h"
#include "apiserver/testing/webhook_world.h"
#include "apiserver/webhook.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"

namespace kube::apiserver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using unstructured::Value;

constexpr char kMap[] = R"({"metadata":{"name":"m"},"data":{"x":"y"}})";

// The reviews that webhooks got, in their order. Thread-safe.
class Seen {
 public:
  // Returns a webhook that remembers the reviews, and answers with `answer`.
  WebhookFunction Then(std::function<std::string(absl::string_view body)> answer) {
    return [this, answer = std::move(answer)](
               const Context&, absl::string_view body) -> absl::StatusOr<std::string> {
      Add(body);
      return answer(body);
    };
  }
  WebhookFunction ThenAllow() { return Then(AllowReview); }
  WebhookFunction ThenPatch(std::string patch) {
    return Then(
        [patch = std::move(patch)](absl::string_view body) { return PatchReview(body, patch); });
  }

  std::vector<Value> requests() const {
    base::MutexLock lock(mutex_);
    return requests_;
  }
  // Returns "OPERATION RESOURCE/SUBRESOURCE NAME" of each.
  std::vector<std::string> texts() const {
    std::vector<std::string> texts;
    for (const Value& each : requests()) {
      const absl::string_view subresource = each["subResource"].text().value_or("");
      texts.push_back(absl::StrCat(each["operation"].text().value_or(""), " ",
                                   each["resource"]["resource"].text().value_or(""),
                                   subresource.empty() ? "" : "/", subresource, " ",
                                   each["name"].text().value_or("")));
    }
    return texts;
  }

 private:
  void Add(absl::string_view body) {
    Value request = RequestOf(body);
    base::MutexLock lock(mutex_);
    requests_.push_back(std::move(request));
  }

  mutable base::Mutex mutex_;
  std::vector<Value> requests_ ABSL_GUARDED_BY(mutex_);
};

WebhookFunction Denies(std::string status) {
  return [status = std::move(status)](const Context&,
                                      absl::string_view body) -> absl::StatusOr<std::string> {
    return DenyReview(body, status);
  };
}

// Returns the outcomes of the calls in the last request, as "webhook=outcome".
std::vector<std::string> LastCalls(WebhookWorld& world) {
  std::vector<std::string> texts;
  const std::vector<LoggedRequest> requests = world.handler().Requests();
  if (requests.empty()) return texts;
  constexpr absl::string_view kNames[] = {"allowed", "changed", "refused", "failed"};
  for (const CalledWebhook& each : requests.back().webhooks) {
    texts.push_back(absl::StrCat(each.webhook, "=", kNames[static_cast<int>(each.outcome)]));
  }
  return texts;
}

TEST(AdmissionWebhooks, AreToldOfTheRequest) {
  WebhookWorld world;
  Seen seen;
  world.Configure("Validating", "a", seen.ThenAllow());
  const Value created = world.Expect(
      201, "POST", absl::StrCat(kMaps, "?fieldManager=me&fieldValidation=Strict"), kMap);
  ASSERT_THAT(seen.requests(), SizeIs(1));
  const Value request = seen.requests()[0];
  EXPECT_EQ(request["kind"]["kind"].text(), "ConfigMap");
  EXPECT_EQ(request["kind"]["version"].text(), "v1");
  EXPECT_EQ(request["requestKind"], request["kind"]);
  EXPECT_EQ(request["resource"]["resource"].text(), "configmaps");
  EXPECT_EQ(request["requestResource"], request["resource"]);
  EXPECT_EQ(request["namespace"].text(), "default");
  EXPECT_EQ(request["name"].text(), "m");
  EXPECT_EQ(request["operation"].text(), "CREATE");
  EXPECT_EQ(request["dryRun"].boolean(), false);
  EXPECT_EQ(request["userInfo"]["username"].text(), "tester");
  EXPECT_EQ(request["object"]["apiVersion"].text(), "v1");
  EXPECT_EQ(request["object"]["data"]["x"].text(), "y");
  EXPECT_EQ(request["object"]["metadata"]["uid"], created["metadata"]["uid"]);
  EXPECT_TRUE(request["oldObject"].is_null());
  EXPECT_EQ(request["options"]["kind"].text(), "CreateOptions");
  EXPECT_EQ(request["options"]["apiVersion"].text(), "meta.k8s.io/v1");
  EXPECT_EQ(request["options"]["fieldManager"].text(), "me");
  EXPECT_THAT(LastCalls(world), ElementsAre("a.example.com=allowed"));
}

TEST(AdmissionWebhooks, SeeEachOperation) {
  WebhookWorld world;
  Seen mutating, validating;
  world.Configure("Mutating", "a", mutating.ThenAllow());
  world.Configure("Validating", "b", validating.ThenAllow());
  const std::string map = absl::StrCat(kMaps, "/m");
  world.Expect(201, "POST", kMaps, kMap);
  world.Expect(200, "PUT", map, R"({"metadata":{"name":"m"},"data":{"x":"z"}})");
  world.Expect(200, "PATCH", map, R"({"data":{"x":"1"}})", kMergePatch);
  world.Expect(200, "GET", map);
  world.Expect(200, "DELETE", map);
  world.Expect(201, "POST", kMaps, kMap);
  world.Expect(200, "DELETE", kMaps);
  const auto all = ElementsAre("CREATE configmaps m", "UPDATE configmaps m", "UPDATE configmaps m",
                               "DELETE configmaps m", "CREATE configmaps m",
                               // As upstream, the deletion of a collection names no object.
                               "DELETE configmaps ");
  EXPECT_THAT(mutating.texts(), all);
  EXPECT_THAT(validating.texts(), all);
  const Value updated = validating.requests()[2];
  EXPECT_EQ(updated["oldObject"]["data"]["x"].text(), "z");
  EXPECT_EQ(updated["object"]["data"]["x"].text(), "1");
  EXPECT_EQ(updated["options"]["kind"].text(), "UpdateOptions");
  const Value deleted = validating.requests()[3];
  EXPECT_TRUE(deleted["object"].is_null());
  EXPECT_EQ(deleted["oldObject"]["data"]["x"].text(), "1");
  EXPECT_EQ(deleted["options"]["kind"].text(), "DeleteOptions");
}

TEST(AdmissionWebhooks, AreCalledInTheOrderOfTheirNames) {
  WebhookWorld world;
  Seen seen;
  world.Configure("Validating", "a", seen.Then([](absl::string_view body) {
    const Value request = RequestOf(body);
    const Value& data = request["object"]["data"];
    return data["first"].text() == "c" && data["second"].text() == "b"
               ? AllowReview(body)
               : DenyReview(body, R"({"message":"too early"})");
  }));
  world.Configure("Mutating", "c",
                  seen.ThenPatch(R"([{"op":"test","path":"/data/second","value":"b"},)"
                                 R"({"op":"add","path":"/data/first","value":"c"}])"));
  world.Configure("Mutating", "b",
                  seen.ThenPatch(R"([{"op":"add","path":"/data/second","value":"b"}])"));
  const Value created = world.Expect(201, "POST", kMaps, kMap);
  EXPECT_EQ(created["data"]["first"].text(), "c");
  EXPECT_THAT(LastCalls(world), ElementsAre("b.example.com=changed", "c.example.com=changed",
                                            "a.example.com=allowed"));
  // Such a patch changes nothing the second time.
  world.Expect(200, "PATCH", absl::StrCat(kMaps, "/m"), R"({"data":{"x":"2"}})", kMergePatch);
  EXPECT_THAT(LastCalls(world), ElementsAre("b.example.com=allowed", "c.example.com=allowed",
                                            "a.example.com=allowed"));
}

TEST(AdmissionWebhooks, AreCalledAgainOnceIfNeeded) {
  WebhookWorld world;
  Seen a, b, c;
  const WebhookWorld::Hook again = {.more = R"(,"reinvocationPolicy":"IfNeeded")"};
  // Each call of `a` adds a letter.
  world.Configure("Mutating", "a", a.Then([](absl::string_view body) {
    const Value request = RequestOf(body);
    const std::string text(request["object"]["data"]["a"].text().value_or(""));
    return PatchReview(body,
                       absl::StrCat(R"([{"op":"add","path":"/data/a","value":")", text, "a\"}]"));
  }),
                  again);
  world.Configure("Mutating", "b", b.ThenPatch(R"([{"op":"add","path":"/data/b","value":"b"}])"));
  // Called last: nobody changes anything after it in the first round, but `a` does in the second.
  world.Configure("Mutating", "c", c.ThenAllow(), again);
  const Value created = world.Expect(201, "POST", kMaps, kMap);
  EXPECT_EQ(created["data"]["a"].text(), "aa");
  EXPECT_THAT(LastCalls(world),
              ElementsAre("a.example.com=changed", "b.example.com=changed", "c.example.com=allowed",
                          "a.example.com=changed", "c.example.com=allowed"));
  EXPECT_EQ(b.requests().size(), 1u);
}

TEST(AdmissionWebhooks, PatchesThatCannotBeUsed) {
  struct Row {
    std::string name, patch, error;
  };
  const std::string failed = "Internal error occurred: failed calling webhook \"a.example.com\": ";
  const std::vector<Row> rows = {
      {"no patch", "{", failed + "received undecodable patch in webhook response: "},
      {"a path that does not exist", R"([{"op":"remove","path":"/spec/x"}])",
       "Internal error occurred: "},
      {"another type", R"([{"op":"replace","path":"/data","value":"x"}])",
       "Internal error occurred: "},
      {"another kind", R"([{"op":"replace","path":"/kind","value":"Pod"}])",
       "Internal error occurred: "},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    WebhookWorld world;
    Seen seen;
    world.Configure("Mutating", "a", seen.ThenPatch(row.patch));
    EXPECT_THAT(MessageOf(world.Expect(500, "POST", kMaps, kMap)), HasSubstr(row.error));
    EXPECT_THAT(LastCalls(world), ElementsAre("a.example.com=failed"));
    world.Expect(404, "GET", absl::StrCat(kMaps, "/m"));
  }
}

TEST(AdmissionWebhooks, PatchedObjectsAreDefaultedAndValidated) {
  WebhookWorld world;
  Seen seen;
  world.Configure("Mutating", "a",
                  seen.ThenPatch(R"([{"op":"add","path":"/data/..","value":"x"}])"));
  EXPECT_THAT(MessageOf(world.Expect(422, "POST", kMaps, kMap)), HasSubstr("data[..]"));
  world.Configure("Mutating", "b",
                  seen.ThenPatch(R"([{"op":"add","path":"/spec/containers/-",)"
                                 R"("value":{"name":"d","image":"i"}}])"),
                  {.rules = R"({"operations":["CREATE"],"apiGroups":[""],"apiVersions":["v1"],)"
                            R"("resources":["pods"]})"});
  const Value pod = world.Expect(201, "POST", "/api/v1/namespaces/default/pods",
                                 R"({"metadata":{"name":"p"},)"
                                 R"("spec":{"containers":[{"name":"c","image":"i"}]}})");
  const List<Value>* const containers = pod["spec"]["containers"].list();
  ASSERT_NE(containers, nullptr);
  ASSERT_EQ(containers->size(), 2u);
  EXPECT_EQ((*containers)[1]["imagePullPolicy"].text(), "Always");
}

TEST(AdmissionWebhooks, RefuseWithAStatus) {
  WebhookWorld world;
  world.Configure("Validating", "a", Denies(R"({"code":403,"reason":"Forbidden","message":"no"})"));
  world.Configure("Validating", "b", Denies(R"({"code":409,"message":"too late"})"));
  const Value status = world.Expect(403, "POST", kMaps, kMap);
  EXPECT_EQ(MessageOf(status), "admission webhook \"a.example.com\" denied the request: no");
  EXPECT_EQ(status["reason"].text(), "Forbidden");
  EXPECT_EQ(status["code"].integer(), 403);
  // All are asked, as upstream, where they are asked at the same time.
  EXPECT_THAT(LastCalls(world), ElementsAre("a.example.com=refused", "b.example.com=refused"));
  world.Expect(404, "GET", absl::StrCat(kMaps, "/m"));
  EXPECT_EQ(world.handler().Requests()[0].webhooks, std::vector<CalledWebhook>())
      << "configurations are not their own concern";
}

TEST(AdmissionWebhooks, WarnAlsoIfTheyRefuse) {
  WebhookWorld world;
  Seen seen;
  world.Configure("Mutating", "a", seen.Then([](absl::string_view body) {
    return AnswerReview(body, R"("allowed":true,"warnings":["one","two"])");
  }));
  world.Configure("Validating", "b", seen.Then([](absl::string_view body) {
    return AnswerReview(body, R"("allowed":false,"warnings":["two","a\r\nb"])");
  }));
  const auto exchange = world.Send("POST", kMaps, kMap);
  EXPECT_EQ(exchange->status(), 400);
  const http::Headers headers = exchange->headers();
  EXPECT_THAT(headers.GetAll("warning"),
              ElementsAre("299 - \"one\"", "299 - \"two\"", "299 - \"ab\""));
}

TEST(AdmissionWebhooks, FailuresAndTheirPolicy) {
  struct Row {
    std::string name;
    WebhookFunction function;
    std::string error;
  };
  const auto answers = [](std::string text) {
    return [text = std::move(text)](
               const Context&, absl::string_view) -> absl::StatusOr<std::string> { return text; };
  };
  const std::string failed = "Internal error occurred: failed calling webhook \"a.example.com\": ";
  const std::string post =
      "failed to call webhook: Post \"https://hooks.default.svc:443/a?timeout=1s\": ";
  const std::vector<Row> rows = {
      {"nobody is there", nullptr, failed + post + "service \"hooks\" not found"},
      {"an error",
       [](const Context&, absl::string_view) -> absl::StatusOr<std::string> {
         return absl::UnavailableError("connection refused");
       },
       failed + post + "connection refused"},
      {"no JSON", answers("x"), failed + "failed to call webhook: couldn't get version/kind"},
      {"no response", answers("{}"),
       failed + "received invalid webhook response: webhook response was absent"},
      {"another UID",
       answers(R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1",)"
               R"("response":{"uid":"x","allowed":true}})"),
       failed + "received invalid webhook response: expected response.uid=\""},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    for (absl::string_view kind : {"Mutating", "Validating"}) {
      WebhookWorld world;
      world.Configure(kind, "a", row.function, {.more = R"(,"timeoutSeconds":1)"});
      const Value status = world.Expect(500, "POST", kMaps, kMap);
      EXPECT_THAT(MessageOf(status), HasSubstr(row.error));
      EXPECT_EQ(status["reason"].text(), "InternalError");
      EXPECT_THAT(LastCalls(world), ElementsAre("a.example.com=failed"));
      world.Expect(
          200, "PATCH",
          absl::StrCat("/apis/admissionregistration.k8s.io/v1/",
                       kind == "Mutating" ? "mutating" : "validating", "webhookconfigurations/a"),
          R"([{"op":"replace","path":"/webhooks/0/failurePolicy","value":"Ignore"}])",
          "application/json-patch+json");
      world.Expect(201, "POST", kMaps, kMap);
      EXPECT_THAT(LastCalls(world), ElementsAre("a.example.com=failed"));
    }
  }
}

TEST(AdmissionWebhooks, HaveUntilTheirTimeout) {
  base::SimRuntime sim({.seed = 1});
  const absl::Status outcome = sim.Run([] {
    WebhookWorld world;
    world.Configure("Validating", "a",
                    [](const Context& ctx, absl::string_view body) -> absl::StatusOr<std::string> {
                      base::SleepFor(ctx, absl::Seconds(9)).IgnoreError();
                      return AllowReview(body);
                    },
                    {.more = R"(,"timeoutSeconds":8)"});
    EXPECT_THAT(MessageOf(world.Expect(500, "POST", kMaps, kMap)),
                HasSubstr("/a?timeout=8s\": context deadline exceeded"));
    // An answer in time.
    world.Expect(200, "PATCH",
                 "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/a",
                 R"([{"op":"replace","path":"/webhooks/0/timeoutSeconds","value":10}])",
                 "application/json-patch+json");
    world.Expect(201, "POST", kMaps, kMap);
  });
  EXPECT_TRUE(outcome.ok()) << outcome;
}

TEST(AdmissionWebhooks, DryRuns) {
  WebhookWorld world;
  Seen seen;
  world.Configure("Mutating", "a",
                  seen.ThenPatch(R"([{"op":"add","path":"/data/a","value":"b"}])"));
  const std::string dry = absl::StrCat(kMaps, "?dryRun=All");
  EXPECT_EQ(world.Expect(201, "POST", dry, kMap)["data"]["a"].text(), "b");
  EXPECT_EQ(seen.requests()[0]["dryRun"].boolean(), true);
  world.Expect(404, "GET", absl::StrCat(kMaps, "/m"));
}

TEST(AdmissionWebhooks, Selectors) {
  WebhookWorld world;
  Seen of_namespace, of_object;
  world.Configure("Validating", "a", of_namespace.ThenAllow(),
                  {.more = R"(,"namespaceSelector":{"matchLabels":{"checked":"yes"}})"});
  world.Configure("Validating", "b", of_object.ThenAllow(),
                  {.more = R"(,"objectSelector":{"matchLabels":{"app":"web"}})"});
  world.Expect(201, "POST", "/api/v1/namespaces",
               R"({"metadata":{"name":"checked","labels":{"checked":"yes"}}})");
  world.Expect(201, "POST", kMaps, kMap);
  world.Expect(201, "POST", "/api/v1/namespaces/checked/configmaps", kMap);
  EXPECT_THAT(of_namespace.texts(), ElementsAre("CREATE configmaps m"));
  EXPECT_THAT(of_object.texts(), IsEmpty());
  // The old object counts as well as the new one.
  const std::string map = absl::StrCat(kMaps, "/m");
  world.Expect(200, "PATCH", map, R"({"metadata":{"labels":{"app":"web"}}})", kMergePatch);
  world.Expect(200, "PATCH", map, R"({"metadata":{"labels":{"app":null}}})", kMergePatch);
  world.Expect(200, "PATCH", map, R"({"metadata":{"labels":{"b":"c"}}})", kMergePatch);
  EXPECT_THAT(of_object.texts(), SizeIs(2));
}

TEST(AdmissionWebhooks, NamespacesCountAsBeingInThemselves) {
  WebhookWorld world;
  Seen seen;
  world.Configure("Validating", "a", seen.ThenAllow(),
                  {.rules = R"({"operations":["*"],"apiGroups":[""],"apiVersions":["v1"],)"
                            R"("resources":["namespaces"]})",
                   .more = R"(,"namespaceSelector":{"matchLabels":{"checked":"yes"}})"});
  world.Expect(201, "POST", "/api/v1/namespaces", R"({"metadata":{"name":"n"}})");
  world.Expect(201, "POST", "/api/v1/namespaces",
               R"({"metadata":{"name":"c","labels":{"checked":"yes"}}})");
  ASSERT_THAT(seen.texts(), ElementsAre("CREATE namespaces c"));
  EXPECT_EQ(seen.requests()[0]["namespace"].text(), "c");
}

TEST(AdmissionWebhooks, MatchConditions) {
  WebhookWorld world;
  Seen seen;
  world.Configure(
      "Validating", "a", seen.ThenAllow(),
      {.more = R"(,"matchConditions":[{"name":"a","expression":"request.userInfo.username == )"
               R"('tester' && object.data.x == 'y'"}])"});
  world.Expect(201, "POST", kMaps, kMap);
  world.Expect(201, "POST", kMaps, R"({"metadata":{"name":"n"},"data":{"x":"z"}})");
  EXPECT_THAT(seen.texts(), ElementsAre("CREATE configmaps m"));
  EXPECT_EQ(MessageOf(world.Expect(403, "POST", kMaps, R"({"metadata":{"name":"o"}})")),
            "configmaps \"o\" is forbidden: expression 'request.userInfo.username == 'tester' && "
            "object.data.x == 'y'' resulted in error: no such key: data");
}

TEST(AdmissionWebhooks, GetTheVersionThatTheyAskFor) {
  WebhookWorld world;
  Seen seen;
  world.Configure("Mutating", "a",
                  seen.ThenPatch(R"([{"op":"replace","path":"/spec/maxReplicas","value":7}])"),
                  {.rules = R"({"operations":["CREATE"],"apiGroups":["autoscaling"],)"
                            R"("apiVersions":["v2"],"resources":["horizontalpodautoscalers"]})"});
  const Value created = world.Expect(
      201, "POST", "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers",
      R"({"metadata":{"name":"h"},"spec":{"scaleTargetRef":{"apiVersion":"apps/v1",)"
      R"("kind":"Deployment","name":"d"},"maxReplicas":3,"targetCPUUtilizationPercentage":50}})");
  ASSERT_THAT(seen.requests(), SizeIs(1));
  const Value request = seen.requests()[0];
  EXPECT_EQ(request["kind"]["version"].text(), "v2");
  EXPECT_EQ(request["requestKind"]["version"].text(), "v1");
  EXPECT_EQ(request["object"]["apiVersion"].text(), "autoscaling/v2");
  EXPECT_TRUE(request["object"]["spec"]["metrics"].is_list());
  EXPECT_EQ(created["apiVersion"].text(), "autoscaling/v1");
  EXPECT_EQ(created["spec"]["maxReplicas"].integer(), 7);
  EXPECT_EQ(created["spec"]["targetCPUUtilizationPercentage"].integer(), 50);
}

TEST(AdmissionWebhooks, SeeScalesAndOtherSubresources) {
  WebhookWorld world;
  Seen seen;
  constexpr char kDeployments[] = "/apis/apps/v1/namespaces/default/deployments";
  world.Expect(201, "POST", kDeployments,
               R"({"metadata":{"name":"d"},"spec":{"selector":{"matchLabels":{"a":"b"}},)"
               R"("template":{"metadata":{"labels":{"a":"b"}},)"
               R"("spec":{"containers":[{"name":"c","image":"i"}]}}}})");
  const std::string rules = R"({"operations":["*"],"apiGroups":["*"],"apiVersions":["*"],)"
                            R"("resources":["*/scale","*/status"]})";
  world.Configure("Mutating", "a", seen.Then([](absl::string_view body) {
    const Value request = RequestOf(body);
    return request["kind"]["kind"].text() == "Scale"
               ? PatchReview(body, R"([{"op":"replace","path":"/spec/replicas","value":5}])")
               : AllowReview(body);
  }),
                  {.rules = rules});
  world.Configure("Validating", "b", seen.ThenAllow(), {.rules = rules});
  const std::string scale = absl::StrCat(kDeployments, "/d/scale");
  const Value scaled = world.Expect(200, "PATCH", scale, R"({"spec":{"replicas":3}})", kMergePatch);
  EXPECT_EQ(scaled["spec"]["replicas"].integer(), 5);
  world.Expect(200, "PATCH", absl::StrCat(kDeployments, "/d/status"),
               R"({"status":{"replicas":1}})", kMergePatch);
  EXPECT_THAT(seen.texts(),
              ElementsAre("UPDATE deployments/scale d", "UPDATE deployments/scale d",
                          "UPDATE deployments/status d", "UPDATE deployments/status d"));
  const Value validated = seen.requests()[1];
  EXPECT_EQ(validated["object"]["kind"].text(), "Scale");
  EXPECT_EQ(validated["oldObject"]["spec"]["replicas"].integer(), 1);
  EXPECT_EQ(validated["object"]["spec"]["replicas"].integer(), 5);
}

TEST(AdmissionWebhooks, SeeBodiesOfOtherKindsAndConnections) {
  WebhookWorld world;
  Seen seen;
  constexpr char kPods[] = "/api/v1/namespaces/default/pods";
  for (absl::string_view name : {"p", "q"}) {
    world.Expect(201, "POST", kPods,
                 absl::StrCat(R"({"metadata":{"name":")", name,
                              R"("},"spec":{"containers":[{"name":"c","image":"i"}]}})"));
  }
  world.Configure("Mutating", "a", seen.ThenAllow(),
                  {.rules = R"({"operations":["*"],"apiGroups":["*"],"apiVersions":["*"],)"
                            R"("resources":["pods/*","tokenreviews"]})"});
  world.Expect(201, "POST", absl::StrCat(kPods, "/p/binding"),
               R"({"metadata":{"name":"p"},"target":{"kind":"Node","name":"n"}})");
  world.Expect(201, "POST", absl::StrCat(kPods, "/q/eviction"), R"({"metadata":{"name":"q"}})");
  world.Expect(201, "POST", "/apis/authentication.k8s.io/v1/tokenreviews",
               R"({"spec":{"token":"t"}})");
  // Without an upgrade it goes no further than the webhooks.
  world.Expect(400, "POST", absl::StrCat(kPods, "/p/exec?command=ls&stdout=true"));
  EXPECT_THAT(seen.texts(), ElementsAre("CREATE pods/binding p", "CREATE pods/eviction q",
                                        "CREATE tokenreviews ", "CONNECT pods/exec p"));
  const std::vector<Value> requests = seen.requests();
  EXPECT_EQ(requests[0]["object"]["kind"].text(), "Binding");
  EXPECT_EQ(requests[1]["object"]["apiVersion"].text(), "policy/v1");
  EXPECT_EQ(requests[3]["object"]["kind"].text(), "PodExecOptions");
  EXPECT_EQ(requests[3]["object"]["stdout"].boolean(), true);
  world.Configure("Validating", "b", Denies(R"({"message":"no shell"})"),
                  {.rules = R"({"operations":["CONNECT"],"apiGroups":[""],"apiVersions":["v1"],)"
                            R"("resources":["pods/exec"]})"});
  EXPECT_THAT(MessageOf(world.Expect(400, "POST", absl::StrCat(kPods, "/p/exec?command=ls"))),
              HasSubstr("denied the request: no shell"));
}

TEST(AdmissionWebhooks, MayCallTheServer) {
  WebhookWorld world;
  std::atomic<int> depth = 0;
  world.Configure("Validating", "a",
                  [&](const Context&, absl::string_view body) -> absl::StatusOr<std::string> {
                    const Value request = RequestOf(body);
                    // A write that the webhook is asked about itself.
                    if (++depth < 5) {
                      world.Expect(201, "POST", kMaps,
                                   absl::StrCat(R"({"metadata":{"name":"m)", depth.load(), "\"}}"));
                    }
                    world.Expect(200, "GET", kMaps);
                    return AllowReview(body);
                  });
  world.Expect(201, "POST", kMaps, kMap);
  EXPECT_EQ(world.Expect(200, "GET", kMaps)["items"].list()->size(), 5u);
}

TEST(AdmissionWebhooks, LoseNoUpdate) {
  WebhookWorld world;
  Seen seen;
  const std::string map = absl::StrCat(kMaps, "/m");
  world.Expect(201, "POST", kMaps, kMap);
  std::atomic<bool> first = true;
  // The object changes while the webhook is asked.
  world.Configure("Mutating", "a", seen.Then([&](absl::string_view body) {
    if (first.exchange(false)) {
      world.Expect(200, "PATCH", map, R"({"data":{"inner":"1"}})", kMergePatch);
    }
    return PatchReview(body, R"([{"op":"add","path":"/data/hook","value":"1"}])");
  }));
  world.Expect(200, "PATCH", map, R"({"data":{"outer":"1"}})", kMergePatch);
  const Value now = world.Expect(200, "GET", map);
  EXPECT_EQ(now["data"]["inner"].text(), "1");
  EXPECT_EQ(now["data"]["outer"].text(), "1");
  EXPECT_EQ(now["data"]["hook"].text(), "1");
  EXPECT_EQ(seen.requests().size(), 3u) << "the outer patch was tried twice";
}

TEST(AdmissionWebhooks, EndWithTheServer) {
  base::Event called;
  std::shared_ptr<FakeExchange> exchange;
  WebhookWorld world;
  world.Configure("Validating", "a",
                  [&](const Context& ctx, absl::string_view body) -> absl::StatusOr<std::string> {
                    called.Set();
                    base::SleepFor(ctx, absl::Hours(1)).IgnoreError();
                    return AllowReview(body);
                  },
                  {.more = R"(,"timeoutSeconds":30)"});
  exchange = world.Begin("POST", kMaps, kMap);
  ASSERT_TRUE(called.Wait(WithTimeout(Context(), absl::Minutes(1))).ok());
  world.EndHandler();
}

TEST(AdmissionWebhooks, RequestsAreBounded) {
  WebhookWorld world({.max_webhook_requests = 0});
  Seen seen;
  world.Configure("Validating", "a", seen.ThenAllow());
  world.Expect(429, "POST", kMaps, kMap);
  world.Expect(200, "GET", kMaps);
}

constexpr char kDeletions[] =
    R"({"operations":["DELETE"],"apiGroups":[""],"apiVersions":["v1"],"resources":["configmaps"]})";

TEST(AdmissionWebhooks, AreToldOfTheGarbageCollector) {
  WebhookWorld world;
  Seen seen;
  const Value owner = world.Expect(201, "POST", kMaps, R"({"metadata":{"name":"owner"}})");
  world.Expect(201, "POST", kMaps,
               absl::StrCat(R"({"metadata":{"name":"owned","ownerReferences":[{"apiVersion":"v1",)",
                            R"("kind":"ConfigMap","name":"owner","uid":")",
                            owner["metadata"]["uid"].text().value_or(""), R"("}]}})"));
  world.Configure("Validating", "a", seen.ThenAllow(), {.rules = kDeletions});
  world.Expect(200, "DELETE", absl::StrCat(kMaps, "/owner"));
  world.Expect(404, "GET", absl::StrCat(kMaps, "/owned"));
  EXPECT_THAT(seen.texts(), ElementsAre("DELETE configmaps owner", "DELETE configmaps owned"));
  ASSERT_THAT(seen.requests(), SizeIs(2));
  const Value request = seen.requests()[1];
  EXPECT_EQ(request["userInfo"]["username"].text(),
            "system:serviceaccount:kube-system:generic-garbage-collector");
  EXPECT_EQ(request["options"]["propagationPolicy"].text(), "Background");
  EXPECT_EQ(request["oldObject"]["metadata"]["name"].text(), "owned");
}

TEST(AdmissionWebhooks, KeepWhatIsInANamespace) {
  WebhookWorld world;
  world.Expect(201, "POST", "/api/v1/namespaces", R"({"metadata":{"name":"n"}})");
  world.Expect(201, "POST", "/api/v1/namespaces/n/configmaps", kMap);
  world.Configure("Validating", "a", Denies(R"({"message":"not yet"})"), {.rules = kDeletions});
  world.Expect(200, "DELETE", "/api/v1/namespaces/n");
  world.Expect(200, "GET", "/api/v1/namespaces/n/configmaps/m");
  // The controller tries again with a write a second later.
  Seen seen;
  world.handler().SetWebhook("default", "hooks", "/a", seen.ThenAllow());
  base::SleepFor(Context(), absl::Seconds(1)).IgnoreError();
  world.Expect(201, "POST", kMaps, kMap);
  world.Expect(404, "GET", "/api/v1/namespaces/n");
  ASSERT_THAT(seen.requests(), SizeIs(1));
  EXPECT_EQ(seen.requests()[0]["userInfo"]["username"].text(),
            "system:serviceaccount:kube-system:namespace-controller");
  world.EndHandler();
}

TEST(AdmissionWebhooks, AreToldOfTokenSecrets) {
  WebhookWorld world;
  constexpr char kSecrets[] = "/api/v1/namespaces/default/secrets";
  constexpr char kAccounts[] = "/api/v1/namespaces/default/serviceaccounts";
  world.Expect(201, "POST", kAccounts, R"({"metadata":{"name":"op"}})");
  world.Expect(201, "POST", kSecrets,
               R"({"metadata":{"name":"op-token","annotations":{)"
               R"("kubernetes.io/service-account.name":"op"}},)"
               R"("type":"kubernetes.io/service-account-token"})");
  world.Configure("Validating", "a", Denies(R"({"message":"not yet"})"),
                  {.rules = R"({"operations":["DELETE"],"apiGroups":[""],"apiVersions":["v1"],)"
                            R"("resources":["secrets"]})"});
  world.Expect(200, "DELETE", absl::StrCat(kAccounts, "/op"));
  world.Expect(200, "GET", absl::StrCat(kSecrets, "/op-token"));
  // The controller tries again with a write a second later.
  Seen seen;
  world.handler().SetWebhook("default", "hooks", "/a", seen.ThenAllow());
  base::SleepFor(Context(), absl::Seconds(1)).IgnoreError();
  world.Expect(201, "POST", kMaps, kMap);
  world.Expect(404, "GET", absl::StrCat(kSecrets, "/op-token"));
  EXPECT_THAT(seen.texts(), ElementsAre("DELETE secrets op-token"));
  ASSERT_THAT(seen.requests(), SizeIs(1));
  EXPECT_EQ(seen.requests()[0]["userInfo"]["username"].text(), "system:kube-controller-manager");
  world.EndHandler();
}

TEST(AdmissionWebhooks, AtAUrl) {
  WebhookWorld world;
  Seen seen;
  world.handler().SetWebhook("https://hooks.example.com/check", seen.ThenAllow());
  world.Expect(201, "POST", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
               R"({"metadata":{"name":"a"},"webhooks":[{"name":"a.example.com",)"
               R"("sideEffects":"None","admissionReviewVersions":["v2","v1beta1","v1"],)"
               R"("clientConfig":{"url":"https://hooks.example.com/check/"},"rules":[)"
               R"({"operations":["*"],"apiGroups":[""],"apiVersions":["v1"],)"
               R"("resources":["configmaps"]}]}]})");
  // Its first version that the server knows is v1beta1, and the answer is v1.
  EXPECT_THAT(MessageOf(world.Expect(500, "POST", kMaps, kMap)),
              HasSubstr("converting (v1.AdmissionReview) to (v1beta1.AdmissionReview)"));
  EXPECT_THAT(seen.texts(), SizeIs(1));
  world.handler().SetWebhook("https://hooks.example.com/check", nullptr);
}

}  // namespace
}  // namespace kube::apiserver
