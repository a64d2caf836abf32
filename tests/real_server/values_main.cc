// values OUT-DIR FILE...: reads each file as a JSON value and writes that value to a file with the
// same name in OUT-DIR. The bodies of a real server are processed with it.

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "absl/status/status.h"
#include "apimachinery/base/status.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"

namespace {

absl::Status Rewrite(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::ifstream in(from, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (in.bad()) return absl::NotFoundError("cannot be read");
  KUBE_ASSIGN_OR_RETURN(const kube::unstructured::Value value, kube::unstructured::ParseJson(text),
                        "parse");
  KUBE_ASSIGN_OR_RETURN(const std::string json, kube::unstructured::EncodeJson(value), "encode");
  std::ofstream out(to, std::ios::binary);
  out << json;
  out.close();
  return out.good() ? absl::OkStatus() : absl::PermissionDeniedError("cannot be written");
}

}  // namespace

int main(int argc, char** argv) {
  int failed = 0;
  for (int i = 2; i < argc; ++i) {
    const std::filesystem::path from = argv[i];
    const absl::Status status = Rewrite(from, std::filesystem::path(argv[1]) / from.filename());
    if (status.ok()) continue;
    std::cerr << from.string() << ": " << status << "\n";
    ++failed;
  }
  return failed == 0 ? 0 : 1;
}
