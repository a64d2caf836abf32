#include "controller/reconcile/internal/make_core.h"

#include <memory>
#include <utility>

#include "absl/time/time.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/schema/group_version.h"
#include "controller/reconcile/controller_host.h"
#include "controller/reconcile/controller_options.h"
#include "controller/reconcile/internal/controller_core.h"
#include "controller/workqueue/key_traits.h"
#include "controller/workqueue/queue_options.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

std::shared_ptr<ControllerCore> Make(const ControllerHost& host, KeyControllerOptions options) {
  return MakeCore(host, std::move(options),
                  {.group = "example.com", .version = "v1", .kind = "Website"},
                  &workqueue::KeyTraits<meta::ObjectName>::FromText);
}

// behaviour.md: CR-2, CTRL-1
TEST(MakeCoreTest, WhatTheOptionsLack_IsTheHosts) {  // CTRL-1, BLD-6
  const auto core = Make(
      {.workers = 3, .reconcile_timeout = absl::Minutes(1), .own_writes_timeout = absl::Seconds(2)},
      {});
  EXPECT_EQ(core->name(), "website");
  EXPECT_EQ(core->options().workers, 3);
  EXPECT_EQ(core->options().reconcile_timeout, absl::Minutes(1));
  EXPECT_EQ(core->options().own_writes_timeout, absl::Seconds(2));
  EXPECT_EQ(core->options().queue.order, workqueue::QueueOrder::kPriority);
  EXPECT_EQ(core->options().queue.ageing, absl::Seconds(30));
  EXPECT_TRUE(core->needs_leadership());
  EXPECT_TRUE(core->warm());
}

// behaviour.md: CTRL-1
TEST(MakeCoreTest, WhatTheOptionsSay_Counts) {
  const auto core = Make({.workers = 3}, {.name = "sites",
                                          .workers = 2,
                                          .reconcile_timeout = absl::InfiniteDuration(),
                                          .own_writes_timeout = absl::ZeroDuration(),
                                          .always_runs = true,
                                          .warm = false,
                                          .max_retries = 5});
  EXPECT_EQ(core->name(), "sites");
  EXPECT_EQ(core->options().workers, 2);
  EXPECT_EQ(core->options().reconcile_timeout, absl::InfiniteDuration());
  EXPECT_EQ(core->options().own_writes_timeout, absl::ZeroDuration());
  EXPECT_FALSE(core->needs_leadership());
  EXPECT_FALSE(core->warm());
  EXPECT_EQ(core->options().max_retries, 5);
}

TEST(MakeCoreTest, AReconcileTimeoutOfZero_IsNone) {
  EXPECT_EQ(Make({.reconcile_timeout = absl::ZeroDuration()}, {})->options().reconcile_timeout,
            absl::InfiniteDuration());
  const auto core = Make({}, {.reconcile_timeout = absl::Seconds(-1)});
  EXPECT_EQ(core->options().reconcile_timeout, absl::InfiniteDuration());
}

TEST(MakeCoreTest, ThereIsOneWorkerAtLeast) {
  EXPECT_EQ(Make({.workers = 0}, {})->options().workers, 1);
}

}  // namespace
}  // namespace kube::controller::internal
