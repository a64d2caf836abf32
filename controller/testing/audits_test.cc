// What audits find in an operator's requests, and the near misses that they must not find.
#include "controller/testing/audits.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apiserver/handler.h"
#include "controller/testing/audit_finding.h"
#include "controller/testing/audit_options.h"
#include "controller/testing/internal/logged_requests.h"
#include "gtest/gtest.h"

namespace kube::controller {
namespace {

using apiserver::LoggedRequest;
using internal::Logged;
using internal::SetObject;

using Log = std::vector<LoggedRequest>;

// Returns the findings without their messages: "HotLoop configmaps default/a 61\n".
std::string Found(const Log& log, const AuditOptions& options = {}) {
  std::string text;
  for (const AuditFinding& each : AuditRequests(log, options)) {
    absl::StrAppend(&text, AuditKindName(each.kind), " ", each.object, " ", each.count, "\n");
  }
  return text;
}

// Returns this many equal requests, each some time after the one before it.
Log Repeated(int times, absl::Duration interval, const LoggedRequest& request) {
  Log log;
  for (int i = 0; i < times; ++i) {
    log.push_back(request);
    log.back().time += i * interval;
  }
  return log;
}

// A successful patch that leaves the object as it was.
LoggedRequest Unchanged() {
  LoggedRequest request = Logged("patch", "a");
  request.changed = false;
  return request;
}

LoggedRequest WrittenBy(absl::string_view user, absl::string_view data) {
  LoggedRequest request = Logged("update", "a");
  request.user = std::string(user);
  SetObject(request,
            absl::StrCat(R"({"metadata":{"name":"a","uid":"1"},"data":{"x":")", data, "\"}}"));
  return request;
}

LoggedRequest WithFinalizers(absl::string_view user, absl::string_view uid,
                             absl::string_view finalizers) {
  LoggedRequest request = Logged("update", "a");
  request.user = std::string(user);
  SetObject(request, absl::StrCat(R"({"metadata":{"name":"a","uid":")", uid, R"(","finalizers":[)",
                                  finalizers, "]}}"));
  return request;
}

LoggedRequest CreatedFor(absl::string_view owner, absl::string_view name) {
  LoggedRequest request = Logged("create", name);
  SetObject(request, absl::StrCat(R"({"metadata":{"name":")", name,
                                  R"(","ownerReferences":[{"kind":"Website","name":"blog","uid":")",
                                  owner, R"(","controller":true}]}})"));
  return request;
}

LoggedRequest EventAbout(absl::string_view name) {
  LoggedRequest request = Logged("create", "e");
  request.resource = "events";
  SetObject(request, absl::StrCat(R"({"involvedObject":{"kind":"Website","namespace":"default",)",
                                  R"("name":")", name, "\"}}"));
  return request;
}

TEST(AuditRequests, ManyWritesThatChangeNothing_AreFound) {
  EXPECT_EQ(Found(Repeated(6, absl::Seconds(1), Unchanged())),
            "WriteWithoutChange configmaps default/a 6\n");
}

TEST(AuditRequests, FewOrRareWritesThatChangeNothing_AreNotFound) {
  EXPECT_EQ(Found(Repeated(5, absl::Seconds(1), Unchanged())), "");
  EXPECT_EQ(Found(Repeated(50, absl::Seconds(20), Unchanged())), "");
  EXPECT_EQ(Found(Repeated(10, absl::Seconds(1), Logged("patch", "a"))), "");
}

TEST(AuditRequests, AnUpdateWithoutAVersion_IsFound) {
  LoggedRequest request = Logged("update", "a");
  request.sent_version = "";
  EXPECT_EQ(Found({request}), "UnconditionalUpdate configmaps default/a 1\n");
}

TEST(AuditRequests, AnUpdateThatHasAVersionOrCreatesOrFails_IsNotFound) {
  LoggedRequest creates = Logged("update", "b");
  creates.sent_version = "";
  creates.code = 201;
  LoggedRequest fails = Logged("update", "c");
  fails.sent_version = "";
  fails.code = 422;
  EXPECT_EQ(Found({Logged("update", "a"), creates, fails}), "");
}

