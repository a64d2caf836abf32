#include "informers/store_advanced_registration.h"

#include <functional>
#include <memory>
#include <utility>

#include "informers/internal/store_callbacks.h"

namespace kube::informers {

StoreAdvancedRegistration::StoreAdvancedRegistration(
    std::shared_ptr<internal::StoreCallbacks> callbacks,
    std::shared_ptr<std::function<void()>> callback)
    : callbacks_(std::move(callbacks)), callback_(std::move(callback)) {}

StoreAdvancedRegistration& StoreAdvancedRegistration::operator=(
    StoreAdvancedRegistration&& other) noexcept {
  if (this == &other) return *this;
  Unregister();
  callbacks_ = std::move(other.callbacks_);
  callback_ = std::move(other.callback_);
  return *this;
}

void StoreAdvancedRegistration::Unregister() {
  const std::shared_ptr<internal::StoreCallbacks> callbacks = std::exchange(callbacks_, nullptr);
  if (callbacks != nullptr) callbacks->Remove(std::exchange(callback_, nullptr));
}

}  // namespace kube::informers
