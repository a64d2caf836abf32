#include "apimachinery/crd_schema/internal/rule_tree.h"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/crd_schema/internal/ratcheting.h"
#include "apimachinery/crd_schema/internal/rule_schema.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"

namespace kube::crd_schema::internal {
namespace {

namespace field = validation::field;
using field::Path;
using unstructured::Value;

// A value and the one at its place before an update. They are compared at most once, because all
// elements of a list may ask.
class Correlation {
 public:
  Correlation(const Node& node, const Value& value, const Value& old_value)
      : node_(node), value_(value), old_value_(old_value) {}

  bool IsUnchanged() {
    if (!unchanged_.has_value()) {
      unchanged_ = crd_schema::internal::IsUnchanged(node_, value_, old_value_);
    }
    return *unchanged_;
  }

 private:
  const Node& node_;
  const Value& value_;
  const Value& old_value_;
  std::optional<bool> unchanged_;
};

// What an error of a value depends on besides the value: whether an update has changed it
// (apiextensions-apiserver: `ratchetingOptions`).
struct Ratchet {
  // Null if the old value is not known.
  Correlation* current = nullptr;
  // The nearest value around it whose old value is known, or null.
  Correlation* parent = nullptr;

  bool Forgives() const {
    return current != nullptr ? current->IsUnchanged() : parent != nullptr && parent->IsUnchanged();
  }
  // Returns that of a part, which may be null.
  Ratchet Enter(Correlation* part) const {
    return current == nullptr ? *this : Ratchet{.current = part, .parent = current};
  }
};

}  // namespace

// The rules of a node and below it. Nodes without any are null.
struct RuleTree::Branch {
  explicit Branch(const Node& of) : node(of) {}

  const Node& node;
  std::optional<cel::RuleSet> rules;
  // Why the rules cannot be used; "" if they can.
  std::string defect;
  std::unique_ptr<const Branch> items;
  std::unique_ptr<const Branch> additional;
  std::map<std::string, std::unique_ptr<const Branch>, std::less<>> properties;

  bool empty() const {
    return !rules.has_value() && defect.empty() && items == nullptr && additional == nullptr &&
           properties.empty();
  }
};

RuleTree::RuleTree(Key, std::unique_ptr<const Branch> root) : root_(std::move(root)) {}

RuleTree::~RuleTree() = default;

void RuleTree::AddChildren(const Node& node, const cel::SchemaPtr& schema, Branch& branch) {
  const cel::SchemaPtr element = schema == nullptr ? nullptr : schema->element;
  if (node.items != nullptr) branch.items = Build(*node.items, element);
  if (node.additional_schema != nullptr) {
    branch.additional = Build(*node.additional_schema, element);
  }
  if (schema == nullptr) return;
  for (const auto& [name, property] : node.properties) {
    const auto found = schema->properties.find(name);
    // As upstream, rules below a member that expressions cannot see are ignored.
    if (found == schema->properties.end() || !cel::IsVisible(*found->second)) continue;
    std::unique_ptr<const Branch> child = Build(*property, found->second);
    if (child != nullptr) branch.properties.emplace(name, std::move(child));
  }
}

std::unique_ptr<const RuleTree::Branch> RuleTree::Build(const Node& node,
                                                        const cel::SchemaPtr& schema) {
  auto branch = std::make_unique<Branch>(node);
  if (!node.rules.empty()) {
    absl::StatusOr<cel::RuleSet> rules =
        absl::InvalidArgumentError("failed to convert to declType for CEL validation rules");
    if (schema != nullptr) rules = cel::RuleSet::Compile(MakeRules(node), schema);
    if (rules.ok()) {
      branch->rules = *std::move(rules);
    } else {
      branch->defect =
          absl::StrCat("rule compiler initialization error: ", rules.status().message());
    }
  }
  AddChildren(node, schema, *branch);
  if (branch->empty()) return nullptr;
  return branch;
}

std::unique_ptr<const RuleTree> RuleTree::Make(const Node& node, bool is_resource) {
  if (!HasRules(node)) return nullptr;
  std::unique_ptr<const Branch> root = Build(node, RuleSchema(node, is_resource));
  if (root == nullptr) return nullptr;
  return std::make_unique<const RuleTree>(Key(), std::move(root));
}

// One evaluation of all rules.
class RuleTree::Walk {
 public:
  explicit Walk(int64_t budget) { findings_.budget = budget; }

