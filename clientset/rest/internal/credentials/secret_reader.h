#ifndef CLIENTSET_REST_INTERNAL_CREDENTIALS_SECRET_READER_H_
#define CLIENTSET_REST_INTERNAL_CREDENTIALS_SECRET_READER_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "apimachinery/base/secret.h"

namespace kube::rest::internal {

// Collects what a descriptor gives, and leaves no copy of it behind. Thread-compatible.
class SecretReader {
 public:
  explicit SecretReader(size_t max_bytes);
  ~SecretReader() { (void)Take(); }
  SecretReader(const SecretReader&) = delete;
  SecretReader& operator=(const SecretReader&) = delete;

  enum class Result { kMore, kEnd, kWouldBlock, kTooLong, kError };

  // Reads once. kError: errno says why.
  Result ReadFrom(int fd);

  // What was read; it is gone from here.
  base::Secret Take();

 private:
  const size_t max_bytes_;
  std::string data_;
};

// What a file of tokens or certificates holds. INVALID_ARGUMENT, with the file's name and the
// reason, where it cannot be read, is empty but for white space, is longer than 4 MiB (none such
// is), or has a name with a zero byte. Blocks as files do.
absl::StatusOr<base::Secret> ReadSecretFile(const std::string& path);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CREDENTIALS_SECRET_READER_H_
