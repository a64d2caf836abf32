// What Kubernetes' own servers refuse, and whether SPDY is tried then.

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/remotecommand/protocol.h"
#include "clientset/remotecommand/differential/fixture.h"
#include "clientset/remotecommand/exec.h"
#include "clientset/remotecommand/session.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::remotecommand {
namespace {

using base::IsOk;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class RefusalTest : public NodeTest {
 protected:
  absl::StatusOr<std::unique_ptr<Session>> Start(const std::string& mode, const std::string& pod,
                                                 const std::string& container,
                                                 TransportPreference transport) {
    return StartExec(ctx_, ClientFor(mode), {"default", pod},
                     {.container = container, .command = {"exit", "0"}, .transport = transport});
  }

 private:
  // Keeps the client, without which its sessions fail.
  const rest::Client& ClientFor(const std::string& mode) {
    const auto found = clients_.find(mode);
    if (found != clients_.end()) return found->second;
    return clients_.emplace(mode, node().ClientFor(mode)).first->second;
  }

  std::map<std::string, rest::Client> clients_;
};

TEST_F(RefusalTest, ByTheApiServer) {
  const struct {
    std::string pod;
    std::string container;
    std::function<bool(const absl::Status&)> is;
    std::string error;
  } rows[] = {
      {"missing", "", errors::IsNotFound, "pods \"missing\" not found"},
      {"unscheduled", "", errors::IsBadRequest, "pod unscheduled does not have a host assigned"},
      {"web-0", "nope", errors::IsBadRequest, "container nope is not valid for pod web-0"},
      {"pair", "", errors::IsBadRequest,
       "a container name must be specified for pod pair, choose one of: [app untidy]"},
  };
  for (const auto& row : rows) {
    for (const char* const mode : {"translating", "extended", "old"}) {
      SCOPED_TRACE(row.error + " by " + mode);
      for (const TransportPreference transport :
           {TransportPreference::kWebSocket, TransportPreference::kSpdy}) {
        const absl::Status status = Start(mode, row.pod, row.container, transport).status();
        EXPECT_TRUE(row.is(status)) << status;
        EXPECT_THAT(status.ToString(),
                    AllOf(HasSubstr("exec in pod \"" + row.pod + "\" of \"default\""),
                          HasSubstr(row.error), Not(HasSubstr("before, by WebSocket"))));
      }
      // Both are tried, and both told.
      const absl::Status status =
          Start(mode, row.pod, row.container, TransportPreference::kAuto).status();
      EXPECT_TRUE(row.is(status)) << status;
      EXPECT_THAT(status.ToString(), HasSubstr("; before, by WebSocket: "));
    }
  }
}

// An API server that translates has agreed before it asks the kubelet.
// behaviour.md: ST-27
TEST_F(RefusalTest, ByTheKubeletAfterTheUpgrade) {
  const struct {
    std::string pod;
    std::string error;
  } rows[] = {
      {"forgotten", "pod does not exist"},
      {"unstarted", "container not found (\"app\")"},
  };
  for (const auto& row : rows) {
    const auto session = Start("translating", row.pod, "", TransportPreference::kAuto);
    ASSERT_THAT(session, IsOk());
    EXPECT_EQ((*session)->protocol(), kProtocolV5);
    const absl::Status outcome = (*session)->Wait(ctx_);
    EXPECT_TRUE(errors::IsInternalError(outcome)) << outcome;
    EXPECT_THAT(outcome.ToString(), HasSubstr("unable to upgrade connection: " + row.error));
  }
}

TEST_F(RefusalTest, ByTheKubeletInsteadOfTheUpgrade) {
  const struct {
    std::string mode;
    TransportPreference transport;
  } rows[] = {
      {"translating", TransportPreference::kSpdy}, {"extended", TransportPreference::kWebSocket},
      {"extended", TransportPreference::kSpdy},    {"old", TransportPreference::kWebSocket},
      {"old", TransportPreference::kSpdy},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.mode);
    const absl::Status forgotten = Start(row.mode, "forgotten", "", row.transport).status();
    EXPECT_TRUE(errors::IsNotFound(forgotten)) << forgotten;
    const absl::Status unstarted = Start(row.mode, "unstarted", "", row.transport).status();
    EXPECT_TRUE(errors::IsInternalError(unstarted)) << unstarted;
  }
}

// Clusters whose roles grant only the right to create. The Status is longer than the kilobyte of
// it that client-go reads.
TEST_F(RefusalTest, GetIsForbidden) {
  const auto session = Start("create-only", "web-0", "", TransportPreference::kAuto);
  ASSERT_THAT(session, IsOk());
  EXPECT_EQ((*session)->protocol(), kProtocolV4);
  EXPECT_THAT((*session)->Wait(ctx_), IsOk());

  const absl::Status refused =
      Start("create-only", "web-0", "", TransportPreference::kWebSocket).status();
  EXPECT_TRUE(errors::IsForbidden(refused)) << refused;
  EXPECT_THAT(refused.ToString(), HasSubstr("this is the end of the message"));
}

TEST_F(RefusalTest, ThereAreNoCredentials) {
  const absl::StatusOr<rest::Client> stranger =
      rest::MakeClient(rest::AnonymousConfig(node().ConfigFor("translating")));
  ASSERT_THAT(stranger, IsOk());
  for (const TransportPreference transport :
       {TransportPreference::kWebSocket, TransportPreference::kSpdy}) {
    const absl::Status status = StartExec(ctx_, *stranger, {"default", "web-0"},
                                          {.command = {"exit", "0"}, .transport = transport})
                                    .status();
    EXPECT_TRUE(errors::IsUnauthorized(status)) << status;
  }
}

}  // namespace
}  // namespace kube::remotecommand