  void Visit(const Branch& branch, const Path& path, const Value& value, const Value* old_value,
             const Ratchet& ratchet) {
    if (value.is_null()) return;
    Evaluate(branch, path, value, old_value, ratchet);
    if (value.is_list()) VisitList(branch, path, value, old_value, ratchet);
    if (value.is_object()) VisitObject(branch, path, value, old_value, ratchet);
  }

  RuleFindings Take() { return std::move(findings_); }

 private:
  bool stopped() const { return findings_.budget < 0; }

  void Evaluate(const Branch& branch, const Path& path, const Value& value, const Value* old_value,
                const Ratchet& ratchet) {
    if (!branch.defect.empty()) {
      findings_.errors.push_back(field::Invalid(path, branch.node.type, branch.defect));
    }
    if (!branch.rules.has_value()) return;
    absl::StatusOr<cel::RuleSet::Outcome> outcome =
        branch.rules->Evaluate(context_, path, value, old_value, findings_.budget);
    if (!outcome.ok()) {
      findings_.errors.push_back(field::InternalError(path, outcome.status().message()));
      findings_.budget = -1;
      return;
    }
    findings_.budget = outcome->budget;
    for (cel::RuleError& error : outcome->errors) {
      if (error.can_be_ratcheted && ratchet.Forgives()) {
        findings_.warnings.push_back(error.error.ToString());
      } else {
        findings_.errors.push_back(std::move(error.error));
      }
    }
  }

  void VisitList(const Branch& branch, const Path& path, const Value& value, const Value* old_value,
                 const Ratchet& ratchet) {
    if (branch.items == nullptr) return;
    const List<Value>& list = *value.list();
    for (size_t i = 0; i < list.size() && !stopped(); ++i) {
      const Value* old_element =
          old_value == nullptr ? nullptr : OldElement(branch.node, list[i], *old_value);
      VisitPart(*branch.items, path.Index(i), list[i], old_element, ratchet);
    }
  }

  void VisitObject(const Branch& branch, const Path& path, const Value& value,
                   const Value* old_value, const Ratchet& ratchet) {
    for (const auto& [key, member] : *value.object()) {
      if (stopped()) return;
      const absl::string_view name = key.view();
      const Value* old_member = old_value == nullptr ? nullptr : old_value->Find(name);
      const auto property = branch.properties.find(name);
      const bool declared = property != branch.properties.end();
      if (!declared && branch.additional == nullptr) continue;
      const Path member_path = declared ? path.Child(name) : path.Key(name);
      const Branch& part = declared ? *property->second : *branch.additional;
      // An update converts both values to the same apiVersion and kind, so these never change.
      const bool is_root = ratchet.current != nullptr && ratchet.parent == nullptr;
      const bool forgets = is_root && (name == "apiVersion" || name == "kind");
      VisitPart(part, member_path, member, old_member, forgets ? Ratchet() : ratchet);
    }
  }

  // `ratchet` is that of the value around the part.
  void VisitPart(const Branch& branch, const Path& path, const Value& value, const Value* old_value,
                 const Ratchet& ratchet) {
    std::optional<Correlation> part;
    if (old_value != nullptr && ratchet.current != nullptr) {
      part.emplace(branch.node, value, *old_value);
    }
    Visit(branch, path, value, old_value, ratchet.Enter(part.has_value() ? &*part : nullptr));
  }

  // Never done: the costs limit the evaluation.
  Context context_;
  RuleFindings findings_;
};

RuleFindings RuleTree::Check(const Path& path, const Value& value,
                             const RuleOptions& options) const {
  Walk walk(options.budget);
  std::optional<Correlation> whole;
  if (options.ratchets && options.old_value != nullptr) {
    whole.emplace(root_->node, value, *options.old_value);
  }
  walk.Visit(*root_, path, value, options.old_value,
             {.current = whole.has_value() ? &*whole : nullptr});
  return walk.Take();
}

}  // namespace kube::crd_schema::internal
