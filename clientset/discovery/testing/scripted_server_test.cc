#include "clientset/discovery/testing/scripted_server.h"

#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::discovery {
namespace {

TEST(ScriptedServer, Answer_IsThatOfThePathAndPathsAreRecorded) {
  ScriptedServer server(ScriptedServer::Mode::kLegacy);
  const auto get = [&server](const char* path) {
    return server.client().Do(Context(), {.absolute_path = path}).status();
  };
  EXPECT_THAT(get("/version"), base::IsOk());
  EXPECT_TRUE(errors::IsNotFound(get("/nowhere")));
  server.SetOnce("/version", rest::StatusReply(403, "Forbidden", "no"));
  EXPECT_TRUE(errors::IsForbidden(get("/version")));
  EXPECT_THAT(get("/version"), base::IsOk());
  EXPECT_THAT(server.TakePaths(),
              testing::ElementsAre("/nowhere", "/version", "/version", "/version"));
  EXPECT_THAT(server.TakePaths(), testing::IsEmpty());
}

}  // namespace
}  // namespace kube::discovery
