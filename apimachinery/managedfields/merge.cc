#include "apimachinery/managedfields/merge.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/managedfields/internal/list_item.h"
#include "apimachinery/managedfields/path_element.h"
#include "apimachinery/managedfields/schema.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/map_edit.h"
#include "apimachinery/unstructured/value.h"

// Upstream builds the result from both values. Here it begins as a copy of the live value, into
// which the configuration is written: parts that only the live value has are copied in one go and
// never visited, and parts that only the configuration has are copied as they are. The result is
// the same, because merging a valid value with nothing gives that value.
//
// Associative lists are merged in one pass over both. Each item gets a number, which items of equal
// keys share. The next shared item is the first one of the configuration, from the current position
// on, that the live list has too. At each step:
// - an item at which both lists stand is merged;
// - a shared live item that is not the next shared one is passed by: the configuration places it;
// - an item that only the live list has is kept;
// - otherwise the configuration's item is taken, merged with the live one if there is one.
namespace kube::managedfields {
namespace {

using unstructured::Value;

// An item of an associative list that either list has, or both.
struct Item {
  size_t element = 0;                 // the position of its path element in MatchedLists::elements
  size_t live_count = 0;              // how often the live list has it
  size_t live_index = 0;              // its last position there
  const Value* configured = nullptr;  // null if only the live list has it
  bool is_merged = false;
};

// The items of two associative lists.
struct MatchedLists {
  // The elements of the configuration's items, then those of the live ones.
  std::vector<PathElement> elements;
  std::vector<Item> items;
  // For each of `elements`, the position of its item in `items`.
  std::vector<size_t> item_of;
};

// Gives equal elements the same item.
void NumberItems(MatchedLists& lists) {
  std::vector<size_t> order(lists.elements.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return lists.elements[a] < lists.elements[b]; });
  lists.item_of.resize(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || lists.elements[order[i - 1]] != lists.elements[order[i]]) {
      lists.items.push_back({.element = order[i]});
    }
    lists.item_of[order[i]] = lists.items.size() - 1;
  }
}

class Merger {
 public:
  // Writes `configuration` over `live`. Returns all errors in one, after which `live` is
  // unspecified.
  absl::Status Run(Value& live, const Value& configuration, const Schema& schema) {
    MergeValue(live, configuration, &schema);
    return Errors();
  }

 private:
  void MergeValue(Value& live, const Value& configuration, const Schema* schema);
  void MergeMap(Value& live, const Value& configuration, const MapSchema& schema);
  void MergeMembers(Map<Value>& live, const Map<Value>& configuration, const MapSchema& schema);
  void MergeList(Value& live, const Value& configuration, const ListSchema& schema);
  std::optional<MatchedLists> Match(const List<Value>& live, const List<Value>& configuration,
                                    const ListSchema& schema);
  void AppendElements(const List<Value>& list, const ListSchema& schema,
                      std::vector<PathElement>& elements);
  List<Value> MergeItems(List<Value>& live, size_t configured_count, MatchedLists& lists,
                         const Schema* schema);
  Value MergedItem(List<Value>& live, MatchedLists& lists, Item& item, const Schema* schema);

  // Puts the element before the paths of the errors since `first`.
  void Prefix(size_t first, const PathElement& element);
  absl::Status Errors() const;

  // Each is a path, which grows on the way back to the root, a colon and the message.
  std::vector<std::string> errors_;
};

void Merger::MergeValue(Value& live, const Value& configuration, const Schema* schema) {
  // The form of the configuration's value decides. A null value takes the first form that the
  // schema allows, in the order of map, scalar and list.
  const bool has_scalar = schema != nullptr && schema->scalar != ScalarType::kNone;
  const bool is_container = configuration.is_list() || configuration.is_object();
  if (schema != nullptr && schema->list != nullptr && configuration.is_list()) {
    MergeList(live, configuration, *schema->list);
  } else if (has_scalar && !is_container && !configuration.is_null()) {
    live = configuration;
  } else if (schema != nullptr && schema->map != nullptr) {
    MergeMap(live, configuration, *schema->map);
  } else if (has_scalar) {
    live = configuration;
  } else if (schema != nullptr && schema->list != nullptr) {
    MergeList(live, configuration, *schema->list);
  } else {
    errors_.push_back(": schema error: invalid atom: inlined");
  }
}

void Merger::MergeMap(Value& live, const Value& configuration, const MapSchema& schema) {
  Map<Value>* ours = live.object();
  const Map<Value>* theirs = configuration.object();
  if (schema.atomic || ours == nullptr || ours->empty()) {
    live = configuration;
  } else if (theirs != nullptr && !theirs->empty()) {
    MergeMembers(*ours, *theirs, schema);
  }
}

void Merger::MergeMembers(Map<Value>& live, const Map<Value>& configuration,
                          const MapSchema& schema) {
  Map<Value> added;
  Map<Value>::Entry* next = live.begin();
  for (const auto& [key, value] : configuration) {
    while (next != live.end() && next->key < key) ++next;
    if (next == live.end() || next->key != key) {
      added[key] = value;
      continue;
    }
    const size_t first_error = errors_.size();
    MergeValue(next->value, value, schema.Find(key.view()));
    if (errors_.size() != first_error) Prefix(first_error, PathElement::Field(key.view()));
  }
  if (!added.empty()) table::MoveEntries(added, live);
}

