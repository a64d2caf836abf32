#include "controller/manager/status_page.h"

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "controller/manager/manager_status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller {
namespace {

using base::IsOk;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using unstructured::Value;

constexpr absl::Time kNow = absl::FromUnixSeconds(1'700'000'000);  // 2023-11-14T22:13:20Z

ManagerStatus Sample() {
  ManagerStatus status;
  status.name = "website-operator";
  status.version = "1.2.3";
  status.now = kNow;
  status.started = kNow - absl::Hours(2);
  status.leader = {.elected = true,
                   .leads = true,
                   .since = kNow - absl::Minutes(5),
                   .lease = "prod/website",
                   .holder = "web-0_1",
                   .identity = "web-0_1",
                   .renewals = 150,
                   .last_renewal = kNow - absl::Seconds(2)};
  status.phases = {{.name = "servers", .state = "running", .since = kNow - absl::Hours(2)},
                   {.name = "caches", .state = "starting", .waits_for = "pods"}};
  status.runnables = {{.name = "dns", .phase = "leader", .state = "ended", .error = "no route"}};
  status.informers = {{.resource = "pods.v1",
                       .selector = "app=web",
                       .why_not_synced = "list pods: forbidden",
                       .objects = 7,
                       .last_event = kNow - absl::Seconds(40)},
                      {.resource = "websites.example.com/v1",
                       .namespace_name = "prod",
                       .synced = true,
                       .cluster = "east"}};
  ControllerStatus controller = {
      .name = "website", .kind = "Website.example.com/v1", .running = true};
  controller.queue = {.ready = 2,
                      .delayed = 3,
                      .parked = 4,
                      .in_work = 1,
                      .oldest_key = "prod/a",
                      .oldest_age = absl::Milliseconds(61'500),
                      .oldest_keys = {{.key = "prod/a", .age = absl::Milliseconds(61'500)},
                                      {.key = "prod/d", .age = absl::Milliseconds(2'500)}}};
  controller.workers = {{.key = "prod/b", .since = kNow - absl::Seconds(3), .where = "apply pods"},
                        {}};
  controller.last_errors = {
      {.key = "prod/c", .time = kNow - absl::Seconds(90), .message = "no quota", .failures = 4}};
  controller.reconciles = 100;
  controller.failed_reconciles = 5;
  status.controllers = {controller};
  status.requests_per_second = 1.5;
  status.request_rates = {
      {.verb = "patch", .resource = "deployments.apps", .per_second = 1.25, .requests = 900},
      {.verb = "watch", .resource = "pods", .per_second = 0.25, .requests = 15}};
  status.memory = {{.what = "process, resident", .bytes = 5'000'000'000}};
  return status;
}

TEST(RenderStatusPageTest, ShowsAllParts) {
  const std::string page = RenderStatusPage(Sample());
  for (const char* part : {
           "<!DOCTYPE html>\n<html lang=\"en\">",
           "<title>website-operator</title>",
           "name=\"viewport\"",
           "At 2023-11-14 22:13:20 UTC, running for 2h0m0s, version 1.2.3, 1.5 requests a second",
           "Leads for 5m0s; lease prod/website, held by web-0_1; this is web-0_1, "
           "which has renewed it 150 times, last 2s ago.",
           "<h2 id=\"leader\">",
           "<h2 id=\"phases\">",
           "<h2 id=\"controllers\">",
           "<h2 id=\"informers\">",
           "<h2 id=\"requests\">",
           "<h2 id=\"runnables\">",
           "<h2 id=\"memory\">",
           "<td title=\"key\">prod/a</td><td title=\"for\">1m1s</td>",
           "<td title=\"key\">prod/d</td><td title=\"for\">2s</td>",
           "<td title=\"verb\">patch</td><td title=\"resource\">deployments.apps</td>"
           "<td title=\"a second\">1.25</td><td title=\"all\">900</td>",
           "<td title=\"objects of\">pods.v1</td><td title=\"number\">7</td>",
           "<td title=\"phase\">servers</td><td title=\"state\">running</td>"
           "<td title=\"for\">2h0m0s</td><td title=\"waits for\"></td>",
           "<td title=\"waits for\" class=\"bad\">pods</td>",
           "<h3>website (Website.example.com/v1)</h3>",
           "2 keys ready, 1 in work, 3 delayed, 4 parked; prod/a waits for 1m1s. 100 reconciles, "
           "of which 5 failed.",
           "<td title=\"key\">prod/b</td><td title=\"for\">3s</td>"
           "<td title=\"in\">apply pods</td>",
           "<td title=\"key\">waits for a key</td>",
           "<td title=\"ago\">1m30s</td><td title=\"key\">prod/c</td>"
           "<td title=\"in a row\">4</td><td title=\"error\">no quota</td>",
           "<td title=\"objects\">7</td><td title=\"last event\">40s ago</td>"
           "<td title=\"synced\" class=\"bad\">no: list pods: forbidden</td>",
           "<td title=\"cluster\">east</td><td title=\"namespace\">prod</td>",
           "<td title=\"error\" class=\"bad\">no route</td>",
           "<td title=\"of\">process, resident</td><td title=\"bytes\">4.7 GiB</td>",
           "</body>\n</html>\n",
       }) {
    EXPECT_THAT(page, HasSubstr(part));
  }
}

TEST(RenderStatusPageTest, AnEmptyStatus_IsAPageToo) {
  const std::string page = RenderStatusPage({});
  EXPECT_THAT(page, HasSubstr("Works alone: no leader is elected."));
  EXPECT_THAT(page, HasSubstr("<p>At not known.</p>"));
  EXPECT_THAT(page, Not(HasSubstr("<table>")));
}

// Names and messages come from the cluster: anybody who may create an object chooses them.
constexpr char kHostile[] = "<script>alert(\"x\")</script>'&\x01\xff";
constexpr char kEscaped[] =
    "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&#39;&amp;\xEF\xBF\xBD\xEF\xBF\xBD";

ManagerStatus Hostile() {
  ManagerStatus status = Sample();
  const std::string text = kHostile;
  status.name = status.version = text;
  status.leader.lease = status.leader.holder = status.leader.identity = text;
  for (PhaseStatus& phase : status.phases) phase.name = phase.state = phase.waits_for = text;
  for (RunnableStatus& each : status.runnables) {
    each.name = each.phase = each.state = each.error = text;
  }
  for (InformerStatus& each : status.informers) {
    each.resource = each.selector = each.namespace_name = each.why_not_synced = text;
    each.cluster = text;
  }
  for (ControllerStatus& each : status.controllers) {
    each.name = each.kind = each.waits_for = text;
    each.running = false;
    each.queue.oldest_key = text;
    for (QueuedKey& key : each.queue.oldest_keys) key.key = text;
    for (WorkerStatus& worker : each.workers) worker.key = worker.where = text;
    for (ReconcileError& error : each.last_errors) error.key = error.message = text;
  }
  for (RequestRateStatus& each : status.request_rates) each.verb = each.resource = text;
  for (MemoryStatus& each : status.memory) each.what = text;
  return status;
}

TEST(RenderStatusPageTest, EscapesEverything) {
  const std::string page = RenderStatusPage(Hostile());
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr("\x01")));
  EXPECT_THAT(page, Not(HasSubstr("\xff")));
  // Each text that the sample has: none is left out, none is there twice but the name.
  const std::vector<std::string> parts = absl::StrSplit(page, absl::string_view(kEscaped));
  EXPECT_EQ(parts.size() - 1, size_t{43});
}

TEST(RenderStatusPageTest, LoadsNothing) {
  const std::string page = RenderStatusPage(Sample());
  for (const char* part : {"http:", "https:", "src=", "href=", "@import", "url(", "<script"}) {
    EXPECT_THAT(page, Not(HasSubstr(part)));
  }
  EXPECT_THAT(std::string(kStatusPagePolicy), StartsWith("default-src 'none';"));
}

TEST(RenderStatusPageTest, InformersThatHaveNotSynced_ComeFirst) {
  ManagerStatus status;
  status.informers = {{.resource = "first.v1", .synced = true},
                      {.resource = "second.v1", .synced = true},
                      {.resource = "third.v1"}};
  const std::string page = RenderStatusPage(status);
  const auto row_of = [&page](const std::string& resource) {
    return page.find("<td title=\"resource\">" + resource);
  };
  EXPECT_LT(row_of("third.v1"), row_of("first.v1"));
  EXPECT_LT(row_of("first.v1"), row_of("second.v1"));
}

TEST(RenderStatusPageTest, WorkersWithTheLongestReconcile_ComeFirst) {
  ManagerStatus status;
  status.now = kNow;
  ControllerStatus controller;
  controller.workers = {{},
                        {.key = "prod/young", .since = kNow - absl::Seconds(1)},
                        {.key = "prod/old", .since = kNow - absl::Hours(1)}};
  status.controllers = {controller};
  const std::string page = RenderStatusPage(status);
  EXPECT_LT(page.find("prod/old"), page.find("prod/young"));
  EXPECT_LT(page.find("prod/young"), page.find("waits for a key"));
}

TEST(RenderStatusPageTest, Workers_KeepTheirNumbersWhereverTheyStand) {
  ManagerStatus status;
  status.now = kNow;
  ControllerStatus controller;
  controller.workers = {{},
                        {.key = "prod/young", .since = kNow - absl::Seconds(1)},
                        {.key = "prod/old", .since = kNow - absl::Hours(1)}};
  status.controllers = {controller};
  const std::string page = RenderStatusPage(status);
  EXPECT_THAT(page, HasSubstr("<td title=\"worker\">3</td><td title=\"key\">prod/old</td>"));
  EXPECT_THAT(page, HasSubstr("<td title=\"worker\">2</td><td title=\"key\">prod/young</td>"));
  EXPECT_THAT(page, HasSubstr("<td title=\"worker\">1</td><td title=\"key\">waits for a key</td>"));
}

// A cache may have a million keys, and an error may contain a whole object.
TEST(RenderStatusPageTest, VeryMuch_HasABound) {
  ManagerStatus status;
  status.informers.resize(100'000);
  status.request_rates.resize(100'000);
  status.runnables.resize(100'000);
  status.phases.resize(100'000);
  ControllerStatus controller;
  controller.queue.ready = 1'000'000;
  controller.queue.oldest_keys = {{.key = "prod/a"}, {.key = "prod/b"}};
  controller.workers.resize(201);
  status.controllers.assign(1000, controller);
  status.controllers[0].last_errors = {{.key = "prod/a", .message = std::string(1'000'000, 'x')}};
  const std::string page = RenderStatusPage(status);
  EXPECT_LT(page.size(), size_t{10'000'000});
  EXPECT_THAT(page, HasSubstr("<p>and 999998 more</p>")) << "keys";
  EXPECT_THAT(page, HasSubstr("<p>and 1 more</p>")) << "workers";
  EXPECT_THAT(page, HasSubstr("<p>and 99800 more</p>")) << "informers, and others";
  EXPECT_THAT(page, HasSubstr("<p>and 800 more</p>")) << "controllers";
  EXPECT_THAT(page, HasSubstr("x ... and 998000 bytes more</td>"));
  EXPECT_THAT(page, HasSubstr("</body>\n</html>\n"));
}

TEST(RenderStatusPageTest, ATextThatIsCutInACharacter_StaysValid) {
  ManagerStatus status;
  status.name = "x";
  for (int i = 0; i < 1000; ++i) status.name += "\xC3\xA4";
  const std::string page = RenderStatusPage(status);
  EXPECT_THAT(page, HasSubstr("\xC3\xA4\xEF\xBF\xBD ... and 1 bytes more"));
}

TEST(RenderStatusJsonTest, HasStableNames) {
  EXPECT_EQ(
      RenderStatusJson(Sample()),
      R"({"name":"website-operator","version":"1.2.3","now":"2023-11-14T22:13:20.000000Z",)"
      R"("started":"2023-11-14T20:13:20.000000Z","leader":{"elected":true,"leads":true,)"
      R"("since":"2023-11-14T22:08:20.000000Z","lease":"prod/website","holder":"web-0_1",)"
      R"("identity":"web-0_1","renewals":150,"lastRenewal":"2023-11-14T22:13:18.000000Z"},)"
      R"("phases":[{"name":"servers","state":"running",)"
      R"("since":"2023-11-14T20:13:20.000000Z","waitsFor":""},{"name":"caches",)"
      R"("state":"starting","since":null,"waitsFor":"pods"}],"runnables":[{"name":"dns",)"
      R"("phase":"leader","state":"ended","since":null,"error":"no route"}],"informers":[)"
      R"({"resource":"pods.v1","selector":"app=web","namespace":"","synced":false,)"
      R"("whyNotSynced":"list pods: forbidden","objects":7,"cluster":"",)"
      R"("lastEvent":"2023-11-14T22:12:40.000000Z"},)"
      R"({"resource":"websites.example.com/v1","selector":"","namespace":"prod","synced":true,)"
      R"("whyNotSynced":"","objects":0,"cluster":"east","lastEvent":null}],)"
      R"("controllers":[{"name":"website","kind":"Website.example.com/v1","running":true,)"
      R"("waitsFor":"","queue":{"ready":2,)"
      R"("delayed":3,"parked":4,"inWork":1,"oldestKey":"prod/a","oldestAge":61.5,)"
      R"("oldestKeys":[{"key":"prod/a","age":61.5},{"key":"prod/d","age":2.5}]},"workers":[)"
      R"({"key":"prod/b","since":"2023-11-14T22:13:17.000000Z","where":"apply pods"},)"
      R"({"key":"","since":null,"where":""}],"lastErrors":[{"key":"prod/c",)"
      R"("time":"2023-11-14T22:11:50.000000Z","message":"no quota","failures":4}],)"
      R"("reconciles":100,"failedReconciles":5}],"requestsPerSecond":1.5,)"
      R"("requestRates":[{"verb":"patch","resource":"deployments.apps","perSecond":1.25,)"
      R"("requests":900},{"verb":"watch","resource":"pods","perSecond":0.25,"requests":15}],)"
      R"("memory":[{"what":"process, resident","bytes":5000000000}]})"
      "\n");
}

TEST(RenderStatusJsonTest, HostileTexts_AreValidJson) {
  ManagerStatus status = Hostile();
  status.requests_per_second = std::numeric_limits<double>::infinity();
  status.controllers[0].queue.oldest_age = absl::InfiniteDuration();
  const std::string json = RenderStatusJson(status);
  const absl::StatusOr<Value> value = unstructured::ParseJson(absl::string_view(json));
  ASSERT_THAT(value, IsOk());
  EXPECT_EQ((*value)["name"], Value("<script>alert(\"x\")</script>'&\x01\xEF\xBF\xBD"));
  EXPECT_EQ((*value)["requestsPerSecond"], Value(nullptr));
}

}  // namespace
}  // namespace kube::controller
