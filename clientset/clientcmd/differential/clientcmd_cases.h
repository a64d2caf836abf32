#ifndef CLIENTSET_CLIENTCMD_DIFFERENTIAL_CLIENTCMD_CASES_H_
#define CLIENTSET_CLIENTCMD_DIFFERENTIAL_CLIENTCMD_CASES_H_

#include <map>
#include <string>
#include <vector>

#include "tests/dice.h"

// Random kubeconfig files, environments and overrides. Functions are deterministic.
namespace kube::oracle {

// One question to client-go's clientcmd, in the format of the oracle. Paths begin with @ROOT@.
struct ClientcmdCase {
  std::map<std::string, std::string> env = {};
  std::string kubeconfig = {};
  bool has_default = false;
  bool in_cluster = false;
  std::map<std::string, std::string> overrides = {};
  std::vector<std::string> edits = {};
  bool relativize = false;
  std::string server_default = {};
};

// Returns the case as JSON, with its files in the folder `root`.
std::string ToJson(const ClientcmdCase& c, const std::string& root);

// Returns the text of a kubeconfig file, which may be malformed.
std::string RandomKubeconfig(Dice& dice);

// Files by their path below the root, and a case that uses some of them.
using Files = std::map<std::string, std::string>;
Files RandomFiles(Dice& dice);
ClientcmdCase RandomCase(Dice& dice);

// The changes that a user makes to a configuration: see the oracle's `edit`.
std::vector<std::string> RandomEdits(Dice& dice);

// Servers and proxies.
std::string RandomAddress(Dice& dice);

}  // namespace kube::oracle

#endif  // CLIENTSET_CLIENTCMD_DIFFERENTIAL_CLIENTCMD_CASES_H_
