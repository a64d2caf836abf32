#include "apiserver/call/list_page.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/status_error.h"
#include "apiserver/call/call.h"
#include "apiserver/call/call_matcher.h"
#include "apiserver/call/continue_token.h"
#include "apiserver/call/core.h"
#include "apiserver/call/list_options.h"
#include "apiserver/call/read_cache.h"
#include "apiserver/registry/selectors.h"
#include "apiserver/storage.h"
#include "apiserver/strategy/custom.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;

constexpr absl::string_view kExpired = "The resourceVersion for the provided list is too old.";

constexpr absl::string_view kContinueExpired =
    "The provided continue parameter is too old to display a consistent list result. You can start "
    "a new list without the continue parameter, or use the continue token in this response to "
    "retrieve the remainder of the results. Continuing with the provided token results in an "
    "inconsistent list - objects that were created, modified, or deleted between the time the "
    "first chunk was returned and now may show up in the list.";

// Returns the error for a list whose revision is no longer kept.
absl::Status Expired(const metav1::ListOptions& options, const ContinueToken& token) {
  if (options.continue_.empty()) return errors::ResourceExpired(kExpired);
  metav1::Status status = *errors::StatusOf(errors::ResourceExpired(kContinueExpired));
  status.metadata.continue_ = EncodeContinueToken({.revision = -1, .start = token.start});
  return errors::FromStatus(status);
}

absl::StatusOr<ContinueToken> TokenOf(const metav1::ListOptions& options) {
  if (options.continue_.empty()) return ContinueToken{};
  if (!options.resource_version.empty() && options.resource_version != "0") {
    return errors::BadRequest("specifying resource version is not allowed when using continue");
  }
  absl::StatusOr<ContinueToken> token = DecodeContinueToken(options.continue_.view());
  if (!token.ok()) {
    return errors::BadRequest(absl::StrCat("invalid continue token: ", token.status().message()));
  }
  return token;
}

// Returns the first `limit` items that match, and sets `more` if there are others.
std::vector<ListItem> Select(std::vector<ListItem> items, const Matcher& matcher, size_t limit,
                             bool* more) {
  std::vector<ListItem> selected;
  *more = false;
  for (ListItem& item : items) {
    if (!matcher.Matches(*item.object)) continue;
    if (limit != 0 && selected.size() == limit) {
      *more = true;
      break;
    }
    selected.push_back(std::move(item));
  }
  return selected;
}

}  // namespace

absl::StatusOr<Page> ListPage(const Core& core, const Call& call,
                              const metav1::ListOptions& options) {
  KUBE_ASSIGN_OR_RETURN(const Matcher matcher, MatcherFor(core, call, options));
  KUBE_ASSIGN_OR_RETURN(const ContinueToken token, TokenOf(options));
  KUBE_ASSIGN_OR_RETURN(const int64_t revision, RevisionFor(options));
  ListQuery query{.prefix = call.resource->PrefixOf(call.info.namespace_name)};
  if (!options.continue_.empty()) {
    query.from = absl::StrCat(query.prefix, token.start);
    query.revision = token.revision < 0 ? 0 : token.revision;
  } else if (IsExact(options)) {
    query.revision = revision;
  } else if (const ReadCache cache = CacheOf(core, call, !options.resource_version.empty());
             cache.lag > 0) {
    query.revision = cache.revision;
  }
  // A list of any revision comes from the watch cache, which does not paginate.
  const bool paged = options.limit > 0 && options.resource_version != "0";
  const size_t limit = paged ? static_cast<size_t>(options.limit) : 0;
  if (matcher.everything()) query.limit = limit;
  absl::StatusOr<ListResult> list = core.storage.List(call.resource->storage, query);
  if (absl::IsFailedPrecondition(list.status())) {
    return TooLargeRevision(query.revision, core.storage.revision());
  }
  if (!list.ok()) return Expired(options, token);
  KUBE_RETURN_IF_ERROR(ReadItems(*call.resource, list->items));

  Page page;
  bool more = list->remaining > 0;
  if (!matcher.everything()) list->items = Select(std::move(list->items), matcher, limit, &more);
  page.metadata.resource_version = absl::StrCat(list->revision);
  if (!matcher.shard().empty()) {
    page.metadata.shard_info.emplace().selector = matcher.shard().ToString();
  }
  if (more) {
    const std::string& last = list->items.back().key;
    page.metadata.continue_ = EncodeContinueToken(
        {.revision = list->revision,
         .start = absl::StrCat(last.substr(query.prefix.size()), absl::string_view("\0", 1))});
    if (matcher.everything()) {
      page.metadata.remaining_item_count = static_cast<int64_t>(list->remaining);
    }
  }
  page.items.reserve(list->items.size());
  for (ListItem& item : list->items) page.items.push_back(std::move(item.object));
  return page;
}

}  // namespace kube::apiserver::internal
