#ifndef CLIENTSET_CLIENTCMD_DIFFERENTIAL_CREDENTIAL_CASES_H_
#define CLIENTSET_CLIENTCMD_DIFFERENTIAL_CREDENTIAL_CASES_H_

#include <string>

#include "clientset/clientcmd/differential/clientcmd_cases.h"
#include "tests/dice.h"

// Random kubeconfig files with credentials of every kind, good ones and such as editors, shells and
// generators leave: with line breaks, spaces, control characters, in files and out of them.
namespace kube::oracle {

// Certificates and keys, tokens of all shapes: the files that RandomCredentials names.
Files MakeCredentialFiles();

// The text of a kubeconfig file with one context, whose server has TLS.
std::string RandomCredentials(Dice& dice);

}  // namespace kube::oracle

#endif  // CLIENTSET_CLIENTCMD_DIFFERENTIAL_CREDENTIAL_CASES_H_
