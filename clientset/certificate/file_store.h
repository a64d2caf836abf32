#ifndef CLIENTSET_CERTIFICATE_FILE_STORE_H_
#define CLIENTSET_CERTIFICATE_FILE_STORE_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/secret.h"
#include "clientset/certificate/key_pair.h"
#include "clientset/certificate/store.h"

namespace kube::certificate {

// Options of FileStore.
struct FileStoreOptions {
  // Begins the names of the files, such as "kubelet-client". Not empty, and without a slash.
  std::string pair_name_prefix = {};
  // The folder of the files that are written. It is made when the first one is. Not empty.
  std::string certificate_directory = {};
  // The folder of the key PREFIX.key, whose certificate is PREFIX.crt in `certificate_directory`.
  // Default: `certificate_directory`.
  std::string key_directory = {};
  // A certificate and its key that somebody else has provided. Default: none.
  std::string certificate_file = {};
  std::string key_file = {};
};

// Keeps certificate and key in one file, and a symbolic link to the newest such file. The current
// pair is the first one that exists of:
//
//   1. CERTIFICATE_DIRECTORY/PREFIX-current.pem, the link;
//   2. certificate_file and key_file;
//   3. CERTIFICATE_DIRECTORY/PREFIX.crt and KEY_DIRECTORY/PREFIX.key.
//
// Update writes PREFIX-2006-01-02-15-04-05.pem, with the time in UTC, readable by its owner alone,
// and then sets the link to it. Both steps replace a file by renaming another one, so that readers
// and a crash find the old pair or the new one; client-go removes the old link first. Other
// programs and clients may use CurrentPath() for both the certificate and the key. Older files are
// not removed. (client-go: `certificate.FileStore`)
//
//   KUBE_ASSIGN_OR_RETURN(std::unique_ptr<FileStore> store,
//                         FileStore::Make({.pair_name_prefix = "agent",
//                                          .certificate_directory = "/var/lib/agent/pki"}));
//
// Thread-compatible. Two processes must not write the same files.
class FileStore final : public Store {
 private:
  // Restricts the constructor to Make.
  struct Key {
    explicit Key() = default;
  };

 public:
  // If an earlier process was stopped between the two steps of an update, and there is no link yet,
  // sets the link. Returns INVALID_ARGUMENT if an option is missing, FAILED_PRECONDITION if a file
  // is where the link should be, and UNKNOWN with the system's error. (client-go:
  // `NewFileStoreWithLogger`)
  static absl::StatusOr<std::unique_ptr<FileStore>> Make(FileStoreOptions options);

  // Use Make.
  FileStore(Key, FileStoreOptions options);

  // Besides NOT_FOUND, returns INVALID_ARGUMENT with the names of the files if they cannot be read,
  // or are no certificate with its key.
  absl::StatusOr<std::shared_ptr<const KeyPair>> Current() override;
  // Returns INVALID_ARGUMENT if the texts are no certificate with its key, and the errors of Make.
  absl::StatusOr<std::shared_ptr<const KeyPair>> Update(absl::string_view certificate,
                                                        const base::Secret& key) override;

  // Returns the path of the link, which exists after the first Update. (client-go: `CurrentPath`)
  std::string CurrentPath() const;

 private:
  std::string PathOf(absl::string_view qualifier) const;
  // Makes `target` what the link points to.
  absl::Status SetLink(const std::string& target) const;

  const FileStoreOptions options_;
};

}  // namespace kube::certificate

#endif  // CLIENTSET_CERTIFICATE_FILE_STORE_H_
