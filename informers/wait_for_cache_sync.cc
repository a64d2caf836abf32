#include "informers/wait_for_cache_sync.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/predicates.h"

namespace kube::informers {
namespace {

// How often to look for stopped informers and for errors, which no event signals.
// (client-go: `syncedPollPeriod`)
constexpr absl::Duration kPeriod = absl::Milliseconds(100);

constexpr char kVerb[] = "wait for cache sync";

std::string WhyNot(absl::Span<const Syncable* const> what) {
  std::vector<std::string> reasons;
  for (const Syncable* each : what) {
    const absl::Status why = each->WhyNotSynced();
    if (!why.ok()) reasons.push_back(std::string(why.message()));
  }
  return absl::StrJoin(reasons, "; ");
}

}  // namespace

bool CannotSync(const absl::Status& why) {
  return errors::IsUnauthorized(why) || errors::IsForbidden(why) || errors::IsNotFound(why) ||
         errors::IsMethodNotSupported(why) || errors::IsNotAcceptable(why) ||
         errors::IsBadRequest(why) || errors::IsInvalid(why) || absl::IsInvalidArgument(why);
}

absl::Status WaitForCacheSync(const Context& ctx, absl::Span<const Syncable* const> what,
                              const WaitForCacheSyncOptions& options) {
  bool logs = false;  // once it waits
  while (true) {
    const Syncable* waits_for = nullptr;
    for (const Syncable* each : what) {
      if (each->synced().IsSet()) continue;
      const absl::Status why = each->WhyNotSynced();
      // If the context is done, the informers have probably stopped for the same reason.
      if (each->IsStopped() && !each->synced().IsSet() && !ctx.done()) {
        return absl::FailedPreconditionError(absl::StrCat(kVerb, ": ", why.message()));
      }
      if (options.fail_fast && CannotSync(why)) return base::Annotate(why, kVerb);
      if (waits_for == nullptr) waits_for = each;
    }
    if (waits_for == nullptr) {
      if (logs) KUBE_VLOG_CTX(ctx, 0, "caches are synced", {"caches", what.size()});
      return absl::OkStatus();
    }
    if (ctx.done()) {
      return absl::Status(ctx.status().code(), absl::StrCat(kVerb, ": ", WhyNot(what)));
    }
    if (!options.quiet && !logs) {
      KUBE_VLOG_CTX(ctx, 0, "waiting for caches to sync", {"caches", what.size()});
      logs = true;
    }
    // The result is ignored: the loop tests the event again.
    waits_for->synced().Wait(WithTimeout(ctx, kPeriod)).IgnoreError();
  }
}

}  // namespace kube::informers
