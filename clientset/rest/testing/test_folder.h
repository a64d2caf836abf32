#ifndef CLIENTSET_REST_TESTING_TEST_FOLDER_H_
#define CLIENTSET_REST_TESTING_TEST_FOLDER_H_

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/strings/string_view.h"

namespace kube::rest {

// A folder for the files of one test. The destructor removes it with all that is in it.
// Thread-compatible.
class TestFolder {
 public:
  TestFolder() {
    const char* parent = std::getenv("TEST_TMPDIR");
    std::string pattern = std::string(parent == nullptr ? "/tmp" : parent) + "/XXXXXX";
    path_ = mkdtemp(pattern.data());
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  std::string Path(const std::string& name) const { return path_ + "/" + name; }

  // Returns the file's path.
  std::string Write(const std::string& name, absl::string_view text) const {
    std::ofstream(Path(name), std::ios::binary)
        .write(text.data(), static_cast<std::streamsize>(text.size()));
    return Path(name);
  }

  std::string Read(const std::string& name) const {
    std::ifstream file(Path(name), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }

 private:
  std::string path_;
};

}  // namespace kube::rest

#endif  // CLIENTSET_REST_TESTING_TEST_FOLDER_H_
