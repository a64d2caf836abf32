package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"

	"kube/tests/oracle"
)

// services are the TCP servers of pods: ports of a pod to addresses of this machine.
type services map[int32]string

// startServices starts the same ones for all pods. Nothing listens on other ports.
func startServices() services {
	all := services{}
	for port, talk := range map[int32]func(*net.TCPConn){
		7:  talkEcho,
		9:  talkCount,
		10: talkDiscard,
		13: talkGreeting,
		19: talkSource,
		82: talkReset,
		83: talkMute,
	} {
		listener := listen()
		all[port] = listener.Addr().String()
		go func() {
			for {
				connection, err := listener.Accept()
				oracle.Check(err)
				go func() {
					defer connection.Close()
					talk(connection.(*net.TCPConn))
				}()
			}
		}()
	}
	listener := listen()
	all[80] = listener.Addr().String()
	go serve(&http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s %s\n", r.Method, r.URL.Path)
	})}, listener)
	return all
}

// Sends back what it receives, until that ends.
func talkEcho(c *net.TCPConn) { _, _ = io.Copy(struct{ io.Writer }{c}, struct{ io.Reader }{c}) }

// Reads to the end, and only then answers: the number of bytes, and their SHA-256.
func talkCount(c *net.TCPConn) {
	hash := sha256.New()
	size, err := io.Copy(hash, c)
	if err == nil {
		fmt.Fprintf(c, "%d %x\n", size, hash.Sum(nil))
	}
}

// Does the same without the SHA-256.
func talkDiscard(c *net.TCPConn) {
	size, err := io.Copy(io.Discard, c)
	if err == nil {
		fmt.Fprintf(c, "%d\n", size)
	}
}

// Ends first.
func talkGreeting(c *net.TCPConn) { fmt.Fprintln(c, "hello") }

// Reads a line BYTES SEED, and writes this pattern.
func talkSource(c *net.TCPConn) {
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		return
	}
	var size int64
	var seed uint64
	if _, err := fmt.Sscanf(line, "%d %d\n", &size, &seed); err == nil {
		_ = writePattern(c, size, seed)
	}
}

// Resets the connection after the first byte.
func talkReset(c *net.TCPConn) {
	_, _ = c.Read(make([]byte, 1))
	_ = c.SetLinger(0)
}

// Says nothing, until the client ends.
func talkMute(c *net.TCPConn) { _, _ = io.Copy(io.Discard, c) }

// ---- Patterns: the numbers of tests/dice.h, in bytes.

const pieceBytes = int64(32 << 10)

type pattern struct {
	state  uint64
	buffer []byte
}

func newPattern(seed uint64) *pattern { return &pattern{state: seed, buffer: make([]byte, pieceBytes)} }

// next returns the next bytes, which are valid until it is called again. All calls but the last one ask for a multiple of 8.
func (p *pattern) next(size int64) []byte {
	for i := 0; int64(i) < size; i += 8 {
		p.state += 0x9e3779b97f4a7c15
		z := p.state
		z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
		z = (z ^ (z >> 27)) * 0x94d049bb133111eb
		binary.LittleEndian.PutUint64(p.buffer[i:], z^(z>>31))
	}
	return p.buffer[:size]
}

func writePattern(w io.Writer, size int64, seed uint64) error {
	p := newPattern(seed)
	for size > 0 {
		n := min(size, pieceBytes)
		if _, err := w.Write(p.next(n)); err != nil {
			return err
		}
		size -= n
	}
	return nil
}
