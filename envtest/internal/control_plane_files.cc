#include "envtest/internal/control_plane_files.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apiserver/user.h"
#include "net/certificates/certificate_authority.h"

namespace kube::envtest::internal {
namespace {

absl::Status SystemError(absl::string_view what) {
  return absl::UnavailableError(absl::StrCat(what, ": ", std::generic_category().message(errno)));
}

// Creates the file with access for its owner only, because some files contain keys.
absl::Status WriteFile(const std::string& path, absl::string_view text) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) return SystemError(absl::StrCat("write ", path));
  absl::Status status;
  while (!text.empty() && status.ok()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written < 0 && errno != EINTR) status = SystemError(absl::StrCat("write ", path));
    if (written > 0) text.remove_prefix(static_cast<size_t>(written));
  }
  close(fd);
  return status;
}

absl::Status WriteCertificate(const std::string& folder, absl::string_view name,
                              const certificates::CertificateAuthority& authority,
                              const certificates::CertificateOptions& options) {
  KUBE_ASSIGN_OR_RETURN(const certificates::Certificate certificate, authority.Issue(options));
  KUBE_RETURN_IF_ERROR(WriteFile(absl::StrCat(folder, "/", name, ".crt"), certificate.certificate));
  return WriteFile(absl::StrCat(folder, "/", name, ".key"), certificate.key.Reveal());
}

// Returns a quoted CSV field.
std::string Quoted(absl::string_view text) {
  std::string out = "\"";
  for (const char c : text) out.append(c == '"' ? 2 : 1, c);
  return out + "\"";
}

}  // namespace

absl::StatusOr<TemporaryFolder> TemporaryFolder::Make(std::string parent) {
  for (const char* name : {"TEST_TMPDIR", "TMPDIR"}) {
    const char* const value = std::getenv(name);
    if (parent.empty() && value != nullptr) parent = value;
  }
  if (parent.empty()) parent = "/tmp";
  std::string path = absl::StrCat(parent, "/envtest.XXXXXX");
  if (mkdtemp(path.data()) == nullptr) return SystemError(absl::StrCat("make folder ", path));
  return TemporaryFolder(std::move(path));
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, "")) {}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::Path(absl::string_view name) const {
  return absl::StrCat(path_, "/", name);
}

absl::StatusOr<std::vector<uint16_t>> FreePorts(size_t count) {
  std::vector<uint16_t> ports;
  // All sockets stay open until the end, so that the ports differ.
  std::vector<int> open;
  absl::Status status;
  while (ports.size() < count && status.ok()) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0) open.push_back(fd);
    auto* const raw = reinterpret_cast<sockaddr*>(&address);
    if (fd < 0 || bind(fd, raw, size) != 0 || getsockname(fd, raw, &size) != 0) {
      status = SystemError("find a free port");
    }
    ports.push_back(ntohs(address.sin_port));
  }
  for (const int fd : open) close(fd);
  if (!status.ok()) return status;
  return ports;
}

std::string TokenFile(const std::map<std::string, apiserver::User>& tokens) {
  std::string text;
  for (const auto& [token, user] : tokens) {
    const std::string groups = Quoted(absl::StrJoin(user.groups, ","));
    absl::StrAppend(&text, Quoted(token), ",", Quoted(user.name), ",", Quoted(user.uid), ",",
                    groups, "\n");
  }
  return text;
}

absl::Status WriteCredentials(const std::string& folder,
                              const certificates::CertificateAuthority& authority,
                              const std::map<std::string, apiserver::User>& tokens) {
  KUBE_RETURN_IF_ERROR(WriteFile(folder + "/ca.crt", authority.certificate()));
  KUBE_RETURN_IF_ERROR(WriteFile(folder + "/tokens.csv", TokenFile(tokens)));
  KUBE_RETURN_IF_ERROR(WriteCertificate(
      folder, "apiserver", authority,
      {.common_name = "kube-apiserver",
       .dns_names = {"localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"},
       .ip_addresses = {"127.0.0.1", "10.0.0.1"},
       .client = false}));
  // Key for signing the tokens of service accounts.
  return WriteCertificate(folder, "service-account", authority, {.common_name = "service-account"});
}

std::vector<std::string> EtcdFlags(const std::string& folder, const Ports& ports) {
  const std::string client = absl::StrCat("http://127.0.0.1:", ports.etcd);
  const std::string peer = absl::StrCat("http://127.0.0.1:", ports.peer);
  return {"--name=default", absl::StrCat("--data-dir=", folder, "/etcd"),
          absl::StrCat("--listen-client-urls=", client),
          absl::StrCat("--advertise-client-urls=", client),
          absl::StrCat("--listen-peer-urls=", peer),
          absl::StrCat("--initial-advertise-peer-urls=", peer),
          absl::StrCat("--initial-cluster=default=", peer), "--log-level=warn",
          // Durability is not needed, and writes become faster.
          "--unsafe-no-fsync"};
}

std::vector<std::string> ApiServerFlags(const std::string& folder, const Ports& ports) {
  const auto file = [&folder](absl::string_view flag, absl::string_view name) {
    return absl::StrCat("--", flag, "=", folder, "/", name);
  };
  return {absl::StrCat("--etcd-servers=http://127.0.0.1:", ports.etcd), "--bind-address=127.0.0.1",
          "--advertise-address=127.0.0.1", absl::StrCat("--secure-port=", ports.server),
          // The endpoints of the "kubernetes" service must not contain 127.0.0.1.
          "--endpoint-reconciler-type=none", "--service-cluster-ip-range=10.0.0.0/24",
          "--disable-admission-plugins=ServiceAccount", "--allow-privileged=true",
          "--authorization-mode=RBAC", file("tls-cert-file", "apiserver.crt"),
          file("tls-private-key-file", "apiserver.key"), file("client-ca-file", "ca.crt"),
          file("token-auth-file", "tokens.csv"),
          file("service-account-key-file", "service-account.crt"),
          file("service-account-signing-key-file", "service-account.key"),
          "--service-account-issuer=https://kubernetes.default.svc.cluster.local"};
}

std::vector<std::string> ControllerManagerFlags(const std::string& folder) {
  return {absl::StrCat("--kubeconfig=", folder, "/controller-manager.kubeconfig"),
          "--secure-port=0",  // no port
          "--leader-elect=false",
          "--use-service-account-credentials=true",
          absl::StrCat("--service-account-private-key-file=", folder, "/service-account.key"),
          absl::StrCat("--root-ca-file=", folder, "/ca.crt")};
}

}  // namespace kube::envtest::internal
