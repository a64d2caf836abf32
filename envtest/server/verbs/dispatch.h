#ifndef ENVTEST_SERVER_VERBS_DISPATCH_H_
#define ENVTEST_SERVER_VERBS_DISPATCH_H_

#include <vector>

#include "envtest/server/call/answer.h"
#include "envtest/server/call/core.h"
#include "envtest/server/faults/read_faults.h"
#include "envtest/server/request_info.h"
#include "envtest/server/user.h"
#include "net/httpserver/exchange.h"

namespace kube::envtest::internal {

// Answers one request of a user whom the rules let pass; writes have been followed through
// (Collector::Settle) when it returns. Neither blocks nor fails: errors are answers, too. `faults`
// may be null, and outlives a watch that is the answer.
Answer Dispatch(Core& core, const httpserver::Request& request, const RequestInfo& info,
                const User& user, bool has_waited, ReadFaults* faults);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_VERBS_DISPATCH_H_
