#include "apiserver/handler.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/printers/printers.h"
#include "apiserver/testing/fake_exchange.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver {
namespace {

using base::IsOk;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;
using unstructured::Value;

constexpr char kMaps[] = "/api/v1/namespaces/default/configmaps";
constexpr char kPods[] = "/api/v1/namespaces/default/pods";
constexpr char kDeployments[] = "/apis/apps/v1/namespaces/default/deployments";
constexpr char kMerge[] = "application/merge-patch+json";

struct Sent {
  std::string body = {};
  std::string content_type = "application/json";
  std::string accept = {};
  std::string token = "t";
};

// A server and a client without sockets.
class Fixture {
 public:
  explicit Fixture(HandlerOptions options = {}) : handler_(WithUser(std::move(options))) {}

  std::shared_ptr<FakeExchange> Send(absl::string_view method, absl::string_view target,
                                     const Sent& sent = {}) {
    httpserver::Request request{.method = std::string(method), .target = std::string(target)};
    if (!sent.token.empty()) {
      request.headers.Set("authorization", absl::StrCat("Bearer ", sent.token));
    }
    request.headers.Set("content-type", sent.content_type);
    if (!sent.accept.empty()) request.headers.Set("accept", sent.accept);
    request.body = sent.body;
    auto exchange = std::make_shared<FakeExchange>(std::move(request));
    handler_.Handle(exchange);
    return exchange;
  }

  // The body of an answer with this code; another code is a failed test.
  Value Expect(int code, absl::string_view method, absl::string_view target,
               const Sent& sent = {}) {
    const auto exchange = Send(method, target, sent);
    EXPECT_EQ(exchange->status(), code) << method << " " << target << "\n" << exchange->body();
    const absl::StatusOr<Value> value = unstructured::ParseJson(exchange->body());
    return value.ok() ? *value : Value();
  }

  ApiHandler& handler() { return handler_; }

 private:
  // Without the objects of a new cluster, whose number depends on the release: the tests below
  // spell out revisions.
  static HandlerOptions WithUser(HandlerOptions options) {
    options.cluster_objects = false;
    options.tokens["t"] = {.name = "tester", .uid = "", .groups = {"testers"}};
    return options;
  }

  ApiHandler handler_;
};

// Returns the text at a path such as "metadata.name", or "" if there is none.
std::string Text(const Value& value, absl::string_view path) {
  const Value* at = &value;
  for (absl::string_view rest = path; at != nullptr && !rest.empty();) {
    const size_t dot = rest.find('.');
    at = at->Find(rest.substr(0, dot));
    rest = dot == absl::string_view::npos ? "" : rest.substr(dot + 1);
  }
  if (at == nullptr) return "";
  if (at->integer().has_value()) return absl::StrCat(*at->integer());
  return std::string(at->text().value_or(""));
}

std::string MapBody(absl::string_view name, absl::string_view more = "") {
  return absl::StrCat(R"({"metadata":{"name":")", name, "\"", more, R"(},"data":{"x":"y"}})");
}

std::string PodBody(absl::string_view name, absl::string_view metadata = "") {
  return absl::StrCat(R"({"metadata":{"name":")", name, "\"", metadata,
                      R"(},"spec":{"containers":[{"name":"c","image":"i"}]}})");
}

std::string OwnedBy(const Value& owner, absl::string_view api_version, absl::string_view kind,
                    bool blocks = false) {
  return absl::StrCat(R"(,"ownerReferences":[{"apiVersion":")", api_version, R"(","kind":")", kind,
                      R"(","name":")", Text(owner, "metadata.name"), R"(","uid":")",
                      Text(owner, "metadata.uid"), "\"",
                      blocks ? R"(,"blockOwnerDeletion":true)" : "", "}]");
}

