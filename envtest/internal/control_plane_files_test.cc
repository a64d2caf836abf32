#include "envtest/internal/control_plane_files.h"

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/certificates/certificate_authority.h"

namespace kube::envtest::internal {
namespace {

using base::IsOk;
using testing::Contains;

TEST(ControlPlaneFiles, TheFolderGoes) {
  std::string path;
  {
    auto folder = TemporaryFolder::Make(testing::TempDir());
    ASSERT_THAT(folder, IsOk());
    const TemporaryFolder moved = *std::move(folder);
    path = moved.path();
    EXPECT_TRUE(std::filesystem::is_directory(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(ControlPlaneFiles, PortsDiffer) {
  const absl::StatusOr<std::vector<uint16_t>> ports = FreePorts(20);
  ASSERT_THAT(ports, IsOk());
  EXPECT_EQ(std::set<uint16_t>(ports->begin(), ports->end()).size(), 20u);
}

TEST(ControlPlaneFiles, TokensAreCsv) {
  EXPECT_EQ(TokenFile({{"t1", {.name = "a", .uid = "u", .groups = {"g1", "g2"}}},
                       {"t2", {.name = "b \"x\", c"}}}),
            "\"t1\",\"a\",\"u\",\"g1,g2\"\n\"t2\",\"b \"\"x\"\", c\",\"\",\"\"\n");
}

TEST(ControlPlaneFiles, KeysAreForTheirOwner) {
  auto folder = TemporaryFolder::Make(testing::TempDir());
  ASSERT_THAT(folder, IsOk());
  auto authority = certificates::CertificateAuthority::Make("test");
  ASSERT_THAT(authority, IsOk());
  ASSERT_THAT(WriteCredentials(folder->path(), *authority, {}), IsOk());
  for (const char* name : {"ca.crt", "tokens.csv", "apiserver.crt", "apiserver.key",
                           "service-account.crt", "service-account.key"}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(std::filesystem::status(folder->Path(name)).permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  }
}

TEST(ControlPlaneFiles, FlagsHaveThePorts) {
  const Ports ports = {.etcd = 1, .peer = 2, .server = 3};
  EXPECT_THAT(EtcdFlags("/f", ports), Contains("--listen-client-urls=http://127.0.0.1:1"));
  EXPECT_THAT(EtcdFlags("/f", ports), Contains("--initial-cluster=default=http://127.0.0.1:2"));
  EXPECT_THAT(ApiServerFlags("/f", ports), Contains("--etcd-servers=http://127.0.0.1:1"));
  EXPECT_THAT(ApiServerFlags("/f", ports), Contains("--secure-port=3"));
  EXPECT_THAT(ControllerManagerFlags("/f"),
              Contains("--kubeconfig=/f/controller-manager.kubeconfig"));
}

// behaviour.md: ENVTEST-6
TEST(ControlPlaneFiles, TheServerIsThatOfTests) {
  const Ports ports = {.etcd = 1, .peer = 2, .server = 3};
  for (const char* const flag :
       {"--authorization-mode=RBAC", "--disable-admission-plugins=ServiceAccount",
        "--service-cluster-ip-range=10.0.0.0/24", "--secure-port=3"}) {
    EXPECT_THAT(ApiServerFlags("/f", ports), Contains(flag));
  }
  EXPECT_THAT(EtcdFlags("/f", ports), Contains("--unsafe-no-fsync"));
}

}  // namespace
}  // namespace kube::envtest::internal
