#include "codegen/model.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "codegen/check_idl.h"
#include "codegen/diagnostics.h"
#include "codegen/kinds.h"
#include "codegen/leaf_types.h"
#include "codegen/names.h"
#include "codegen/struct_builder.h"
#include "codegen/twins.h"
#include "kube/options.pb.h"

namespace kube::codegen {

namespace pb = google::protobuf;

namespace {

constexpr int kMaxStructSize = 65535;  // the maximum of Message::size
constexpr int kPointerSize = 8;        // size of Box, List and Map

struct Layout {
  int size = 0;
  int alignment = 1;
};

int AlignUp(int size, int alignment) { return (size + alignment - 1) / alignment * alignment; }

class FileBuilder {
 public:
  // `twins` says whether the structs are the messages or their twins.
  FileBuilder(const pb::FileDescriptor& descriptor, Diagnostics& diagnostics, bool twins)
      : descriptor_(descriptor),
        diagnostics_(diagnostics),
        twins_(twins),
        structs_(descriptor, diagnostics) {}

  File Build();

 private:
  void Visit(const StructSource& source);
  std::set<std::string> NamesOfMessages() const;
  void CheckNames();
  std::vector<ConstantGroup> Constants();
  std::vector<StructAlias> Aliases();
  bool LayOut(const StructSource& source);
  bool ReportCycle(const MemberSource& member);
  Layout LayoutOf(const Member& member, const MemberSource& source);
  std::vector<std::string> Forwards();
  std::vector<std::string> Includes();

