#ifndef APISERVER_VERBS_DISPATCH_H_
#define APISERVER_VERBS_DISPATCH_H_

#include <vector>

#include "apiserver/call/answer.h"
#include "apiserver/call/core.h"
#include "apiserver/call/write_record.h"
#include "apiserver/faults/read_faults.h"
#include "apiserver/request_info.h"
#include "apiserver/user.h"
#include "apiserver/webhooks/webhook_admission.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// Serves a request that the user is authorized to make. When it returns, the consequences of writes
// have been carried out (Core::Settle). Errors become responses. `faults` may be null, and must
// outlive a watch that is returned. `admission` asks webhooks about the request; it may be null.
// Unless `may_block`, no webhook is asked about what the request leads to. `record` is told what a
// write has done; it may be null.
Answer Dispatch(Core& core, const httpserver::Request& request, const RequestInfo& info,
                const User& user, bool has_waited, ReadFaults* faults, WebhookAdmission* admission,
                bool may_block, WriteRecord* record);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VERBS_DISPATCH_H_
