#ifndef CLIENTSET_PAGER_INTERNAL_PAGE_PLAN_H_
#define CLIENTSET_PAGER_INTERNAL_PAGE_PLAN_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/types/string.h"

namespace kube::pager::internal {

// Which page to ask for, and what follows from the answer (PG-1). Thread-compatible.
class PagePlan {
 public:
  PagePlan(const api::meta::v1::ListOptions& options, int64_t page_size);

  // Of the next request.
  const api::meta::v1::ListOptions& options() const { return options_; }

  // The page has come, and says where the next one begins. False: it was the last.
  bool Advance(absl::string_view continue_token);

  // The page has not come. True: what was asked for at the start has expired meanwhile, and the
  // options are now those of the whole list.
  bool FallBack(const absl::Status& error);

 private:
  api::meta::v1::ListOptions options_;
  const String resource_version_;
  const String resource_version_match_;
};

}  // namespace kube::pager::internal

#endif  // CLIENTSET_PAGER_INTERNAL_PAGE_PLAN_H_
