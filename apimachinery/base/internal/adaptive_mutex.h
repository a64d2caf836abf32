#ifndef APIMACHINERY_BASE_INTERNAL_ADAPTIVE_MUTEX_H_
#define APIMACHINERY_BASE_INTERNAL_ADAPTIVE_MUTEX_H_

#include <pthread.h>

namespace kube::base::internal {

// A std::mutex that spins for a moment before its thread sleeps, as the C library offers it: most
// locks here are held for less time than a sleep and a wake-up take. ThreadSanitizer knows it.
class AdaptiveMutex {
 public:
  constexpr AdaptiveMutex() = default;
  AdaptiveMutex(const AdaptiveMutex&) = delete;
  AdaptiveMutex& operator=(const AdaptiveMutex&) = delete;

  // Named as std::lock_guard and std::unique_lock want them. They fail only if misused.
  void lock() { pthread_mutex_lock(&mutex_); }
  bool try_lock() { return pthread_mutex_trylock(&mutex_) == 0; }
  void unlock() { pthread_mutex_unlock(&mutex_); }

 private:
#ifdef PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
  pthread_mutex_t mutex_ = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
#else
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;  // another C library
#endif
};

}  // namespace kube::base::internal

#endif  // APIMACHINERY_BASE_INTERNAL_ADAPTIVE_MUTEX_H_
