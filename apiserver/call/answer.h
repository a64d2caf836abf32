#ifndef APISERVER_CALL_ANSWER_H_
#define APISERVER_CALL_ANSWER_H_

#include <cstdint>
#include <memory>
#include <variant>

#include "absl/functional/any_invocable.h"
#include "apimachinery/base/context.h"
#include "apiserver/containers/log_session.h"
#include "apiserver/watch/watch_stream.h"
#include "net/http/headers.h"
#include "net/httpserver/exchange.h"
#include "net/io/duplex_stream.h"

namespace kube::apiserver::internal {

// The answer to a request that must wait until the storage has this revision.
struct NotYet {
  int64_t revision = 0;
};
// The answer to a request that switches to another protocol: a 101 with these headers.
struct Upgrade {
  http::Headers headers = {};
  // Speaks the protocol. Called on a thread of its own, and returns when the connection has ended,
  // or soon after the context is done.
  absl::AnyInvocable<void(const Context& ctx, std::unique_ptr<io::DuplexStream> connection)> serve =
      {};
};

// The answer to a request: a response, the body of a watch or of a log that is followed, another
// protocol, or none yet.
using Answer = std::variant<httpserver::Response, std::unique_ptr<WatchStream>, NotYet,
                            std::unique_ptr<FollowedLog>, Upgrade>;

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CALL_ANSWER_H_
