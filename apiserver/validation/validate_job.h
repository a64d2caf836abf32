#ifndef APISERVER_VALIDATION_VALIDATE_JOB_H_
#define APISERVER_VALIDATION_VALIDATE_JOB_H_

#include "api/batch/v1/types.kube.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

// Validates Jobs (kube-apiserver: `pkg/apis/batch/validation`). Pure and thread-safe.
namespace kube::apiserver::internal {

void CheckJob(validation::field::ErrorList& wrong, const api::batch::v1::Job& job);

// Checks that an update keeps the immutable fields of `old`. As upstream, it repeats the errors of
// the content.
void CheckJobStays(validation::field::ErrorList& wrong, const api::batch::v1::Job& job,
                   const api::batch::v1::Job& old);

// Validates the content of a job, or of a template of jobs, which has no selector (kube-apiserver:
// `validateJobSpec`).
void CheckJobSpec(validation::field::ErrorList& wrong, const api::batch::v1::JobSpec& spec,
                  const validation::field::Path& path);

// Returns the JSON of labels, or null if `labels` is null.
validation::field::JsonValue LabelsJson(const Map<String>& labels);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VALIDATION_VALIDATE_JOB_H_
