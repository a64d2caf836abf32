#ifndef APISERVER_VERBS_DISPATCH_H_
#define APISERVER_VERBS_DISPATCH_H_

#include <vector>

#include "apiserver/call/answer.h"
#include "apiserver/call/core.h"
#include "apiserver/faults/read_faults.h"
#include "apiserver/request_info.h"
#include "apiserver/user.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// Answers one request of a user whom the rules let pass; writes have been followed through
// (Collector::Settle) when it returns. Neither blocks nor fails: errors are answers, too. `faults`
// may be null, and outlives a watch that is the answer.
Answer Dispatch(Core& core, const httpserver::Request& request, const RequestInfo& info,
                const User& user, bool has_waited, ReadFaults* faults);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VERBS_DISPATCH_H_
