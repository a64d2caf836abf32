// CRDs that are written from IDL, in a real server: it takes them without a warning, but for that
// which the IDL gives it, and enforces what the IDL says.
#include <string>

#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/real_server.h"
#include "tests/kitchen_sink/crds/check_rows.h"

namespace kube::integration {
namespace {

TEST(CrdsTest, TakenWithoutWarningsAndEnforced) {
  const rest::Config config = ConfigOf();
  EXPECT_THAT(kitchen::InstallKitchenCrds(config), ::testing::Each(kitchen::kDeprecation));
  const std::string in_namespace = MakeNamespace(ClientOf(config));
  kitchen::CheckRows(config, in_namespace);
  kitchen::CheckCelRows(config, in_namespace);
}

}  // namespace
}  // namespace kube::integration
