// get, list and watch.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/queryparams/queryparams.h"
#include "apimachinery/scheme/media_type.h"
#include "apimachinery/scheme/negotiate.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "envtest/server/internal/continue_token.h"
#include "envtest/server/internal/core.h"
#include "envtest/server/internal/custom.h"
#include "envtest/server/internal/output.h"
#include "envtest/server/internal/plain_error.h"
#include "envtest/server/internal/read_faults.h"
#include "envtest/server/internal/selectors.h"
#include "envtest/server/internal/watch_stream.h"
#include "envtest/server/storage.h"
#include "net/httpserver/exchange.h"

namespace kube::envtest::internal {
namespace {

namespace metav1 = api::meta::v1;
namespace field = validation::field;

constexpr absl::string_view kExpired = "The resourceVersion for the provided list is too old.";
constexpr absl::string_view kContinueExpired =
    "The provided continue parameter is too old to display a consistent list result. You can start "
    "a new list without the continue parameter, or use the continue token in this response to "
    "retrieve the remainder of the results. Continuing with the provided token results in an "
    "inconsistent list - objects that were created, modified, or deleted between the time the "
    "first chunk was returned and now may show up in the list.";

// "" is 0, "any revision".
absl::StatusOr<int64_t> ParseRevision(absl::string_view text) {
  int64_t revision = 0;
  if (text.empty()) return revision;
  if (!absl::SimpleAtoi(text, &revision) || revision < 0 || text[0] == '+') {
    return absl::InvalidArgumentError(absl::StrCat("resourceVersion: Invalid value: \"", text,
                                                   "\": strconv.ParseUint: parsing \"", text,
                                                   "\": invalid syntax"));
  }
  return revision;
}

field::ErrorList CheckList(const metav1::ListOptions& options) {
  field::ErrorList wrong;
  const field::Path path("resourceVersionMatch");
  const absl::string_view match = options.resource_version_match.view();
  if (!match.empty()) {
    if (options.resource_version.empty()) {
      wrong.push_back(field::Forbidden(
          path, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
    }
    if (!options.continue_.empty()) {
      wrong.push_back(
          field::Forbidden(path, "resourceVersionMatch is forbidden when continue is provided"));
    }
    if (match != "Exact" && match != "NotOlderThan") {
      wrong.push_back(
          field::NotSupported(path, field::JsonText(match), {"Exact", "NotOlderThan", ""}));
    }
    if (match == "Exact" && options.resource_version == "0") {
      wrong.push_back(field::Forbidden(
          path, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
    }
  }
  if (options.send_initial_events.has_value()) {
    wrong.push_back(field::Forbidden(field::Path("sendInitialEvents"),
                                     "sendInitialEvents is forbidden for list"));
  }
  return wrong;
}

field::ErrorList CheckWatch(const metav1::ListOptions& options) {
  field::ErrorList wrong;
  const field::Path path("resourceVersionMatch");
  const absl::string_view match = options.resource_version_match.view();
  if (options.send_initial_events.has_value() && match != "NotOlderThan") {
    wrong.push_back(field::Forbidden(
        path, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
  }
  if (match.empty()) return wrong;
  if (!options.send_initial_events.has_value()) {
    wrong.push_back(field::Forbidden(
        path, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
  }
  if (match != "NotOlderThan") {
    wrong.push_back(field::NotSupported(path, field::JsonText(match), {"NotOlderThan"}));
  }
  if (!options.continue_.empty()) {
    wrong.push_back(
        field::Forbidden(path, "resourceVersionMatch is forbidden when continue is provided"));
  }
  return wrong;
}

// Whether a list is to be of exactly the revision that it names. Without a match, a limit asks for
// it, for the sake of old clients.
bool IsExact(const metav1::ListOptions& options) {
  if (options.resource_version.empty() || options.resource_version == "0") return false;
  return options.resource_version_match == "Exact" ||
         (options.resource_version_match.empty() && options.limit > 0);
}

// The error of a list whose revision is forgotten.
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

// As many as the limit of those that match; what is left stays in `list`'s count.
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

// Where a read comes from that may be served by the watch cache.
struct Cache {
  int64_t lag = 0;
  int64_t revision = 0;  // that it has
};
Cache CacheOf(const Core& core, const Call& call, bool may_be_stale) {
  const int64_t lag = may_be_stale && call.faults != nullptr ? call.faults->Lag() : 0;
  return {.lag = lag, .revision = LaggingRevision(core.storage, call.resource->storage, lag)};
}

// An object as a cache that lags has it.
absl::StatusOr<ObjectPtr> GetFromCache(const Core& core, const Call& call, const Cache& cache) {
  const Target target = call.target();
  const std::string key = target.key();
  KUBE_ASSIGN_OR_RETURN(const ListResult list,
                        core.storage.List(target.resource->storage,
                                          {.prefix = key, .revision = cache.revision, .limit = 1}));
  if (!list.items.empty() && list.items[0].key == key) {
    return AsResource(*target.resource, list.items[0].object);
  }
  return errors::NotFound(target.resource->group_resource(), target.name);
}

absl::Duration TimeoutOf(const metav1::ListOptions& options) {
  if (options.timeout_seconds.has_value() && *options.timeout_seconds > 0) {
    return absl::Seconds(*options.timeout_seconds);
  }
  // As upstream, so that not all watches end at once. (minRequestTimeout)
  return absl::Minutes(30) * (1 + base::UniformDouble());
}

}  // namespace

absl::StatusOr<metav1::ListOptions> ListOptionsOf(const Call& call, bool watch) {
  absl::StatusOr<metav1::ListOptions> options =
      queryparams::DecodeParameters<metav1::ListOptions>(call.info.query);
  if (!options.ok()) return errors::BadRequest(options.status().message());
  const field::ErrorList wrong = watch ? CheckWatch(*options) : CheckList(*options);
  if (!wrong.empty()) return InvalidOptions("ListOptions", wrong);
  return options;
}

absl::StatusOr<int64_t> RevisionFor(const metav1::ListOptions& options) {
  const absl::StatusOr<int64_t> revision = ParseRevision(options.resource_version.view());
  if (revision.ok()) return revision;
  return errors::BadRequest(
      absl::StrCat("invalid resource version: ", revision.status().message()));
}

absl::StatusOr<Page> ListPage(const Core& core, const Call& call,
                              const metav1::ListOptions& options) {
  KUBE_ASSIGN_OR_RETURN(
      const Matcher matcher,
      Matcher::Make(*call.resource, options.label_selector.view(), options.field_selector.view()));
  KUBE_ASSIGN_OR_RETURN(const ContinueToken token, TokenOf(options));
  KUBE_ASSIGN_OR_RETURN(const int64_t revision, RevisionFor(options));
  ListQuery query{.prefix = call.resource->PrefixOf(call.info.namespace_name)};
  if (!options.continue_.empty()) {
    query.from = absl::StrCat(query.prefix, token.start);
    query.revision = token.revision < 0 ? 0 : token.revision;
  } else if (IsExact(options)) {
    query.revision = revision;
  } else if (const Cache cache = CacheOf(core, call, !options.resource_version.empty());
             cache.lag > 0) {
    query.revision = cache.revision;
  }
  // A list of any revision comes from the cache, which knows no pages.
  const bool paged = options.limit > 0 && options.resource_version != "0";
  const size_t limit = paged ? static_cast<size_t>(options.limit) : 0;
  if (matcher.everything()) query.limit = limit;
  absl::StatusOr<ListResult> list = core.storage.List(call.resource->storage, query);
  if (absl::IsFailedPrecondition(list.status())) {
    return TooLargeRevision(query.revision, core.storage.revision());
  }
  if (!list.ok()) return Expired(options, token);
  for (ListItem& item : list->items) {
    item.object = AsResource(*call.resource, std::move(item.object));
  }

  Page page;
  bool more = list->remaining > 0;
  if (!matcher.everything()) list->items = Select(std::move(list->items), matcher, limit, &more);
  page.metadata.resource_version = absl::StrCat(list->revision);
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

absl::Status TooLargeRevision(int64_t wanted, int64_t current) {
  metav1::Status status = *errors::StatusOf(
      errors::Timeout(absl::StrCat("Too large resource version: ", wanted, ", current: ", current),
                      absl::Seconds(1)));
  status.details->causes.push_back(metav1::StatusCause{.reason = "ResourceVersionTooLarge",
                                                       .message = "Too large resource version"});
  return errors::FromStatus(status);
}

absl::StatusOr<Answer> ServeGet(Core& core, Call& call) {
  absl::StatusOr<metav1::GetOptions> options =
      queryparams::DecodeParameters<metav1::GetOptions>(call.info.query);
  if (!options.ok()) return errors::BadRequest(options.status().message());
  const absl::StatusOr<int64_t> revision = ParseRevision(options->resource_version.view());
  if (!revision.ok()) return PlainError(revision.status().message());
  const Cache cache = CacheOf(core, call, !options->resource_version.empty());
  if (*revision > cache.revision) {
    if (!call.has_waited) return Answer(NotYet{.revision = *revision + cache.lag});
    return TooLargeRevision(*revision, cache.revision);
  }
  KUBE_ASSIGN_OR_RETURN(const ObjectPtr object, cache.lag > 0 ? GetFromCache(core, call, cache)
                                                              : core.registry.Get(call.target()));
  KUBE_ASSIGN_OR_RETURN(httpserver::Response response, RespondObject(200, *object, call));
  return Answer(std::move(response));
}

absl::StatusOr<Answer> ServeList(Core& core, Call& call) {
  KUBE_ASSIGN_OR_RETURN(const metav1::ListOptions options, ListOptionsOf(call, /*watch=*/false));
  if (options.continue_.empty()) {
    KUBE_ASSIGN_OR_RETURN(const int64_t revision, RevisionFor(options));
    // One exact version comes from the storage.
    const Cache cache = CacheOf(core, call, !options.resource_version.empty() && !IsExact(options));
    if (revision > cache.revision) {
      if (!call.has_waited) return Answer(NotYet{.revision = revision + cache.lag});
      return TooLargeRevision(revision, cache.revision);
    }
  }
  KUBE_ASSIGN_OR_RETURN(const Page page, ListPage(core, call, options));
  KUBE_ASSIGN_OR_RETURN(httpserver::Response response, RespondPage(page, call));
  return Answer(std::move(response));
}

absl::StatusOr<Answer> ServeWatch(Core& core, Call& call) {
  KUBE_ASSIGN_OR_RETURN(const metav1::ListOptions options, ListOptionsOf(call, /*watch=*/true));
  WatchParameters watch{.resource = std::shared_ptr<const Resource>(call.resources, call.resource),
                        .prefix = call.resource->PrefixOf(call.info.namespace_name)};
  KUBE_ASSIGN_OR_RETURN(watch.matcher, Matcher::Make(*call.resource, options.label_selector.view(),
                                                     options.field_selector.view()));
  const absl::StatusOr<int64_t> revision = ParseRevision(options.resource_version.view());
  if (!revision.ok()) return PlainError(revision.status().message());
  const absl::StatusOr<scheme::SerializerInfo> stream = scheme::NegotiateOutputMediaTypeStream(
      call.request->headers.Get("accept").value_or(""), scheme::SupportedMediaTypes());
  watch.output = call.output;
  // Events are one a line.
  watch.output.pretty = false;
  if (stream.ok() && call.output.transform == Transform::kNone) {
    watch.output.format = stream->format;
  } else if (call.output.format == scheme::Format::kYaml) {
    watch.output.format = scheme::Format::kJson;
  }
  watch.after = *revision;
  const bool wants_initial = options.send_initial_events.value_or(false);
  watch.initial = wants_initial || (*revision == 0 && !options.send_initial_events.has_value());
  watch.initial_bookmark = wants_initial && options.allow_watch_bookmarks;
  watch.bookmarks = options.allow_watch_bookmarks;
  if (!watch.initial && *revision == 0) watch.after = core.storage.revision();
  // It is of now at least, however late the cache is.
  if (wants_initial && options.resource_version.empty()) watch.after = core.storage.revision();
  watch.timeout = TimeoutOf(options);
  watch.faults = call.faults;
  if (watch.bookmarks && watch.faults != nullptr) {
    if (const auto bookmarks = watch.faults->Bookmarks()) {
      watch.initial_bookmark &= bookmarks->initial_end;
      watch.bookmark_interval = bookmarks->interval;
    }
  }
  return Answer(std::make_unique<WatchStream>(core.storage, std::move(watch)));
}

}  // namespace kube::envtest::internal
