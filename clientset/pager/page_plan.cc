#include "clientset/pager/page_plan.h"

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/types/string.h"

namespace kube::pager {

PagePlan::PagePlan(const api::meta::v1::ListOptions& options, int64_t page_size)
    : options_(options),
      resource_version_(options.resource_version),
      resource_version_match_(options.resource_version_match) {
  if (options_.limit == 0) options_.limit = page_size;
}

bool PagePlan::Advance(absl::string_view continue_token) {
  if (continue_token.empty()) return false;
  options_.continue_ = continue_token;
  // The token contains the resource version; a server refuses a request that has both.
  options_.resource_version = {};
  options_.resource_version_match = {};
  return true;
}

bool PagePlan::FallBack(const absl::Status& error) {
  if (options_.continue_.empty() || !errors::IsResourceExpired(error)) return false;
  options_.limit = 0;
  options_.continue_ = {};
  options_.resource_version = resource_version_;
  options_.resource_version_match = resource_version_match_;
  return true;
}

}  // namespace kube::pager
