#ifndef NET_HTTPSERVER_INTERNAL_REQUEST_MEMORY_H_
#define NET_HTTPSERVER_INTERNAL_REQUEST_MEMORY_H_

#include <atomic>
#include <cstddef>
#include <memory>

namespace kube::httpserver::internal {

// Limits the memory that the requests of a connection, or of a server, hold. Thread-safe.
class MemoryLimit {
 public:
  // `limit` is in bytes; zero means none. `parent`, which may be null, limits several of these
  // together.
  explicit MemoryLimit(size_t limit, std::shared_ptr<MemoryLimit> parent = nullptr);
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

  // Returns false and takes nothing if a limit would be exceeded.
  bool Take(size_t bytes);
  void Return(size_t bytes);

  size_t used() const { return used_; }

 private:
  const size_t limit_;
  const std::shared_ptr<MemoryLimit> parent_;
  std::atomic<size_t> used_ = 0;
};

// The memory held by one request, until this is destroyed. Thread-compatible; may outlive its
// connection.
class HeldMemory {
 public:
  HeldMemory() = default;
  // A null `limit` means no limit.
  explicit HeldMemory(std::shared_ptr<MemoryLimit> limit);
  HeldMemory(HeldMemory&& other) noexcept;
  HeldMemory& operator=(HeldMemory&& other) noexcept;
  ~HeldMemory() { Release(); }

  // Returns false if a limit would be exceeded; the request must then be refused.
  bool Add(size_t bytes);
  // Holds at least `bytes`. Returns as Add.
  bool GrowTo(size_t bytes) { return bytes <= bytes_ || Add(bytes - bytes_); }

 private:
  void Release();

  std::shared_ptr<MemoryLimit> limit_;
  size_t bytes_ = 0;
};

}  // namespace kube::httpserver::internal

#endif  // NET_HTTPSERVER_INTERNAL_REQUEST_MEMORY_H_
