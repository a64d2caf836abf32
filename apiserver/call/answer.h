#ifndef APISERVER_CALL_ANSWER_H_
#define APISERVER_CALL_ANSWER_H_

#include <cstdint>
#include <memory>
#include <variant>

#include "apiserver/watch/watch_stream.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// The answer to a request that must wait until the storage has this revision.
struct NotYet {
  int64_t revision = 0;
};
// The answer to a request: a response, the body of a watch, or none yet.
using Answer = std::variant<httpserver::Response, std::unique_ptr<WatchStream>, NotYet>;

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CALL_ANSWER_H_