  const pb::FileDescriptor& descriptor_;
  Diagnostics& diagnostics_;
  const bool twins_;
  StructBuilder structs_;
  std::vector<StructSource> order_;    // a struct comes after those that it holds by value
  std::vector<StructSource> path_;     // the structs that are being visited
  std::map<StructSource, bool> done_;  // false: its layout failed and was reported
};

// ---- layout

Layout FileBuilder::LayoutOf(const Member& member, const MemberSource& source) {
  switch (member.shape) {
    case Shape::kValue:
      if (source.leaf != nullptr) return {source.leaf->size, source.leaf->alignment};
      return {structs_.Get(source.held).out.size, structs_.Get(source.held).out.alignment};
    case Shape::kOpt:
      return {AlignUp(source.leaf->size + 1, source.leaf->alignment), source.leaf->alignment};
    default:
      return {kPointerSize, kPointerSize};
  }
}

// Reports an error and returns true if a member held by value closes a cycle.
bool FileBuilder::ReportCycle(const MemberSource& member) {
  const auto begin = std::find(path_.begin(), path_.end(), member.held);
  if (begin == path_.end()) return false;
  std::vector<std::string> names;
  for (auto each = begin; each != path_.end(); ++each) names.push_back(NameOf(*each));
  diagnostics_.Error(
      *member.field,
      absl::StrCat("field ", member.field->name(), ": ", absl::StrJoin(names, " holds "), " holds ",
                   names.front(), " by value: make a field optional"));
  return true;
}

// Lays out a struct after those that it holds by value. Returns false if that is not possible.
bool FileBuilder::LayOut(const StructSource& source) {
  const auto [done, is_new] = done_.try_emplace(source, false);
  if (!is_new) return done->second;
  path_.push_back(source);
  BuiltStruct& built = structs_.Get(source);
  Layout all;
  for (size_t i = 0; i < built.out.members.size(); ++i) {
    const Member& member = built.out.members[i];
    const MemberSource& from = built.sources[i];
    if (member.shape == Shape::kValue && from.leaf == nullptr) {
      if (ReportCycle(from)) return false;
      if (!LayOut(from.held)) return false;
    }
    const Layout layout = LayoutOf(member, from);
    all.size = AlignUp(all.size, layout.alignment) + layout.size;
    all.alignment = std::max(all.alignment, layout.alignment);
    if (all.size > kMaxStructSize) {
      diagnostics_.Error(*source.message, absl::StrCat("message ", source.message->name(),
                                                       ": struct is larger than 65535 bytes"));
      return false;
    }
  }
  built.out.size = std::max(1, AlignUp(all.size, all.alignment));
  built.out.alignment = all.alignment;
  path_.pop_back();
  done->second = true;
  if (source.message->file() == &descriptor_ && source.twin == twins_) order_.push_back(source);
  return true;
}

// ---- forward declarations and includes

// Returns the structs that are used before they are defined. The header of twins does not include
// that of the messages, but names them.
std::vector<std::string> FileBuilder::Forwards() {
  std::set<StructSource> defined;
  std::set<std::string> forwards;
  if (twins_) {
    for (const StructSource& source : order_) forwards.insert(CppName(source.message->name()));
  }
  for (const StructSource& source : order_) {
    defined.insert(source);
    for (const MemberSource& member : structs_.Get(source).sources) {
      if (member.held.message == nullptr || member.held.message->file() != &descriptor_) continue;
      if (member.held.twin != twins_) continue;
      if (defined.count(member.held) == 0) forwards.insert(NameOf(member.held));
    }
  }
  return {forwards.begin(), forwards.end()};
}

std::vector<std::string> FileBuilder::Includes() {
  std::set<std::string> includes;
  const auto add = [&](const char* name) {
    includes.insert(absl::StrCat("apimachinery/types/", name, ".h"));
  };
  if (twins_) {
    add("apply_of");
  } else if (descriptor_.options().ExtensionSize(kube::string_type) > 0) {
    includes.insert("absl/strings/string_view.h");
  }
  includes.insert("apimachinery/table/message.h");
  add("operators");
  for (const StructSource& source : order_) {
    const BuiltStruct& built = structs_.Get(source);
    for (size_t i = 0; i < built.sources.size(); ++i) {
      const StructSource& held = built.sources[i].held;
      if (twins_ && held.message != nullptr && !held.twin) {
        includes.insert(HeaderPath(held.message->file()->name()));
      }
      const LeafType* leaf = built.sources[i].leaf;
      if (leaf != nullptr && !leaf->header.empty()) includes.insert(leaf->header);
      if (leaf == &StringListType()) add("string");
      const Shape shape = built.out.members[i].shape;
      if (shape == Shape::kOpt) add("opt");
      if (shape == Shape::kBox) add("box");
      if (shape == Shape::kList) add("list");
      if (shape == Shape::kMap) add("map");
    }
  }
  for (int i = 0; i < descriptor_.dependency_count(); ++i) {
    const pb::FileDescriptor& import = *descriptor_.dependency(i);
    if (!IsApiFile(import)) continue;
    includes.insert(twins_ ? AppliesHeaderPath(import.name()) : HeaderPath(import.name()));
  }
  return {includes.begin(), includes.end()};
}

// ---- names

std::set<std::string> FileBuilder::NamesOfMessages() const {
  std::set<std::string> names;
  for (int i = 0; i < descriptor_.message_type_count(); ++i) {
    const pb::Descriptor& message = *descriptor_.message_type(i);
    if (!IsListMessage(message)) names.insert(CppName(message.name()));
  }
  return names;
}

void FileBuilder::CheckNames() {
  std::set<std::string> names;
  if (twins_) names = NamesOfMessages();
  for (const StructSource& source : order_) {
    if (!names.insert(NameOf(source)).second) {
      diagnostics_.Error(*source.message,
                         absl::StrCat("message ", source.message->name(), ": duplicate struct \"",
                                      NameOf(source), "\" in C++"));
    }
  }
  for (const StructSource& source : order_) {
    const BuiltStruct& built = structs_.Get(source);
    for (size_t i = 0; i < built.sources.size(); ++i) {
      const std::string& name = built.out.members[i].name;
      if (built.sources[i].field == nullptr) continue;
      if (names.count(name) != 0 || name == "kMessage") {
        diagnostics_.Error(*built.sources[i].field,
                           absl::StrCat("field ", built.sources[i].field->name(), ": \"", name,
                                        "\" is already used in C++"));
      }
    }
  }
}

// ---- constants

// Constants start with "k" and a capital letter, so they cannot collide with structs.
std::vector<ConstantGroup> FileBuilder::Constants() {
  std::vector<ConstantGroup> groups;
  std::set<std::string> names;
  const pb::FileOptions& options = descriptor_.options();
  for (int i = 0; i < options.ExtensionSize(kube::string_type); ++i) {
    const kube::StringType& type = options.GetExtension(kube::string_type, i);
    ConstantGroup& group = groups.emplace_back();
    group.type = type.name();
    for (const kube::Constant& constant : type.constant()) {
      const std::string name = ConstantName(constant.name());
      const char* problem = name.empty()                 ? "invalid name"
                            : !names.insert(name).second ? "duplicate name"
                                                         : nullptr;
      if (problem != nullptr) {
        diagnostics_.Error(
            descriptor_,
            {pb::FileDescriptorProto::kOptionsFieldNumber, kube::kStringTypeFieldNumber, i},
            absl::StrCat("constant \"", constant.name(), "\": ", problem));
      }
      group.constants.push_back({name, constant.value(), constant.comment()});
    }
  }
  return groups;
}

// ---- aliases

bool IsIdentifier(absl::string_view name) {
  const auto fits = [](char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)); };
  return !name.empty() && absl::ascii_isalpha(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(), fits);
}

