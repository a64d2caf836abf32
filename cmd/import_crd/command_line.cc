#include "cmd/import_crd/command_line.h"

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/status.h"

namespace kube::import_crd {

const absl::string_view kUsage = R"(usage: import_crd [OPTION]... FILE...

Writes the IDL of CustomResourceDefinitions: .proto files that kube_library takes. A FILE has one or
more definitions of apiextensions.k8s.io/v1, as YAML or JSON; objects of other kinds are skipped.

      --version GROUP/VERSION  import only this version, such as cert-manager.io/v1; may be given
                               several times
      --package PREFIX         prefix of the packages, and so of the C++ namespaces, instead of
                               kube.crd
  -o, --out FILE               write the IDL of the only version to this file
      --out-dir DIR            write a file DIR/GROUP/VERSION.proto for each version
      --help                   print this help

Without --out and --out-dir, the IDL of the only version is written to standard output.

Exit codes: 0, the files are written; 1, a definition was refused, standard error says where and why;
2, wrong command line; 3, a file cannot be read or written.
)";

namespace {

class Parser {
 public:
  explicit Parser(absl::Span<const std::string> arguments) : arguments_(arguments) {}

  absl::StatusOr<CommandLine> Parse() {
    bool only_files = false;
    for (; next_ < arguments_.size(); ++next_) {
      const std::string& argument = arguments_[next_];
      if (only_files || !absl::StartsWith(argument, "-")) {
        command_.files.push_back(argument);
      } else if (argument == "--") {
        only_files = true;
      } else {
        KUBE_RETURN_IF_ERROR(ParseOption(argument));
      }
    }
    if (!command_.out.empty() && !command_.out_dir.empty()) {
      return absl::InvalidArgumentError("--out and --out-dir are mutually exclusive");
    }
    if (command_.files.empty() && !command_.help) {
      return absl::InvalidArgumentError("no FILE arguments");
    }
    return command_;
  }

 private:
  absl::Status ParseOption(absl::string_view option) {
    if (option == "--help" || option == "-h") {
      command_.help = true;
      return absl::OkStatus();
    }
    if (TakesValue(option, "--version")) {
      KUBE_ASSIGN_OR_RETURN(const absl::string_view version, Value(option));
      command_.versions.emplace_back(version);
      return absl::OkStatus();
    }
    std::string* const target = TakesValue(option, "--package")   ? &command_.package
                                : TakesValue(option, "-o")        ? &command_.out
                                : TakesValue(option, "--out")     ? &command_.out
                                : TakesValue(option, "--out-dir") ? &command_.out_dir
                                                                  : nullptr;
    if (target == nullptr) {
      return absl::InvalidArgumentError(absl::StrCat("unknown option: ", option));
    }
    KUBE_ASSIGN_OR_RETURN(const absl::string_view value, Value(option));
    *target = std::string(value);
    return absl::OkStatus();
  }

  static bool TakesValue(absl::string_view option, absl::string_view name) {
    return absl::StartsWith(option, name) &&
           (option.size() == name.size() || option[name.size()] == '=');
  }

  // Returns the value of "--name=VALUE" or "--name VALUE".
  absl::StatusOr<absl::string_view> Value(absl::string_view option) {
    const size_t equals = option.find('=');
    absl::string_view value;
    if (equals != absl::string_view::npos) {
      value = option.substr(equals + 1);
    } else if (next_ + 1 < arguments_.size()) {
      value = arguments_[++next_];
    }
    if (!value.empty()) return value;
    return absl::InvalidArgumentError(absl::StrCat("option requires an argument: ", option));
  }

  absl::Span<const std::string> arguments_;
  size_t next_ = 0;
  CommandLine command_;
};

}  // namespace

absl::StatusOr<CommandLine> ParseCommandLine(absl::Span<const std::string> arguments) {
  return Parser(arguments).Parse();
}

}  // namespace kube::import_crd
