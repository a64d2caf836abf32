#ifndef WEBHOOK_ADMISSION_REVIEW_H_
#define WEBHOOK_ADMISSION_REVIEW_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "webhook/admission_types.h"

// The way from the body of an HTTP request to an AdmissionHandler and back. A webhook::Server does
// this; call it to serve a webhook by an HTTP server of one's own, or in a test.
namespace kube::webhook {

// The size from which on a review is refused, in bytes: two objects of 3 MiB, which is more than
// an API server stores, and what else is in a review.
inline constexpr size_t kMaxReviewBytes = 7 * 1024 * 1024;

// What a server answers.
struct HttpAnswer {
  int code = 200;
  std::string body = {};  // JSON
};

// Answers an AdmissionReview of admission.k8s.io/v1 or v1beta1, whose members are the same; the
// answer has the version of the question. `content_type` is the whole value of the header, and must
// be "application/json". Calls `handler` at most once, on the calling thread, and blocks as long as
// it does. The context of the call has the fields object, namespace, name, resource, user and
// requestID for the log. (controller-runtime: `admission.Webhook.ServeHTTP`)
//
// The HTTP code is 200, also if the review cannot be read: the answer then refuses the request with
// code 400, or with 413 if the body is too large. It has the UID and the version of the question if
// these can be read, so that the API server reports what is wrong with the review.
// (controller-runtime sends neither then, and the API server reports an invalid answer.) The log
// has each such refusal, without the body.
//
// Thread-safe, if `handler` is.
HttpAnswer AnswerAdmissionReview(const Context& ctx, const AdmissionHandler& handler,
                                 absl::string_view content_type, absl::string_view body);

}  // namespace kube::webhook

#endif  // WEBHOOK_ADMISSION_REVIEW_H_