TEST(AuditRequests, ALostFinalizerOfAnother_IsFound) {
  EXPECT_EQ(Found({WithFinalizers("ann", "1", R"("other.io/f")"), WithFinalizers("op", "1", "")},
                  {.user = "op"}),
            "LostFinalizer configmaps default/a 1\n");
}

TEST(AuditRequests, OnesOwnFinalizerOrAnotherObjects_IsNotLost) {
  EXPECT_EQ(Found({WithFinalizers("op", "1", R"("example.com/f")"), WithFinalizers("op", "1", "")},
                  {.user = "op", .finalizers = {"example.com/f"}}),
            "");
  EXPECT_EQ(Found({WithFinalizers("ann", "1", R"("other.io/f")"), WithFinalizers("op", "2", "")},
                  {.user = "op"}),
            "");
  EXPECT_EQ(Found({WithFinalizers("op", "1", R"("other.io/f")"), WithFinalizers("ann", "1", "")},
                  {.user = "op"}),
            "");
}

// The log leaves out objects above its limit.
TEST(AuditRequests, AFinalizerThatWentInAWriteWithoutObject_IsNotLostByTheNext) {
  LoggedRequest large = Logged("update", "a");
  large.user = "ann";
  EXPECT_EQ(
      Found({WithFinalizers("ann", "1", R"("other.io/f")"), large, WithFinalizers("op", "1", "")},
            {.user = "op"}),
      "");
}

TEST(AuditRequests, WritesWithoutObjects_AreNoFight) {
  LoggedRequest large = Logged("update", "a");
  large.user = "ann";
  Log log;
  for (int i = 0; i < 3; ++i) {
    log.push_back(WrittenBy("op", "1"));
    log.push_back(large);
    log.push_back(WrittenBy("ann", "2"));
  }
  EXPECT_EQ(Found(log, {.user = "op"}), "");
}

TEST(AuditRequests, ManyEventsAboutOneObject_AreAStorm) {
  EXPECT_EQ(Found(Repeated(21, absl::Seconds(1), EventAbout("blog"))),
            "EventStorm events Website default/blog 21\n");
}

TEST(AuditRequests, EventsAboutManyObjects_AreNoStorm) {
  Log log;
  for (int i = 0; i < 100; ++i) log.push_back(EventAbout(absl::StrCat("blog-", i)));
  EXPECT_EQ(Found(log), "");
}

TEST(AuditRequests, ManyRequestsAboutOneObject_AreAHotLoop) {
  EXPECT_EQ(Found(Repeated(61, absl::Milliseconds(500), Logged("get", "a"))),
            "HotLoop configmaps default/a 61\n");
}

TEST(AuditRequests, ManyListsAndManyRequestsOfAnother_AreNoHotLoop) {
  EXPECT_EQ(Found(Repeated(100, absl::Seconds(0), Logged("list", ""))), "");
  EXPECT_EQ(Found(Repeated(100, absl::Seconds(0), Logged("get", "a")), {.user = "ann"}), "");
  EXPECT_EQ(Found(Repeated(100, absl::Seconds(2), Logged("get", "a"))), "");
}

TEST(AuditRequests, WritersThatUndoEachOther_Fight) {
  Log log;
  for (int i = 0; i < 3; ++i) {
    log.push_back(WrittenBy("op", "1"));
    log.push_back(WrittenBy("ann", "2"));
  }
  EXPECT_EQ(Found(log, {.user = "op"}), "WriterFight configmaps default/a 4\n");
  EXPECT_EQ(Found(log, {.user = "bob"}), "");
}

TEST(AuditRequests, ReplicasOfOneOperator_DoNotFight) {
  Log log;
  for (int i = 0; i < 3; ++i) {
    log.push_back(WrittenBy("op", "1"));
    log.back().user_agent = "web-0";
    log.push_back(WrittenBy("op", "2"));
    log.back().user_agent = "web-1";
  }
  EXPECT_EQ(Found(log, {.user = "op"}), "");
}

