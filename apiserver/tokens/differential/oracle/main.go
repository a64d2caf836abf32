// tokens_oracle checks tokens of service accounts with Go's cryptography, as somebody does who has only the key set of the
// server. Each line of the input is {"keys": KEY SET, "token": TOKEN}; each line of the output {"payload": CLAIMS,
// "user": USER} or {"error": WHY NOT}.
package main

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/big"
	"os"
	"strings"

	"k8s.io/apiserver/pkg/authentication/serviceaccount"
)

type key struct {
	Use, Kty, Kid, Crv, Alg, X, Y string
}

type question struct {
	Keys struct {
		Keys []key
	}
	Token string
}

type object struct {
	Name, UID string
}

type claims struct {
	JTI        string
	Kubernetes struct {
		Namespace      string
		ServiceAccount object
		Pod, Node      object
	} `json:"kubernetes.io"`
}

type answer struct {
	Payload string `json:"payload,omitempty"`
	User    any    `json:"user,omitempty"`
	Error   string `json:"error,omitempty"`
}

var encoding = base64.RawURLEncoding.Strict()

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// publicKey returns the key with this name, which has to be the hash of the key.
func publicKey(keys []key, kid string) (*ecdsa.PublicKey, error) {
	for _, k := range keys {
		if k.Kid != kid {
			continue
		}
		if k.Use != "sig" || k.Kty != "EC" || k.Crv != "P-256" || k.Alg != "ES256" {
			return nil, errors.New("another kind of key")
		}
		x, y := must(encoding.DecodeString(k.X)), must(encoding.DecodeString(k.Y))
		if len(x) != 32 || len(y) != 32 {
			return nil, errors.New("coordinates of another size")
		}
		public := &ecdsa.PublicKey{Curve: elliptic.P256(), X: new(big.Int).SetBytes(x), Y: new(big.Int).SetBytes(y)}
		hash := sha256.Sum256(must(x509.MarshalPKIXPublicKey(public)))
		if encoding.EncodeToString(hash[:]) != kid {
			return nil, errors.New("the name is not the hash of the key")
		}
		return public, nil
	}
	return nil, errors.New("no such key")
}

func check(q question) (string, error) {
	parts := strings.Split(q.Token, ".")
	if len(parts) != 3 {
		return "", errors.New("not three parts")
	}
	header, err := encoding.DecodeString(parts[0])
	if err != nil {
		return "", err
	}
	payload, err := encoding.DecodeString(parts[1])
	if err != nil {
		return "", err
	}
	signature, err := encoding.DecodeString(parts[2])
	if err != nil {
		return "", err
	}
	var head struct{ Alg, Kid string }
	if err := json.Unmarshal(header, &head); err != nil {
		return "", err
	}
	if head.Alg != "ES256" || len(signature) != 64 {
		return "", errors.New("not ES256")
	}
	public, err := publicKey(q.Keys.Keys, head.Kid)
	if err != nil {
		return "", err
	}
	hash := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	r, s := new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])
	if !ecdsa.Verify(public, hash[:], r, s) {
		return "", errors.New("wrong signature")
	}
	return string(payload), nil
}

func main() {
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<20)
	output := json.NewEncoder(os.Stdout)
	for input.Scan() {
		var q question
		if err := json.Unmarshal(input.Bytes(), &q); err != nil {
			panic(err)
		}
		payload, err := check(q)
		if err != nil {
			must(0, output.Encode(answer{Error: err.Error()}))
			continue
		}
		var c claims
		if err := json.Unmarshal([]byte(payload), &c); err != nil {
			panic(err)
		}
		of := c.Kubernetes
		info := serviceaccount.ServiceAccountInfo{
			Namespace: of.Namespace, Name: of.ServiceAccount.Name, UID: of.ServiceAccount.UID,
			PodName: of.Pod.Name, PodUID: of.Pod.UID, NodeName: of.Node.Name, NodeUID: of.Node.UID,
		}
		if c.JTI != "" {
			info.CredentialID = "JTI=" + c.JTI
		}
		user := info.UserInfo()
		must(0, output.Encode(answer{Payload: payload, User: map[string]any{
			"name": user.GetName(), "uid": user.GetUID(), "groups": user.GetGroups(), "extra": user.GetExtra(),
		}}))
	}
	if err := input.Err(); err != nil {
		panic(err)
	}
}
