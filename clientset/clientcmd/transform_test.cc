#include "clientset/clientcmd/transform.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/clientcmd/kubeconfig.h"
#include "gtest/gtest.h"

namespace kube::clientcmd {
namespace {

using base::StatusIs;

Kubeconfig Config() {
  Kubeconfig config;
  config.clusters["c"] = {.server = "https://h"};
  config.clusters["other"] = {.server = "https://h"};
  config.users["u"] = {.token = base::Secret("t"), .password = base::Secret("p")};
  config.contexts["x"] = {.cluster = "c", .user = "u"};
  config.current_context = "x";
  return config;
}

TEST(Transform, FlattenReadsBesideTheFile) {
  const std::string folder = testing::TempDir();
  std::ofstream(std::filesystem::path(folder) / "ca.pem") << "PEM";
  Kubeconfig config = Config();
  config.clusters["c"].location_of_origin = folder + "/config";
  config.clusters["c"].certificate_authority = "ca.pem";
  const absl::StatusOr<Kubeconfig> flat = Flatten(config);
  ASSERT_TRUE(flat.ok()) << flat.status();
  EXPECT_EQ(flat->clusters.at("c").certificate_authority_data, "PEM");
  EXPECT_EQ(flat->clusters.at("c").certificate_authority, "");
  config.clusters["c"].certificate_authority_data = "both";
  EXPECT_THAT(Flatten(config).status(), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(Transform, MinifyKeepsWhatTheContextNeeds) {
  const absl::StatusOr<Kubeconfig> small = Minify(Config());
  ASSERT_TRUE(small.ok()) << small.status();
  EXPECT_EQ(small->clusters.size(), 1u);
  EXPECT_EQ(small->clusters.count("c"), 1u);
  Kubeconfig config = Config();
  config.users.clear();
  EXPECT_THAT(Minify(config).status(), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(Minify({}).status(), StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST(Transform, Hiding) {
  EXPECT_EQ(Shorten(Config()).users.at("u").token.Reveal(), "REDACTED");
  EXPECT_EQ(Shorten(Config()).users.at("u").password.Reveal(), "p");
  EXPECT_EQ(Redact(Config()).users.at("u").token.Reveal(), "REDACTED");
  EXPECT_EQ(Redact(Config()).users.at("u").password.Reveal(), "REDACTED");
}

}  // namespace
}  // namespace kube::clientcmd
