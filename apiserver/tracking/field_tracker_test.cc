#include "apiserver/tracking/field_tracker.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/call/call.h"
#include "apiserver/handler.h"
#include "apiserver/testing/fake_exchange.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using unstructured::Value;

constexpr char kMaps[] = "/api/v1/namespaces/default/configmaps";
constexpr char kDeployments[] = "/apis/apps/v1/namespaces/default/deployments";

// A PEM request for a certificate, as the API has it.
constexpr char kRequest[] =
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIR01HNENBUUF3RERFS01BZ0dBMVVFQXd3QllUQlpN"
    "Qk1HQnlxR1NNNDlBZ0VHQ0NxR1NNNDlBd0VIQTBJQQpCSFZhMVh1TmJnaVhlY2p4bHhQZ2pFcUxCTFVneDBDeDBZUmU1"
    "V0JSNU50Z0RNWW9DVHpBc0kxVTluV214ZzZYCmtCcHlZZ3lTUEs5TFlqa3ZiLzZGZEYyZ0FEQUtCZ2dxaGtqT1BRUURB"
    "Z05JQURCRkFpQTVXeE1STHF2bm5BMi8KZFF3NFFZdzI3Qm5Jd0MyME9FcFA3T01FL1owYWx3SWhBSzFDdFh5bjNmWjU3"
    "SzJJbGdhcXh0cUh2bGVOTFpJbQppUXJwdXFHUGdFalQKLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==";

struct Answer {
  int code = 0;
  Value body = {};
  std::vector<std::string> warnings = {};
};

// A server without a socket. Its time stands still unless the test moves it.
class Server {
 public:
  explicit Server(HandlerOptions options = {}) : handler_(WithUser(std::move(options))) {}

  // "APPLY" is a PATCH of server-side apply, and other patches are merge patches.
  Answer Send(absl::string_view method, absl::string_view target, absl::string_view body = "") {
    const bool apply = method == "APPLY";
    httpserver::Request request{.method = apply ? "PATCH" : std::string(method),
                                .target = std::string(target)};
    request.headers.Set("authorization", "Bearer t");
    request.headers.Set("content-type", apply               ? "application/apply-patch+yaml"
                                        : method == "PATCH" ? "application/merge-patch+json"
                                                            : "application/json");
    request.body = std::string(body);
    const auto exchange = std::make_shared<FakeExchange>(std::move(request));
    handler_.Handle(exchange);
    Answer answer = {.code = exchange->status()};
    absl::StatusOr<Value> value = unstructured::ParseJson(exchange->body());
    if (value.ok()) answer.body = *std::move(value);
    const http::Headers headers = exchange->headers();
    for (const absl::string_view each : headers.GetAll("warning")) {
      answer.warnings.emplace_back(each);
    }
    return answer;
  }

  base::FakeClock& clock() { return clock_; }

 private:
  static HandlerOptions WithUser(HandlerOptions options) {
    options.cluster_objects = false;
    options.tokens["t"] = {.name = "tester", .uid = "", .groups = {"testers"}};
    return options;
  }

