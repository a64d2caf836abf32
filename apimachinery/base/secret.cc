#include "apimachinery/base/secret.h"

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/string_view.h"

namespace kube::base {

void WipeMemory(char* data, size_t size) {
  std::memset(data, 0, size);
  // Tells the compiler that the zeros are read, so that it does not drop the memset.
  asm volatile("" : : "r"(data) : "memory");
}

Secret::Secret(absl::string_view text) : size_(text.size()) {
  if (text.empty()) return;
  data_ = std::make_unique<char[]>(text.size());
  absl::c_copy(text, data_.get());
}

Secret::Secret(std::string&& text) : Secret(absl::string_view(text)) {
  WipeMemory(text.data(), text.size());
  text.clear();
}

Secret::Secret(Secret&& other) noexcept
    : data_(std::move(other.data_)), size_(std::exchange(other.size_, 0)) {}

Secret& Secret::operator=(const Secret& other) {
  if (this != &other) *this = Secret(other);
  return *this;
}

Secret& Secret::operator=(Secret&& other) noexcept {
  if (this == &other) return *this;
  Wipe();
  data_ = std::move(other.data_);
  size_ = std::exchange(other.size_, 0);
  return *this;
}

void Secret::Wipe() {
  if (data_ != nullptr) WipeMemory(data_.get(), size_);
}

bool operator==(const Secret& a, const Secret& b) {
  if (a.size_ != b.size_) return false;
  volatile unsigned char difference = 0;
  for (size_t i = 0; i < a.size_; ++i) {
    difference = difference | static_cast<unsigned char>(a.data_[i] ^ b.data_[i]);
  }
  return difference == 0;
}

}  // namespace kube::base
