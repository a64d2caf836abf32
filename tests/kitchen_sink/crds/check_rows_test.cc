// The kitchen sink's CRDs in the embedded API server; tests/integration/crds_test.cc has them in a
// real one.
#include "tests/kitchen_sink/crds/check_rows.h"

#include "apiserver/handler.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::kitchen {
namespace {

using ::testing::ElementsAre;

TEST(KitchenCrds, AreEnforcedByTheEmbeddedServer) {
  apiserver::ApiHandler server;
  EXPECT_THAT(InstallKitchenCrds(envtest::InProcessConfig(server)), ElementsAre(kDeprecation));
  CheckRows(envtest::InProcessConfig(server), "default");
  CheckCelRows(envtest::InProcessConfig(server), "default");
}

}  // namespace
}  // namespace kube::kitchen
