#include "clientset/retry/retry.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "apimachinery/base/backoff.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "gtest/gtest.h"

namespace kube::retry {
namespace {

namespace appsv1 = api::apps::v1;

constexpr typed::Resource kDeployments = {.group = "apps",
                                          .version = "v1",
                                          .plural = "deployments",
                                          .kind = "Deployment",
                                          .built_in = true};
using Deployments = typed::TypedClient<appsv1::Deployment, appsv1::DeploymentList>;

absl::Status Conflict() { return errors::Conflict({.resource = "pods"}, "web-0", "changed"); }

// behaviour.md: RT-1
TEST(Retry, OnConflict_AlwaysConflict_TriesAsOftenAndAsLateAsUpstream) {
  struct Case {
    const char* name;
    base::Backoff backoff;
    int tries;
    absl::Duration least;  // jitter adds up to a tenth
  };
  const Case cases[] = {
      {"DefaultRetry", kDefaultRetry, 5, absl::Milliseconds(40)},
      {"DefaultBackoff", kDefaultBackoff, 4, absl::Milliseconds(310)},
      {"NoSteps", {}, 1, absl::ZeroDuration()},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    base::SimRuntime sim;
    ASSERT_THAT(sim.Run([&c] {
      const base::MonotonicTime start = base::Now();
      int tries = 0;
      const absl::Status status = OnConflict(Context(), c.backoff, [&tries] {
        ++tries;
        return Conflict();
      });
      EXPECT_TRUE(errors::IsConflict(status)) << status;
      EXPECT_EQ(tries, c.tries);
      const absl::Duration took = base::Now() - start;
      EXPECT_GE(took, c.least);
      EXPECT_LE(took, c.least * 1.1 + absl::Microseconds(1));
    }),
                base::IsOk());
  }
}

// behaviour.md: RT-1
TEST(Retry, OnConflict_SuccessOrAnotherError_EndsTheTries) {
  const base::Backoff at_once = {.steps = 5};
  int tries = 0;
  EXPECT_THAT(OnConflict(Context(), at_once,
                         [&tries] { return ++tries < 3 ? Conflict() : absl::OkStatus(); }),
              base::IsOk());
  EXPECT_EQ(tries, 3);
  tries = 0;
  EXPECT_THAT(
      OnConflict(Context(), at_once,
                 [&tries] { return ++tries < 2 ? Conflict() : absl::DeadlineExceededError("x"); }),
      base::StatusIs(absl::StatusCode::kDeadlineExceeded, "x"));
  EXPECT_EQ(tries, 2);
  tries = 0;
  EXPECT_THAT(OnError(
                  Context(), at_once, [](const absl::Status& s) { return absl::IsUnavailable(s); },
                  [&tries] { return ++tries < 3 ? absl::UnavailableError("") : Conflict(); }),
              base::StatusIs(absl::StatusCode::kAborted));
  EXPECT_EQ(tries, 3);
}

TEST(Retry, OnConflict_ContextEnds_EndsTheTries) {
  CancelScope scope = WithCancel(Context());
  int tries = 0;
  EXPECT_THAT(OnConflict(scope.context(), kDefaultBackoff,
                         [&] {
                           ++tries;
                           scope.Cancel();
                           return Conflict();
                         }),
              base::StatusIs(absl::StatusCode::kCancelled));
  EXPECT_EQ(tries, 1);
  EXPECT_THAT(OnConflict(scope.context(), kDefaultRetry, [&] { return absl::OkStatus(); }),
              base::StatusIs(absl::StatusCode::kCancelled));
}

// The example of retry.h.
absl::Status ScaleWeb(const Context& ctx, const Deployments& deployments) {
  return retry::OnConflict(ctx, retry::kDefaultRetry, [&]() -> absl::Status {
    KUBE_ASSIGN_OR_RETURN(appsv1::Deployment web, deployments.Get(ctx, "web"));  // each time
    web.spec.replicas = 5;
    return deployments.Update(ctx, web).status();
  });
}

TEST(Retry, ReadsAgainAfterAConflict_AsInTheHeader) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([] {
    const auto transport = std::make_shared<rest::ScriptedTransport>();
    const rest::ScriptedReply web = rest::JsonReply(R"({"metadata":{"name":"web"}})");
    transport->Expect({.method = "GET"}, web);
    transport->Expect({.method = "PUT"}, rest::StatusReply(409, "Conflict", "changed"));
    transport->Expect({.method = "GET"}, web);
    transport->Expect({.method = "PUT"}, web);
    const Deployments deployments =
        Deployments(rest::MakeScriptedClient(transport), kDeployments).Namespace("prod");
    EXPECT_THAT(ScaleWeb(Context(), deployments), base::IsOk());
    EXPECT_THAT(transport->Verify(), base::IsOk());
  }),
              base::IsOk());
}

}  // namespace
}  // namespace kube::retry
