#ifndef APISERVER_VALIDATION_VALIDATE_JOB_H_
#define APISERVER_VALIDATION_VALIDATE_JOB_H_

#include "api/batch/v1/types.kube.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

// What must be so in a Job. (pkg/apis/batch/validation) Pure functions: thread-safe.
namespace kube::apiserver::internal {

void CheckJob(validation::field::ErrorList& wrong, const api::batch::v1::Job& job);

// What of `old` an update must not change. As upstream, it says what is wrong with the content once
// more.
void CheckJobStays(validation::field::ErrorList& wrong, const api::batch::v1::Job& job,
                   const api::batch::v1::Job& old);

// The content of a job, or of a template of jobs, which has no selector. (validateJobSpec)
void CheckJobSpec(validation::field::ErrorList& wrong, const api::batch::v1::JobSpec& spec,
                  const validation::field::Path& path);

// The JSON of labels; null without any.
validation::field::JsonValue LabelsJson(const Map<String>& labels);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VALIDATION_VALIDATE_JOB_H_
