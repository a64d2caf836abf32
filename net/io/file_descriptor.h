#ifndef NET_IO_FILE_DESCRIPTOR_H_
#define NET_IO_FILE_DESCRIPTOR_H_

#include <unistd.h>

#include <utility>

namespace kube::io {

// Owns an open file descriptor and closes it. Thread-compatible.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileDescriptor() { Close(); }

  // Returns the descriptor, or a negative number if it is not open.
  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }

  void Close() {
    if (is_open()) ::close(std::exchange(fd_, -1));
  }

 private:
  int fd_ = -1;
};

}  // namespace kube::io

#endif  // NET_IO_FILE_DESCRIPTOR_H_
