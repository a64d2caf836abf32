#include "controller/testing/story.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apiserver/handler.h"
#include "controller/testing/audit_finding.h"
#include "controller/testing/audits.h"
#include "controller/testing/internal/logged_requests.h"
#include "gtest/gtest.h"

namespace kube::controller {
namespace {

using apiserver::LoggedRequest;
using internal::Logged;
using internal::SetObject;

AuditFinding About(const char* object, absl::Time time = absl::InfinitePast()) {
  return {.kind = AuditKind::kHotLoop, .object = object, .time = time};
}

std::vector<LoggedRequest> TwoWrites() {
  LoggedRequest created = Logged("create", "a");
  SetObject(created, R"({"kind":"ConfigMap","metadata":{"resourceVersion":"1"},"data":{"x":"1"}})");
  LoggedRequest updated = Logged("update", "a", absl::Milliseconds(1500));
  SetObject(updated, R"({"kind":"ConfigMap","metadata":{"resourceVersion":"2"},"data":{"x":"2"}})");
  return {created, Logged("get", "b", absl::Seconds(1)), updated};
}

TEST(TellStory, TheStory_HasTheRequestsAboutTheObjectAndWhatTheyChanged) {
  EXPECT_EQ(TellStory(TwoWrites(), About("configmaps default/a")),
            "+0 op create configmaps default/a 201\n"
            "+1.5s op update configmaps default/a 200\n"
            "    data.x: \"1\" -> \"2\"\n");
}

TEST(TellStory, WithoutAnObject_AllRequestsAreTold) {
  EXPECT_EQ(TellStory(TwoWrites(), About(""), {.max_changes = 0}),
            "+0 op create configmaps default/a 201\n"
            "+1s op get configmaps default/b 200\n"
            "+1.5s op update configmaps default/a 200\n"
            "    and 1 more fields\n");
}

TEST(TellStory, ALongStory_HasItsEnd) {
  EXPECT_EQ(TellStory(TwoWrites(), About(""), {.max_lines = 1, .max_changes = 1}),
            "(2 earlier requests)\n"
            "+1.5s op update configmaps default/a 200\n"
            "    data.x: \"1\" -> \"2\"\n");
}

TEST(TellStory, WhatIsLaterThanTheFinding_IsNotTold) {
  EXPECT_EQ(TellStory(TwoWrites(), About("configmaps default/a", absl::UnixEpoch())),
            "+0 op create configmaps default/a 201\n");
}

TEST(TellStory, AWriteWithoutChange_SaysSo) {
  LoggedRequest request = Logged("patch", "a");
  SetObject(request, "{}");
  request.changed = false;
  request.user_agent = "web/1";
  request.fault = "delay";
  EXPECT_EQ(TellStory({request}, About("configmaps default/a")),
            "+0 op (web/1) patch configmaps default/a 200 fault: delay unchanged\n");
}

TEST(TellStory, AWriteWhoseObjectIsTooLarge_SaysSoAndTheNextOneTellsNoChanges) {
  std::vector<LoggedRequest> log = TwoWrites();
  log[1] = Logged("update", "a", absl::Seconds(1));
  EXPECT_EQ(TellStory(log, About("configmaps default/a")),
            "+0 op create configmaps default/a 201\n"
            "+1s op update configmaps default/a 200 object not logged\n"
            "+1.5s op update configmaps default/a 200\n");
}

// Returns an entry of what docs/testing-operators.md tells.
LoggedRequest OfTheManual(const char* verb, absl::Duration after, const char* data) {
  LoggedRequest request = Logged(verb, "m", after);
  const bool own = request.verb == "update";
  request.user = own ? "operator" : "admin";
  request.user_agent =
      own ? "replica-0#0" : "operator_test/v0.2.0 (linux/amd64) kubernetes/unknown";
  request.sent_version = "";
  SetObject(request, absl::StrCat(R"({"kind":"ConfigMap","metadata":{"name":"m"})", data, "}"));
  return request;
}

TEST(TellStory, TheErrorInTheManual_IsWhatAuditsAndStoriesSay) {
  constexpr char kGreeted[] = R"(,"data":{"greeting":"hello"})";
  LoggedRequest list = Logged("list", "");
  list.user = "operator";
  list.user_agent = "replica-0#0";
  const std::vector<LoggedRequest> log = {
      list,
      OfTheManual("create", absl::Milliseconds(2013), ""),
      OfTheManual("update", absl::Milliseconds(2017), kGreeted),
      OfTheManual("patch", absl::Milliseconds(9400), ""),
      OfTheManual("update", absl::Milliseconds(9406), kGreeted),
  };
  const std::vector<AuditFinding> findings =
      AuditRequests(log, {.user = "operator", .user_agent = "replica-"});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(FindingsText(findings),
            "UnconditionalUpdate: configmaps default/m: 2 updates had no resourceVersion, and "
            "overwrite what others have written meanwhile: update the object that was read\n");
  EXPECT_EQ(
      TellStory(log, findings[0]),
      "+2.013s admin (operator_test/v0.2.0 (linux/amd64) kubernetes/unknown) create configmaps "
      "default/m 201\n"
      "+2.017s operator (replica-0#0) update configmaps default/m 200\n"
      "    data: none -> {\"greeting\":\"hello\"}\n"
      "+9.4s admin (operator_test/v0.2.0 (linux/amd64) kubernetes/unknown) patch configmaps "
      "default/m 200\n"
      "    data: {\"greeting\":\"hello\"} -> none\n"
      "+9.406s operator (replica-0#0) update configmaps default/m 200\n"
      "    data: none -> {\"greeting\":\"hello\"}\n");
}

TEST(TellStory, TheValuesOfSecrets_AreNotTold) {
  std::vector<LoggedRequest> log = TwoWrites();
  SetObject(log[0], R"({"kind":"Secret","data":{"password":"b25l"}})");
  SetObject(log[2], R"({"kind":"Secret","data":{"password":"dHdv"}})");
  EXPECT_EQ(TellStory(log, About("configmaps default/a")),
            "+0 op create configmaps default/a 201\n"
            "+1.5s op update configmaps default/a 200\n"
            "    data.password: changed\n");
}

TEST(TellStory, AMissingRight_HasItsRequests) {
  LoggedRequest request = Logged("patch", "a");
  request.subresource = "status";
  request.code = 403;
  const AuditFinding finding = {.kind = AuditKind::kMissingRight,
                                .object = "patch configmaps/status"};
  EXPECT_EQ(TellStory({Logged("patch", "b"), request}, finding),
            "+0 op patch configmaps default/a (status) 403\n");
}

}  // namespace
}  // namespace kube::controller
