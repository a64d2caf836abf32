// plugin: a credential plug-in, like those of aws and gcloud. It prints a token from its
// environment.
#include <cstdlib>
#include <iostream>

int main() {
  const char* const token = std::getenv("EXAMPLE_TOKEN");
  if (token == nullptr) {
    std::cerr << "plugin: set EXAMPLE_TOKEN\n";
    return 1;
  }
  std::cout << R"({"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential",)"
            << R"("status":{"token":")" << token << "\"}}\n";
  return 0;
}