TEST(ApiHandler, CreatesReadsUpdatesAndDeletes) {
  Fixture server;
  const Value created = server.Expect(201, "POST", kMaps, {.body = MapBody("a")});
  EXPECT_EQ(Text(created, "kind"), "ConfigMap");
  EXPECT_EQ(Text(created, "apiVersion"), "v1");
  EXPECT_EQ(Text(created, "metadata.namespace"), "default");
  EXPECT_THAT(Text(created, "metadata.uid"), SizeIs(36));
  EXPECT_NE(Text(created, "metadata.creationTimestamp"), "");
  const std::string one = absl::StrCat(kMaps, "/a");
  EXPECT_EQ(server.Expect(200, "GET", one), created);
  EXPECT_EQ(Text(server.Expect(409, "POST", kMaps, {.body = MapBody("a")}), "reason"),
            "AlreadyExists");

  const Value updated = server.Expect(200, "PUT", one, {.body = R"({"metadata":{"name":"a"}})"});
  EXPECT_NE(Text(updated, "metadata.resourceVersion"), Text(created, "metadata.resourceVersion"));
  EXPECT_EQ(Text(updated, "metadata.uid"), Text(created, "metadata.uid"));
  const std::string stale = MapBody(
      "a",
      absl::StrCat(R"(,"resourceVersion":")", Text(created, "metadata.resourceVersion"), "\""));
  EXPECT_EQ(Text(server.Expect(409, "PUT", one, {.body = stale}), "message"),
            "Operation cannot be fulfilled on configmaps \"a\": the object has been modified; "
            "please apply your changes to the latest version and try again");
  // An update that changes nothing makes no new version.
  const Value same = server.Expect(200, "PUT", one, {.body = R"({"metadata":{"name":"a"}})"});
  EXPECT_EQ(same, updated);

  const Value deleted = server.Expect(200, "DELETE", one);
  EXPECT_EQ(Text(deleted, "status"), "Success");
  EXPECT_EQ(Text(deleted, "details.uid"), Text(created, "metadata.uid"));
  EXPECT_EQ(Text(server.Expect(404, "GET", one), "message"), "configmaps \"a\" not found");
}

TEST(ApiHandler, AnswersErrorsAsARealServer) {
  struct Row {
    std::string name, method, target, body;
    int code;
    std::string message;
  };
  const std::string maps = kMaps;
  const std::vector<Row> rows = {
      {"no such resource", "GET", "/api/v1/foos", "", 404,
       "the server could not find the requested resource"},
      {"no such version", "GET", "/apis/apps/v9/deployments", "", 404,
       "the server could not find the requested resource"},
      {"no such subresource", "GET", maps + "/a/status", "", 404,
       "the server could not find the requested resource"},
      {"a method that is not there", "PUT", maps, "{}", 405,
       "the server does not allow this method on the requested resource"},
      {"create in all namespaces", "POST", "/api/v1/configmaps", MapBody("a"), 405,
       "the server does not allow this method on the requested resource"},
      {"no name", "POST", maps, "{}", 422,
       "ConfigMap \"\" is invalid: metadata.name: Required value: name or generateName is "
       "required"},
      {"another kind", "POST", maps, R"({"kind":"Pod"})", 400,
       "Pod in version \"v1\" cannot be handled as a ConfigMap: converting (v1.Pod) to "
       "(core.ConfigMap): unknown conversion"},
      {"another namespace", "POST", maps, MapBody("a", R"(,"namespace":"b")"), 400,
       "the namespace of the provided object does not match the namespace sent on the request"},
      {"a namespace that is not there", "POST", "/api/v1/namespaces/none/configmaps", MapBody("a"),
       404, "namespaces \"none\" not found"},
      {"a version of a new object", "POST", maps, MapBody("a", R"(,"resourceVersion":"1")"), 500,
       "resourceVersion should not be set on objects to be created"},
      {"another name", "PUT", maps + "/a", MapBody("b"), 400,
       "the name of the object (b) does not match the name on the URL (a)"},
      {"an unknown field selector", "GET", maps + "?fieldSelector=foo%3Dbar", "", 400,
       "\"foo\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\""},
      {"an unknown field of pods", "GET", std::string(kPods) + "?fieldSelector=foo%3Dbar", "", 400,
       "field label not supported: foo"},
      {"a limit that is no number", "GET", maps + "?limit=abc", "", 400,
       "strconv.ParseInt: parsing \"abc\": invalid syntax"},
      {"a version that is none", "GET", maps + "?resourceVersion=abc", "", 400,
       "invalid resource version: resourceVersion: Invalid value: \"abc\": strconv.ParseUint: "
       "parsing \"abc\": invalid syntax"},
      {"exactly any", "GET", maps + "?resourceVersion=0&resourceVersionMatch=Exact", "", 422,
       "ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden: "
       "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""},
      {"continue and a version", "GET", maps + "?continue=abc&resourceVersion=5", "", 400,
       "specifying resource version is not allowed when using continue"},
      {"an unknown policy", "DELETE", maps + "/a?propagationPolicy=Foo", "", 422,
       "DeleteOptions.meta.k8s.io \"\" is invalid: propagationPolicy: Unsupported value: \"Foo\": "
       "supported values: \"Foreground\", \"Background\", \"Orphan\", \"nil\""},
      {"the default namespace", "DELETE", "/api/v1/namespaces/default", "", 403,
       "namespaces \"default\" is forbidden: this namespace may not be deleted"},
      {"a pod without containers", "POST", kPods, R"({"metadata":{"name":"q"},"spec":{}})", 422,
       "Pod \"q\" is invalid: spec.containers: Required value"},
      {"a deployment without anything", "POST", kDeployments,
       R"({"metadata":{"name":"e"},"spec":{"template":{"spec":{}}}})", 422,
       "Deployment.apps \"e\" is invalid: [spec.selector: Required value, "
       "spec.template.metadata.labels: Invalid value: null: `selector` does not match template "
       "`labels`, spec.template.spec.containers: Required value]"},
      {"a lease without a version", "PUT",
       "/apis/coordination.k8s.io/v1/namespaces/default/leases/l", R"({"metadata":{"name":"l"}})",
       422,
       "leases.coordination.k8s.io \"l\" is invalid: metadata.resourceVersion: Invalid value: 0: "
       "must be specified for an update"},
      {"a list to come", "GET", maps + "?continue=abc", "", 400, ""},
  };
  Fixture server;
  server.Expect(201, "PUT", "/apis/coordination.k8s.io/v1/namespaces/default/leases/l",
                {.body = R"({"metadata":{"name":"l"}})"});
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const Value status = server.Expect(row.code, row.method, row.target, {.body = row.body});
    EXPECT_EQ(Text(status, "kind"), "Status");
    EXPECT_EQ(Text(status, "code"), absl::StrCat(row.code));
    if (!row.message.empty()) {
      EXPECT_EQ(Text(status, "message"), row.message);
    }
  }
}

