#include "envtest/control_plane.h"

#include <sys/wait.h>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "clientset/rest/client.h"
#include "clientset/rest/request.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::AllOf;
using testing::HasSubstr;

constexpr char kFake[] = "envtest/testing/fake_control_plane";

// Whether this process has a child, running or a zombie.
bool HasChildren() {
  siginfo_t info = {};
  return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

class ControlPlaneTest : public testing::Test {
 protected:
  ControlPlaneTest() { std::filesystem::create_directories(folder_); }
  ~ControlPlaneTest() override {
    EXPECT_FALSE(HasChildren());
    EXPECT_TRUE(std::filesystem::is_empty(folder_)) << "a folder is left";
    std::filesystem::remove_all(folder_);
  }

  ControlPlaneOptions Options(std::string etcd_mode = "", std::string server_mode = "") const {
    return {.binaries = ControlPlaneBinaries{.etcd = kFake, .kube_apiserver = kFake},
            .etcd_flags = {"--fake=" + etcd_mode},
            .apiserver_flags = {"--fake=" + server_mode},
            .grace = absl::Milliseconds(100),
            .parent_folder = folder_};
  }

  const std::string folder_ = absl::StrCat(testing::TempDir(), "/planes");
};

// behaviour.md: ENVTEST-1
TEST_F(ControlPlaneTest, StartThenStop_LeavesNothingBehind) {
  auto plane = ControlPlane::Start(Context(), Options());
  ASSERT_THAT(plane, IsOk());
  const rest::Client client = *rest::MakeClient((*plane)->Config());
  EXPECT_THAT(client.Do(Context(), {.absolute_path = "/version"}), IsOk());
  EXPECT_THAT((*plane)->running(), IsOk());
  EXPECT_THAT((*plane)->Kubeconfig(), HasSubstr((*plane)->url()));
  EXPECT_THAT((*plane)->etcd_url(), HasSubstr("http://127.0.0.1:"));
  EXPECT_THAT((*plane)->IssueClientCertificate({.name = "bob"}), IsOk());
  EXPECT_THAT((*plane)->Stop(), IsOk());
  EXPECT_FALSE(HasChildren());
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
  EXPECT_THAT((*plane)->Stop(), IsOk());
}

TEST_F(ControlPlaneTest, Destructor_StopsThePrograms) {
  ASSERT_THAT(ControlPlane::Start(Context(), Options()), IsOk());
}

// behaviour.md: ENVTEST-3
TEST_F(ControlPlaneTest, Start_ProgramExitsOrIsNeverReady_FailsWithItsLog) {
  const struct {
    absl::string_view name;
    std::string etcd;
    std::string server;
    absl::StatusCode code;
    absl::string_view message;
  } cases[] = {
      {"etcd exits", "exit", "", absl::StatusCode::kUnavailable, "etcd exited with code 3"},
      {"etcd is deaf", "deaf", "", absl::StatusCode::kDeadlineExceeded, "etcd is not ready after"},
      {"server exits", "", "exit", absl::StatusCode::kUnavailable,
       "kube-apiserver exited with code 3"},
      {"server is deaf", "", "deaf", absl::StatusCode::kDeadlineExceeded,
       "kube-apiserver is not ready after"},
      {"server is unready", "", "unready", absl::StatusCode::kDeadlineExceeded,
       "kube-apiserver is not ready after"},
      {"server ignores the end", "ignore-term", "unready", absl::StatusCode::kDeadlineExceeded,
       "kube-apiserver is not ready after"},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(test.name);
    ControlPlaneOptions options = Options(test.etcd, test.server);
    if (test.code == absl::StatusCode::kDeadlineExceeded) {
      options.ready_timeout = absl::Milliseconds(test.server.empty() ? 200 : 1000);
    }
    const absl::Status status = ControlPlane::Start(Context(), std::move(options)).status();
    EXPECT_THAT(status, StatusIs(test.code, AllOf(HasSubstr("start control plane: "),
                                                  HasSubstr(std::string(test.message)))));
    if (test.code == absl::StatusCode::kUnavailable) {
      EXPECT_THAT(std::string(status.message()), HasSubstr("the flag --fake is not known"));
    }
    EXPECT_FALSE(HasChildren());
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
  }
}

TEST_F(ControlPlaneTest, Start_ContextEnds_Fails) {
  EXPECT_THAT(ControlPlane::Start(WithTimeout(Context(), absl::Milliseconds(100)), Options("deaf"))
                  .status(),
              StatusIs(absl::StatusCode::kDeadlineExceeded, HasSubstr("wait for etcd")));
  CancelScope scope = WithCancel(Context());
  scope.Cancel();
  EXPECT_THAT(ControlPlane::Start(scope.context(), Options()).status(),
              StatusIs(absl::StatusCode::kCancelled));
}

// behaviour.md: ENVTEST-4
TEST_F(ControlPlaneTest, TakesOtherPortsWhereOneWasTaken) {
  ControlPlaneOptions options = Options("", "port-taken");
  const std::string marker = absl::StrCat(testing::TempDir(), "/marker");
  options.apiserver_flags.push_back("--fake-marker=" + marker);
  EXPECT_THAT(ControlPlane::Start(Context(), std::move(options)), IsOk());
  EXPECT_TRUE(std::filesystem::remove(marker));
}

TEST_F(ControlPlaneTest, Stop_ServerHasExited_FailsWithItsExitCode) {
  auto plane = ControlPlane::Start(Context(), Options("", "die-later"));
  ASSERT_THAT(plane, IsOk());
  const rest::Client client = *rest::MakeClient((*plane)->Config());
  // Its second request.
  EXPECT_FALSE(client.Do(Context(), {.absolute_path = "/", .max_retries = 0}).ok());
  // The end of the connection is seen before that of the program.
  while ((*plane)->running().ok()) {
    base::SleepFor(Context(), absl::Milliseconds(1)).IgnoreError();
  }
  EXPECT_THAT((*plane)->Stop(), StatusIs(absl::StatusCode::kUnavailable,
                                         AllOf(HasSubstr("kube-apiserver exited with code 4"),
                                               HasSubstr("the disk is on fire"))));
}

TEST_F(ControlPlaneTest, TheServerIsStoppedAndStartedAgain) {
  auto plane = ControlPlane::Start(Context(), Options());
  ASSERT_THAT(plane, IsOk());
  const std::string url = (*plane)->url();
  const rest::Client client = *rest::MakeClient((*plane)->Config());
  const auto ask = [&client] {
    return client.Do(Context(), {.absolute_path = "/version", .max_retries = 0}).status();
  };
  (*plane)->StopApiServer();
  EXPECT_THAT(ask(), StatusIs(absl::StatusCode::kUnavailable));
  (*plane)->StopApiServer();
  EXPECT_THAT((*plane)->running(), IsOk());
  EXPECT_THAT((*plane)->RestartApiServer(Context()), IsOk());
  EXPECT_EQ((*plane)->url(), url);
  EXPECT_THAT(ask(), IsOk());

  // One that runs; and one that does not start.
  EXPECT_THAT((*plane)->RestartApiServer(Context()), IsOk());
  EXPECT_THAT(ask(), IsOk());
  EXPECT_THAT((*plane)->RestartApiServer(Context(), {"--fake=exit"}),
              StatusIs(absl::StatusCode::kUnavailable,
                       AllOf(HasSubstr("restart kube-apiserver: kube-apiserver exited with code 3"),
                             HasSubstr("the flag --fake is not known"))));
  EXPECT_FALSE(ask().ok());
  EXPECT_THAT((*plane)->RestartApiServer(Context()), IsOk());
  EXPECT_THAT((*plane)->running(), IsOk());
  EXPECT_THAT((*plane)->Stop(), IsOk());
  EXPECT_THAT((*plane)->RestartApiServer(Context()),
              StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST_F(ControlPlaneTest, ProgramsThatIgnoreSigtermAreKilled) {
  auto plane = ControlPlane::Start(Context(), Options("ignore-term", "ignore-term"));
  ASSERT_THAT(plane, IsOk());
  EXPECT_THAT((*plane)->Stop(), IsOk());
}

TEST_F(ControlPlaneTest, Start_MissingProgramOrFolder_Fails) {
  ControlPlaneOptions options = Options();
  options.binaries->etcd = "/dev/null";
  EXPECT_THAT(ControlPlane::Start(Context(), std::move(options)).status(),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("Permission denied")));
  options = Options();
  options.controller_manager = true;
  EXPECT_THAT(
      ControlPlane::Start(Context(), std::move(options)).status(),
      StatusIs(absl::StatusCode::kNotFound, HasSubstr("no kube-controller-manager next to")));
  options = Options();
  options.parent_folder = "/nowhere";
  EXPECT_THAT(ControlPlane::Start(Context(), std::move(options)).status(),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("make folder /nowhere/")));
}

TEST_F(ControlPlaneTest, Start_InASimulation_IsFailedPrecondition) {
  base::SimRuntime sim;
  absl::Status status;
  ASSERT_THAT(sim.Run([&] { status = ControlPlane::Start(Context(), Options()).status(); }),
              IsOk());
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("real clock")));
}

}  // namespace
}  // namespace kube::envtest
