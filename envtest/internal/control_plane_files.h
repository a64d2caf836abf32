#ifndef ENVTEST_INTERNAL_CONTROL_PLANE_FILES_H_
#define ENVTEST_INTERNAL_CONTROL_PLANE_FILES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apiserver/user.h"
#include "net/certificates/certificate_authority.h"

// The files and flags for the programs of a control plane.
namespace kube::envtest::internal {

// A folder that is removed by the destructor.
class TemporaryFolder {
 public:
  // Creates a folder in `parent`, or if that is empty in TEST_TMPDIR, TMPDIR or /tmp.
  static absl::StatusOr<TemporaryFolder> Make(std::string parent);
  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();

  const std::string& path() const { return path_; }
  std::string Path(absl::string_view name) const;

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// Returns `count` different free ports of 127.0.0.1. Another program may take one before it is
// used.
absl::StatusOr<std::vector<uint16_t>> FreePorts(size_t count);

// Returns the text of kube-apiserver's token file, with a line per user.
std::string TokenFile(const std::map<std::string, apiserver::User>& tokens);

// Writes certificates, keys and tokens into `folder`, with the names used by the flags below.
absl::Status WriteCredentials(const std::string& folder,
                              const certificates::CertificateAuthority& authority,
                              const std::map<std::string, apiserver::User>& tokens);

// Ports of etcd, of etcd for its peers, and of kube-apiserver.
struct Ports {
  uint16_t etcd = 0;
  uint16_t peer = 0;
  uint16_t server = 0;
};
std::vector<std::string> EtcdFlags(const std::string& folder, const Ports& ports);
std::vector<std::string> ApiServerFlags(const std::string& folder, const Ports& ports);
// Expects a kubeconfig of kube-controller-manager in the folder.
std::vector<std::string> ControllerManagerFlags(const std::string& folder);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_INTERNAL_CONTROL_PLANE_FILES_H_
