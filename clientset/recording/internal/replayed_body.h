#ifndef CLIENTSET_RECORDING_INTERNAL_REPLAYED_BODY_H_
#define CLIENTSET_RECORDING_INTERNAL_REPLAYED_BODY_H_

#include <memory>

#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/watch/byte_stream.h"
#include "clientset/recording/exchange.h"

namespace kube::recording::internal {

// Returns `at` at a speed; zero if the speed is zero or less.
absl::Duration AtSpeed(absl::Duration at, double speed);

// Returns the body of an exchange whose request was sent at `start`. Read waits until the time of
// each part. Its Close is thread-safe, the rest thread-compatible.
std::unique_ptr<watch::ByteStream> MakeReplayedBody(std::shared_ptr<const Exchange> exchange,
                                                    base::MonotonicTime start, double speed);

}  // namespace kube::recording::internal

#endif  // CLIENTSET_RECORDING_INTERNAL_REPLAYED_BODY_H_
