#include "codegen/diagnostics.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace kube::codegen {

namespace pb = google::protobuf;

namespace {

// Returns the start of the file if there is no source information.
template <typename D>
pb::SourceLocation PlaceOf(const D& descriptor) {
  pb::SourceLocation place;
  if (!descriptor.GetSourceLocation(&place)) place.start_line = place.start_column = 0;
  return place;
}

}  // namespace

void Diagnostics::Error(const pb::Descriptor& at, absl::string_view message) {
  Add(*at.file(), PlaceOf(at), message);
}

void Diagnostics::Error(const pb::FieldDescriptor& at, absl::string_view message) {
  Add(*at.file(), PlaceOf(at), message);
}

void Diagnostics::Error(const pb::EnumDescriptor& at, absl::string_view message) {
  Add(*at.file(), PlaceOf(at), message);
}

void Diagnostics::Error(const pb::OneofDescriptor& at, absl::string_view message) {
  Add(*at.file(), PlaceOf(at), message);
}

void Diagnostics::Error(const pb::ServiceDescriptor& at, absl::string_view message) {
  Add(*at.file(), PlaceOf(at), message);
}

void Diagnostics::Error(const pb::FileDescriptor& at, const std::vector<int>& path,
                        absl::string_view message) {
  pb::SourceLocation place;
  if (!at.GetSourceLocation(path, &place)) place.start_line = place.start_column = 0;
  Add(at, place, message);
}

void Diagnostics::Add(const pb::FileDescriptor& file, const pb::SourceLocation& place,
                      absl::string_view message) {
  Add(absl::StrCat(file.name(), ":", place.start_line + 1, ":", place.start_column + 1, ": ",
                   message));
}

void Diagnostics::Add(const std::string& error) {
  if (std::find(errors_.begin(), errors_.end(), error) == errors_.end()) errors_.push_back(error);
}

void Diagnostics::Merge(const Diagnostics& other) {
  for (const std::string& error : other.errors_) Add(error);
}

}  // namespace kube::codegen
