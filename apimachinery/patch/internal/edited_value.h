#ifndef APIMACHINERY_PATCH_INTERNAL_EDITED_VALUE_H_
#define APIMACHINERY_PATCH_INTERNAL_EDITED_VALUE_H_

#include <cstddef>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/value.h"

namespace kube::patch::internal {

// A Value while the operations of a JSON patch change it, each of which may add or remove members
// and elements anywhere. Objects and lists that are changed are open: an object keeps its changes
// beside it, a list is cut into chunks, so that an operation costs O(log n) or O(sqrt(n)) moves,
// not n. What is never touched stays a Value. Close makes a Value of it again.
//
// Operations may nest documents in documents until no recursion could follow: nothing here
// recurses, and Close refuses what is too deep for the rest of the program. Thread-compatible.
class EditedValue {
 public:
  EditedValue();
  explicit EditedValue(unstructured::Value value);
  EditedValue(EditedValue&& other) noexcept;
  EditedValue& operator=(EditedValue&& other) noexcept;
  ~EditedValue();

  bool is_object() const { return members_ != nullptr || value_.is_object(); }
  bool is_list() const { return elements_ != nullptr || value_.is_list(); }

  // ---- of an object; pointers are good until that member is erased, or it is closed

  // Null where there is none.
  EditedValue* FindMember(absl::string_view key);
  void SetMember(absl::string_view key, EditedValue value);
  // Whether it was there.
  bool EraseMember(absl::string_view key);

  // ---- of a list; pointers are good until it is changed or closed

  size_t size() const;
  // `index` is less than the size.
  EditedValue* Element(size_t index);
  // Before the element at `index`, or at the end.
  void InsertElement(size_t index, EditedValue value);
  void EraseElement(size_t index);

  // The Value that it is, which may be moved from. INVALID_ARGUMENT where it is nested deeper than
  // a JSON text may be.
  absl::StatusOr<unstructured::Value*> Close();

 private:
  struct Members;
  struct Elements;
  struct Place;

  bool is_open() const { return members_ != nullptr || elements_ != nullptr; }
  Members& OpenObject();
  Elements& OpenList();
  static Place Find(Elements& elements, size_t index);
  // Calls `visit` with each member or element that is an EditedValue.
  template <typename Visit>
  void VisitChildren(const Visit& visit);
  // Of one whose members and elements are closed.
  void CloseAlone();
  bool IsTooDeep();

  // Null while it is open.
  unstructured::Value value_;
  std::unique_ptr<Members> members_;
  std::unique_ptr<Elements> elements_;
};

}  // namespace kube::patch::internal

#endif  // APIMACHINERY_PATCH_INTERNAL_EDITED_VALUE_H_
