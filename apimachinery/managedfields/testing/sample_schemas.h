#ifndef APIMACHINERY_MANAGEDFIELDS_TESTING_SAMPLE_SCHEMAS_H_
#define APIMACHINERY_MANAGEDFIELDS_TESTING_SAMPLE_SCHEMAS_H_

#include "absl/strings/string_view.h"

// Schemas that several tests share, as YAML for ParseSchema; each has a type "root". Tests may rely
// on the fields that are there, and only on "foo" and "unknown" not to be fields.
namespace kube::managedfields {

// A root with a field of every sort: scalars, maps and lists that are atomic or not, a list whose
// key has a default ("ports"), atomic items ("refs"), and types of which several sorts of values
// are ("deduced", "separable").
inline constexpr absl::string_view kSampleSchema = R"(
types:
- name: root
  map:
    fields:
    - {name: any, type: {scalar: untyped}}
    - {name: args, type: {list: {elementType: {scalar: string}, elementRelationship: atomic}}}
    - {name: deduced, type: {namedType: deduced}}
    - {name: flag, type: {scalar: boolean}}
    - {name: groups, type: {map: {elementType: {namedType: root}}}}
    - {name: items,
       type: {list: {elementType: {namedType: item}, elementRelationship: associative,
                     keys: [name]}}}
    - {name: labels, type: {map: {elementType: {scalar: string}}}}
    - {name: nested, type: {namedType: root}}
    - {name: number, type: {scalar: numeric}}
    - {name: numbers,
       type: {list: {elementType: {scalar: numeric}, elementRelationship: associative}}}
    - {name: ports,
       type: {list: {elementType: {namedType: port}, elementRelationship: associative,
                     keys: [port, protocol]}}}
    - {name: refs,
       type: {list: {elementType: {namedType: ref}, elementRelationship: associative,
                     keys: [uid]}}}
    - {name: selector,
       type: {map: {elementType: {scalar: string}, elementRelationship: atomic}}}
    - {name: separable, type: {namedType: separable}}
    - {name: set, type: {namedType: set}}
    - {name: text, type: {scalar: string}}
- name: item
  map:
    fields:
    - {name: name, type: {scalar: string}}
    - {name: value, type: {scalar: string}}
- name: port
  map:
    fields:
    - {name: name, type: {scalar: string}}
    - {name: port, type: {scalar: numeric}}
    - {name: protocol, type: {scalar: string}, default: TCP}
    - {name: set, type: {namedType: set}}
- name: ref
  map:
    fields:
    - {name: name, type: {scalar: string}}
    - {name: uid, type: {scalar: string}}
    elementRelationship: atomic
- name: set
  list: {elementType: {scalar: string}, elementRelationship: associative}
- name: deduced
  scalar: untyped
  list: {elementType: {scalar: untyped}, elementRelationship: atomic}
  map: {elementType: {namedType: deduced}, elementRelationship: separable}
- name: separable
  scalar: untyped
  list: {elementType: {namedType: separable}, elementRelationship: associative}
  map: {elementType: {namedType: separable}, elementRelationship: separable}
)";

// A root whose list "ports" has two keys without defaults, for what merges and takes apart: an
// item may lack one of its keys.
inline constexpr absl::string_view kTwoKeysSchema = R"(
types:
- name: root
  map:
    fields:
    - {name: anything, type: {namedType: anything}}
    - {name: args, type: {list: {elementType: {scalar: string}, elementRelationship: atomic}}}
    - {name: inner, type: {map: {fields: [{name: text, type: {scalar: string}}]}}}
    - {name: labels, type: {namedType: labels}}
    - {name: letters, type: {namedType: letters}}
    - {name: nested, type: {namedType: nested}}
    - {name: number, type: {scalar: numeric}}
    - {name: numbers,
       type: {list: {elementType: {scalar: numeric}, elementRelationship: associative}}}
    - {name: owners,
       type: {list: {elementType: {namedType: owner}, elementRelationship: associative,
                     keys: [uid]}}}
    - {name: ports, type: {namedType: ports}}
    - {name: selector,
       type: {map: {elementType: {scalar: string}, elementRelationship: atomic}}}
    - {name: text, type: {scalar: string}}
- name: labels
  map: {elementType: {scalar: string}}
- name: letters
  list: {elementType: {scalar: string}, elementRelationship: associative}
- name: nested
  map: {elementType: {namedType: nested}}
- name: owner
  map:
    fields:
    - {name: text, type: {scalar: string}}
    - {name: uid, type: {scalar: string}}
    elementRelationship: atomic
- name: ports
  list: {elementType: {namedType: port}, elementRelationship: associative, keys: [name, port]}
- name: port
  map:
    fields:
    - {name: host, type: {scalar: string}}
    - {name: labels, type: {namedType: labels}}
    - {name: letters, type: {namedType: letters}}
    - {name: name, type: {scalar: string}}
    - {name: port, type: {scalar: numeric}}
- name: anything
  scalar: untyped
  list: {elementType: {namedType: whole}, elementRelationship: atomic}
  map: {elementType: {namedType: anything}}
- name: whole
  scalar: untyped
  list: {elementType: {namedType: whole}, elementRelationship: atomic}
  map: {elementType: {namedType: whole}, elementRelationship: atomic}
)";

}  // namespace kube::managedfields

#endif  // APIMACHINERY_MANAGEDFIELDS_TESTING_SAMPLE_SCHEMAS_H_
