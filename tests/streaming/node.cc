#include "tests/streaming/node.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/status.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "gtest/gtest.h"
#include "tests/integration/line_program.h"
#include "tests/oracle/oracle.h"

namespace kube::streaming {

namespace {

absl::StatusOr<std::unique_ptr<integration::LineProgram>> Launch(const std::string& path,
                                                                 const std::string& folder) {
  KUBE_ASSIGN_OR_RETURN(auto program,
                        integration::LineProgram::Start(path, {absl::StrCat("-dir=", folder)}));
  // It prints its folder when it is ready, whatever it is told.
  KUBE_ASSIGN_OR_RETURN(const std::string line, program->Ask("", absl::Seconds(60)));
  if (line != folder) return absl::InternalError(absl::StrCat("it prints ", line));
  return program;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Node>> Node::Start() {
  KUBE_ASSIGN_OR_RETURN(const std::string path, oracle::FindData("oracles", "streaming_node"));
  std::string folder = absl::StrCat(testing::TempDir(), "/streaming_node");
  absl::StatusOr<std::unique_ptr<integration::LineProgram>> program = Launch(path, folder);
  // A program that fails is no reason to skip a test, as UNAVAILABLE would be.
  if (!program.ok()) {
    return absl::InternalError(absl::StrCat("start streaming_node: ", program.status().ToString()));
  }
  return std::make_unique<Node>(std::move(folder), *std::move(program));
}

rest::Config Node::ConfigFor(absl::string_view mode, std::optional<size_t> cut_after) const {
  absl::StatusOr<rest::Config> config =
      clientcmd::LoadConfig({.kubeconfig = absl::StrCat(folder_, "/", mode, ".kubeconfig")});
  KUBE_CHECK_OK(config);
  if (cut_after.has_value()) absl::StrAppend(&config->host, "/cut/", *cut_after);
  return *std::move(config);
}

rest::Client Node::ClientFor(absl::string_view mode, std::optional<size_t> cut_after) const {
  absl::StatusOr<rest::Client> client = rest::MakeClient(ConfigFor(mode, cut_after));
  KUBE_CHECK_OK(client);
  return *std::move(client);
}

}  // namespace kube::streaming
