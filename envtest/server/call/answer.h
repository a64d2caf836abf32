#ifndef ENVTEST_SERVER_CALL_ANSWER_H_
#define ENVTEST_SERVER_CALL_ANSWER_H_

#include <cstdint>
#include <memory>
#include <variant>

#include "envtest/server/watch/watch_stream.h"
#include "net/httpserver/exchange.h"

namespace kube::envtest::internal {

// Nothing can be answered before the storage has this revision.
struct NotYet {
  int64_t revision = 0;
};
// What a request is answered with: at once, piece by piece, or later.
using Answer = std::variant<httpserver::Response, std::unique_ptr<WatchStream>, NotYet>;

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_CALL_ANSWER_H_