  base::FakeClock clock_{absl::FromUnixSeconds(1'700'000'000)};  // 2023-11-14T22:13:20Z
  base::RuntimeScope scope_{clock_};
  ApiHandler handler_;
};

// Returns the managed fields of an object, a line each:
// MANAGER OPERATION APIVERSION SUBRESOURCE TIME FIELDS, with "-" for what is absent.
std::vector<std::string> Entries(const Answer& answer) {
  std::vector<std::string> lines;
  const Value& entries = answer.body["metadata"]["managedFields"];
  if (!entries.is_list()) return lines;
  for (const Value& entry : *entries.list()) {
    std::string line;
    for (const char* name : {"manager", "operation", "apiVersion", "subresource", "time"}) {
      absl::StrAppend(&line, entry[absl::string_view(name)].text().value_or("-"), " ");
    }
    const absl::StatusOr<std::string> fields = unstructured::EncodeJson(entry["fieldsV1"]);
    absl::StrAppend(&line, fields.ok() ? *fields : fields.status().ToString());
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string VersionOf(const Answer& answer) {
  return std::string(answer.body["metadata"]["resourceVersion"].text().value_or(""));
}

std::string MessageOf(const Answer& answer) {
  return std::string(answer.body["message"].text().value_or(""));
}

TEST(ManagerOfTest, OptionAndUserAgent_BecomeTheManager) {
  const std::string as(127, 'a');
  std::string accents;
  for (int i = 0; i < 70; ++i) accents += "\xC3\xA9";
  const struct {
    std::string name, field_manager, user_agent, want;
  } rows[] = {
      {"option", "m", "kubectl/v1.99.0", "m"},
      {"agent", "", "kubectl/v1.99.0 (linux/amd64) kubernetes/abc", "kubectl"},
      {"agent without a slash", "", "my agent", "my agent"},
      {"no agent", "", "", ""},
      {"nothing before the slash", "", "/v1", ""},
      {"control characters", "",
       "a\t\x7F"
       "b/v1",
       "ab"},
      {"a space that is not printable", "",
       "a\xC2\xA0"
       "b/v1",
       "ab"},
      {"letters beyond ASCII", "", "caf\xC3\xA9/v1", "caf\xC3\xA9"},
      {"not UTF-8", "", "a\xFF/v1", "a\xEF\xBF\xBD"},
      {"128 bytes", "", absl::StrCat(as, "b/v1"), absl::StrCat(as, "b")},
      {"129 bytes", "", absl::StrCat(as, "bc/v1"), absl::StrCat(as, "b")},
      {"a character too long", "", absl::StrCat(as, "\xC3\xA9", "b/v1"), as},
      {"70 characters of two bytes", "", accents, accents.substr(0, 128)},
  };
  for (const auto& row : rows) {
    httpserver::Request request;
    if (!row.user_agent.empty()) request.headers.Set("user-agent", row.user_agent);
    Call call;
    call.request = &request;
    EXPECT_EQ(ManagerOf(row.field_manager, call), row.want) << row.name;
  }
}

TEST(FieldTrackerTest, Write_IsTrackedWithItsTime) {
  Server server;
  const Answer created = server.Send("POST", absl::StrCat(kMaps, "?fieldManager=c"),
                                     R"({"metadata":{"name":"a"},"data":{"x":"1","y":"1"}})");
  EXPECT_EQ(created.code, 201);
  EXPECT_THAT(Entries(created), ElementsAre("c Update v1 - 2023-11-14T22:13:20Z "
                                            R"({"f:data":{".":{},"f:x":{},"f:y":{}}})"));

  server.clock().Step(absl::Hours(1));
  const std::string one = absl::StrCat(kMaps, "/a");
  const Answer patched =
      server.Send("PATCH", absl::StrCat(one, "?fieldManager=u"), R"({"data":{"x":"2"}})");
  EXPECT_THAT(Entries(patched),
              ElementsAre(R"(c Update v1 - 2023-11-14T22:13:20Z {"f:data":{".":{},"f:y":{}}})",
                          R"(u Update v1 - 2023-11-14T23:13:20Z {"f:data":{"f:x":{}}})"));

  server.clock().Step(absl::Hours(1));
  const Answer applied =
      server.Send("APPLY", absl::StrCat(one, "?fieldManager=m"),
                  R"({"apiVersion":"v1","kind":"ConfigMap","data":{"y":"1","z":"1"}})");
  EXPECT_EQ(applied.code, 200);
  EXPECT_THAT(Entries(applied),
              ElementsAre(R"(m Apply v1 - 2023-11-15T00:13:20Z {"f:data":{"f:y":{},"f:z":{}}})",
                          R"(c Update v1 - 2023-11-14T22:13:20Z {"f:data":{".":{},"f:y":{}}})",
                          R"(u Update v1 - 2023-11-14T23:13:20Z {"f:data":{"f:x":{}}})"));
}

TEST(FieldTrackerTest, WriteWithoutEffect_KeepsTheTimeAndTheResourceVersion) {
  Server server;
  const Answer created = server.Send("POST", absl::StrCat(kMaps, "?fieldManager=c"),
                                     R"({"metadata":{"name":"a"},"data":{"x":"1","y":"1"}})");
  const std::string one = absl::StrCat(kMaps, "/a?fieldManager=c");

  server.clock().Step(absl::Hours(1));
  const Answer same =
      server.Send("PUT", one, R"({"metadata":{"name":"a"},"data":{"x":"1","y":"1"}})");
  EXPECT_EQ(same.code, 200);
  EXPECT_EQ(VersionOf(same), VersionOf(created));
  EXPECT_EQ(Entries(same), Entries(created));

  // A removal is a change of the object, but not of the time.
  const Answer removed = server.Send("PUT", one, R"({"metadata":{"name":"a"},"data":{"x":"1"}})");
  EXPECT_NE(VersionOf(removed), VersionOf(created));
  EXPECT_THAT(Entries(removed), ElementsAre("c Update v1 - 2023-11-14T22:13:20Z "
                                            R"({"f:data":{".":{},"f:x":{}}})"));

  const Answer changed = server.Send("PATCH", one, R"({"data":{"x":"2"}})");
  EXPECT_THAT(Entries(changed), ElementsAre("c Update v1 - 2023-11-14T23:13:20Z "
                                            R"({"f:data":{".":{},"f:x":{}}})"));
}

// The merged object differs from the stored one until the quantity is normalized.
TEST(FieldTrackerTest, ApplyOfAnEqualQuantity_KeepsTheTimeAndTheResourceVersion) {
  Server server;
  const std::string configuration =
      R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d"},"spec":{)"
      R"("selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},)"
      R"("spec":{"containers":[{"name":"c","image":"i",)"
      R"("resources":{"limits":{"memory":"2048Mi"}}}]}}}})";
  const std::string one = absl::StrCat(kDeployments, "/d?fieldManager=m");
  const Answer created = server.Send("APPLY", one, configuration);
  ASSERT_EQ(created.code, 201) << MessageOf(created);
  server.clock().Step(absl::Hours(1));
  const Answer again = server.Send("APPLY", one, configuration);
  EXPECT_EQ(again.code, 200);
  EXPECT_EQ(VersionOf(again), VersionOf(created));
  EXPECT_EQ(Entries(again), Entries(created));
}

TEST(FieldTrackerTest, WithoutManagedFields_OnlyAppliedObjectsAreTracked) {
  HandlerOptions options;
  options.managed_fields = false;
  Server server(std::move(options));
  const std::string one = absl::StrCat(kMaps, "/a");
  EXPECT_THAT(Entries(server.Send("POST", absl::StrCat(kMaps, "?fieldManager=c"),
                                  R"({"metadata":{"name":"a"},"data":{"x":"1"}})")),
              IsEmpty());
  EXPECT_THAT(
      Entries(server.Send("PATCH", absl::StrCat(one, "?fieldManager=u"), R"({"data":{"y":"1"}})")),
      IsEmpty());
  EXPECT_THAT(Entries(server.Send("APPLY", absl::StrCat(one, "?fieldManager=m"),
                                  R"({"apiVersion":"v1","kind":"ConfigMap","data":{"z":"1"}})")),
              ElementsAre(R"(m Apply v1 - 2023-11-14T22:13:20Z {"f:data":{"f:z":{}}})",
                          "before-first-apply Update v1 - 2023-11-14T22:13:20Z "
                          R"({"f:data":{".":{},"f:x":{},"f:y":{}}})"));
  // From now on, the object is tracked.
  EXPECT_THAT(
      Entries(server.Send("PATCH", absl::StrCat(one, "?fieldManager=u"), R"({"data":{"y":"2"}})")),
      ElementsAre(R"(m Apply v1 - 2023-11-14T22:13:20Z {"f:data":{"f:z":{}}})",
                  "before-first-apply Update v1 - 2023-11-14T22:13:20Z "
                  R"({"f:data":{".":{},"f:x":{}}})",
                  R"(u Update v1 - 2023-11-14T22:13:20Z {"f:data":{"f:y":{}}})"));
  EXPECT_THAT(
      Entries(server.Send(
          "APPLY", absl::StrCat(kMaps, "/b?fieldManager=m"),
          R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"b"},"data":{"z":"1"}})")),
      ElementsAre(R"(m Apply v1 - 2023-11-14T22:13:20Z {"f:data":{"f:z":{}}})"));
}

TEST(FieldTrackerTest, KindWithTwoVersions_HasEntriesOfBoth) {
  Server server;
  constexpr char kFirst[] = "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers";
  constexpr char kSecond[] = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
  const Answer created = server.Send(
      "POST", absl::StrCat(kFirst, "?fieldManager=c"),
      R"({"metadata":{"name":"h"},"spec":{"minReplicas":2,"maxReplicas":3,"scaleTargetRef":)"
      R"({"apiVersion":"apps/v1","kind":"Deployment","name":"d"}}})");
  ASSERT_EQ(created.code, 201) << MessageOf(created);
  const Answer conflict = server.Send(
      "APPLY", absl::StrCat(kSecond, "/h?fieldManager=m"),
      R"({"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","spec":{"minReplicas":1}})");
  EXPECT_EQ(conflict.code, 409);
  EXPECT_EQ(MessageOf(conflict),
            "Apply failed with 1 conflict: conflict with \"c\" using autoscaling/v1: "
            ".spec.minReplicas");
  EXPECT_THAT(Entries(server.Send("PATCH", absl::StrCat(kSecond, "/h?fieldManager=c"),
                                  R"({"spec":{"minReplicas":1}})")),
              ElementsAre("c Update autoscaling/v1 - 2023-11-14T22:13:20Z "
                          R"({"f:spec":{"f:maxReplicas":{},"f:scaleTargetRef":{},)"
                          R"("f:targetCPUUtilizationPercentage":{}}})",
                          "c Update autoscaling/v2 - 2023-11-14T22:13:20Z "
                          R"({"f:spec":{"f:minReplicas":{}}})"));
}

// A write never fails because of its tracking.
TEST(FieldTrackerTest, ManagedFieldsThatCannotBeRead_CountAsAbsent) {
  Server server;
  const Answer created = server.Send("POST", absl::StrCat(kMaps, "?fieldManager=c"),
                                     R"({"metadata":{"name":"a"},"data":{"x":"1"}})");
  const std::string one = absl::StrCat(kMaps, "/a?fieldManager=u");
  for (const char* entry :
       {R"({"manager":"m"})", R"({"manager":"m","operation":"Apply","apiVersion":"v1"})",
        R"({"manager":"m","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV2"})"}) {
    const Answer answer =
        server.Send("PATCH", one, absl::StrCat(R"({"metadata":{"managedFields":[)", entry, "]}}"));
    EXPECT_EQ(answer.code, 200) << entry;
    EXPECT_EQ(Entries(answer), Entries(created)) << entry;
  }
}

TEST(FieldTrackerTest, ConfigurationThatDoesNotFit_IsRefused) {
  const struct {
    std::string name, target, body;
    int code;
    std::string message;
  } rows[] = {
      {"an unknown field", "a?fieldManager=m",
       R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"foo":1})", 500,
       "failed to create typed patch object (/a; /v1, Kind=ConfigMap): .foo: field not declared in "
       "schema"},
      {"a value of another type", "a?fieldManager=m",
       R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"x":true}})", 500,
       "failed to create typed patch object (/a; /v1, Kind=ConfigMap): .data.x: expected string, "
       "got &value.valueUnstructured{Value:true}"},
      {"another kind", "a?fieldManager=m", R"({"apiVersion":"v1","kind":"Secret"})", 400,
       "invalid object type: /v1, Kind=Secret"},
      {"no kind", "a?fieldManager=m", "", 400, "invalid object type: /, Kind="},
      {"managed fields", "a?fieldManager=m",
       R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","managedFields":[]}})", 400,
       "metadata.managedFields must be nil"},
      {"another name", "a?fieldManager=m",
       R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"b"}})", 400,
       "the name of the object (b) does not match the name on the URL (a)"},
      {"a uid of nothing", "a?fieldManager=m",
       R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","uid":"u"}})", 409,
       "Operation cannot be fulfilled on configmaps \"a\": uid mismatch: the provided object "
       "specified uid u, and no existing object was found"},
      {"no manager", "a", R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}})", 422,
       "PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value: is required for "
       "apply patch"},
  };
  Server server;
  for (const auto& row : rows) {
    const Answer answer = server.Send("APPLY", absl::StrCat(kMaps, "/", row.target), row.body);
    EXPECT_EQ(answer.code, row.code) << row.name;
    EXPECT_EQ(MessageOf(answer), row.message) << row.name;
  }
  EXPECT_EQ(server.Send("GET", absl::StrCat(kMaps, "/a")).code, 404);
}

