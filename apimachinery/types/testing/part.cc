#include "apimachinery/types/testing/part.h"

#include "apimachinery/types/testing/sample_tables.h"

namespace kube {

using table::FieldAt;

const table::SampleMessage Size::kMessage = table::MakeMessage<Size>(
    "Size", {FieldAt("width", &Size::width), FieldAt("exact", &Size::exact)});

const table::SampleMessage Part::kMessage = table::MakeMessage<Part>(
    "Part",
    {FieldAt("name", &Part::name), FieldAt("count", &Part::count), FieldAt("note", &Part::note),
     FieldAt("flag", &Part::flag), FieldAt("number", &Part::number),
     FieldAt("weight", &Part::weight), FieldAt("data", &Part::data), FieldAt("size", &Part::size),
     FieldAt("limit", &Part::limit), FieldAt("child", &Part::child), FieldAt("parts", &Part::parts),
     FieldAt("tags", &Part::tags), FieldAt("ports", &Part::ports), FieldAt("groups", &Part::groups),
     FieldAt("labels", &Part::labels), FieldAt("sizes", &Part::sizes),
     FieldAt("flags", &Part::flags), FieldAt("extra", &Part::extra),
     FieldAt("index", &Part::index)});

Part FullPart() {
  return {
      .name = "a name of more than fifteen bytes",
      .count = 0,
      .note = "",
      .flag = true,
      .number = -5,
      .weight = 0.5,
      .data = "some bytes, too long to be inside",
      .size = {.width = 3},
      .limit = Size{.width = 7, .exact = false},
      .child = Part{.name = "child", .parts = {{.name = "grandchild, quite a long name"}}},
      .parts = {{.name = "first"}, {.name = "second, of which much is to be said"}, {}},
      .tags = {"short", "a tag of more than fifteen bytes", ""},
      .ports = {80, 443, -1},
      .groups = {{"a", "b"}, {}, {"a text of more than fifteen bytes"}},
      .labels = {{"app.kubernetes.io/name", "web"}, {"b", "a value of more than fifteen bytes"}},
      .sizes = {{"small", {.width = 1}}, {"a key of more than fifteen bytes", {.width = 2}}},
      .flags = {{"on", true}, {"off", false}},
      .extra = {{"scopes", {"view", "a scope of more than fifteen bytes"}}, {"none", {}}},
      .index = {{"x", {.name = "in a map, and longer than fifteen bytes"}}},
  };
}

}  // namespace kube
