// The plugin of protoc that the rule kube_library in kube_library.bzl runs.

#include <google/protobuf/compiler/plugin.h>

#include "codegen/generator.h"

int main(int argc, char* argv[]) {
  const kube::codegen::Generator generator;
  return google::protobuf::compiler::PluginMain(argc, argv, &generator);
}
