#include "controller/reconcile/internal/writer_core.h"

#include "absl/status/status.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

namespace metav1 = api::meta::v1;

metav1::ObjectMeta Known() { return {.name = "web", .uid = "u-1", .resource_version = "7"}; }

TEST(WriterCoreTest, DryRunAndPropagation_ReachEachVerb) {
  const WriterCore core("configmaps", /*namespaced=*/true, /*store=*/nullptr, "tester",
                        {.dry_run = true, .propagation_policy = "Foreground"});
  for (const auto& dry_run :
       {core.create_options().dry_run, core.patch_options().dry_run, core.apply_options().dry_run,
        core.delete_options(Known()).dry_run, core.delete_all_options().dry_run}) {
    ASSERT_EQ(dry_run.size(), 1u);
    EXPECT_EQ(dry_run[0], "All");
  }
  for (const metav1::DeleteOptions& options :
       {core.delete_options(Known()), core.delete_all_options()}) {
    EXPECT_EQ(options.propagation_policy.value_or(""), "Foreground");
  }
}

TEST(WriterCoreTest, DeleteOptions_HaveWhatTheCallerKnows) {
  const WriterCore core("configmaps", /*namespaced=*/true, /*store=*/nullptr, "tester", {});
  const metav1::DeleteOptions known = core.delete_options(Known());
  EXPECT_FALSE(known.propagation_policy.has_value());
  ASSERT_TRUE(known.preconditions.has_value());
  EXPECT_EQ(known.preconditions->uid.value_or(""), "u-1");
  EXPECT_EQ(known.preconditions->resource_version.value_or(""), "7");
  EXPECT_FALSE(core.delete_options({.name = "web"}).preconditions.has_value());
  EXPECT_FALSE(core.delete_all_options().preconditions.has_value());
}

TEST(WriterCoreTest, Explain_AForbiddenVerbThatIsNotDeclared_SaysSo) {
  const WriterCore core("configmaps", /*namespaced=*/true, /*store=*/nullptr, "tester", {});
  const absl::Status forbidden = errors::Forbidden({.resource = "configmaps"}, "web", "no role");
  const absl::Status explained = core.Explain("delete", forbidden);
  EXPECT_TRUE(errors::IsForbidden(explained));
  EXPECT_THAT(explained.message(), testing::HasSubstr("WriteAccess::verbs of the writer lacks"));
  EXPECT_EQ(core.Explain("patch", forbidden), forbidden);
  EXPECT_EQ(core.Explain("delete", absl::InternalError("boom")), absl::InternalError("boom"));
  EXPECT_EQ(core.Explain("delete", absl::OkStatus()), absl::OkStatus());
  const WriterCore all("configmaps", /*namespaced=*/true, /*store=*/nullptr, "tester",
                       {.access = {.verbs = {"*"}}});
  EXPECT_EQ(all.Explain("delete", forbidden), forbidden);
}

}  // namespace
}  // namespace kube::controller::internal
