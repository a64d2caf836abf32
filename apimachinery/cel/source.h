#ifndef APIMACHINERY_CEL_SOURCE_H_
#define APIMACHINERY_CEL_SOURCE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/types/lifetime.h"

// The text of an expression, and what is wrong with it.
namespace kube::cel {

// A place in an expression. (cel-go: `common.Location`)
struct Location {
  int line = -1;    // from 1; -1 if the place is not known
  int column = -1;  // in code points, from 0

  friend bool operator==(const Location&, const Location&) = default;
};

// One defect of an expression. (cel-go: `common.Error`)
struct Issue {
  Location location = {};
  std::string message = {};
};

// The text of an expression, divided into lines. Immutable; thread-safe. (cel-go: `common.Source`)
class Source {
 public:
  Source() = default;
  // Each byte that is not part of valid UTF-8 becomes U+FFFD.
  explicit Source(absl::string_view text);

  absl::string_view text() const KUBE_LIFETIME_BOUND { return text_; }

  // Returns the number of code points.
  size_t code_points() const;

  // Returns the place of the byte at `offset`, which may be the end of the text.
  Location LocationOf(size_t offset) const;

  // Returns a line without its end, or nullopt if there is no such line. Lines count from 1.
  std::optional<absl::string_view> Line(int line) const KUBE_LIFETIME_BOUND;

 private:
  std::string text_;
  // The offset of each line but the first.
  std::vector<size_t> line_starts_;
};

// Returns the text that an API server shows for defects, in the order of their places:
//
//   ERROR: <input>:1:5: undefined field 'x'
//    | self.x
//    | ....^
//
// Pure function: thread-safe. (cel-go: `Issues.String`)
std::string FormatIssues(const Source& source, std::vector<Issue> issues);

}  // namespace kube::cel

#endif  // APIMACHINERY_CEL_SOURCE_H_
