// The driver of tools/bench admission, for one run of one webhook server:
//
//   driver [--path=PATH] [--http1] [--reviews=N] [--requests=N] PROGRAM
//
// Starts "PROGRAM --port=PORT --certificates=FOLDER", sends the same review again and again, over
// connections that it keeps, and measures what the program uses meanwhile. docs/benchmarks.md
// describes the figures.
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "benchmarks/admission/pod_review.h"
#include "benchmarks/contract/contract.h"
#include "benchmarks/streaming/launched_program.h"
#include "net/certificates/certificate_authority.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/http_transport.h"

ABSL_FLAG(std::string, path, "/mutate--v1-pod", "the path of the webhook");
ABSL_FLAG(bool, http1, false, "HTTP/1.1 instead of HTTP/2");
ABSL_FLAG(int64_t, reviews, 20000, "how many reviews are measured");
ABSL_FLAG(int, requests, 16, "how many reviews are asked for at the same time");
ABSL_FLAG(std::string, launch, "",
          "path of //tools/lib/bench:launch; default: the one built with this program");

namespace kube::benchmarks {
namespace {

// Reviews before the measurement, as a part of those that are measured.
constexpr int64_t kWarmUpPart = 5;

absl::Status SystemError(absl::string_view what) { return absl::ErrnoToStatus(errno, what); }

base::MonotonicTime Now() { return base::Runtime::Real().Now(); }

// ---- What the program needs

// A new folder, which is removed with all that is in it.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "admission-XXXXXX").string();
    if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  // Empty if it could not be made.
  const std::string& path() const { return path_; }

  absl::Status Write(absl::string_view name, absl::string_view text) const {
    std::ofstream file(absl::StrCat(path_, "/", name), std::ios::binary);
    file << text << std::flush;
    return file.fail() ? absl::UnavailableError(absl::StrCat("write ", path_, "/", name))
                       : absl::OkStatus();
  }

 private:
  std::string path_;
};

// Returns a port that nobody has at the moment.
absl::StatusOr<uint16_t> FreePort() {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0) return SystemError("find a free port");
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  const bool bound = bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0 &&
                     getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  const absl::Status error = bound ? absl::OkStatus() : SystemError("find a free port");
  close(listener);
  KUBE_RETURN_IF_ERROR(error);
  return ntohs(address.sin_port);
}

// ---- What the program uses

absl::StatusOr<std::string> ReadProc(pid_t pid, absl::string_view name) {
  std::ifstream file(absl::StrCat("/proc/", pid, "/", name));
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (text.empty()) return absl::UnavailableError("the program has ended");
  return text;
}

// Returns the CPU time of all its threads, in the kernel too.
absl::StatusOr<absl::Duration> CpuOf(pid_t pid) {
  KUBE_ASSIGN_OR_RETURN(const std::string text, ReadProc(pid, "stat"));
  // The name is in brackets, and may have spaces. The state is the field behind it, and ticks of
  // user and system are eleven and twelve further.
  const size_t name_end = text.rfind(") ");
  if (name_end == std::string::npos) return absl::InternalError("read CPU time");
  const std::vector<absl::string_view> fields =
      absl::StrSplit(absl::string_view(text).substr(name_end + 2), ' ');
  int64_t user = 0;
  int64_t system = 0;
  if (fields.size() < 13 || !absl::SimpleAtoi(fields[11], &user) ||
      !absl::SimpleAtoi(fields[12], &system)) {
    return absl::InternalError("read CPU time");
  }
  return absl::Seconds(static_cast<double>(user + system) /
                       static_cast<double>(sysconf(_SC_CLK_TCK)));
}

// Returns a member of its status, such as "VmRSS", in MiB.
absl::StatusOr<double> MemoryOf(pid_t pid, absl::string_view name) {
  KUBE_ASSIGN_OR_RETURN(const std::string text, ReadProc(pid, "status"));
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::vector<absl::string_view> words =
        absl::StrSplit(line, absl::ByAnyChar(": \t"), absl::SkipEmpty());
    int64_t kibibytes = 0;
    if (words.size() == 3 && words[0] == name && absl::SimpleAtoi(words[1], &kibibytes)) {
      return static_cast<double>(kibibytes) / 1024;
    }
  }
  return absl::InternalError(absl::StrCat("read ", name));
}

