#ifndef NET_HTTPSERVER_INTERNAL_REQUEST_MEMORY_H_
#define NET_HTTPSERVER_INTERNAL_REQUEST_MEMORY_H_

#include <atomic>
#include <cstddef>
#include <memory>

namespace kube::httpserver::internal {

// How many bytes the requests of a connection, or of a server, may hold at a time. Thread-safe.
class MemoryLimit {
 public:
  // Zero: no limit. `parent` limits several of these together; it may be null.
  explicit MemoryLimit(size_t limit, std::shared_ptr<MemoryLimit> parent = nullptr);
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

  // False: that would be too much, and nothing is taken.
  bool Take(size_t bytes);
  void Return(size_t bytes);

  size_t used() const { return used_; }

 private:
  const size_t limit_;
  const std::shared_ptr<MemoryLimit> parent_;
  std::atomic<size_t> used_ = 0;
};

// What one request holds, until this goes. Thread-compatible; may outlive its connection.
class HeldMemory {
 public:
  HeldMemory() = default;
  // `limit` may be null: then there is none.
  explicit HeldMemory(std::shared_ptr<MemoryLimit> limit);
  HeldMemory(HeldMemory&& other) noexcept;
  HeldMemory& operator=(HeldMemory&& other) noexcept;
  ~HeldMemory() { Release(); }

  // False: the request must not become longer.
  bool Add(size_t bytes);
  // Holds at least so many. As Add otherwise.
  bool GrowTo(size_t bytes) { return bytes <= bytes_ || Add(bytes - bytes_); }

 private:
  void Release();

  std::shared_ptr<MemoryLimit> limit_;
  size_t bytes_ = 0;
};

}  // namespace kube::httpserver::internal

#endif  // NET_HTTPSERVER_INTERNAL_REQUEST_MEMORY_H_