TEST(FieldTrackerTest, ApplyThatCreates_NeedsTheRightToCreate) {
  HandlerOptions options;
  options.deny.push_back({.user = "tester", .verb = "create", .resource = "configmaps"});
  Server server(std::move(options));
  const Answer answer =
      server.Send("APPLY", absl::StrCat(kMaps, "/a?fieldManager=m"),
                  R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}})");
  EXPECT_EQ(answer.code, 403);
  EXPECT_THAT(MessageOf(answer), HasSubstr("cannot create resource \"configmaps\""));
}

TEST(FieldTrackerTest, ScaleOfAnotherNamespace_IsRefused) {
  Server server;
  ASSERT_EQ(server
                .Send("POST", kDeployments,
                      R"({"metadata":{"name":"d"},"spec":{"selector":{"matchLabels":{"a":"b"}},)"
                      R"("template":{"metadata":{"labels":{"a":"b"}},)"
                      R"("spec":{"containers":[{"name":"c","image":"i"}]}}}})")
                .code,
            201);
  const std::string one = absl::StrCat(kDeployments, "/d/scale?fieldManager=m");
  for (const absl::string_view method : {"APPLY", "PUT"}) {
    const auto send = [&](absl::string_view name) {
      return server.Send(
          method, one,
          absl::StrCat(R"({"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"d",)",
                       R"("namespace":")", name, R"("},"spec":{"replicas":1}})"));
    };
    const Answer answer = send("other");
    EXPECT_EQ(answer.code, 400) << method;
    EXPECT_EQ(MessageOf(answer),
              "the namespace of the provided object does not match the namespace sent on the "
              "request")
        << method;
    EXPECT_EQ(send("default").code, 200) << method;
  }
}

