#ifndef CLIENTSET_CLIENTCMD_DIFFERENTIAL_CREDENTIAL_CASES_H_
#define CLIENTSET_CLIENTCMD_DIFFERENTIAL_CREDENTIAL_CASES_H_

#include <string>

#include "clientset/clientcmd/differential/clientcmd_cases.h"
#include "tests/dice.h"

// Random kubeconfig files with credentials of every kind: valid ones, and ones with the line
// breaks, spaces and control characters that editors, shells and generators leave behind, inside
// and outside of files.
namespace kube::oracle {

// Returns the files that RandomCredentials names: certificates, keys, and tokens of all forms.
Files MakeCredentialFiles();

// Returns the text of a kubeconfig file with one context, whose server uses TLS.
std::string RandomCredentials(Dice& dice);

}  // namespace kube::oracle

#endif  // CLIENTSET_CLIENTCMD_DIFFERENTIAL_CREDENTIAL_CASES_H_
