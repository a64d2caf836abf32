#ifndef APIMACHINERY_VALIDATION_FIELD_PATH_H_
#define APIMACHINERY_VALIDATION_FIELD_PATH_H_

#include <cstddef>
#include <iosfwd>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"

namespace kube::validation::field {

// The place of a value in an object: "spec.containers[0].image" (client-go: `field.Path`).
//
//   const Path containers = Path("spec").Child("containers");
//   const Path image = containers.Index(0).Child("image");  // spec.containers[0].image
//
// Unlike upstream's, it is a value and keeps no parent. The empty path, for which upstream uses a
// null pointer, means that no path is known. Thread-compatible.
class Path {
 public:
  Path() = default;
  explicit Path(absl::string_view name) { Add(name); }

  // Returns the path of the member `name`; for the empty path, `name` itself.
  Path Child(absl::string_view name) const&;
  Path Child(absl::string_view name) &&;
  // Returns the path of an element of a list.
  Path Index(size_t index) const;
  // Returns the path of a value in a map: "metadata.labels[app]".
  Path Key(absl::string_view key) const;

  bool empty() const { return text_.empty(); }

  // As upstream, returns "<nil>" for the empty path.
  std::string ToString() const { return empty() ? "<nil>" : text_; }

  friend bool operator==(const Path& a, const Path& b) { return a.text_ == b.text_; }
  friend std::ostream& operator<<(std::ostream& out, const Path& path);

 private:
  void Add(absl::string_view name);

  std::string text_;
};

}  // namespace kube::validation::field

#endif  // APIMACHINERY_VALIDATION_FIELD_PATH_H_
