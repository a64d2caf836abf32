#include "webhook/admission_options.h"

#include "gtest/gtest.h"

namespace kube::webhook {
namespace {

TEST(AdmissionOptions, ToString_AsConfigurationsHaveThem) {
  EXPECT_EQ(ToString(FailurePolicy::kFail), "Fail");
  EXPECT_EQ(ToString(FailurePolicy::kIgnore), "Ignore");
  EXPECT_EQ(ToString(SideEffects::kNone), "None");
  EXPECT_EQ(ToString(SideEffects::kNoneOnDryRun), "NoneOnDryRun");
}

}  // namespace
}  // namespace kube::webhook
