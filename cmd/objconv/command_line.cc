#include "cmd/objconv/command_line.h"

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "apimachinery/base/status.h"

namespace kube::objconv {

const absl::string_view kUsage = R"(usage: objconv [OPTION]... [FILE]...

Converts Kubernetes API objects to another format. A FILE contains one or more objects in JSON, YAML
or the protobuf encoding of Kubernetes; "-", or no FILE, means standard input. Each object must have
apiVersion and kind.

  -o, --output FORMAT  json (the default; one object per line), yaml (documents separated by "---")
                       or protobuf (a single object as it is, several with a four-byte length before
                       each)
      --out-dir DIR    write one file per FILE, with its name and the extension .json, .yaml or .pb,
                       instead of writing to standard output
      --strict         refuse unknown and duplicate fields, which are dropped otherwise
      --check          write no objects, only report errors
      --stats          write a table instead: for each kind the number of objects, their size in the
                       input, and the memory that one occupies
      --help           print this help

Exit codes: 0, all objects were converted; 1, some objects were refused, standard error says which
and why, and the others were written; 2, wrong command line; 3, a file cannot be read or written.
)";

namespace {

absl::StatusOr<Format> ParseFormat(absl::string_view name) {
  if (name == "json") return Format::kJson;
  if (name == "yaml") return Format::kYaml;
  if (name == "protobuf") return Format::kProtobuf;
  return absl::InvalidArgumentError(
      absl::StrCat("output format \"", name, "\": must be json, yaml or protobuf"));
}

class Parser {
 public:
  explicit Parser(absl::Span<const std::string> arguments) : arguments_(arguments) {}

  absl::StatusOr<CommandLine> Parse() {
    bool only_files = false;
    for (; next_ < arguments_.size(); ++next_) {
      const std::string& argument = arguments_[next_];
      if (only_files || argument == "-" || !absl::StartsWith(argument, "-")) {
        command_.files.push_back(argument);
      } else if (argument == "--") {
        only_files = true;
      } else {
        KUBE_RETURN_IF_ERROR(ParseOption(argument));
      }
    }
    if (command_.check + command_.stats + !command_.out_dir.empty() > 1) {
      return absl::InvalidArgumentError("--check, --stats and --out-dir are mutually exclusive");
    }
    if (!command_.out_dir.empty() && command_.files.empty()) {
      return absl::InvalidArgumentError("--out-dir requires FILE arguments");
    }
    return command_;
  }

 private:
  absl::Status ParseOption(absl::string_view option) {
    if (option == "--strict") {
      command_.strict = true;
    } else if (option == "--check") {
      command_.check = true;
    } else if (option == "--stats") {
      command_.stats = true;
    } else if (option == "--help" || option == "-h") {
      command_.help = true;
    } else if (TakesValue(option, "-o") || TakesValue(option, "--output")) {
      KUBE_ASSIGN_OR_RETURN(const absl::string_view name, Value(option));
      KUBE_ASSIGN_OR_RETURN(command_.output, ParseFormat(name));
    } else if (TakesValue(option, "--out-dir")) {
      KUBE_ASSIGN_OR_RETURN(const absl::string_view folder, Value(option));
      command_.out_dir = std::string(folder);
    } else {
      return absl::InvalidArgumentError(absl::StrCat("unknown option: ", option));
    }
    return absl::OkStatus();
  }

  static bool TakesValue(absl::string_view option, absl::string_view name) {
    return absl::ConsumePrefix(&option, name) && (option.empty() || option[0] == '=');
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

absl::string_view ExtensionOf(Format format) {
  return format == Format::kJson ? "json" : format == Format::kYaml ? "yaml" : "pb";
}

}  // namespace kube::objconv
