// The driver of tools/bench streaming, for one run of one client:
//
//   driver --kubeconfig=FILE --transfer=NAME [--mebibytes=N] [--spdy] PROGRAM
//
// PROGRAM has kubectl's command line: "exec POD [-i] -- COMMAND" and "port-forward POD :PORT". The
// node of clientset/remotecommand/differential is behind FILE. docs/benchmarks.md describes the
// figures.
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "benchmarks/contract/contract.h"
#include "benchmarks/streaming/launched_program.h"

ABSL_FLAG(std::string, kubeconfig, "", "the cluster");
ABSL_FLAG(std::string, transfer, "exec_download",
          "exec_download, exec_upload, forward_download or forward_upload");
ABSL_FLAG(int64_t, mebibytes, 1024, "how much to transfer");
ABSL_FLAG(bool, spdy, false, "without WebSockets");
ABSL_FLAG(std::string, launch, "",
          "path of //tools/lib/bench:launch; default: the one built with this program");

namespace kube::benchmarks {
namespace {

// The ports of the node's source, which writes what it is asked for, and of its counter.
constexpr int kSourcePort = 19;
constexpr int kDiscardPort = 10;

// The most that one call of the operating system moves.
constexpr size_t kPieceBytes = size_t{1} << 20;

absl::Status SystemError(absl::string_view what) { return absl::ErrnoToStatus(errno, what); }

// An owner of a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

// Returns a file of zeros, which takes no memory.
absl::StatusOr<Descriptor> MakeZeros(int64_t bytes) {
  Descriptor file(memfd_create("zeros", MFD_CLOEXEC));
  if (file.get() < 0 || ftruncate(file.get(), bytes) != 0) return SystemError("make file of zeros");
  return file;
}

absl::StatusOr<Descriptor> OpenFile(const char* path, int flags) {
  Descriptor file(open(path, flags | O_CLOEXEC));
  if (file.get() < 0) return SystemError(absl::StrCat("open ", path));
  return file;
}

// Drops what comes through a pipe, to its end, without copying it. Returns the number of bytes.
absl::StatusOr<int64_t> DropPipe(int pipe) {
  KUBE_ASSIGN_OR_RETURN(const Descriptor nowhere, OpenFile("/dev/null", O_WRONLY));
  int64_t total = 0;
  while (true) {
    const ssize_t size = splice(pipe, nullptr, nowhere.get(), nullptr, kPieceBytes, SPLICE_F_MOVE);
    if (size == 0) return total;
    if (size > 0) total += size;
    if (size < 0 && errno != EINTR) return SystemError("drop output");
  }
}

// Does the same for what comes through a socket.
absl::StatusOr<int64_t> DropSocket(int socket) {
  int64_t total = 0;
  while (true) {
    const ssize_t size = recv(socket, nullptr, kPieceBytes, MSG_TRUNC);
    if (size == 0) return total;
    if (size > 0) total += size;
    if (size < 0 && errno != EINTR) return SystemError("drop what the port sends");
  }
}

// Reads up to an end of line, which is in the result, or to the end.
absl::StatusOr<std::string> ReadLine(int fd) {
  std::string line;
  while (!absl::EndsWith(line, "\n")) {
    char c = 0;
    const ssize_t size = read(fd, &c, 1);
    if (size == 0) return line;
    if (size > 0) line.push_back(c);
    if (size < 0 && errno != EINTR) return SystemError("read");
  }
  return line;
}

absl::Status CheckCount(int64_t expected, int64_t count) {
  if (count == expected) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat(count, " bytes have arrived instead of ", expected));
}

// Checks a line with a number of bytes.
absl::Status CheckCount(int64_t expected, absl::string_view line) {
  int64_t count = -1;
  if (absl::SimpleAtoi(line, &count)) return CheckCount(expected, count);
  return absl::DataLossError(absl::StrCat("\"", line, "\" instead of a number of bytes"));
}

// ---- What a run is about

struct Run {
  std::string launch;
  std::string program;
  std::string kubeconfig;
  int64_t bytes = 0;
  bool spdy = false;
};

struct Figures {
  // That of the transfer.
  absl::Duration time = absl::ZeroDuration();
  ProgramUsage usage = {};
};

base::MonotonicTime Now() { return base::Runtime::Real().Now(); }

absl::StatusOr<std::unique_ptr<LaunchedProgram>> StartClient(
    const Run& run, int input, const std::vector<std::string>& words) {
  LaunchOptions options = {.launch = run.launch, .command = {run.program}, .input = input};
  options.command.insert(options.command.end(), words.begin(), words.end());
  // kubectl keeps what it discovers below HOME.
  options.environment = {
      absl::StrCat("KUBECONFIG=", run.kubeconfig),
      absl::StrCat("HOME=", std::filesystem::path(run.kubeconfig).parent_path().string())};
  if (run.spdy) {
    options.environment.emplace_back("KUBECTL_REMOTE_COMMAND_WEBSOCKETS=false");
    options.environment.emplace_back("KUBECTL_PORT_FORWARD_WEBSOCKETS=false");
  }
  return LaunchedProgram::Start(options);
}

absl::StatusOr<Figures> ExecDownload(const Run& run) {
  KUBE_ASSIGN_OR_RETURN(const Descriptor nothing, OpenFile("/dev/null", O_RDONLY));
  const base::MonotonicTime start = Now();
  KUBE_ASSIGN_OR_RETURN(const auto client, StartClient(run, nothing.get(),
                                                       {"exec", "web-0", "--", "write", "stdout",
                                                        absl::StrCat(run.bytes), "1"}));
  KUBE_ASSIGN_OR_RETURN(const int64_t count, DropPipe(client->output()));
  const absl::Duration time = Now() - start;
  KUBE_ASSIGN_OR_RETURN(const ProgramUsage usage, client->Wait());
  KUBE_RETURN_IF_ERROR(CheckCount(run.bytes, count));
  return Figures{.time = time, .usage = usage};
}

absl::StatusOr<Figures> ExecUpload(const Run& run) {
  KUBE_ASSIGN_OR_RETURN(const Descriptor zeros, MakeZeros(run.bytes));
  const base::MonotonicTime start = Now();
  KUBE_ASSIGN_OR_RETURN(const auto client,
                        StartClient(run, zeros.get(), {"exec", "web-0", "-i", "--", "discard"}));
  KUBE_ASSIGN_OR_RETURN(const std::string line, ReadLine(client->output()));
  const absl::Duration time = Now() - start;
  KUBE_ASSIGN_OR_RETURN(const ProgramUsage usage, client->Wait());
  KUBE_RETURN_IF_ERROR(CheckCount(run.bytes, line));
  return Figures{.time = time, .usage = usage};
}

// ---- Port-forward

// Returns the port of 127.0.0.1 that the client says it has opened.
absl::StatusOr<uint16_t> AwaitLocalPort(const LaunchedProgram& client) {
  constexpr absl::string_view kPrefix = "Forwarding from 127.0.0.1:";
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::string line, ReadLine(client.output()), "await local port");
    if (line.empty()) return absl::UnavailableError("await local port: the program has ended");
    if (!absl::StartsWith(line, kPrefix)) continue;
    const absl::string_view rest = absl::string_view(line).substr(kPrefix.size());
    uint32_t port = 0;
    if (absl::SimpleAtoi(rest.substr(0, rest.find(' ')), &port) && port <= UINT16_MAX) {
      return static_cast<uint16_t>(port);
    }
    return absl::InternalError(absl::StrCat("await local port: ", line));
  }
}

