#ifndef APIMACHINERY_SHARDING_PARSE_SELECTOR_H_
#define APIMACHINERY_SHARDING_PARSE_SELECTOR_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/sharding/selector.h"

namespace kube::sharding {

// Parses the text of a `shard_selector` as an API server does: an expression of CEL that consists
// of calls of shardRange, joined by "||", all of one field. For servers, and for programs that get
// the text from a flag; clients that divide objects among them use ShardOf.
//
// Returns INVALID_ARGUMENT with upstream's text for everything else, also for an empty text. What
// follows "CEL parse error: " is the text of our parser, which also knows macros: upstream calls
// them unsupported functions. Pure function: thread-safe. (Kubernetes: `sharding.Parse` of
// apiserver)
absl::StatusOr<Selector> ParseSelector(absl::string_view text);

}  // namespace kube::sharding

#endif  // APIMACHINERY_SHARDING_PARSE_SELECTOR_H_
