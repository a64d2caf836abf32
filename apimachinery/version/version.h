#ifndef APIMACHINERY_VERSION_VERSION_H_
#define APIMACHINERY_VERSION_VERSION_H_

#include <compare>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// Versions of programs, such as "v1.27.4" or "1.27.0-alpha.1+build".
// (client-go: `pkg/util/version`) For versions of APIs, such as "v1beta1", see
// version/api_version.h.
//
//   KUBE_ASSIGN_OR_RETURN(Version server, ParseGeneric(info.git_version));
//   if (server < MajorMinor(1, 30)) return absl::FailedPreconditionError("too old");
namespace kube::version {

// A version is a list of numbers, which begins with the major, the minor and the patch version. A
// semantic version has exactly these three, and may have a pre-release and build metadata. A
// generic version has two or more numbers; what follows them in its text is ignored. A missing
// number counts as zero.
//
// Immutable; the With methods return changed copies. Thread-compatible.
// (client-go: `version.Version`)
class Version {
 public:
  // Makes the generic version "0.0".
  Version() : Version(0, 0) {}
  Version(uint64_t major, uint64_t minor) : components_{major, minor} {}

  uint64_t major_version() const { return components_[0]; }
  uint64_t minor_version() const { return components_[1]; }
  uint64_t patch() const { return components_.size() < 3 ? 0 : components_[2]; }
  // Return "alpha.1" and "build", for example; "" if absent, and for a generic version.
  const std::string& pre_release() const { return pre_release_; }
  const std::string& build_metadata() const { return build_metadata_; }
  // Returns all numbers, of which there are at least two.
  const std::vector<uint64_t>& components() const { return components_; }
  bool is_semantic() const { return semantic_; }

  // Return a copy with three numbers and one part changed. With an empty text the copy is
  // unchanged.
  Version WithMajor(uint64_t major) const;
  Version WithMinor(uint64_t minor) const;
  Version WithPatch(uint64_t patch) const;
  Version WithPreRelease(absl::string_view pre_release) const;
  Version WithBuildMetadata(absl::string_view build_metadata) const;

  // Returns the major version and the minor version plus `offset`, at least 0. Use it to compute
  // version skews. (client-go: `Version.OffsetMinor`, `AddMinor`, `SubtractMinor`)
  Version OffsetMinor(int64_t offset) const;

  // Returns the text without "v", and without what a generic version ignores.
  std::string ToString() const;
  friend std::ostream& operator<<(std::ostream& out, const Version& version);

  // Compare the numbers: "1.4" equals "1.4.0". Two semantic versions with equal numbers are then
  // compared by pre-release, as semver.org defines; build metadata is ignored. Do not sort generic
  // and semantic versions together: the generic "1.0.0" equals both "1.0.0-alpha" and "1.0.0-beta".
  // (client-go: `Version.EqualTo`, `LessThan`, `AtLeast`, `GreaterThan`)
  friend bool operator==(const Version& a, const Version& b) { return (a <=> b) == 0; }
  friend std::weak_ordering operator<=>(const Version& a, const Version& b);

  // Compares with a text, which is parsed as semantic or generic like this version. Returns the
  // errors of that parser. (client-go: `Version.Compare`)
  absl::StatusOr<std::weak_ordering> CompareTo(absl::string_view text) const;

 private:
  friend class Parser;

  Version Changed(size_t component, uint64_t value) const;

  std::vector<uint64_t> components_;
  bool semantic_ = false;
  std::string pre_release_;
  std::string build_metadata_;
};

// Makes a generic version of two numbers, such as MajorMinor(1, 30).
// (client-go: `version.MajorMinor`)
inline Version MajorMinor(uint64_t major, uint64_t minor) { return Version(major, minor); }

// The parsers below accept white space and a "v" before the version. They return INVALID_ARGUMENT,
// in Go's words, if the text is not a version.

// Parses two or more numbers, followed by anything: "1.27.4", "v1.27+", "5.15.0-91-generic".
absl::StatusOr<Version> ParseGeneric(absl::string_view text);

// Parses what semver.org defines: "1.27.4", "v1.28.0-alpha.1+44d8b3f".
absl::StatusOr<Version> ParseSemantic(absl::string_view text);

// Tries ParseSemantic and, if that fails, ParseGeneric.
absl::StatusOr<Version> Parse(absl::string_view text);

// Parses as ParseGeneric, but returns only the major and minor version.
absl::StatusOr<Version> ParseMajorMinor(absl::string_view text);

}  // namespace kube::version

#endif  // APIMACHINERY_VERSION_VERSION_H_
