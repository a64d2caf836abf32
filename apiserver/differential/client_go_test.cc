// A program with client-go, which knows nothing of this server, against the embedded server.

#include <fstream>
#include <memory>
#include <string>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/api_server.h"
#include "apiserver/handler.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/oracle/oracle.h"

namespace kube::apiserver {
namespace {

TEST(ClientGoTest, RunsAsAgainstARealServer) {
  const absl::StatusOr<std::string> program = oracle::FindData("oracles", "client_go_program");
  if (oracle::PrintSkipped(program.status())) GTEST_SKIP();
  ASSERT_THAT(program, base::IsOk());
  const absl::StatusOr<std::unique_ptr<ApiServer>> server = ApiServer::Start();
  ASSERT_THAT(server, base::IsOk());
  const std::string kubeconfig = absl::StrCat(testing::TempDir(), "/kubeconfig");
  std::ofstream(kubeconfig) << (*server)->Kubeconfig();

  const absl::StatusOr<std::string> output = oracle::RunProgram(*program, {.args = {kubeconfig}});
  ASSERT_THAT(output, base::IsOk());
  EXPECT_EQ(*output, "crud\npages\ninformer\nlease\npods\nothers\n[HTTP/2.0]\n");

  const auto asked = [&server](absl::string_view text) {
    return absl::c_any_of((*server)->handler().Requests(), [text](const LoggedRequest& request) {
      return absl::StrContains(request.target, text) && request.code == 200;
    });
  };
  EXPECT_TRUE(asked("sendInitialEvents=true")) << "the informer took no watch-list";
  EXPECT_TRUE(asked("continue=")) << "the pager took one page";
}

}  // namespace
}  // namespace kube::apiserver