// ---- Reviews

// Sends the review. Thread-safe.
class Caller {
 public:
  Caller(std::shared_ptr<httpclient::HttpTransport> transport, httpclient::HttpRequest request)
      : transport_(std::move(transport)), request_(std::move(request)) {}

  // Returns FAILED_PRECONDITION if the answer does not allow the object, or the errors of the
  // transport.
  absl::Status Review(const Context& ctx) const {
    KUBE_ASSIGN_OR_RETURN(const httpclient::HttpResponse response,
                          transport_->RoundTrip(ctx, request_));
    std::string body;
    while (true) {
      KUBE_ASSIGN_OR_RETURN(const std::string piece, response.body->Read(ctx));
      if (piece.empty()) break;
      body += piece;
    }
    if (response.status == 200 && absl::StrContains(body, "\"allowed\":true")) {
      return absl::OkStatus();
    }
    return absl::FailedPreconditionError(absl::StrCat("HTTP ", response.status, ": ", body));
  }

 private:
  const std::shared_ptr<httpclient::HttpTransport> transport_;
  const httpclient::HttpRequest request_;
};

absl::StatusOr<Caller> MakeCaller(uint16_t port, const std::string& authority) {
  KUBE_ASSIGN_OR_RETURN(const std::shared_ptr<httpclient::HttpTransport> transport,
                        httpclient::MakeHttpTransport());
  httpclient::HttpRequest request = {
      .method = "POST",
      .url = absl::StrCat("https://127.0.0.1:", port, absl::GetFlag(FLAGS_path), "?timeout=10s")};
  request.headers.Set("content-type", "application/json");
  request.headers.Set("accept", "application/json, */*");
  request.body = std::make_shared<const std::string>(kPodReview);
  httpclient::ConnectionOptions connection = {.ca_certificates = authority};
  if (absl::GetFlag(FLAGS_http1)) connection.http_version = httpclient::HttpVersion::kHttp1;
  request.connection = std::make_shared<const httpclient::ConnectionOptions>(std::move(connection));
  return Caller(transport, std::move(request));
}

// Waits until the program answers.
absl::Status AwaitServer(const Caller& caller) {
  absl::Status last = absl::OkStatus();
  const absl::Status waited = base::PollUntilTimeout(
      Context(), absl::Milliseconds(20), absl::Seconds(30), base::FirstPoll::kAtOnce,
      [&caller, &last](const Context& ctx) -> absl::StatusOr<bool> {
        last = caller.Review(ctx);
        if (absl::IsFailedPrecondition(last)) return last;  // a wrong answer is one
        return last.ok();
      });
  return waited.ok() ? waited : last;
}

// Asks for `count` reviews. Returns the latencies in nanoseconds, sorted.
absl::StatusOr<std::vector<int64_t>> Ask(const Caller& caller, int64_t count) {
  std::atomic<int64_t> begun = 0;
  std::vector<std::vector<int64_t>> latencies(static_cast<size_t>(absl::GetFlag(FLAGS_requests)));
  base::ThreadGroup group{Context()};
  for (std::vector<int64_t>& mine : latencies) {
    group.Go("reviews", [&caller, &begun, &mine, count](const Context& ctx) -> absl::Status {
      while (begun++ < count) {
        const base::MonotonicTime start = Now();
        KUBE_RETURN_IF_ERROR(caller.Review(ctx));
        mine.push_back(absl::ToInt64Nanoseconds(Now() - start));
      }
      return absl::OkStatus();
    });
  }
  KUBE_RETURN_IF_ERROR(group.Wait());
  std::vector<int64_t> all;
  for (const std::vector<int64_t>& mine : latencies) {
    all.insert(all.end(), mine.begin(), mine.end());
  }
  std::sort(all.begin(), all.end());
  return all;
}

