// Programs with client-go and with the kube crate, which know nothing of this server, against the
// embedded server: all they print is what they print of a kube-apiserver, which real_programs_test
// shows.

#include <fstream>
#include <iterator>
#include <memory>
#include <ostream>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/api_server.h"
#include "clientset/rest/testing/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/oracle/oracle.h"

namespace kube {
namespace {

struct Program {
  absl::string_view repository;
  absl::string_view name;
};

void PrintTo(const Program& program, std::ostream* out) { *out << program.name; }

class ForeignProgramTest : public testing::TestWithParam<Program> {};

TEST_P(ForeignProgramTest, PrintsWhatItPrintsOfARealServer) {
  const absl::StatusOr<std::string> program =
      oracle::FindData(GetParam().repository, GetParam().name);
  if (oracle::PrintSkipped(program.status())) GTEST_SKIP();
  ASSERT_THAT(program, base::IsOk());
  std::ifstream file("tests/foreign_clients/golden.txt");
  const std::string golden(std::istreambuf_iterator<char>(file), {});
  ASSERT_NE(golden, "");
  const absl::StatusOr<std::unique_ptr<apiserver::ApiServer>> server =
      apiserver::ApiServer::Start();
  ASSERT_THAT(server, base::IsOk());
  const rest::TestFolder folder;
  const std::string kubeconfig = folder.Write("kubeconfig", (*server)->Kubeconfig());

  const absl::StatusOr<std::string> output =
      oracle::RunProgram(*program, {.args = {kubeconfig, "foreign-clients"}});
  ASSERT_THAT(output, base::IsOk());
  EXPECT_EQ(*output, golden);
}

INSTANTIATE_TEST_SUITE_P(All, ForeignProgramTest,
                         testing::Values(Program{"oracles", "foreign_client_go"},
                                         Program{"rust_programs", "foreign_client_rust"}),
                         [](const testing::TestParamInfo<Program>& each) {
                           return std::string(each.param.name);
                         });

}  // namespace
}  // namespace kube