TEST(ApiHandler, UnknownFieldsAreWarnedOfOrRefused) {
  Fixture server;
  const std::string body = R"({"metadata":{"name":"a"},"bogus":1})";
  const auto warned = server.Send("POST", absl::StrCat(kMaps, "?dryRun=All"), {.body = body});
  EXPECT_EQ(warned->status(), 201);
  EXPECT_EQ(warned->headers().Get("warning"), "299 - \"unknown field \\\"bogus\\\"\"");
  const auto ignored = server.Send(
      "POST", absl::StrCat(kMaps, "?dryRun=All&fieldValidation=Ignore"), {.body = body});
  EXPECT_EQ(ignored->headers().Get("warning"), std::nullopt);
  EXPECT_EQ(Text(server.Expect(400, "POST", absl::StrCat(kMaps, "?fieldValidation=Strict"),
                               {.body = body}),
                 "message"),
            "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error: "
            "unknown field \"bogus\"");
  // Nothing of this was stored.
  server.Expect(404, "GET", absl::StrCat(kMaps, "/a"));
}

TEST(ApiHandler, PatchesOfThreeKinds) {
  Fixture server;
  server.Expect(201, "POST", kMaps, {.body = MapBody("a")});
  const std::string one = absl::StrCat(kMaps, "/a");
  const Value merged = server.Expect(
      200, "PATCH", one, {.body = R"({"data":{"x":null,"z":"1"}})", .content_type = kMerge});
  EXPECT_EQ(Text(merged, "data.x"), "");
  EXPECT_EQ(Text(merged, "data.z"), "1");
  const Value operated = server.Expect(200, "PATCH", one,
                                       {.body = R"([{"op":"add","path":"/data/q","value":"2"}])",
                                        .content_type = "application/json-patch+json"});
  EXPECT_EQ(Text(operated, "data.q"), "2");
  server.Expect(422, "PATCH", one,
                {.body = R"([{"op":"test","path":"/data/q","value":"3"}])",
                 .content_type = "application/json-patch+json"});
  server.Expect(201, "POST", kPods, {.body = PodBody("p")});
  const Value strategic =
      server.Expect(200, "PATCH", absl::StrCat(kPods, "/p"),
                    {.body = R"({"spec":{"containers":[{"name":"c","image":"j"}]}})",
                     .content_type = "application/strategic-merge-patch+json"});
  const Value& containers = *strategic.Find("spec")->Find("containers");
  ASSERT_THAT(*containers.list(), SizeIs(1));
  EXPECT_EQ(Text((*containers.list())[0], "image"), "j");
  const Value applied =
      server.Expect(200, "PATCH", absl::StrCat(one, "?fieldManager=m"),
                    {.body = R"({"apiVersion":"v1","kind":"ConfigMap","data":{"z":"1","a":"3"}})",
                     .content_type = "application/apply-patch+yaml"});
  EXPECT_EQ(Text(applied, "data.q"), "2");
  EXPECT_EQ(Text(applied, "data.a"), "3");
}