std::vector<StructAlias> FileBuilder::Aliases() {
  std::vector<StructAlias> aliases;
  std::set<std::string> names = NamesOfMessages();
  for (const StructSource& source : order_) names.insert(NameOf(source));
  const pb::FileOptions& options = descriptor_.options();
  for (int i = 0; i < options.ExtensionSize(kube::alias); ++i) {
    const kube::Alias& alias = options.GetExtension(kube::alias, i);
    const pb::Descriptor* message = descriptor_.FindMessageTypeByName(alias.of());
    const bool is_struct = message != nullptr && !IsListMessage(*message);
    const std::string name =
        CppName(twins_ ? ApplyConfigurationName(alias.name()) : std::string(alias.name()));
    const char* problem = !IsIdentifier(alias.name())  ? "name must consist of letters and digits"
                          : !is_struct                 ? "there is no message of this file to name"
                          : !names.insert(name).second ? "name is already used"
                                                       : nullptr;
    if (problem != nullptr) {
      diagnostics_.Error(
          descriptor_, {pb::FileDescriptorProto::kOptionsFieldNumber, kube::kAliasFieldNumber, i},
          absl::StrCat("alias \"", alias.name(), "\" of \"", alias.of(), "\": ", problem));
    } else if (!twins_ || HasTwin(*message)) {
      aliases.push_back({name, NameOf({message, twins_})});
    }
  }
  return aliases;
}

// ---- the file

void FileBuilder::Visit(const StructSource& source) {
  path_.clear();
  LayOut(source);
}

File FileBuilder::Build() {
  for (int i = 0; i < descriptor_.message_type_count(); ++i) {
    const pb::Descriptor& message = *descriptor_.message_type(i);
    if (IsListMessage(message) || (twins_ && !HasTwin(message))) continue;
    Visit({&message, twins_});
  }
  CheckNames();
  File file;
  const GroupVersion& version = descriptor_.options().GetExtension(kube::group_version);
  file.proto_path = descriptor_.name();
  file.header = twins_ ? AppliesHeaderPath(descriptor_.name()) : HeaderPath(descriptor_.name());
  file.cpp_namespace = CppNamespace(descriptor_.package());
  file.inline_namespace = InlineNamespace(version.release());
  if (!twins_) file.constants = Constants();
  file.aliases = Aliases();
  file.includes = Includes();
  file.forwards = Forwards();
  file.kinds = BuildKinds(descriptor_, diagnostics_);
  for (const StructSource& source : order_) {
    file.structs.push_back(std::move(structs_.Get(source).out));
  }
  return file;
}

std::optional<File> Build(const pb::FileDescriptor& descriptor, Diagnostics& diagnostics,
                          bool twins) {
  CheckIdl(descriptor, diagnostics);
  if (!diagnostics.empty()) return std::nullopt;
  File file = FileBuilder(descriptor, diagnostics, twins).Build();
  if (!diagnostics.empty()) return std::nullopt;
  return file;
}

}  // namespace

std::vector<std::string> SubsOf(const Struct& type) {
  std::vector<std::string> subs;
  std::set<absl::string_view> known;
  for (const Member& member : type.members) {
    if (!member.sub.empty() && known.insert(member.sub).second) subs.push_back(member.sub);
  }
  return subs;
}

std::optional<File> BuildFile(const pb::FileDescriptor& descriptor, Diagnostics& diagnostics) {
  return Build(descriptor, diagnostics, /*twins=*/false);
}

std::optional<File> BuildApplyConfigurations(const pb::FileDescriptor& descriptor,
                                             Diagnostics& diagnostics) {
  return Build(descriptor, diagnostics, /*twins=*/true);
}

}  // namespace kube::codegen
