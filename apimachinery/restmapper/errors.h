#ifndef APIMACHINERY_RESTMAPPER_ERRORS_H_
#define APIMACHINERY_RESTMAPPER_ERRORS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "apimachinery/schema/group_version.h"

// The two errors by which a RestMapper says that it has no answer, and their predicates.
// (client-go: apimachinery's `pkg/api/meta/errors.go`)
//
//   const absl::StatusOr<RestMapping> mapping = mapper.RestMappingFor(ctx, kind, {});
//   if (IsNoMatch(mapping.status())) return "wait";   // its CRD may not be installed yet
//   if (IsAmbiguous(mapping.status())) return "ask";  // which of CandidatesOf(mapping.status())
//
// The texts are client-go's. A payload identifies the error, so that the predicates still hold
// after base::Annotate. The functions are thread-safe.
namespace kube::restmapper {

// What an ambiguous name may stand for, best first if the mapper has an order.
struct Candidates {
  std::vector<schema::GroupVersionResource> resources = {};
  std::vector<schema::GroupVersionKind> kinds = {};

  friend bool operator==(const Candidates&, const Candidates&) = default;
};

// Make a NOT_FOUND error that satisfies IsNoMatch. (client-go: `meta.NoResourceMatchError`,
// `meta.NoKindMatchError`)
absl::Status NoResourceMatchError(const schema::GroupVersionResource& partial);
absl::Status NoKindMatchError(const schema::GroupKind& kind,
                              absl::Span<const std::string> searched_versions);

// Make an INVALID_ARGUMENT error that satisfies IsAmbiguous.
// (client-go: `meta.AmbiguousResourceError`, `meta.AmbiguousKindError`)
absl::Status AmbiguousResourceError(const schema::GroupVersionResource& partial,
                                    const Candidates& candidates);
absl::Status AmbiguousKindError(const schema::GroupVersionKind& partial,
                                const Candidates& candidates);

// Returns whether the error says that no resource or kind of this name is known. Returns false for
// other NOT_FOUND errors, such as a server's for a missing object.
// (client-go: `meta.IsNoMatchError`)
bool IsNoMatch(const absl::Status& status);

// Returns whether the error says that a name stands for several resources or kinds.
// (client-go: `meta.IsAmbiguousError`)
bool IsAmbiguous(const absl::Status& status);

// Returns the candidates of an error that satisfies IsAmbiguous, and nullopt for any other status.
std::optional<Candidates> CandidatesOf(const absl::Status& status);

// Joins errors as base::JoinErrors does. The predicates above hold for the result if they hold for
// one of `errors`; its candidates are those of the first ambiguous error.
// (client-go: `errors.NewAggregate` with `errors.Is`)
absl::Status JoinErrors(absl::Span<const absl::Status> errors);

}  // namespace kube::restmapper

#endif  // APIMACHINERY_RESTMAPPER_ERRORS_H_
