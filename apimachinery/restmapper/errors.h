#ifndef APIMACHINERY_RESTMAPPER_ERRORS_H_
#define APIMACHINERY_RESTMAPPER_ERRORS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "apimachinery/schema/group_version.h"

// The two ways in which a RestMapper has no answer, and how to tell them. (apimachinery's
// pkg/api/meta/errors.go)
//
//   absl::StatusOr<RestMapping> mapping = mapper.RestMappingFor(ctx, kind, {});
//   if (IsNoMatch(mapping.status())) ...    // no such kind: perhaps its CRD is not installed yet
//   if (IsAmbiguous(mapping.status())) ...  // ask the user which of CandidatesOf(status) is meant
//
// The texts are upstream's. A payload carries what kind of error it is, so that base::Annotate does
// not hide it. Pure functions: thread-safe.
namespace kube::restmapper {

// What an ambiguous name may stand for, best first where the mapper has an order.
struct Candidates {
  std::vector<schema::GroupVersionResource> resources = {};
  std::vector<schema::GroupVersionKind> kinds = {};

  friend bool operator==(const Candidates&, const Candidates&) = default;
};

// NOT_FOUND. (meta.NoResourceMatchError, meta.NoKindMatchError)
absl::Status NoResourceMatchError(const schema::GroupVersionResource& partial);
absl::Status NoKindMatchError(const schema::GroupKind& kind,
                              absl::Span<const std::string> searched_versions);

// INVALID_ARGUMENT. (meta.AmbiguousResourceError, meta.AmbiguousKindError)
absl::Status AmbiguousResourceError(const schema::GroupVersionResource& partial,
                                    const Candidates& candidates);
absl::Status AmbiguousKindError(const schema::GroupVersionKind& partial,
                                const Candidates& candidates);

// Whether nothing of such a name is known. Not so of a NOT_FOUND from elsewhere, such as a server's
// that has no such object. (meta.IsNoMatchError)
bool IsNoMatch(const absl::Status& status);

// Whether a name stands for more than one thing. (meta.IsAmbiguousError)
bool IsAmbiguous(const absl::Status& status);

// Of an ambiguous name's error; nothing of any other status.
std::optional<Candidates> CandidatesOf(const absl::Status& status);

// base::JoinErrors, of which the predicates above see what they would see of one of `errors`. Of
// candidates the first ones are kept. (errors.NewAggregate with errors.Is)
absl::Status JoinErrors(absl::Span<const absl::Status> errors);

}  // namespace kube::restmapper

#endif  // APIMACHINERY_RESTMAPPER_ERRORS_H_