TEST(ApiHandler, StatusAndSpecAreApart) {
  Fixture server;
  const std::string body =
      R"({"metadata":{"name":"d"},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{)"
      R"("metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}},)"
      R"("status":{"replicas":7}})";
  const Value created = server.Expect(201, "POST", kDeployments, {.body = body});
  EXPECT_EQ(Text(created, "status.replicas"), "");
  EXPECT_EQ(Text(created, "metadata.generation"), "1");
  EXPECT_EQ(Text(created, "spec.replicas"), "1");
  EXPECT_EQ(Text(created, "spec.progressDeadlineSeconds"), "600");
  const std::string one = absl::StrCat(kDeployments, "/d");
  const Value status = server.Expect(
      200, "PATCH", absl::StrCat(one, "/status"),
      {.body = R"({"spec":{"replicas":9},"status":{"replicas":3}})", .content_type = kMerge});
  EXPECT_EQ(Text(status, "status.replicas"), "3");
  EXPECT_EQ(Text(status, "spec.replicas"), "1");
  EXPECT_EQ(Text(status, "metadata.generation"), "1");
  const Value scale = server.Expect(200, "PUT", absl::StrCat(one, "/scale"),
                                    {.body = R"({"metadata":{"name":"d"},"spec":{"replicas":5}})"});
  EXPECT_EQ(Text(scale, "kind"), "Scale");
  EXPECT_EQ(Text(scale, "spec.replicas"), "5");
  EXPECT_EQ(Text(scale, "status.selector"), "a=b");
  const Value scaled = server.Expect(200, "GET", one);
  EXPECT_EQ(Text(scaled, "metadata.generation"), "2");
  EXPECT_EQ(Text(scaled, "status.replicas"), "3");
}

TEST(ApiHandler, ListsPageByPageAndForget) {
  Fixture server;
  for (int i = 0; i < 5; ++i) {
    server.Expect(201, "POST", kMaps, {.body = MapBody(absl::StrCat("m", i))});
  }
  const Value first = server.Expect(200, "GET", absl::StrCat(kMaps, "?limit=2"));
  EXPECT_EQ(Text(first, "metadata.remainingItemCount"), "3");
  server.Expect(200, "DELETE", absl::StrCat(kMaps, "/m4"));
  const std::string token = Text(first, "metadata.continue");
  const Value second = server.Expect(200, "GET", absl::StrCat(kMaps, "?continue=", token));
  // The page still shows the same revision.
  EXPECT_THAT(*second.Find("items")->list(), SizeIs(3));
  EXPECT_EQ(Text(second, "metadata.resourceVersion"), Text(first, "metadata.resourceVersion"));
  EXPECT_THAT(*server.Expect(200, "GET", absl::StrCat(kMaps, "?limit=2&resourceVersion=0"))
                   .Find("items")
                   ->list(),
              SizeIs(4));

  server.handler().Compact();
  const Value expired = server.Expect(410, "GET", absl::StrCat(kMaps, "?continue=", token));
  EXPECT_EQ(Text(expired, "reason"), "Expired");
  const Value rest = server.Expect(
      200, "GET", absl::StrCat(kMaps, "?continue=", Text(expired, "metadata.continue")));
  EXPECT_THAT(*rest.Find("items")->list(), SizeIs(2));
  EXPECT_EQ(
      Text(server.Expect(410, "GET",
                         absl::StrCat(kMaps, "?resourceVersionMatch=Exact&", "resourceVersion=6")),
           "reason"),
      "Expired");
  const auto watch = server.Send("GET", absl::StrCat(kMaps, "?watch=1&resourceVersion=6"));
  EXPECT_EQ(watch->status(), 200);
  EXPECT_TRUE(watch->finished());
  EXPECT_THAT(watch->body(), HasSubstr("too old resource version: 6 (11)"));
}

