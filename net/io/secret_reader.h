#ifndef NET_IO_SECRET_READER_H_
#define NET_IO_SECRET_READER_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "apimachinery/base/secret.h"

namespace kube::io {

// Collects the bytes of a file descriptor without leaving copies in freed memory.
// Thread-compatible.
class SecretReader {
 public:
  explicit SecretReader(size_t max_bytes);
  ~SecretReader() { (void)Take(); }
  SecretReader(const SecretReader&) = delete;
  SecretReader& operator=(const SecretReader&) = delete;

  enum class Result { kMore, kEnd, kWouldBlock, kTooLong, kError };

  // Reads once. With kError, errno has the reason.
  Result ReadFrom(int fd);

  // Returns what was read, and clears the reader.
  base::Secret Take();

 private:
  const size_t max_bytes_;
  std::string data_;
};

// Reads a file with a token or certificates; blocks on the disk. Returns INVALID_ARGUMENT, with the
// path and the reason, if the file cannot be read, has only white space, or is longer than 4 MiB,
// or if its path contains a zero byte.
absl::StatusOr<base::Secret> ReadSecretFile(const std::string& path);

}  // namespace kube::io

#endif  // NET_IO_SECRET_READER_H_
