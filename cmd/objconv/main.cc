// objconv: converts objects of Kubernetes' API between JSON, YAML and protobuf. See --help.

#include <iostream>
#include <string>
#include <vector>

#include "cmd/objconv/run.h"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  return kube::objconv::Run(arguments, std::cin, std::cout, std::cerr);
}