TEST(ApiHandler, WatchesFollowSelections) {
  Fixture server;
  server.Expect(201, "POST", kMaps, {.body = MapBody("a", R"(,"labels":{"l":"1"})")});
  const auto watch = server.Send("GET", absl::StrCat(kMaps, "?watch=1&labelSelector=l%3D1"));
  ASSERT_THAT(watch->lines(), SizeIs(1));
  const std::string one = absl::StrCat(kMaps, "/a");
  server.Expect(200, "PATCH", one, {.body = R"({"data":{"x":"2"}})", .content_type = kMerge});
  const Value left = server.Expect(
      200, "PATCH", one,
      {.body = R"({"data":{"x":"3"},"metadata":{"labels":{"l":"2"}}})", .content_type = kMerge});
  server.Expect(200, "PATCH", one, {.body = R"({"data":{"x":"4"}})", .content_type = kMerge});
  server.Expect(200, "PATCH", one,
                {.body = R"({"metadata":{"labels":{"l":"1"}}})", .content_type = kMerge});
  server.Expect(200, "DELETE", one);
  const std::vector<std::string> lines = watch->lines();
  EXPECT_THAT(lines,
              ElementsAre(StartsWith(R"({"type":"ADDED")"), StartsWith(R"({"type":"MODIF)"),
                          StartsWith(R"({"type":"DELETED")"), StartsWith(R"({"type":"ADDED")"),
                          StartsWith(R"({"type":"DELETED")")));
  // An object that leaves the selection is sent as it was, with the revision of the change.
  EXPECT_THAT(lines[2], HasSubstr(R"("x":"2")"));
  EXPECT_THAT(lines[2], HasSubstr(absl::StrCat(R"("resourceVersion":")",
                                               Text(left, "metadata.resourceVersion"), "\"")));
  EXPECT_EQ(server.handler().watches(), 1u);
  watch->Cancel();
  EXPECT_EQ(server.handler().watches(), 0u);
}

TEST(ApiHandler, AWatchListTellsItsEnd) {
  Fixture server;
  server.Expect(201, "POST", kMaps, {.body = MapBody("a")});
  const auto watch = server.Send(
      "GET", absl::StrCat(kMaps, "?watch=1&sendInitialEvents=true&allowWatchBookmarks=true&",
                          "resourceVersionMatch=NotOlderThan"));
  EXPECT_THAT(watch->lines(),
              ElementsAre(StartsWith(R"({"type":"ADDED")"),
                          R"({"type":"BOOKMARK","object":{"kind":"ConfigMap",)"
                          R"("apiVersion":"v1","metadata":{"resourceVersion":"6",)"
                          R"("annotations":{"k8s.io/initial-events-end":"true"}}}})"));
}

TEST(ApiHandler, FinalizersAndPoliciesHoldObjects) {
  Fixture server;
  const std::string one = absl::StrCat(kMaps, "/a");
  server.Expect(201, "POST", kMaps, {.body = MapBody("a", R"(,"finalizers":["e.com/f"])")});
  const Value held = server.Expect(200, "DELETE", one);
  EXPECT_NE(Text(held, "metadata.deletionTimestamp"), "");
  EXPECT_EQ(Text(held, "metadata.deletionGracePeriodSeconds"), "0");
  EXPECT_EQ(server.Expect(200, "DELETE", one), held);
  server.Expect(
      422, "PATCH", one,
      {.body = R"({"metadata":{"finalizers":["e.com/f","e.com/g"]}})", .content_type = kMerge});
  server.Expect(200, "PATCH", one,
                {.body = R"({"metadata":{"finalizers":null}})", .content_type = kMerge});
  server.Expect(404, "GET", one);
}

