#include "apimachinery/codec/projection.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/internal/projection_node.h"
#include "apimachinery/types/internal/message.h"

namespace kube::codec {

using internal::ProjectionNode;
using kube::internal::Message;

namespace {

// The fields that are named below a struct.
struct PathTree {
  explicit PathTree(const Message& of) : message(of), children(of.field_count) {}

  const Message& message;
  // By field. Of a field that a path ends at: whole.
  struct Child {
    bool whole = false;
    std::unique_ptr<PathTree> below;
  };
  std::vector<Child> children;
};

std::optional<size_t> FindField(const Message& message, absl::string_view name) {
  for (size_t i = 0; i < message.field_count; ++i) {
    const kube::internal::Field& field = message.fields[i];
    if (field.name_size > 0 && message.field_name(field) == name) return i;
  }
  return std::nullopt;
}

absl::Status AddPath(PathTree& root, absl::string_view path) {
  PathTree* tree = &root;
  const std::vector<absl::string_view> names = absl::StrSplit(path, '.');
  for (size_t i = 0; i < names.size(); ++i) {
    const Message& message = tree->message;
    const std::optional<size_t> found = FindField(message, names[i]);
    if (!found.has_value()) {
      return absl::InvalidArgumentError(absl::StrCat("project ", root.message.type_name(), ": \"",
                                                     path, "\": ", message.type_name(),
                                                     " has no field \"", names[i], "\""));
    }
    PathTree::Child& child = tree->children[*found];
    if (i + 1 == names.size()) {
      child.whole = true;
      return absl::OkStatus();
    }
    const Message* sub = message.sub(message.fields[*found]);
    if (sub == nullptr) {
      return absl::InvalidArgumentError(absl::StrCat("project ", root.message.type_name(), ": \"",
                                                     path, "\": \"", names[i], "\" has no fields"));
    }
    if (child.below == nullptr) child.below = std::make_unique<PathTree>(*sub);
    tree = child.below.get();
  }
  return absl::OkStatus();
}

// The names that every object keeps.
std::vector<absl::string_view> Indispensable(const Message& message) {
  std::vector<absl::string_view> paths;
  for (const absl::string_view name : {"kind", "apiVersion"}) {
    if (FindField(message, name).has_value()) paths.push_back(name);
  }
  const std::optional<size_t> metadata = FindField(message, "metadata");
  const Message* sub = metadata.has_value() ? message.sub(message.fields[*metadata]) : nullptr;
  if (sub == nullptr) return paths;
  for (const absl::string_view path :
       {"metadata.name", "metadata.namespace", "metadata.uid", "metadata.resourceVersion"}) {
    if (FindField(*sub, absl::StripPrefix(path, "metadata.")).has_value()) paths.push_back(path);
  }
  return paths;
}

class Compiler {
 public:
  explicit Compiler(std::vector<std::unique_ptr<ProjectionNode>>& nodes) : nodes_(nodes) {}

  // `keep`: null for all. `drop`: null for nothing.
  const ProjectionNode* Compile(const Message& message, const PathTree* keep,
                                const PathTree* drop) {
    nodes_.push_back(std::make_unique<ProjectionNode>(message.field_count));
    ProjectionNode* node = nodes_.back().get();
    for (size_t i = 0; i < message.field_count; ++i) {
      node->set_field(i, Field(message, i, keep, drop));
    }
    return node;
  }

 private:
  const ProjectionNode* Field(const Message& message, size_t i, const PathTree* keep,
                              const PathTree* drop) {
    const PathTree::Child* kept = keep == nullptr ? nullptr : &keep->children[i];
    const PathTree::Child* dropped = drop == nullptr ? nullptr : &drop->children[i];
    const bool is_kept = kept == nullptr || kept->whole || kept->below != nullptr;
    if (!is_kept || (dropped != nullptr && dropped->whole)) return ProjectionNode::Dropped();
    const PathTree* keep_below = kept == nullptr || kept->whole ? nullptr : kept->below.get();
    const PathTree* drop_below = dropped == nullptr ? nullptr : dropped->below.get();
    if (keep_below == nullptr && drop_below == nullptr) return nullptr;
    return Compile(*message.sub(message.fields[i]), keep_below, drop_below);
  }

  std::vector<std::unique_ptr<ProjectionNode>>& nodes_;
};

}  // namespace

absl::StatusOr<Projection> Projection::Make(const Message& message,
                                            const ProjectionOptions& options) {
  PathTree keep(message);
  PathTree drop(message);
  for (const absl::string_view path : options.keep) KUBE_RETURN_IF_ERROR(AddPath(keep, path));
  for (const absl::string_view path : options.drop) KUBE_RETURN_IF_ERROR(AddPath(drop, path));
  if (!options.keep.empty()) {
    for (const absl::string_view path : Indispensable(message)) {
      KUBE_RETURN_IF_ERROR(AddPath(keep, path));
    }
  }
  Projection projection;
  Compiler(projection.nodes_).Compile(message, options.keep.empty() ? nullptr : &keep, &drop);
  return projection;
}

}  // namespace kube::codec
