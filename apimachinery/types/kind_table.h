#ifndef APIMACHINERY_TYPES_KIND_TABLE_H_
#define APIMACHINERY_TYPES_KIND_TABLE_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/kind_info.h"

namespace kube::table {

// The kinds of an IDL file as protoc-gen-kube writes them. A KindInfo has 240 bytes, most of them
// pointers that the loader must set; as text a kind takes some fifty, and only programs that ask
// for kinds have the rest, on the heap.
struct KindTable {
  // Of each kind that does not say otherwise.
  absl::string_view group;
  absl::string_view version;
  // A line for each, of members that end in '|'. A member is a letter and a text; which are missing
  // have the default.
  //
  //   k Pods           kind; by default the message's name
  //   g apps/v1        group and version; "/v1" of the core group
  //   n pods, c nodes  plural of what is namespaced, of what is cluster-wide; by default no
  //   resource
  //   - 1              singular is plural without its last character; at most 9
  //   s ox             singular; by default none
  //   h po,pd          short names
  //   a all            categories
  //   v gup            verbs: see below; by default all of a resource, none of others
  //   / scale,gup,x,y  a subresource: its name, verbs, input and result; the latter may be missing
  //   l                list_of is the kind without "List"
  //   L Ox             list_of
  //   i 1.2  d 1.2  r 1.2  w policy/v1 Pod    introduced, deprecated, removed, replacement
  //
  // Verbs are a letter each: get, list, watch, create, update, patch, delete and deletecollection
  // are "glwcupdD". Others are words, joined and begun by '+': "+get+connect".
  absl::string_view lines;
  absl::Span<const Message* const> messages;
};

// The kinds that a table has. They live as long as the program, as the table must: to be called
// once, by the function that keeps the result.
absl::Span<const KindInfo> ReadKinds(const KindTable& table);

}  // namespace kube::table

#endif  // APIMACHINERY_TYPES_KIND_TABLE_H_