TEST(ApiHandler, PodsGoGracefully) {
  Fixture server;
  const std::string one = absl::StrCat(kPods, "/p");
  server.Expect(201, "POST", kPods, {.body = PodBody("p")});
  server.Expect(201, "POST", absl::StrCat(one, "/binding"),
                {.body = R"({"metadata":{"name":"p"},"target":{"kind":"Node","name":"n"}})"});
  EXPECT_EQ(Text(server.Expect(409, "POST", absl::StrCat(one, "/binding"),
                               {.body = R"({"metadata":{"name":"p"},"target":{"name":"n"}})"}),
                 "message"),
            "Operation cannot be fulfilled on pods/binding \"p\": pod p is already assigned to "
            "node \"n\"");
  const Value evicted = server.Expect(
      201, "POST", absl::StrCat(one, "/eviction"),
      {.body = R"({"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"p"}})"});
  EXPECT_EQ(Text(evicted, "status"), "Success");
  const Value pod = server.Expect(200, "GET", one);
  EXPECT_EQ(Text(pod, "metadata.deletionGracePeriodSeconds"), "30");
  EXPECT_EQ(Text(pod, "metadata.generation"), "2");
  server.Expect(200, "DELETE", one, {.body = R"({"gracePeriodSeconds":0})"});
  server.Expect(404, "GET", one);
  // A pod without a node is deleted at once, and returned.
  server.Expect(201, "POST", kPods, {.body = PodBody("p")});
  EXPECT_EQ(Text(server.Expect(200, "DELETE", one), "kind"), "Pod");
  server.Expect(404, "GET", one);
}

TEST(ApiHandler, CollectsWhatBelongsToTheDeleted) {
  Fixture server;
  const Value owner = server.Expect(201, "POST", kMaps, {.body = MapBody("owner")});
  const std::string owned = OwnedBy(owner, "v1", "ConfigMap");
  const Value child = server.Expect(201, "POST", kMaps, {.body = MapBody("child", owned)});
  server.Expect(201, "POST", kPods, {.body = PodBody("p", OwnedBy(child, "v1", "ConfigMap"))});
  server.Expect(200, "DELETE", absl::StrCat(kMaps, "/owner"));
  server.Expect(404, "GET", absl::StrCat(kMaps, "/child"));
  server.Expect(404, "GET", absl::StrCat(kPods, "/p"));
  // The owner does not exist, so its dependent is deleted.
  server.Expect(201, "POST", kMaps, {.body = MapBody("late", owned)});
  server.Expect(404, "GET", absl::StrCat(kMaps, "/late"));
}

TEST(ApiHandler, OrphansOrDeletesInTheForeground) {
  Fixture server;
  const Value owner = server.Expect(201, "POST", kMaps, {.body = MapBody("owner")});
  server.Expect(201, "POST", kMaps, {.body = MapBody("c", OwnedBy(owner, "v1", "ConfigMap"))});
  server.Expect(200, "DELETE", absl::StrCat(kMaps, "/owner?propagationPolicy=Orphan"));
  server.Expect(404, "GET", absl::StrCat(kMaps, "/owner"));
  EXPECT_EQ(server.Expect(200, "GET", absl::StrCat(kMaps, "/c"))
                .Find("metadata")
                ->Find("ownerReferences"),
            nullptr);

  const Value second = server.Expect(201, "POST", kMaps, {.body = MapBody("owner")});
  server.Expect(201, "POST", kMaps,
                {.body = MapBody("held", absl::StrCat(OwnedBy(second, "v1", "ConfigMap", true),
                                                      R"(,"finalizers":["e.com/f"])"))});
  server.Expect(200, "DELETE", absl::StrCat(kMaps, "/owner?propagationPolicy=Foreground"));
  // The owner waits for its dependent, which waits for its finalizer.
  server.Expect(200, "GET", absl::StrCat(kMaps, "/owner"));
  server.Expect(200, "PATCH", absl::StrCat(kMaps, "/held"),
                {.body = R"({"metadata":{"finalizers":null}})", .content_type = kMerge});
  server.Expect(404, "GET", absl::StrCat(kMaps, "/held"));
  server.Expect(404, "GET", absl::StrCat(kMaps, "/owner"));
}

