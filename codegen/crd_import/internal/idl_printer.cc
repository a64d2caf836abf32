#include "codegen/crd_import/internal/idl_printer.h"

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "codegen/crd_import/internal/idl.h"
#include "codegen/crd_import/internal/idl_names.h"

namespace kube::codegen::internal {
namespace {

constexpr size_t kColumns = 100;

std::string OnOneLine(const IdlOption& option);

std::string OnOneLine(const IdlOptions& options) {
  std::vector<std::string> texts;
  for (const IdlOption& option : options) texts.push_back(OnOneLine(option));
  return absl::StrCat("{", absl::StrJoin(texts, ", "), "}");
}

std::string OnOneLine(const IdlOption& option) {
  return absl::StrCat(option.name, ": ",
                      option.members.empty() ? option.value : OnOneLine(option.members));
}

// Appends an option on a line of its own, or on several if it is too long.
void AppendOption(std::string& out, const std::string& indent, const IdlOption& option) {
  const std::string line = absl::StrCat(indent, OnOneLine(option));
  if (option.members.empty() || line.size() <= kColumns) {
    absl::StrAppend(&out, line, "\n");
    return;
  }
  absl::StrAppend(&out, indent, option.name, ": {\n");
  for (const IdlOption& member : option.members) AppendOption(out, indent + "  ", member);
  absl::StrAppend(&out, indent, "}\n");
}

// Appends `head {options}tail`.
void AppendOptions(std::string& out, const std::string& indent, absl::string_view head,
                   const IdlOptions& options, absl::string_view tail) {
  const std::string line = absl::StrCat(indent, head, OnOneLine(options), tail);
  if (line.size() <= kColumns) {
    absl::StrAppend(&out, line, "\n");
    return;
  }
  absl::StrAppend(&out, indent, head, "{\n");
  for (const IdlOption& option : options) AppendOption(out, indent + "  ", option);
  absl::StrAppend(&out, indent, "}", tail, "\n");
}

void AppendComment(std::string& out, absl::string_view indent,
                   const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    absl::StrAppend(&out, indent, line.empty() ? "//" : "// ", line, "\n");
  }
}

// Returns the name of the message that protobuf adds to a message for a field that is a map.
std::string NameOfEntry(absl::string_view field) {
  std::string name = DefaultJsonName(absl::StrCat("_", field));
  return name + "Entry";
}

// Returns the names that mean something else within the message than in the file.
std::set<std::string> NamesOfEntries(const IdlMessage& message) {
  std::set<std::string> names;
  for (const IdlField& field : message.fields) {
    if (absl::StartsWith(field.type, "map<")) names.insert(NameOfEntry(field.name));
  }
  return names;
}

// Returns the field's type as it must be written in its message.
std::string TypeIn(const IdlField& field, const std::set<std::string>& hidden,
                   absl::string_view package) {
  constexpr absl::string_view kMap = "map<string, ";
  const bool is_map = absl::StartsWith(field.type, kMap);
  const std::string type =
      is_map ? field.type.substr(kMap.size(), field.type.size() - kMap.size() - 1) : field.type;
  if (hidden.count(type) == 0) return field.type;
  const std::string full = absl::StrCat(".", package, ".", type);
  return is_map ? absl::StrCat(kMap, full, ">") : full;
}

void AppendField(std::string& out, const IdlField& field, absl::string_view type) {
  AppendComment(out, "  ", field.comment);
  const std::string head = absl::StrCat(field.label, field.label.empty() ? "" : " ", type, " ",
                                        field.name, " = ", field.number);
  const bool has_name = field.json_name != DefaultJsonName(field.name);
  const std::string name = has_name ? absl::StrCat("json_name = ", Quoted(field.json_name)) : "";
  if (field.options.empty()) {
    absl::StrAppend(&out, "  ", head, has_name ? absl::StrCat(" [", name, "]") : "", ";\n");
    return;
  }
  if (!has_name) {
    return AppendOptions(out, "  ", absl::StrCat(head, " [(kube.field) = "), field.options, "];");
  }
  const std::string line =
      absl::StrCat("  ", head, " [", name, ", (kube.field) = ", OnOneLine(field.options), "];");
  if (line.size() <= kColumns) {
    absl::StrAppend(&out, line, "\n");
    return;
  }
  absl::StrAppend(&out, "  ", head, " [\n    ", name, ",\n");
  AppendOptions(out, "    ", "(kube.field) = ", field.options, "");
  out += "  ];\n";
}

// Returns whether a field has a type of kube/types.proto.
bool UsesLeafTypes(const IdlFile& file) {
  for (const IdlMessage& message : file.messages) {
    for (const IdlField& field : message.fields) {
      const bool is_kubes = absl::StrContains(field.type, "kube.");
      if (is_kubes && !absl::StartsWith(field.type, "kube.api.")) return true;
    }
  }
  return false;
}

void AppendBody(std::string& out, const IdlMessage& message, absl::string_view package) {
  if (!message.kind.empty()) AppendOptions(out, "  ", "option (kube.kind) = ", message.kind, ";");
  if (!message.options.empty()) {
    AppendOptions(out, "  ", "option (kube.struct) = ", message.options, ";");
  }
  const std::set<std::string> hidden = NamesOfEntries(message);
  for (const IdlField& field : message.fields) {
    AppendField(out, field, TypeIn(field, hidden, package));
  }
}

}  // namespace

std::string Quoted(absl::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (c == '\n') {
      quoted += "\\n";
    } else if (absl::ascii_iscntrl(byte)) {
      // With three octal digits, a digit that follows cannot become part of the escape.
      quoted += '\\';
      for (const int shift : {6, 3, 0}) quoted += static_cast<char>('0' + (byte >> shift & 7));
    } else {
      quoted += c;
    }
  }
  quoted += '"';
  return quoted;
}

std::string PrintBody(const IdlMessage& message) {
  std::string out;
  AppendComment(out, "", message.comment);
  AppendBody(out, message, "");
  return out;
}

std::string PrintIdl(const IdlFile& file) {
  std::string out = "// Code generated by import_crd. DO NOT EDIT.\n";
  for (const std::string& source : file.sources) {
    absl::StrAppend(&out, "// Source: ", source, "\n");
  }
  absl::StrAppend(&out, "\nsyntax = \"proto3\";\n\npackage ", file.package,
                  ";\n\nimport \"api/meta/v1/types.proto\";\nimport \"kube/options.proto\";\n",
                  UsesLeafTypes(file) ? "import \"kube/types.proto\";\n\n" : "\n");
  AppendOptions(out, "", "option (kube.group_version) = ",
                {{.name = "group", .value = Quoted(file.group)},
                 {.name = "version", .value = Quoted(file.version)}},
                ";");
  for (const IdlAlias& alias : file.aliases) {
    AppendOptions(
        out, "", "option (kube.alias) = ",
        {{.name = "name", .value = Quoted(alias.name)}, {.name = "of", .value = Quoted(alias.of)}},
        ";");
  }
  for (const IdlMessage& message : file.messages) {
    out += "\n";
    AppendComment(out, "", message.comment);
    absl::StrAppend(&out, "message ", message.name, " {\n");
    AppendBody(out, message, file.package);
    out += "}\n";
  }
  return out;
}

}  // namespace kube::codegen::internal
