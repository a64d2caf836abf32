// cron_job_operator [--kubeconfig FILE] [--leader-elect] ...: starts the Jobs of CronJobs.
// cron_job_operator --print-manifests [--manifests-crds FILE]: prints what a cluster needs to run
// it.
#include "controller/manager/run_operator.h"
#include "examples/cron_job_operator/operator.h"
#include "webhook/self_signed.h"

int main(int argc, char** argv) {
  return kube::controller::RunOperator<tutorial::CronJobOperator>(
      argc, argv,
      {.name = "cron-job-operator",
       .webhooks = {.self_signed = kube::webhook::SelfSignedOptions()}});
}