TEST(ApiHandler, NamespacesAreEmptiedAndGo) {
  Fixture server;
  server.Expect(201, "POST", "/api/v1/namespaces", {.body = R"({"metadata":{"name":"n"}})"});
  server.Expect(201, "POST", "/api/v1/namespaces/n/configmaps", {.body = MapBody("free")});
  server.Expect(201, "POST", "/api/v1/namespaces/n/configmaps",
                {.body = MapBody("held", R"(,"finalizers":["e.com/f"])")});
  const Value going = server.Expect(200, "DELETE", "/api/v1/namespaces/n");
  EXPECT_EQ(Text(going, "status.phase"), "Terminating");
  server.Expect(404, "GET", "/api/v1/namespaces/n/configmaps/free");
  server.Expect(200, "GET", "/api/v1/namespaces/n");
  const Value forbidden =
      server.Expect(403, "POST", "/api/v1/namespaces/n/configmaps", {.body = MapBody("new")});
  EXPECT_EQ(Text(forbidden, "message"),
            "configmaps \"new\" is forbidden: unable to create new content in namespace n because "
            "it is being terminated");
  server.Expect(200, "PATCH", "/api/v1/namespaces/n/configmaps/held",
                {.body = R"({"metadata":{"finalizers":null}})", .content_type = kMerge});
  server.Expect(404, "GET", "/api/v1/namespaces/n");
}

