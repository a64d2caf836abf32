package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"time"

	"kube/tests/oracle"
)

// authority signs the certificates of the servers and of the kubelets' clients.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	// The certificate in PEM.
	certificates []byte
	serial       int64
}

func newAuthority() *authority {
	a := &authority{key: newKey()}
	template := a.template("streaming-node-ca")
	template.IsCA = true
	template.BasicConstraintsValid = true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature
	encoded, err := x509.CreateCertificate(rand.Reader, template, template, &a.key.PublicKey, a.key)
	oracle.Check(err)
	a.certificate, err = x509.ParseCertificate(encoded)
	oracle.Check(err)
	a.certificates = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: encoded})
	return a
}

func newKey() *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	oracle.Check(err)
	return key
}

func (a *authority) template(name string) *x509.Certificate {
	a.serial++
	return &x509.Certificate{
		SerialNumber: big.NewInt(a.serial),
		Subject:      pkix.Name{CommonName: name},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(24 * time.Hour),
	}
}

// issue returns a certificate for both sides of a connection, and its key, in PEM.
func (a *authority) issue(name string) (certificate, key []byte) {
	private := newKey()
	template := a.template(name)
	template.KeyUsage = x509.KeyUsageDigitalSignature
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	template.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	encoded, err := x509.CreateCertificate(rand.Reader, template, a.certificate, &private.PublicKey, a.key)
	oracle.Check(err)
	encodedKey, err := x509.MarshalPKCS8PrivateKey(private)
	oracle.Check(err)
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: encoded}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encodedKey})
}

func (a *authority) pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.certificate)
	return pool
}

func (a *authority) keyPair(name string) []tls.Certificate {
	pair, err := tls.X509KeyPair(a.issue(name))
	oracle.Check(err)
	return []tls.Certificate{pair}
}

// serverConfig is that of the API servers.
func (a *authority) serverConfig() *tls.Config {
	return &tls.Config{Certificates: a.keyPair("api")}
}

// kubeletConfig is that of kubelets, which refuse strangers.
func (a *authority) kubeletConfig() *tls.Config {
	return &tls.Config{
		Certificates: a.keyPair("kubelet"),
		ClientAuth:   tls.RequireAndVerifyClientCert,
		ClientCAs:    a.pool(),
	}
}

// clientConfig is that of the kubelets' clients.
func (a *authority) clientConfig() *tls.Config {
	return &tls.Config{Certificates: a.keyPair("kube-apiserver"), RootCAs: a.pool()}
}
