#ifndef CLIENTSET_PAGER_PAGE_PLAN_H_
#define CLIENTSET_PAGER_PAGE_PLAN_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/types/string.h"

namespace kube::pager {

// Decides which page of a list to request next. It is the part of ListPager without I/O, for code
// that sends the requests itself, such as informers. (client-go: `pager.ListPager`)
//
//   PagePlan plan(options, /*page_size=*/500);
//   absl::StatusOr<corev1::PodList> page;
//   do {
//     page = pods.List(ctx, plan.options());
//     if (!page.ok() && plan.FallBack(page.status())) page = pods.List(ctx, plan.options());
//     if (!page.ok()) return page.status();
//     ...
//   } while (plan.Advance(page->metadata.continue_));
//
// After FallBack the list begins again: the caller decides whether to keep the items that it
// already has. Thread-compatible.
class PagePlan {
 public:
  // `page_size` is the limit of each page unless `options` have a limit.
  PagePlan(const api::meta::v1::ListOptions& options, int64_t page_size);

  // The options of the next request.
  const api::meta::v1::ListOptions& options() const { return options_; }

  // Call it after a page was received, with its metadata.continue. Returns false if it was the last
  // page.
  bool Advance(absl::string_view continue_token);

  // Call it after a request failed. Returns true if the continue token has expired: options() are
  // then those of the whole list, without pages. Otherwise the error is final.
  bool FallBack(const absl::Status& error);

 private:
  api::meta::v1::ListOptions options_;
  const String resource_version_;
  const String resource_version_match_;
};

}  // namespace kube::pager

#endif  // CLIENTSET_PAGER_PAGE_PLAN_H_