// Who signs the request trusts these fields.
TEST(FieldTrackerTest, ApplyThatCreates_CannotChooseTheRequester) {
  Server server;
  const Answer answer = server.Send(
      "APPLY", "/apis/certificates.k8s.io/v1/certificatesigningrequests/r?fieldManager=m",
      absl::StrCat(R"({"apiVersion":"certificates.k8s.io/v1","kind":"CertificateSigningRequest",)",
                   R"("metadata":{"name":"r"},"spec":{"signerName":"a.b/c",)",
                   R"("usages":["client auth"],"username":"root","uid":"0",)",
                   R"("groups":["system:masters"],"extra":{"a":["b"]},"request":")", kRequest,
                   "\"}}"));
  ASSERT_EQ(answer.code, 201) << MessageOf(answer);
  const Value& spec = answer.body["spec"];
  EXPECT_EQ(spec["username"].text(), "tester");
  EXPECT_EQ(unstructured::EncodeJson(spec["groups"]).value(),
            R"(["testers","system:authenticated"])");
  EXPECT_TRUE(spec["uid"].is_null());
  EXPECT_TRUE(spec["extra"].is_null());
}

// The deletion of a definition would never end if new objects could be applied.
TEST(FieldTrackerTest, ApplyThatCreates_IsRefusedWhileTheDefinitionIsDeleted) {
  Server server;
  constexpr char kCrds[] = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  constexpr char kDogs[] = "/apis/example.com/v1/dogs";
  ASSERT_EQ(server
                .Send("POST", kCrds,
                      R"({"metadata":{"name":"dogs.example.com"},"spec":{"group":"example.com",)"
                      R"("scope":"Cluster","names":{"plural":"dogs","kind":"Dog"},"versions":[)"
                      R"({"name":"v1","served":true,"storage":true,)"
                      R"("schema":{"openAPIV3Schema":{"type":"object"}}}]}})")
                .code,
            201);
  const auto apply = [&](absl::string_view name) {
    return server.Send(
        "APPLY", absl::StrCat(kDogs, "/", name, "?fieldManager=m"),
        absl::StrCat(R"({"apiVersion":"example.com/v1","kind":"Dog","metadata":{"name":")", name,
                     R"(","finalizers":["example.com/leash"]}})"));
  };
  ASSERT_EQ(apply("rex").code, 201);
  ASSERT_EQ(server.Send("DELETE", absl::StrCat(kCrds, "/dogs.example.com")).code, 200);
  const Answer answer = apply("max");
  EXPECT_EQ(answer.code, 403);
  EXPECT_EQ(MessageOf(answer),
            "dogs.example.com \"max\" is forbidden: create not allowed while custom resource "
            "definition is terminating");
  // What is there can still be changed.
  EXPECT_EQ(apply("rex").code, 200);
}

TEST(FieldTrackerTest, ApplyThatCreates_WarnsOfTheName) {
  Server server;
  const std::string one = "/api/v1/namespaces/default/pods/a.b?fieldManager=m";
  const std::string pod = R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a.b"},)"
                          R"("spec":{"containers":[{"name":"c","image":"i"}]}})";
  const Answer created = server.Send("APPLY", one, pod);
  ASSERT_EQ(created.code, 201) << MessageOf(created);
  EXPECT_THAT(created.warnings, ElementsAre(HasSubstr("the Pod's hostname")));
  EXPECT_THAT(server.Send("APPLY", one, pod).warnings, IsEmpty());
}

}  // namespace
}  // namespace kube::apiserver::internal
