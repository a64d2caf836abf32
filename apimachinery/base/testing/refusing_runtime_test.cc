#include "apimachinery/base/testing/refusing_runtime.h"

#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

TEST(RefusingRuntimeTest, Refuse_ThreadsOfThatName_AlsoThoseOfItsThreads) {
  SimRuntime sim;
  EXPECT_THAT(sim.Run([] {
    RefusingRuntime runtime(Runtime::Current());
    const RuntimeScope scope(runtime);
    runtime.Refuse("worker");
    bool ran = false;
    Thread outer;
    EXPECT_THAT(outer.Start(Context(), "outer",
                            [&ran](const Context& ctx) {
                              Thread inner;
                              EXPECT_THAT(inner.Start(ctx, "worker",
                                                      [&ran](const Context&) { ran = true; }),
                                          StatusIs(absl::StatusCode::kResourceExhausted));
                            }),
                IsOk());
    outer.Join();
    EXPECT_FALSE(ran);
    EXPECT_EQ(runtime.refusals(), 1);
    runtime.Allow();
    Thread worker;
    EXPECT_THAT(worker.Start(Context(), "worker", [&ran](const Context&) { ran = true; }), IsOk());
    worker.Join();
    EXPECT_TRUE(ran);
  }),
              IsOk());
}

}  // namespace
}  // namespace kube::base
