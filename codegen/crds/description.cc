#include "codegen/crds/description.h"

#include <google/protobuf/descriptor.h>

#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace kube::codegen {

namespace pb = google::protobuf;

namespace {

template <typename D>
std::string CommentOf(const D& descriptor) {
  pb::SourceLocation place;
  if (!descriptor.GetSourceLocation(&place)) return "";
  std::vector<std::string> lines;
  for (absl::string_view line : absl::StrSplit(
           place.leading_comments.empty() ? place.trailing_comments : place.leading_comments,
           '\n')) {
    line = absl::StripTrailingAsciiWhitespace(line);
    if (line == " ---" || line == "---") break;
    lines.emplace_back(line.substr(line.substr(0, 1) == " " ? 1 : 0));
  }
  return std::string(absl::StripAsciiWhitespace(absl::StrJoin(lines, "\n")));
}

}  // namespace

std::string DescriptionOf(const pb::Descriptor& message) { return CommentOf(message); }

std::string DescriptionOf(const pb::FieldDescriptor& field) { return CommentOf(field); }

}  // namespace kube::codegen
