#include "docs/snippets/tutorial/greeter.h"

#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "docs/snippets/tutorial/greeting.client.kube.h"
#include "envtest/crds.h"
#include "envtest/in_process_transport.h"
#include "envtest/server/handler.h"
#include "gtest/gtest.h"

namespace v1 = example::greetings::v1;
using kube::Context;
using kube::base::IsOk;

constexpr char kCrds[] = "docs/snippets/tutorial/greeting_crds.yaml";

// In virtual time: it takes no longer than its instructions do.
TEST(GreeterTest, AGreetingGetsItsConfigMapAndKeepsIt) {
  kube::base::SimRuntime sim;
  EXPECT_THAT(sim.Run([] {
    kube::envtest::ApiHandler server;
    const auto client = *kube::kubernetes::Clientset::Make(kube::envtest::InProcessConfig(server));
    ASSERT_THAT(kube::envtest::InstallCrds(Context(), client.client(), {.paths = {kCrds}}), IsOk());
    kube::base::Thread greeter;
    ASSERT_THAT(
        greeter.Start(Context(), "greeter",
                      [&](const Context& ctx) { EXPECT_THAT(RunGreeter(ctx, client), IsOk()); }),
        IsOk());

    const v1::GreetingClient greetings(client.client(), "default");
    const auto maps = client.CoreV1().ConfigMaps("default");
    const auto settle = [] { kube::base::SleepFor(Context(), absl::Seconds(10)).IgnoreError(); };
    ASSERT_THAT(
        greetings.Create(Context(), {.metadata = {.name = "first"}, .spec = {.name = "world"}}),
        IsOk());
    settle();
    EXPECT_EQ(maps.Get(Context(), "first")->data["text"], "Hello, world!");
    EXPECT_EQ(greetings.Get(Context(), "first")->status.text, "Hello, world!");

    ASSERT_THAT(maps.Delete(Context(), "first"), IsOk());
    settle();
    EXPECT_THAT(maps.Get(Context(), "first"), IsOk()) << "it was not made again";

    ASSERT_THAT(greetings.Delete(Context(), "first"), IsOk());
    settle();
    EXPECT_FALSE(maps.Get(Context(), "first").ok()) << "it is still there";
  }),
              IsOk());
}
