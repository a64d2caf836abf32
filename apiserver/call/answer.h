#ifndef APISERVER_CALL_ANSWER_H_
#define APISERVER_CALL_ANSWER_H_

#include <cstdint>
#include <memory>
#include <variant>

#include "apiserver/watch/watch_stream.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// Nothing can be answered before the storage has this revision.
struct NotYet {
  int64_t revision = 0;
};
// What a request is answered with: at once, piece by piece, or later.
using Answer = std::variant<httpserver::Response, std::unique_ptr<WatchStream>, NotYet>;

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CALL_ANSWER_H_
