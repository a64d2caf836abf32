#include "apimachinery/codec/projection.h"

// Compiles paths to a Projection in two steps. AddPath parses each path into a PathTree, one for
// the fields to keep and one for those to drop. Compiler then walks over both trees together and
// makes a ProjectionNode for each struct in which some, but not all, fields are decoded: null means
// that the field is kept whole, Dropped() that it is skipped, and another node that the decision is
// made further down. Decoders follow these nodes in step with the field tables, so a field that no
// path names costs nothing.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/internal/projection_node.h"
#include "apimachinery/table/message.h"

namespace kube::codec {

using internal::ProjectionNode;
using kube::table::Message;

namespace {

// The fields that paths name within one struct.
struct PathTree {
  explicit PathTree(const Message& of) : message(of), children(of.field_count) {}

  const Message& message;
  // What paths say about one field: it is named as a whole, some keys of a map are named, or fields
  // below it are.
  struct Child {
    bool whole = false;
    std::vector<std::string> keys;
    std::unique_ptr<PathTree> below;

    bool is_named() const { return whole || !keys.empty() || below != nullptr; }
  };
  std::vector<Child> children;
};

std::optional<size_t> FindField(const Message& message, absl::string_view name) {
  for (size_t i = 0; i < message.field_count; ++i) {
    const kube::table::Field& field = message.fields[i];
    if (field.name_size > 0 && message.field_name(field) == name) return i;
  }
  return std::nullopt;
}

absl::Status PathError(const Message& root, absl::string_view path, absl::string_view cause) {
  return absl::InvalidArgumentError(
      absl::StrCat("project ", root.type_name(), ": \"", path, "\": ", cause));
}

// Returns the struct type of the field's value or elements, or null if its members are not named in
// JSON.
const Message* StructOf(const Message& message, const kube::table::Field& field) {
  const Message* sub = message.sub(field);
  const bool has_names = sub != nullptr && sub->json_form == kube::table::JsonForm::kObject;
  return has_names ? sub : nullptr;
}

absl::Status AddPath(PathTree& root, absl::string_view path) {
  PathTree* tree = &root;
  for (absl::string_view rest = path;;) {
    const Message& message = tree->message;
    const size_t name_size = std::min(rest.find_first_of(".["), rest.size());
    const absl::string_view name = rest.substr(0, name_size);
    rest.remove_prefix(name_size);
    const std::optional<size_t> found = FindField(message, name);
    if (!found.has_value()) {
      return PathError(root.message, path,
                       absl::StrCat(message.type_name(), " has no field \"", name, "\""));
    }
    const kube::table::Field& field = message.fields[*found];
    PathTree::Child& child = tree->children[*found];
    if (rest.empty()) {
      child.whole = true;
      return absl::OkStatus();
    }
    if (absl::ConsumePrefix(&rest, "[")) {
      if (field.shape != kube::table::Shape::kMap) {
        return PathError(root.message, path, absl::StrCat("\"", name, "\" is not a map"));
      }
      if (!absl::ConsumeSuffix(&rest, "]")) {
        return PathError(root.message, path, "expected ']' after the key, and nothing after it");
      }
      child.keys.emplace_back(rest);
      return absl::OkStatus();
    }
    rest.remove_prefix(1);
    const Message* sub = StructOf(message, field);
    if (sub == nullptr) {
      return PathError(root.message, path, absl::StrCat("\"", name, "\" has no fields"));
    }
    if (child.below == nullptr) child.below = std::make_unique<PathTree>(*sub);
    tree = child.below.get();
  }
}

// Returns the paths that every object keeps.
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

  // `keep` is null if all fields are kept, and `drop` is null if no field is dropped.
  ProjectionNode* Compile(const Message& message, const PathTree* keep, const PathTree* drop) {
    ProjectionNode* node = Add(message.field_count);
    for (size_t i = 0; i < message.field_count; ++i) {
      node->set_field(i, Field(message, i, keep, drop));
    }
    return node;
  }

 private:
  ProjectionNode* Add(size_t field_count) {
    return nodes_.emplace_back(std::make_unique<ProjectionNode>(field_count)).get();
  }

  static std::vector<std::string> KeysOf(const PathTree::Child* child) {
    return child == nullptr ? std::vector<std::string>() : child->keys;
  }

  const ProjectionNode* Field(const Message& message, size_t i, const PathTree* keep,
                              const PathTree* drop) {
    const PathTree::Child* kept = keep == nullptr ? nullptr : &keep->children[i];
    const PathTree::Child* dropped = drop == nullptr ? nullptr : &drop->children[i];
    if (kept != nullptr && !kept->is_named()) return ProjectionNode::Dropped();
    if (dropped != nullptr && dropped->whole) return ProjectionNode::Dropped();
    if (kept != nullptr && kept->whole) kept = nullptr;
    const PathTree* keep_below = kept == nullptr ? nullptr : kept->below.get();
    const PathTree* drop_below = dropped == nullptr ? nullptr : dropped->below.get();
    const std::vector<std::string> kept_keys = KeysOf(kept);
    const std::vector<std::string> dropped_keys = KeysOf(dropped);
    const bool has_keys = !kept_keys.empty() || !dropped_keys.empty();
    if (keep_below == nullptr && drop_below == nullptr && !has_keys) return nullptr;
    const Message* sub = message.sub(message.fields[i]);
    ProjectionNode* node = sub == nullptr ? Add(0) : Compile(*sub, keep_below, drop_below);
    node->set_keys(dropped_keys, kept_keys);
    return node;
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
  Projection projection(message);
  Compiler(projection.nodes_).Compile(message, options.keep.empty() ? nullptr : &keep, &drop);
  return projection;
}

}  // namespace kube::codec