absl::Status MeasureReviews(const Caller& caller, pid_t pid, Report& report) {
  const int64_t count = absl::GetFlag(FLAGS_reviews);
  KUBE_RETURN_IF_ERROR(Ask(caller, count / kWarmUpPart).status(), "warm up");
  KUBE_ASSIGN_OR_RETURN(const absl::Duration cpu, CpuOf(pid));
  const base::MonotonicTime start = Now();
  KUBE_ASSIGN_OR_RETURN(const std::vector<int64_t> latencies, Ask(caller, count));
  const absl::Duration time = Now() - start;
  KUBE_ASSIGN_OR_RETURN(const absl::Duration cpu_after, CpuOf(pid));
  const double n = static_cast<double>(latencies.size());
  report.Add("cpu_per_review", "us", absl::ToDoubleMicroseconds(cpu_after - cpu) / n);
  report.Add("rate", "1/s", n / absl::ToDoubleSeconds(time));
  report.Add("p50", "us", static_cast<double>(latencies[latencies.size() / 2]) / 1e3);
  report.Add("p99", "us", static_cast<double>(latencies[latencies.size() * 99 / 100]) / 1e3);
  KUBE_ASSIGN_OR_RETURN(const double rss, MemoryOf(pid, "VmRSS"));
  KUBE_ASSIGN_OR_RETURN(const double peak, MemoryOf(pid, "VmHWM"));
  report.Add("rss", "MiB", rss);
  report.Add("peak_rss", "MiB", peak);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<LaunchedProgram>> StartProgram(const std::string& launch,
                                                              const std::string& program,
                                                              uint16_t port,
                                                              const std::string& certificates) {
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing < 0) return SystemError("open /dev/null");
  auto started = LaunchedProgram::Start({.launch = launch,
                                         .command = {program, absl::StrCat("--port=", port),
                                                     absl::StrCat("--certificates=", certificates)},
                                         .environment = {"HOME=/nonexistent"},
                                         .input = nothing});
  close(nothing);
  return started;
}

absl::Status Main(const std::vector<char*>& arguments, Report& report) {
  if (arguments.size() != 2 || absl::GetFlag(FLAGS_reviews) < kWarmUpPart ||
      absl::GetFlag(FLAGS_requests) < 1) {
    return absl::InvalidArgumentError(
        "usage: driver [--path=PATH] [--http1] [--reviews=N] [--requests=N] PROGRAM");
  }
  std::string launch = absl::GetFlag(FLAGS_launch);
  if (launch.empty()) {
    launch = absl::StrCat(arguments[0], ".runfiles/client_cpp/tools/lib/bench/launch");
  }
  const Folder folder;
  if (folder.path().empty()) return SystemError("make a folder");
  KUBE_ASSIGN_OR_RETURN(const auto authority,
                        certificates::CertificateAuthority::Make("admission-bench"));
  KUBE_ASSIGN_OR_RETURN(const certificates::Certificate certificate,
                        authority.Issue({.ip_addresses = {"127.0.0.1"}}));
  KUBE_RETURN_IF_ERROR(folder.Write("tls.crt", certificate.certificate));
  KUBE_RETURN_IF_ERROR(folder.Write("tls.key", certificate.key.Reveal()));

  KUBE_ASSIGN_OR_RETURN(const uint16_t port, FreePort());
  KUBE_ASSIGN_OR_RETURN(const auto program,
                        StartProgram(launch, arguments[1], port, folder.path()));
  {
    KUBE_ASSIGN_OR_RETURN(const Caller caller, MakeCaller(port, authority.certificate()));
    KUBE_RETURN_IF_ERROR(AwaitServer(caller), "await server");
    KUBE_RETURN_IF_ERROR(MeasureReviews(caller, program->pid(), report));
  }
  program->Interrupt();
  return program->Wait().status();
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
