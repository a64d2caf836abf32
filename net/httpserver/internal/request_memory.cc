#include "net/httpserver/internal/request_memory.h"

#include <cstddef>
#include <memory>
#include <utility>

namespace kube::httpserver::internal {

MemoryLimit::MemoryLimit(size_t limit, std::shared_ptr<MemoryLimit> parent)
    : limit_(limit), parent_(std::move(parent)) {}

bool MemoryLimit::Take(size_t bytes) {
  const size_t used = used_.fetch_add(bytes) + bytes;
  const bool fits = limit_ == 0 || used <= limit_;
  if (fits && (parent_ == nullptr || parent_->Take(bytes))) return true;
  used_ -= bytes;
  return false;
}

void MemoryLimit::Return(size_t bytes) {
  used_ -= bytes;
  if (parent_ != nullptr) parent_->Return(bytes);
}

HeldMemory::HeldMemory(std::shared_ptr<MemoryLimit> limit) : limit_(std::move(limit)) {}

HeldMemory::HeldMemory(HeldMemory&& other) noexcept
    : limit_(std::move(other.limit_)), bytes_(std::exchange(other.bytes_, 0)) {}

HeldMemory& HeldMemory::operator=(HeldMemory&& other) noexcept {
  if (this != &other) {
    Release();
    limit_ = std::move(other.limit_);
    bytes_ = std::exchange(other.bytes_, 0);
  }
  return *this;
}

bool HeldMemory::Add(size_t bytes) {
  if (limit_ != nullptr && !limit_->Take(bytes)) return false;
  bytes_ += bytes;
  return true;
}

void HeldMemory::Release() {
  if (limit_ != nullptr) limit_->Return(bytes_);
  limit_ = nullptr;
  bytes_ = 0;
}

}  // namespace kube::httpserver::internal