absl::StatusOr<Descriptor> ConnectTo(uint16_t port) {
  Descriptor connection(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connection.get() < 0 ||
      connect(connection.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) {
    return SystemError("connect to local port");
  }
  return connection;
}

absl::Status SendText(int socket, absl::string_view text) {
  if (send(socket, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size())) {
    return absl::OkStatus();
  }
  return SystemError("send");
}

absl::Status SendFile(int socket, int file, int64_t bytes) {
  while (bytes > 0) {
    const ssize_t size =
        sendfile(socket, file, nullptr, static_cast<size_t>(std::min<int64_t>(bytes, kPieceBytes)));
    if (size > 0) bytes -= size;
    if (size == 0) return absl::DataLossError("send file: it is too short");
    if (size < 0 && errno != EINTR) return SystemError("send file");
  }
  if (shutdown(socket, SHUT_WR) != 0) return SystemError("end the upload");
  return absl::OkStatus();
}

absl::Status Download(int socket, int64_t bytes) {
  KUBE_RETURN_IF_ERROR(SendText(socket, absl::StrCat(bytes, " 1\n")));
  KUBE_ASSIGN_OR_RETURN(const int64_t count, DropSocket(socket));
  return CheckCount(bytes, count);
}

absl::Status Upload(int socket, int64_t bytes) {
  KUBE_ASSIGN_OR_RETURN(const Descriptor zeros, MakeZeros(bytes));
  KUBE_RETURN_IF_ERROR(SendFile(socket, zeros.get(), bytes));
  KUBE_ASSIGN_OR_RETURN(const std::string line, ReadLine(socket));
  return CheckCount(bytes, line);
}

absl::StatusOr<Figures> Forward(const Run& run, int port,
                                absl::Status (*transfer)(int socket, int64_t bytes)) {
  KUBE_ASSIGN_OR_RETURN(const Descriptor nothing, OpenFile("/dev/null", O_RDONLY));
  KUBE_ASSIGN_OR_RETURN(
      const auto client,
      StartClient(run, nothing.get(), {"port-forward", "web-0", absl::StrCat(":", port)}));
  KUBE_ASSIGN_OR_RETURN(const uint16_t local_port, AwaitLocalPort(*client));
  const base::MonotonicTime start = Now();
  {
    KUBE_ASSIGN_OR_RETURN(const Descriptor connection, ConnectTo(local_port));
    KUBE_RETURN_IF_ERROR(transfer(connection.get(), run.bytes));
  }
  const absl::Duration time = Now() - start;
  client->Interrupt();
  KUBE_ASSIGN_OR_RETURN(const ProgramUsage usage, client->Wait());
  return Figures{.time = time, .usage = usage};
}

absl::StatusOr<Figures> Transfer(const Run& run, const std::string& name) {
  if (name == "exec_download") return ExecDownload(run);
  if (name == "exec_upload") return ExecUpload(run);
  if (name == "forward_download") return Forward(run, kSourcePort, Download);
  if (name == "forward_upload") return Forward(run, kDiscardPort, Upload);
  return absl::InvalidArgumentError(absl::StrCat("there is no transfer ", name));
}

absl::Status Main(const std::vector<char*>& arguments, Report& report) {
  if (arguments.size() != 2) {
    return absl::InvalidArgumentError(
        "usage: driver --kubeconfig=FILE --transfer=NAME [--mebibytes=N] [--spdy] PROGRAM");
  }
  Run run = {.launch = absl::GetFlag(FLAGS_launch),
             .program = arguments[1],
             .kubeconfig = absl::GetFlag(FLAGS_kubeconfig),
             .bytes = absl::GetFlag(FLAGS_mebibytes) << 20,
             .spdy = absl::GetFlag(FLAGS_spdy)};
  if (run.launch.empty()) {
    run.launch = absl::StrCat(arguments[0], ".runfiles/client_cpp/tools/lib/bench/launch");
  }
  const std::string name = absl::GetFlag(FLAGS_transfer);
  KUBE_ASSIGN_OR_RETURN(const Figures figures, Transfer(run, name), name);
  report.Add("throughput", "MB/s",
             static_cast<double>(run.bytes) / 1e6 / absl::ToDoubleSeconds(figures.time));
  report.Add("cpu", "s", absl::ToDoubleSeconds(figures.usage.cpu));
  report.Add("peak_rss", "MiB", static_cast<double>(figures.usage.peak_rss_bytes) / (1 << 20));
  return absl::OkStatus();
}

}  // namespace
}  // namespace kube::benchmarks

int main(int argc, char* argv[]) {
  kube::benchmarks::Report report;
  const absl::Status status = kube::benchmarks::Main(absl::ParseCommandLine(argc, argv), report);
  if (!status.ok()) {
    std::cerr << "driver: " << status.message() << "\n";
    return 1;
  }
  std::cout << report.ToJson() << std::endl;
  return 0;
}
