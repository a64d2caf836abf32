#include "controller/reconcile/cause.h"

#include <string>

#include "gtest/gtest.h"

namespace kube::controller {
namespace {

struct TextCase {
  std::string name;
  Cause cause;
  std::string text;
};

class CauseTest : public testing::TestWithParam<TextCase> {};

TEST_P(CauseTest, ToString) { EXPECT_EQ(GetParam().cause.ToString(), GetParam().text); }

INSTANTIATE_TEST_SUITE_P(
    Texts, CauseTest,
    testing::Values(TextCase{"UpdateNamesBothVersions",
                             {.type = Cause::Type::kUpdated,
                              .kind = "ConfigMap",
                              .object = {.namespace_name = "prod", .name = "web"},
                              .old_version = "5",
                              .new_version = "7"},
                             "updated ConfigMap prod/web 5->7"},
                    TextCase{"AdditionNamesItsVersion",
                             {.type = Cause::Type::kAdded,
                              .kind = "Node",
                              .object = {.name = "n1"},
                              .new_version = "7"},
                             "added Node n1 7"},
                    TextCase{"RetryHasNoObject", {.type = Cause::Type::kRetry}, "retry"},
                    TextCase{"EnqueuedByTheProgram", {}, "enqueued"}),
    [](const testing::TestParamInfo<TextCase>& test) { return test.param.name; });

}  // namespace
}  // namespace kube::controller