void Merger::MergeList(Value& live, const Value& configuration, const ListSchema& schema) {
  List<Value>* ours = live.list();
  const List<Value>* theirs = configuration.list();
  if (!schema.associative || ours == nullptr || ours->empty()) {
    live = configuration;
  } else if (theirs != nullptr && !theirs->empty()) {
    std::optional<MatchedLists> lists = Match(*ours, *theirs, schema);
    if (lists.has_value()) *ours = MergeItems(*ours, theirs->size(), *lists, schema.element);
  }
}

// Returns nullopt if there are errors, without which the items cannot be told apart.
std::optional<MatchedLists> Merger::Match(const List<Value>& live, const List<Value>& configuration,
                                          const ListSchema& schema) {
  const size_t first_error = errors_.size();
  MatchedLists lists;
  lists.elements.reserve(configuration.size() + live.size());
  AppendElements(configuration, schema, lists.elements);
  AppendElements(live, schema, lists.elements);
  if (errors_.size() != first_error) return std::nullopt;
  NumberItems(lists);
  for (size_t i = 0; i < configuration.size(); ++i) {
    Item& item = lists.items[lists.item_of[i]];
    if (item.configured != nullptr) {
      errors_.push_back(absl::StrCat(": duplicate entries for key ", lists.elements[i].ToString()));
    }
    item.configured = &configuration[i];
  }
  if (errors_.size() != first_error) return std::nullopt;
  for (size_t i = 0; i < live.size(); ++i) {
    Item& item = lists.items[lists.item_of[configuration.size() + i]];
    ++item.live_count;
    item.live_index = i;
  }
  return lists;
}

void Merger::AppendElements(const List<Value>& list, const ListSchema& schema,
                            std::vector<PathElement>& elements) {
  for (size_t i = 0; i < list.size(); ++i) {
    absl::StatusOr<PathElement> element = internal::ListItemElement(list[i], schema);
    if (element.ok()) {
      elements.push_back(*std::move(element));
    } else {
      errors_.push_back(absl::StrCat(": element ", i, ": ", element.status().message()));
    }
  }
}

// Returns the merged list, into which it moves the items of `live`.
List<Value> Merger::MergeItems(List<Value>& live, size_t configured_count, MatchedLists& lists,
                               const Schema* schema) {
  const auto item_at = [&](size_t i) -> Item& { return lists.items[lists.item_of[i]]; };
  List<Value> merged;
  merged.reserve(std::max(live.size(), configured_count));
  size_t theirs = 0;
  size_t next_shared = 0;  // is brought up to date where it is needed
  for (size_t ours = 0; ours < live.size() || theirs < configured_count;) {
    if (ours < live.size()) {
      Item& item = item_at(configured_count + ours);
      if (theirs < configured_count && item.configured != nullptr && &item != &item_at(theirs)) {
        next_shared = std::max(next_shared, theirs);
        while (next_shared < configured_count && item_at(next_shared).live_count == 0) {
          ++next_shared;
        }
        if (next_shared < configured_count && &item != &item_at(next_shared)) {
          ++ours;
          continue;
        }
      }
      if (item.configured == nullptr) {
        merged.push_back(std::move(live[ours++]));
        continue;
      }
      if (item.is_merged || (theirs < configured_count && &item == &item_at(theirs))) {
        ++ours;
      }
    }
    if (theirs < configured_count) {
      merged.push_back(MergedItem(live, lists, item_at(theirs++), schema));
    }
  }
  return merged;
}

// Returns an item of the configuration, merged with the live one. Several live items of one key are
// not merged with it, but replaced by it.
Value Merger::MergedItem(List<Value>& live, MatchedLists& lists, Item& item, const Schema* schema) {
  item.is_merged = true;
  if (item.live_count != 1) return *item.configured;
  Value merged = std::move(live[item.live_index]);
  const size_t first_error = errors_.size();
  MergeValue(merged, *item.configured, schema);
  if (errors_.size() != first_error) Prefix(first_error, lists.elements[item.element]);
  return merged;
}

void Merger::Prefix(size_t first, const PathElement& element) {
  const std::string text = element.ToString();
  for (size_t i = first; i < errors_.size(); ++i) errors_[i].insert(0, text);
}

absl::Status Merger::Errors() const {
  if (errors_.empty()) return absl::OkStatus();
  const auto without_empty_path = [](absl::string_view error) {
    return error.substr(0, 2) == ": " ? error.substr(2) : error;
  };
  if (errors_.size() == 1) return absl::InvalidArgumentError(without_empty_path(errors_[0]));
  std::string text = "errors:";
  for (const std::string& error : errors_) {
    absl::StrAppend(&text, "\n  ", without_empty_path(error));
  }
  return absl::InvalidArgumentError(text);
}

}  // namespace

absl::StatusOr<Value> Merge(const Value& live, const Value& configuration, const Schema& schema) {
  Value merged = live;
  KUBE_RETURN_IF_ERROR(Merger().Run(merged, configuration, schema));
  return merged;
}

}  // namespace kube::managedfields
