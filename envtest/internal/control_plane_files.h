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

// What the programs of a control plane are given: files and flags.
namespace kube::envtest::internal {

// A folder of its own, which goes with this object.
class TemporaryFolder {
 public:
  // In `parent`; empty: in TEST_TMPDIR, TMPDIR or /tmp.
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

// So many ports of 127.0.0.1 that nobody has now. Another program may take one before it is used.
absl::StatusOr<std::vector<uint16_t>> FreePorts(size_t count);

// The line of each user in kube-apiserver's token file.
std::string TokenFile(const std::map<std::string, apiserver::User>& tokens);

// Writes certificates, keys and tokens into `folder`, under the names that the flags below say.
absl::Status WriteCredentials(const std::string& folder,
                              const certificates::CertificateAuthority& authority,
                              const std::map<std::string, apiserver::User>& tokens);

// Of etcd, for its peers, and of kube-apiserver.
struct Ports {
  uint16_t etcd = 0;
  uint16_t peer = 0;
  uint16_t server = 0;
};
std::vector<std::string> EtcdFlags(const std::string& folder, const Ports& ports);
std::vector<std::string> ApiServerFlags(const std::string& folder, const Ports& ports);
// Of kube-controller-manager, which has a kubeconfig in the folder.
std::vector<std::string> ControllerManagerFlags(const std::string& folder);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_INTERNAL_CONTROL_PLANE_FILES_H_