TEST(AuditRequests, WritersThatTakeTurnsWithNewContents_DoNotFight) {
  Log log;
  for (int i = 0; i < 6; ++i) {
    log.push_back(WrittenBy("op", absl::StrCat("op-", i)));
    log.push_back(WrittenBy("ann", absl::StrCat("ann-", i)));
  }
  EXPECT_EQ(Found(log, {.user = "op"}), "");
}

TEST(AuditRequests, OneWriterThatTurnsAnObjectOnAndOff_DoesNotFight) {
  Log log;
  for (int i = 0; i < 6; ++i) {
    log.push_back(WrittenBy("op", "on"));
    log.push_back(WrittenBy("op", "off"));
  }
  EXPECT_EQ(Found(log, {.user = "op"}), "");
}

TEST(AuditRequests, ASecondObjectForAnOwner_IsCreatedTwice) {
  EXPECT_EQ(Found({CreatedFor("1", "a"), CreatedFor("1", "b")}, {.one_per_owner = {"configmaps"}}),
            "CreatedTwice configmaps default/b 2\n");
}

TEST(AuditRequests, AnObjectForAnotherOwnerOrAfterADeletion_IsNotCreatedTwice) {
  const AuditOptions options = {.one_per_owner = {"configmaps"}};
  EXPECT_EQ(Found({CreatedFor("1", "a"), CreatedFor("2", "b")}, options), "");
  EXPECT_EQ(Found({CreatedFor("1", "a"), Logged("delete", "a"), CreatedFor("1", "b")}, options),
            "");
  EXPECT_EQ(
      Found({CreatedFor("1", "a"), Logged("deletecollection", ""), CreatedFor("1", "b")}, options),
      "");
  EXPECT_EQ(Found({CreatedFor("1", "a"), CreatedFor("1", "b")}), "");
}

TEST(AuditRequests, CreationsThatFailAgainAndAgain_AreCreatedTwice) {
  LoggedRequest request = Logged("create", "a");
  request.code = 409;
  request.changed = false;
  EXPECT_EQ(Found({request, request, request}), "CreatedTwice configmaps default/a 3\n");
  EXPECT_EQ(Found({request, request}), "");
}

TEST(AuditRequests, WritesAfterAllHasSettled_NeverEnd) {
  const AuditOptions options = {.settled = absl::UnixEpoch() + absl::Seconds(10)};
  EXPECT_EQ(Found({Logged("patch", "a", absl::Seconds(11))}, options),
            "ReconcileNeverEnds configmaps default/a 1\n");
}

TEST(AuditRequests, EarlierWritesAndLeasesAndReads_MayGoOn) {
  const AuditOptions options = {.settled = absl::UnixEpoch() + absl::Seconds(10)};
  LoggedRequest lease = Logged("update", "leader", absl::Seconds(20));
  lease.resource = "leases";
  lease.group = "coordination.k8s.io";
  EXPECT_EQ(
      Found({Logged("patch", "a", absl::Seconds(10)), lease, Logged("get", "a", absl::Seconds(20))},
            options),
      "");
}

TEST(AuditRequests, WhatIsAllowed_IsNotFound) {
  EXPECT_EQ(Found(Repeated(6, absl::Seconds(1), Unchanged()),
                  {.ignore = {{.kind = AuditKind::kWriteWithoutChange, .object = "configmaps"}}}),
            "");
}

TEST(AuditRequests, AFinding_HasTheTimeOfItsLastRequest) {
  const std::vector<AuditFinding> findings =
      AuditRequests(Repeated(7, absl::Seconds(1), Unchanged()));
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].time, absl::UnixEpoch() + absl::Seconds(6));
  EXPECT_EQ(findings[0].message.substr(0, 35), "7 writes within 1m changed nothing:");
}

}  // namespace
}  // namespace kube::controller
