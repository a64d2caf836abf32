#include "clientset/clientcmd/internal/flag_help.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "absl/flags/commandlineflag.h"
#include "absl/flags/reflection.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace kube::clientcmd::internal {
namespace {

enum Group : size_t { kProgram, kLeaderElection, kLogging, kApiServer, kHidden };

constexpr std::array<absl::string_view, kHidden> kTitles = {"Flags", "Leader election flags",
                                                            "Logging flags", "API server flags"};

constexpr char kVerbosity[] = "    -v, --v=0:\n        number for the log level verbosity\n";

// A flag belongs to the group of the file that defines it.
Group GroupOf(const absl::CommandLineFlag& flag) {
  const std::string file = flag.Filename();
  if (absl::StrContains(file, "absl/flags/") || flag.IsRetired()) return kHidden;
  if (flag.Name() == "v" || absl::StrContains(file, "absl/log/")) return kLogging;
  if (absl::EndsWith(file, "clientset/clientcmd/flags.cc")) return kApiServer;
  if (absl::EndsWith(file, "controller/leaderelection/flags.cc")) return kLeaderElection;
  return kProgram;
}

std::string DefaultOf(const absl::CommandLineFlag& flag) {
  if (flag.IsOfType<std::string>()) return absl::StrCat("'", flag.DefaultValue(), "'");
  if (flag.IsOfType<std::vector<std::string>>()) {
    return absl::StrCat("[", flag.DefaultValue(), "]");
  }
  return flag.DefaultValue();
}

std::string Describe(const absl::CommandLineFlag& flag) {
  std::string name(flag.Name());
  std::replace(name.begin(), name.end(), '_', '-');
  const absl::string_view shorthand = name == "namespace" ? "-n, " : name == "v" ? "-v, " : "";
  return absl::StrCat("    ", shorthand, "--", name, "=", DefaultOf(flag), ":\n        ",
                      absl::StrReplaceAll(flag.Help(), {{"\n", "\n        "}}), "\n");
}

}  // namespace

std::string FlagHelp(absl::string_view usage) {
  std::array<std::map<std::string, std::string>, kHidden> groups;  // by the flag's name
  for (const auto& [name, flag] : absl::GetAllFlags()) {
    const Group group = GroupOf(*flag);
    if (group != kHidden) groups[group].emplace(name, Describe(*flag));
  }
  groups[kLogging].emplace("v", kVerbosity);  // unless the program defines the flag itself
  std::string help(usage);
  for (size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].empty()) continue;
    absl::StrAppend(&help, "\n\n", kTitles[i], ":");
    for (const auto& [name, text] : groups[i]) {
      absl::StrAppend(&help, "\n", absl::StripSuffix(text, "\n"));
    }
  }
  absl::StrAppend(&help, "\n\n--helpfull also lists the flags of Abseil.\n");
  return help;
}

}  // namespace kube::clientcmd::internal