TEST(ApiHandler, KnowsUsersAndRules) {
  Fixture server({.deny = {{.user = "tester", .verb = "get", .group = "", .resource = "secrets"}}});
  const Value review = server.Expect(
      201, "POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {.body = "{}"});
  EXPECT_EQ(Text(review, "status.userInfo.username"), "tester");
  EXPECT_EQ(Text(server.Expect(403, "GET", "/api/v1/namespaces/default/secrets/s"), "message"),
            "secrets \"s\" is forbidden: User \"tester\" cannot get resource \"secrets\" in API "
            "group \"\" in the namespace \"default\"");
  server.Expect(200, "GET", "/api/v1/namespaces/default/secrets");
  EXPECT_EQ(Text(server.Expect(401, "GET", kMaps, {.token = "bad"}), "message"), "Unauthorized");
  EXPECT_EQ(Text(server.Expect(403, "GET", kMaps, {.token = ""}), "message"),
            "configmaps is forbidden: User \"system:anonymous\" cannot list resource "
            "\"configmaps\" in API group \"\" in the namespace \"default\"");
  EXPECT_EQ(server.Send("GET", "/readyz", {.token = ""})->body(), "ok");
  const std::vector<LoggedRequest> requests = server.handler().Requests();
  ASSERT_THAT(requests, SizeIs(6));
  EXPECT_EQ(requests[1].verb, "get");
  EXPECT_EQ(requests[1].resource, "secrets");
  EXPECT_EQ(requests[1].code, 403);
  EXPECT_EQ(requests[1].user, "tester");
}

TEST(ApiHandler, SpeaksManyForms) {
  Fixture server;
  server.Expect(201, "POST", kMaps,
                {.body = "metadata:\n  name: a\n", .content_type = "application/yaml"});
  const std::string one = absl::StrCat(kMaps, "/a");
  const std::string binary =
      server.Send("GET", one, {.accept = "application/vnd.kubernetes.protobuf"})->body();
  EXPECT_THAT(binary, StartsWith(std::string("k8s\0", 4)));
  const auto sent_back = server.Send(
      "PUT", one, {.body = binary, .content_type = "application/vnd.kubernetes.protobuf"});
  EXPECT_EQ(sent_back->status(), 200) << sent_back->body();
  EXPECT_THAT(server.Send("GET", one, {.accept = "application/yaml"})->body(),
              HasSubstr("kind: ConfigMap\n"));
  const Value table =
      server.Expect(200, "GET", kMaps, {.accept = "application/json;as=Table;g=meta.k8s.io;v=v1"});
  EXPECT_EQ(Text(table, "kind"), "Table");
  EXPECT_THAT(*table.Find("rows")->list(), SizeIs(1));
  EXPECT_THAT(*table.Find("columnDefinitions")->list(), SizeIs(2));
  const Value metadata =
      server.Expect(200, "GET", kMaps,
                    {.accept = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"});
  EXPECT_EQ(Text(metadata, "kind"), "PartialObjectMetadataList");
  EXPECT_EQ(server.Send("GET", one, {.accept = "text/plain"})->status(), 406);
  EXPECT_EQ(server.Send("POST", kMaps, {.body = "x", .content_type = "text/plain"})->status(), 415);
}

TEST(ApiHandler, ShowsTablesAsItIsTold) {
  Fixture server({.tables = &printers::KubectlTables()});
  const Value table =
      server.Expect(200, "GET", kMaps, {.accept = "application/json;as=Table;g=meta.k8s.io;v=v1"});
  EXPECT_THAT(*table.Find("columnDefinitions")->list(), SizeIs(3));
}

TEST(ApiHandler, Discovers) {
  Fixture server;
  const Value groups = server.Expect(200, "GET", "/apis");
  EXPECT_THAT(*groups.Find("groups")->list(), SizeIs(20));
  const Value core = server.Expect(200, "GET", "/api/v1");
  EXPECT_EQ(Text(core, "groupVersion"), "v1");
  const std::string aggregated =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  const auto all = server.Send("GET", "/apis", {.accept = aggregated});
  EXPECT_THAT(all->body(), StartsWith(R"({"kind":"APIGroupDiscoveryList")"));
  EXPECT_EQ(all->headers().Get("content-type"), aggregated);
  EXPECT_EQ(server.Send("GET", "/nope")->body(), "404 page not found\n");
}

TEST(ApiHandler, ServesPodLogs) {
  Fixture server;
  server.Expect(201, "POST", kPods, {.body = PodBody("p")});
  server.handler().SetPodLog("default", "p", "c", "hello\n");
  EXPECT_EQ(server.Send("GET", absl::StrCat(kPods, "/p/log"))->body(), "hello\n");
  EXPECT_EQ(server.Send("GET", absl::StrCat(kPods, "/p/log?container=d"))->status(), 400);
}

// Virtual time makes this instant.
TEST(ApiHandler, WaitsAndBookmarksInASimulation) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    base::SimRuntime sim({.seed = seed});
    ASSERT_THAT(sim.Run([] {
      Fixture server;
      const auto early = server.Send("GET", absl::StrCat(kMaps, "?resourceVersion=6"));
      EXPECT_EQ(early->status(), 0);
      server.Expect(201, "POST", kMaps, {.body = MapBody("a")});
      EXPECT_EQ(early->status(), 200);
      const auto never = server.Send("GET", absl::StrCat(kMaps, "?resourceVersion=99"));
      EXPECT_THAT(never->Wait(WithTimeout(Context(), absl::Seconds(4))), IsOk());
      EXPECT_EQ(never->status(), 504);

      const auto watch = server.Send(
          "GET", absl::StrCat(kMaps, "?watch=1&allowWatchBookmarks=1&timeoutSeconds=150&",
                              "resourceVersion=6"));
      EXPECT_THAT(watch->Wait(WithTimeout(Context(), absl::Minutes(5))), IsOk());
      // After one minute, after two, and at the end.
      EXPECT_THAT(watch->lines(), SizeIs(3));
    }),
                IsOk())
        << "seed " << seed;
  }
}

// Returns the generated name of a job after a job `name` was created. The random numbers are always
// the same.
std::string GeneratedAfter(absl::string_view name) {
  constexpr absl::string_view kJobs = "/apis/batch/v1/namespaces/default/jobs";
  const auto body = [](absl::string_view member, absl::string_view value) {
    return absl::StrCat(
        R"({"metadata":{")", member, R"(":")", value,
        R"("},"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}})");
  };
  std::string generated;
  base::SimRuntime sim({.seed = 1});
  EXPECT_THAT(sim.Run([&] {
    Fixture server;
    server.Expect(201, "POST", kJobs, {.body = body("name", name)});
    generated = Text(server.Expect(201, "POST", kJobs, {.body = body("generateName", "j-")}),
                     "metadata.name");
  }),
              IsOk());
  return generated;
}

TEST(ApiHandler, AJobGetsAnotherNameIfTheGeneratedOneIsTaken) {
  const std::string name = GeneratedAfter("other");
  EXPECT_NE(name, "");
  EXPECT_EQ(GeneratedAfter("third"), name);
  const std::string second = GeneratedAfter(name);
  EXPECT_NE(second, "");
  EXPECT_NE(second, name);
}

TEST(ApiHandler, AnInvalidPriorityClassIsThatBeforeItIsTheSecondDefault) {
  Fixture server;
  const auto create = [&](absl::string_view name) {
    return server
        .Send("POST", "/apis/scheduling.k8s.io/v1/priorityclasses",
              {.body = absl::StrCat(R"({"metadata":{"name":")", name,
                                    R"("},"value":1,"globalDefault":true})")})
        ->status();
  };
  EXPECT_EQ(create("a"), 201);
  EXPECT_EQ(create("b"), 403);
  EXPECT_EQ(create("B"), 422);
}

}  // namespace
}  // namespace kube::apiserver
