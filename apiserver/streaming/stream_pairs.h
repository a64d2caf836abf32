#ifndef APISERVER_STREAMING_STREAM_PAIRS_H_
#define APISERVER_STREAMING_STREAM_PAIRS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "net/http/headers.h"
#include "net/spdy/session.h"

namespace kube::apiserver::internal {

// What the headers of a stream of port-forward say.
struct PortStreamHeaders {
  uint16_t port = 0;
  bool is_error = false;  // else it is a data stream
  // Empty if the client is so old that it sends none.
  std::string request_id = {};
};

// Returns an error, in a kubelet's words, if the headers are not those of such a stream.
absl::StatusOr<PortStreamHeaders> ParsePortStream(const http::Headers& headers);

// The two streams of a forwarded connection.
struct StreamPair {
  std::string request_id = {};
  uint16_t port = 0;  // of the data stream
  std::unique_ptr<spdy::SessionStream> error = {};
  std::unique_ptr<spdy::SessionStream> data = {};
};

// Finds the two streams that belong together, by the id of their request. Thread-compatible.
class StreamPairs {
 public:
  // How long the second stream of a pair may take, as with a kubelet.
  static constexpr absl::Duration kTimeout = absl::Seconds(30);

  // Adds a stream that was accepted, and returns the pair if that completes it. If the pair has
  // such a stream already, returns INVALID_ARGUMENT with the text for the client; `refused` is then
  // the error stream that the text is written to, or null, and the new stream is reset.
  struct Added {
    std::optional<StreamPair> complete = {};
    absl::Status problem = {};
    spdy::SessionStream* refused = nullptr;
  };
  Added Add(const PortStreamHeaders& headers, std::unique_ptr<spdy::SessionStream> stream,
            base::MonotonicTime now);

  // Returns the time at which the first pair is incomplete for too long; infinite if all are
  // complete.
  base::MonotonicTime NextTimeout() const;
  // Removes and returns the pairs that are incomplete for too long.
  std::vector<StreamPair> TakeExpired(base::MonotonicTime now);

 private:
  struct Waiting {
    StreamPair pair = {};
    base::MonotonicTime deadline = {};
  };

  // The stream ids of old clients, which send no ids of requests, follow from the number of streams
  // before: clients number theirs 1, 3, 5 and so on.
  int64_t next_stream_id_ = 1;
  std::map<std::string, Waiting> waiting_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_STREAMING_STREAM_PAIRS_H_
