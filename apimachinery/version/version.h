#ifndef APIMACHINERY_VERSION_VERSION_H_
#define APIMACHINERY_VERSION_VERSION_H_

#include <compare>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// Versions of programs: "v1.27.4", "1.27.0-alpha.1+build". (pkg/util/version) Versions of APIs,
// such as "v1beta1", are in version/api_version.h.
//
//   KUBE_ASSIGN_OR_RETURN(Version server, ParseGeneric(info.git_version));
//   if (server < MajorMinor(1, 30)) return absl::FailedPreconditionError("too old");
namespace kube::version {

// Numbers, the first three of which are the major, the minor and the patch version. A semantic
// version has exactly these, and may have a pre-release and build metadata; a generic one has two
// or more, and what follows them in its text is forgotten. Missing numbers count as zero.
//
// Values are immutable; With... return changed copies. Thread-compatible.
class Version {
 public:
  // "0.0", generic.
  Version() : Version(0, 0) {}
  Version(uint64_t major, uint64_t minor) : components_{major, minor} {}

  uint64_t major_version() const { return components_[0]; }
  uint64_t minor_version() const { return components_[1]; }
  uint64_t patch() const { return components_.size() < 3 ? 0 : components_[2]; }
  // "alpha.1" and "build"; "" where there is none, and of a generic version.
  const std::string& pre_release() const { return pre_release_; }
  const std::string& build_metadata() const { return build_metadata_; }
  // All numbers; at least two.
  const std::vector<uint64_t>& components() const { return components_; }
  bool is_semantic() const { return semantic_; }

  // These have three numbers afterwards. An empty text leaves the version as it is.
  Version WithMajor(uint64_t major) const;
  Version WithMinor(uint64_t minor) const;
  Version WithPatch(uint64_t patch) const;
  Version WithPreRelease(absl::string_view pre_release) const;
  Version WithBuildMetadata(absl::string_view build_metadata) const;

  // Major and minor, where the minor is so many higher, or lower, but not below zero: what a
  // version skew is counted with. (OffsetMinor, AddMinor, SubtractMinor)
  Version OffsetMinor(int64_t offset) const;

  // Without "v", and without what a generic version forgot.
  std::string ToString() const;
  friend std::ostream& operator<<(std::ostream& out, const Version& version);

  // By numbers: "1.4" equals "1.4.0". Two semantic versions with the same numbers then compare by
  // pre-release, as semver.org says; build metadata never counts. Beware of sorting generic and
  // semantic versions together: "1.0.0" equals both "1.0.0-alpha" and "1.0.0-beta" if it is
  // generic. (EqualTo, LessThan, AtLeast, GreaterThan)
  friend bool operator==(const Version& a, const Version& b) { return (a <=> b) == 0; }
  friend std::weak_ordering operator<=>(const Version& a, const Version& b);

  // Against a text, which is parsed as this version was. (Compare)
  absl::StatusOr<std::weak_ordering> CompareTo(absl::string_view text) const;

 private:
  friend class Parser;

  Version Changed(size_t component, uint64_t value) const;

  std::vector<uint64_t> components_;
  bool semantic_ = false;
  std::string pre_release_;
  std::string build_metadata_;
};

// A generic version without more: MajorMinor(1, 30).
inline Version MajorMinor(uint64_t major, uint64_t minor) { return Version(major, minor); }

// All of the following let a version begin with white space and "v", and return INVALID_ARGUMENT
// with Go's words for texts that are none.

// Two numbers or more, then anything: "1.27.4", "v1.27+", "5.15.0-91-generic".
absl::StatusOr<Version> ParseGeneric(absl::string_view text);

// Exactly what semver.org allows: "1.27.4", "v1.28.0-alpha.1+44d8b3f".
absl::StatusOr<Version> ParseSemantic(absl::string_view text);

// ParseSemantic, and where that fails, ParseGeneric.
absl::StatusOr<Version> Parse(absl::string_view text);

// The first two numbers that ParseGeneric finds.
absl::StatusOr<Version> ParseMajorMinor(absl::string_view text);

}  // namespace kube::version

#endif  // APIMACHINERY_VERSION_VERSION_H_
