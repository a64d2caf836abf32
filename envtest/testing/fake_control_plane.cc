// Replaces etcd and kube-apiserver in tests of ControlPlane: accepts their flags and answers 200 to
// every request on their ports. A flag makes it misbehave:
//
//   --fake=exit          prints an error and exits with 3
//   --fake=deaf          never listens
//   --fake=unready       answers 500
//   --fake=ignore-term   ignores SIGTERM
//   --fake=die-later     exits at the second request
//   --fake=port-taken    reports a taken port and exits, unless the file of --fake-marker exists,
//                        which it creates

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/secret.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"

namespace {

using kube::httpserver::Exchange;
using kube::httpserver::Server;
using kube::httpserver::ServerOptions;

std::map<std::string, std::string> Flags(int argc, char** argv) {
  std::map<std::string, std::string> flags;
  for (int i = 1; i < argc; ++i) {
    const absl::string_view flag = absl::StripPrefix(argv[i], "--");
    const size_t end = flag.find('=');
    flags[std::string(flag.substr(0, end))] = std::string(flag.substr(end + 1));
  }
  return flags;
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

class Handler final : public kube::httpserver::Handler {
 public:
  explicit Handler(std::string mode) : mode_(std::move(mode)) {}
  void Handle(std::shared_ptr<Exchange> exchange) override {
    if (mode_ == "die-later" && ++requests_ == 2) {
      std::cerr << "the disk is on fire" << std::endl;
      _exit(4);
    }
    exchange->Respond({.status = mode_ == "unready" ? 500 : 200, .body = "ok"});
  }

 private:
  const std::string mode_;
  std::atomic<int> requests_ = 0;
};

[[noreturn]] void SleepForEver() {
  while (true) pause();
}

}  // namespace

int main(int argc, char** argv) {
  std::map<std::string, std::string> flags = Flags(argc, argv);
  const std::string mode = flags["fake"];
  if (mode == "exit") {
    std::cerr << "the flag --fake is not known" << std::endl;
    return 3;
  }
  if (mode == "port-taken" && !std::ifstream(flags["fake-marker"]).good()) {
    std::ofstream(flags["fake-marker"]).close();
    std::cerr << "listen tcp 127.0.0.1:1: bind: address already in use" << std::endl;
    return 1;
  }
  if (mode == "ignore-term") std::signal(SIGTERM, SIG_IGN);
  if (mode == "deaf") SleepForEver();

  ServerOptions options;
  std::string port = flags["secure-port"];
  if (port.empty()) {
    port = std::string(absl::StripPrefix(flags["listen-client-urls"], "http://127.0.0.1:"));
  } else {
    options.tls = kube::httpserver::TlsOptions{
        .certificate_chain = ReadFile(flags["tls-cert-file"]),
        .private_key = kube::base::Secret(ReadFile(flags["tls-private-key-file"]))};
  }
  int number = 0;
  if (!absl::SimpleAtoi(port, &number)) return 2;
  options.port = static_cast<uint16_t>(number);
  Handler handler(mode);
  const absl::StatusOr<std::unique_ptr<Server>> server = Server::Start(options, handler);
  if (!server.ok()) {
    std::cerr << server.status() << std::endl;
    return 1;
  }
  SleepForEver();
}
