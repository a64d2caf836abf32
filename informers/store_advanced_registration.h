#ifndef INFORMERS_STORE_ADVANCED_REGISTRATION_H_
#define INFORMERS_STORE_ADVANCED_REGISTRATION_H_

#include <functional>
#include <memory>

#include "informers/internal/store_callbacks.h"

namespace kube::informers {

// Holds the registration of a callback with an informer; see AnySharedInformer::OnStoreAdvanced. A
// default-constructed one holds none.
//
// The destructor unregisters the callback; if it is running on another thread, the destructor
// blocks until it has returned. Movable, thread-compatible; may outlive the informer.
class [[nodiscard]] StoreAdvancedRegistration {
 public:
  StoreAdvancedRegistration() = default;
  ~StoreAdvancedRegistration() { Unregister(); }
  StoreAdvancedRegistration(StoreAdvancedRegistration&&) = default;
  StoreAdvancedRegistration& operator=(StoreAdvancedRegistration&& other) noexcept;

  // Unregisters the callback, which is not called after this has returned, and destroys it. Blocks
  // while the callback is running on another thread: the caller must not hold a lock that the
  // callback takes. If the callback itself is the caller, does not block, and this call of it is
  // the last one. Has no effect if there is no callback.
  void Unregister();

 private:
  friend class AnySharedInformer;
  StoreAdvancedRegistration(std::shared_ptr<internal::StoreCallbacks> callbacks,
                            std::shared_ptr<std::function<void()>> callback);

  std::shared_ptr<internal::StoreCallbacks> callbacks_;
  std::shared_ptr<std::function<void()>> callback_;
};

}  // namespace kube::informers

#endif  // INFORMERS_STORE_ADVANCED_REGISTRATION_H_
