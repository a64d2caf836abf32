// An API server for scripts: prints a kubeconfig, and serves until its standard input is closed or
// SIGTERM comes.
//
//   main [--no-tls] [--no-controllers] [--port=N] > kubeconfig

#include <unistd.h>

#include <cstdint>
#include <iostream>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "envtest/server/api_server.h"

namespace kube::envtest {
namespace {

int Usage() {
  std::cerr << "usage: main [--no-tls] [--no-controllers] [--port=N]\n";
  return 2;
}

// Blocks until the other end is closed.
void DrainInput() {
  char buffer[256];
  while (read(STDIN_FILENO, buffer, sizeof(buffer)) > 0) {
  }
}

int Main(int argc, char** argv) {
  ApiServerOptions options;
  for (int i = 1; i < argc; ++i) {
    absl::string_view flag = argv[i];
    int port = 0;
    if (flag == "--no-tls") {
      options.tls = false;
    } else if (flag == "--no-controllers") {
      options.handler.controllers = false;
    } else if (absl::ConsumePrefix(&flag, "--port=") && absl::SimpleAtoi(flag, &port) &&
               port >= 0 && port <= 65535) {
      options.port = static_cast<uint16_t>(port);
    } else {
      return Usage();
    }
  }
  // A SIGTERM ends the process by itself: nothing is to be saved.
  absl::StatusOr<std::unique_ptr<ApiServer>> server = ApiServer::Start(std::move(options));
  if (!server.ok()) {
    std::cerr << server.status().message() << "\n";
    return 1;
  }
  std::cout << (*server)->Kubeconfig() << std::flush;
  DrainInput();
  return 0;
}

}  // namespace
}  // namespace kube::envtest

int main(int argc, char** argv) { return kube::envtest::Main(argc, argv); }
