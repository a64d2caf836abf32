#ifndef EXAMPLES_CRON_JOB_OPERATOR_WEBHOOKS_H_
#define EXAMPLES_CRON_JOB_OPERATOR_WEBHOOKS_H_

#include "webhook/server.h"

namespace tutorial {

// Registers the webhooks of CronJobs: defaults, checks, and the conversion of v2. Requests in v2
// are converted to v1 before the first two are asked.
void RegisterWebhooks(kube::webhook::Server& server);

}  // namespace tutorial

#endif  // EXAMPLES_CRON_JOB_OPERATOR_WEBHOOKS_H_
